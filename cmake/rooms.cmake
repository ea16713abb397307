# torc_room(WHOLE NAME SOURCES FILE... [SEES ROOM...] [LIBS LIBRARY...]): folder NAME as an object library WHOLE_NAME. It
# finds its own headers, and those of the rooms that it sees and that these see, and no others: an arrow against the
# order does not compile. Its objects are part of the interface library WHOLE.
function(torc_room whole name)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "SOURCES;SEES;LIBS")
  list(TRANSFORM arg_SOURCES PREPEND ${name}/)
  set(room ${whole}_${name})
  add_library(${room} OBJECT ${arg_SOURCES})
  target_include_directories(${room} PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/${name} ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(${room} PUBLIC ${arg_SEES} PRIVATE ${arg_LIBS})
  target_sources(${whole} INTERFACE $<TARGET_OBJECTS:${room}>)
  target_link_libraries(${whole} INTERFACE ${room} ${arg_LIBS})
endfunction()
