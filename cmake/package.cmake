# The Debian packages that cpack makes of the components of install.cmake; scripts/package builds them.
set(package_runtime libtorc${PROJECT_VERSION_MAJOR})
set(package_dev libtorc-dev)
set(package_tools torc-tools)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "Seed 39835feb maintainers <maintainers@users.noreply.a-seed-39835feb.example>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL runtime dev tools)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/src) # libtorc itself: in no package yet
set(this_runtime "${package_runtime} (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME ${package_runtime})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS ${package_tools})
configure_file(cmake/debian/shlibs.in debian/shlibs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/debian/triggers
  ${PROJECT_BINARY_DIR}/debian/shlibs)
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION "semiring sparse-dense matrix multiplication on NVIDIA GPUs
torc makes products of SuiteSparse:GraphBLAS (GrB_mxm, GrB_mxv, GrB_vxm) fast
where one operand is sparse and the other dense, over any semiring, and the
operations on dense matrices and vectors between them. What it cannot speed
up, and everything on a machine without a GPU, is left to SuiteSparse.

This package has the engine, torc_mxm, and the library that takes the place
of these functions in unchanged programs.")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME ${package_dev})
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "${this_runtime}, libgraphblas-dev")
set(CPACK_DEBIAN_DEV_DESCRIPTION "semiring sparse-dense matrix multiplication on NVIDIA GPUs - headers
torc makes products of SuiteSparse:GraphBLAS (GrB_mxm, GrB_mxv, GrB_vxm) fast
where one operand is sparse and the other dense, over any semiring, and the
operations on dense matrices and vectors between them.

This package has the headers, and the files for pkg-config and CMake.")

set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME ${package_tools})
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION math)
set(CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS "${this_runtime}")
set(CPACK_DEBIAN_TOOLS_PACKAGE_SUGGESTS "gcc | c-compiler") # torc-paths --semiring
set(CPACK_DEBIAN_TOOLS_DESCRIPTION "run GraphBLAS programs on NVIDIA GPUs
torc makes products of SuiteSparse:GraphBLAS (GrB_mxm, GrB_mxv, GrB_vxm) fast
where one operand is sparse and the other dense, over any semiring, and the
operations on dense matrices and vectors between them.

This package has the command torc, which runs an unchanged GraphBLAS program
on the GPU where that is faster, and three programs to try it with:
PageRank, breadth-first search and best paths, from many sources at once.")

if(TORC_HAVE_CUDA)
  string(APPEND CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS ", cuda-nvrtc-${CUDAToolkit_VERSION_MAJOR}-${CUDAToolkit_VERSION_MINOR}")
endif()

# What Debian wants in /usr/share; of no use elsewhere, so that cmake --install leaves it out.
torc_compress(changelog ${PROJECT_SOURCE_DIR}/CHANGELOG.md changelog.gz)
torc_compress(changelog_debian ${PROJECT_SOURCE_DIR}/cmake/debian/changelog changelog.Debian.gz)
foreach(component ${CPACK_COMPONENTS_ALL})
  set(package ${package_${component}})
  install(FILES ${changelog} ${changelog_debian} cmake/debian/copyright
    DESTINATION share/doc/${package} COMPONENT ${component} EXCLUDE_FROM_ALL)
endforeach()
install(FILES cmake/debian/lintian-overrides RENAME ${package_runtime}
  DESTINATION share/lintian/overrides COMPONENT runtime EXCLUDE_FROM_ALL)
# What a user reads, beside the commands: all pages, which lead to one another and to the examples.
file(GLOB pages CONFIGURE_DEPENDS docs/*.md)
file(GLOB examples CONFIGURE_DEPENDS docs/examples/*.c docs/examples/*.py)
install(FILES ${pages} DESTINATION share/doc/${package_tools} COMPONENT tools EXCLUDE_FROM_ALL)
install(FILES ${examples} demos/lexicographic.txt DESTINATION share/doc/${package_tools}/examples
  COMPONENT tools EXCLUDE_FROM_ALL)
include(CPack)
