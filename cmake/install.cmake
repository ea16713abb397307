# What a user installs, in the three components that become Debian packages (package.cmake):
#   runtime  the libraries, and kernels compiled ahead of time
#   dev      headers and how to find them (CMake package, pkg-config)
#   tools    torc, the demos as torc-NAME (others have a `bfs` too), their pages of the manual and completion for bash
include(CMakePackageConfigHelpers)
find_program(GZIP gzip REQUIRED)

# result: the path of name, in the build tree: file compressed, the same bytes every time.
function(torc_compress result file name)
  set(compressed ${PROJECT_BINARY_DIR}/compressed)
  file(MAKE_DIRECTORY ${compressed})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  execute_process(COMMAND ${GZIP} -9nc ${file} OUTPUT_FILE ${compressed}/${name} COMMAND_ERROR_IS_FATAL ANY)
  set(${result} ${compressed}/${name} PARENT_SCOPE)
endfunction()

set(cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/torc)
set(libraries torc)
if(TORC_GRAPHBLAS)
  list(APPEND libraries torc_graphblas)
  install(TARGETS torc_dropin LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime)
  install(TARGETS torc_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)
  install(FILES include/torc/graphblas.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/torc COMPONENT dev)
  foreach(demo pagerank bfs paths)
    install(PROGRAMS $<TARGET_FILE:${demo}> DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME torc-${demo} COMPONENT tools)
  endforeach()
  foreach(program torc torc-pagerank torc-bfs torc-paths) # bash looks for a file of the program's name
    install(FILES tools/torc.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME ${program}
      COMPONENT tools)
  endforeach()
  foreach(page torc torc-pagerank torc-bfs torc-paths)
    torc_compress(compressed ${PROJECT_SOURCE_DIR}/docs/man/${page}.1 ${page}.1.gz)
    install(FILES ${compressed} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT tools)
  endforeach()
endif()
install(TARGETS ${libraries} EXPORT torc LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime
  NAMELINK_COMPONENT dev)
if(TORC_HAVE_CUDA)
  install(TARGETS torc_cuda_library LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_SKIP)
  install(DIRECTORY ${PROJECT_BINARY_DIR}/src/torc/kernels DESTINATION ${CMAKE_INSTALL_LIBDIR}/torc COMPONENT runtime
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ
    DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endif()
install(FILES include/torc/torc.h include/torc/elementwise.h include/torc/exchange.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/torc COMPONENT dev)

install(EXPORT torc NAMESPACE torc:: FILE torcTargets.cmake DESTINATION ${cmake_dir} COMPONENT dev)
configure_package_config_file(cmake/torcConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/torcConfig.cmake
  INSTALL_DESTINATION ${cmake_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/torcConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/torcConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/torcConfigVersion.cmake
  DESTINATION ${cmake_dir} COMPONENT dev)

# pkg-config's files name folders from where they lie themselves, so that cmake --install --prefix may choose it. Where
# GraphBLAS.h lies in a folder that compilers do not search, as in Ubuntu, they say so.
file(RELATIVE_PATH pc_to_include ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_FULL_INCLUDEDIR})
set(graphblas_cflags)
if(TORC_GRAPHBLAS AND NOT GRAPHBLAS_INCLUDE_DIR IN_LIST CMAKE_C_IMPLICIT_INCLUDE_DIRECTORIES)
  set(graphblas_cflags " -I${GRAPHBLAS_INCLUDE_DIR}")
endif()
foreach(library ${libraries})
  configure_file(cmake/${library}.pc.in ${CMAKE_CURRENT_BINARY_DIR}/${library}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${library}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
    COMPONENT dev)
endforeach()
