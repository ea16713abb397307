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
  torc_draw_room(${name} ${arg_SEES})
endfunction()

# torc_draw_room(NAME ROOM...): NAME is a room of this folder and sees those, in rooms.dot of the build tree.
function(torc_draw_room name)
  get_filename_component(folder ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  set(sees ${ARGN})
  list(REMOVE_ITEM sees graphblas_header)
  list(TRANSFORM sees REPLACE "^torc_(engine|glue)_" "${name} -> ")
  list(JOIN sees "\n" arrows)
  set_property(GLOBAL APPEND_STRING PROPERTY TORC_ROOMS "subgraph cluster_${folder} { label=\"${folder}/\" ${name} }\n${arrows}\n")
endfunction()

# After the last room: docs/rooms.svg is what dot draws of it, and the test drawing_of_rooms compares the two.
function(torc_draw_rooms)
  get_property(rooms GLOBAL PROPERTY TORC_ROOMS)
  file(WRITE ${PROJECT_BINARY_DIR}/rooms.dot
    "digraph rooms {\nnode [shape=box fontname=Helvetica height=.3]\nedge [arrowsize=.6]\ngraph [fontname=Helvetica color=gray]\n${rooms}}\n")
endfunction()
