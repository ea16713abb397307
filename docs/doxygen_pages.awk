# doxygen_pages.awk: the Markdown pages as Doxygen reads them: a link to a file that is no page names it by its whole path.
FNR == 1 { folder = FILENAME; sub(/[^\/]*$/, "", folder) }
/^```/ { is_code = !is_code }
{
    done = ""
    while (!is_code && match($0, /\]\([^)#:]+\)/)) {
        target = substr($0, RSTART + 2, RLENGTH - 3)
        done = done substr($0, 1, RSTART + 1) (target ~ /\.md$|^\// ? "" : folder) target ")"
        $0 = substr($0, RSTART + RLENGTH)
    }
    print done $0
}
