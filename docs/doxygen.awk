# doxygen.awk: the public headers as Doxygen reads them.

# The comment that opens a file is the file's, one before a declaration is the declaration's, one behind it too; the
# lines between sections are nobody's.
NR == 1 { sub(/^\/\* [a-z]*\.h: /, "/** @file\n * ") }
/^\/\* ---- .* \*\/$/ { next }
{ sub(/^\/\* /, "/** ") }
/^ *[^ *\/].*\/\* / { sub(/\/\* /, "/**< ") }

# Doxygen goes on expanding the first macro of a name that is defined anew.
/^#define X\(/ { sub(/X/, "X" ++count) }
/^#undef X$/ { next }
/^ +TORC_[A-Z]*_MAP\(X\)$/ { sub(/X\)/, "X" count ")") }

# A full stop would end the summary: this one is U+2024.
{ gsub(/⊕\.⊗/, "⊕․⊗") }
{ print }
