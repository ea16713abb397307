# cmake -DOUTPUT=FILE "-DHEADERS=A;B" "-DEMPTY=C;D" -P embed_headers.cmake: write FILE, C, with the text of each
# header, and with those of EMPTY, which have none.
set(names "")
set(texts "")
set(count 0)
foreach(header IN LISTS HEADERS)
  file(READ ${header} text)
  get_filename_component(name ${header} NAME)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(REPLACE "\n" "\\n\"\n    \"" text "${text}")
  string(APPEND names "    \"${name}\",\n")
  string(APPEND texts "    \"${text}\",\n")
  math(EXPR count "${count} + 1")
endforeach()
foreach(name IN LISTS EMPTY)
  string(APPEND names "    \"${name}\",\n")
  string(APPEND texts "    \"\",\n")
  math(EXPR count "${count} + 1")
endforeach()
file(WRITE ${OUTPUT} "/* Written by embed_headers.cmake. */
#include \"kernel_headers.h\"

const int torc_kernel_header_count = ${count};

const char *const torc_kernel_header_names[] = {
${names}};

const char *const torc_kernel_header_texts[] = {
${texts}};
")
