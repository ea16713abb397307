# What a user installs: two headers, three libraries, the tool, and how to find them (CMake package, pkg-config).
include(CMakePackageConfigHelpers)
set(cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/torc)

install(TARGETS torc EXPORT torc LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TORC_HAVE_CUDA)
  install(DIRECTORY ${PROJECT_BINARY_DIR}/src/torc/kernels DESTINATION ${CMAKE_INSTALL_LIBDIR}/torc
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ
    DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endif()
install(FILES include/torc/torc.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/torc)
if(TORC_GRAPHBLAS)
  install(TARGETS torc_graphblas EXPORT torc LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(TARGETS torc_dropin LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(TARGETS torc_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(FILES include/torc/graphblas.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/torc)
endif()

install(EXPORT torc NAMESPACE torc:: FILE torcTargets.cmake DESTINATION ${cmake_dir})
configure_package_config_file(cmake/torcConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/torcConfig.cmake
  INSTALL_DESTINATION ${cmake_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/torcConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/torcConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/torcConfigVersion.cmake
  DESTINATION ${cmake_dir})

foreach(library torc torc_graphblas)
  if(TARGET ${library})
    configure_file(cmake/${library}.pc.in ${CMAKE_CURRENT_BINARY_DIR}/${library}.pc @ONLY)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${library}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  endif()
endforeach()
