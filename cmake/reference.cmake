# The target reference: all pages and the API, searchable, in reference/html of the build tree. Any warning of Doxygen
# fails it.
find_program(DOXYGEN doxygen)
if(DOXYGEN)
  configure_file(docs/Doxyfile.in Doxyfile @ONLY)
  add_custom_target(reference COMMAND ${DOXYGEN} ${PROJECT_BINARY_DIR}/Doxyfile VERBATIM)
  if(TORC_TESTS)
    add_test(NAME pages_and_headers_are_clean_to_doxygen COMMAND ${DOXYGEN} ${PROJECT_BINARY_DIR}/Doxyfile)
  endif()
endif()
