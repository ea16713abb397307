/* test_graph_mtx.c: Matrix Market files, good and bad. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "graph_mtx.h"
#include "written_file.h"

#define GENERAL "%%MatrixMarket matrix coordinate pattern general\n"

static torc_graph read_text(const char *text)
{
    torc_written_file file = torc_file_write(".mtx", text);
    torc_graph graph;
    bool is_read = torc_graph_read_mtx(&graph, file.path);
    cr_assert(is_read, "%s", graph.error);
    torc_file_remove(&file);
    return graph;
}

static void expect_edges(torc_graph *graph, uint64_t nvertices, uint64_t nedges, const uint64_t (*edges)[2])
{
    cr_assert_eq(graph->nvertices, nvertices);
    cr_assert_eq(graph->nedges, nedges);
    for (uint64_t e = 0; e < nedges; e++) {
        cr_expect_eq(graph->source[e], edges[e][0], "edge %d", (int)e);
        cr_expect_eq(graph->target[e], edges[e][1], "edge %d", (int)e);
    }
    torc_graph_release(graph);
}

Test(mtx, a_general_pattern_is_read_from_1_and_self_loops_are_dropped)
{
    torc_graph graph = read_text(GENERAL "% comment\n\n3 3 3\n1 2\n2 2\n\n3 1\n");
    expect_edges(&graph, 3, 2, (const uint64_t[][2]){{0, 1}, {2, 0}});
}

Test(mtx, real_and_integer_values_are_weights)
{
    torc_graph graph = read_text("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 -1.5e3\n2 1 0\n");
    cr_assert(graph.has_weights);
    cr_expect(graph.weight[0] == -1500 && graph.weight[1] == 0);
    torc_graph_release(&graph);
    graph = read_text("%%MatrixMarket matrix coordinate integer symmetric\n2 2 1\n2 1 7\n");
    cr_expect(graph.weight[0] == 7 && graph.weight[1] == 7);
    torc_graph_release(&graph);
    graph = read_text("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 7\n");
    cr_expect(graph.weight[0] == 7 && graph.weight[1] == -7);
    torc_graph_release(&graph);
    graph = read_text("%%MatrixMarket matrix coordinate complex general\n2 2 1\n2 1 7 1\n");
    cr_expect(!graph.has_weights && !graph.weight);
    torc_graph_release(&graph);
}

Test(mtx, values_of_every_field_may_be_there)
{
    torc_graph graph =
        read_text("%%MatrixMarket matrix coordinate real general\r\n2 2 2\r\n1 2 -1.5e3\r\n2 1 0\r\n");
    expect_edges(&graph, 2, 2, (const uint64_t[][2]){{0, 1}, {1, 0}});
    graph = read_text("%%MatrixMarket MATRIX Coordinate Integer General\n2 2 1\n 1\t2  7 \n");
    expect_edges(&graph, 2, 1, (const uint64_t[][2]){{0, 1}});
    graph = read_text("%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n2 1 0.5 -2\n");
    expect_edges(&graph, 2, 2, (const uint64_t[][2]){{1, 0}, {0, 1}});
}

Test(mtx, a_symmetric_entry_is_two_edges)
{
    torc_graph graph = read_text("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 3\n");
    expect_edges(&graph, 3, 2, (const uint64_t[][2]){{1, 0}, {0, 1}});
    graph = read_text("%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n3 1 4\n");
    expect_edges(&graph, 3, 2, (const uint64_t[][2]){{2, 0}, {0, 2}});
}

Test(mtx, a_file_without_a_last_newline_is_read)
{
    torc_graph graph = read_text(GENERAL "2 2 1\n2 1");
    expect_edges(&graph, 2, 1, (const uint64_t[][2]){{1, 0}});
}

Test(mtx, long_lines_are_read_whole)
{
    char text[20000] = GENERAL "%";
    memset(text + strlen(text), 'x', 15000);
    strcat(text, "\n2 2 1\n2 1\n");
    torc_graph graph = read_text(text);
    expect_edges(&graph, 2, 1, (const uint64_t[][2]){{1, 0}});
}

Test(mtx, gzipped_files_are_read)
{
    torc_written_file file = torc_file_write_gz(".mtx.gz", GENERAL "2 2 1\n2 1\n", 0);
    torc_graph graph;
    cr_assert(torc_graph_read_mtx(&graph, file.path), "%s", graph.error);
    torc_file_remove(&file);
    expect_edges(&graph, 2, 1, (const uint64_t[][2]){{1, 0}});
}

/* Each text is refused with a message that names the line and has these words. */
static const struct {
    const char *text;
    int line;
    const char *words;
} malformed[] = {
    {"", 1, "no banner"},
    {"\n", 1, "no banner"},
    {"3 3 1\n1 2\n", 1, "no banner"},
    {"%%MatrixMarket matrix coordinate pattern\n3 3 0\n", 1, "no banner"},
    {"%%MatrixMarket matrix array real general\n3 3\n", 1, "coordinate"},
    {"%%MatrixMarket vector coordinate real general\n3 3\n", 1, "coordinate"},
    {"%%MatrixMarket matrix coordinate quaternion general\n3 3 0\n", 1, "field"},
    {"%%MatrixMarket matrix coordinate real triangular\n3 3 0\n", 1, "symmetry"},
    {GENERAL, 1, "size line"},
    {GENERAL "% only a comment\n", 2, "size line"},
    {GENERAL "3 3\n", 2, "size line"},
    {GENERAL "3 3 x\n", 2, "size line"},
    {GENERAL "3 3 1 1\n", 2, "size line"},
    {GENERAL "-3 -3 1\n", 2, "size line"},
    {GENERAL "99999999999999999999999 3 1\n", 2, "size line"},
    {GENERAL "3 4 1\n1 2\n", 2, "square"},
    {GENERAL "0 0 0\n", 2, "empty"},
    {GENERAL "3 3 2\n1 2\n", 3, "ends before the last entry"},
    {GENERAL "3 3 18446744073709551615\n1 2\n", 3, "ends before the last entry"},
    {GENERAL "3 3 1\n1 2\n2 3\n", 4, "more entries"},
    {GENERAL "3 3 1\n1 4\n", 3, "out of range"},
    {GENERAL "3 3 1\n0 1\n", 3, "out of range"},
    {GENERAL "3 3 1\none two\n", 3, "two indices"},
    {GENERAL "3 3 1\n1\n", 3, "two indices"},
    {GENERAL "3 3 1\n1.5 2\n", 3, "two indices"},
    {GENERAL "3 3 1\n-1 2\n", 3, "two indices"},
    {GENERAL "3 3 1\n1 2 3\n", 3, "more on the line"},
    {"%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2\n", 3, "numeric value"},
    {"%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2 x\n", 3, "numeric value"},
    {"%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2 nan\n", 3, "finite"},
    {"%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2 1e999\n", 3, "finite"},
    {"%%MatrixMarket matrix coordinate complex general\n3 3 1\n1 2 3\n", 3, "numeric value"},
};

Test(mtx, a_malformed_file_gives_one_line_with_the_line_number)
{
    for (size_t i = 0; i < sizeof malformed / sizeof malformed[0]; i++) {
        torc_written_file file = torc_file_write(".mtx", malformed[i].text);
        torc_graph graph;
        bool is_read = torc_graph_read_mtx(&graph, file.path);
        torc_file_remove(&file);
        char line[32];
        snprintf(line, sizeof line, ", line %d: ", malformed[i].line);
        cr_expect(!is_read, "accepted: %s", malformed[i].text);
        cr_expect(strstr(graph.error, line), "'%s' has no '%s'", graph.error, line);
        cr_expect(
            strstr(graph.error, malformed[i].words), "'%s' has no '%s'", graph.error, malformed[i].words);
        cr_expect(!strchr(graph.error, '\n'));
        torc_graph_release(&graph);
    }
}

Test(mtx, a_nul_byte_is_an_error_with_its_line)
{
#define BYTES(text) text, sizeof text - 1
    static const struct {
        const char *bytes;
        size_t size;
        int line;
    } files[] = {
        {BYTES("\0"), 1},
        {BYTES(GENERAL "% a \0 comment\n2 2 1\n1 2\n"), 2},
        {BYTES(GENERAL "2 2 1\n1 2\0 3\n"), 3},
        {BYTES(GENERAL "2 2 1\n1 2\n\0"), 4},
    };
#undef BYTES
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        torc_written_file file = torc_file_write_bytes(".mtx", files[i].bytes, files[i].size);
        torc_graph graph;
        cr_expect(!torc_graph_read_mtx(&graph, file.path), "file %zu", i);
        char words[64];
        snprintf(words, sizeof words, ", line %d: there is a NUL byte", files[i].line);
        cr_expect(strstr(graph.error, words), "'%s' has no '%s'", graph.error, words);
        torc_graph_release(&graph);
        torc_file_remove(&file);
    }
}

Test(mtx, a_gzipped_file_cut_anywhere_is_refused)
{
    const char *text = GENERAL "4 4 3\n2 1\n3 1\n4 2\n";
    for (size_t cut = 1; cut < 60; cut++) {
        torc_written_file file = torc_file_write_gz(".mtx.gz", text, cut);
        torc_graph graph;
        cr_expect(!torc_graph_read_mtx(&graph, file.path), "%d bytes cut off", (int)cut);
        cr_expect(strlen(graph.error) > 0);
        torc_file_remove(&file);
        torc_graph_release(&graph);
    }
    torc_written_file file = torc_file_write_gz(".mtx.gz", text, 12);
    torc_graph graph;
    cr_expect(!torc_graph_read_mtx(&graph, file.path));
    cr_expect(strstr(graph.error, "cut short"), "%s", graph.error);
    torc_file_remove(&file);
    torc_graph_release(&graph);
}

Test(mtx, a_file_that_is_missing_or_no_file_is_refused)
{
    torc_graph graph;
    cr_expect(!torc_graph_read_mtx(&graph, "/nonexistent/graph.mtx"));
    cr_expect(strstr(graph.error, "No such file"), "%s", graph.error);
    torc_graph_release(&graph);
    cr_expect(!torc_graph_read_mtx(&graph, "/tmp"));
    cr_expect(strstr(graph.error, "cannot be read"), "%s", graph.error);
    torc_graph_release(&graph);
}

Test(mtx, karate_has_34_vertices_and_78_undirected_edges)
{
    const char *path = TORC_SHARED_DATA "/karate.mtx.gz";
    if (access(path, R_OK) != 0) {
        cr_skip_test("%s is not there", path);
    }
    torc_graph graph;
    cr_assert(torc_graph_read_mtx(&graph, path), "%s", graph.error);
    cr_expect_eq(graph.nvertices, 34);
    cr_expect_eq(graph.nedges, 2 * 78);
    torc_graph_release(&graph);
}

Test(mtx, a_long_path_leaves_room_for_what_is_wrong)
{
    char path[TORC_FAR_PATH];
    torc_written_file file = torc_file_write(".mtx", "%%MatrixMarket matrix\n");
    torc_graph graph;
    torc_file_go_far(path, &file);
    cr_expect(!torc_graph_read_mtx(&graph, path));
    cr_expect(strstr(graph.error, file.path) && strstr(graph.error, ", line 1: "), "%s", graph.error);
    cr_expect(strstr(graph.error, "no banner"), "%s", graph.error);
    torc_graph_release(&graph);
    torc_file_remove(&file);
    cr_expect(!torc_graph_read_mtx(&graph, path));
    cr_expect(strstr(graph.error, "No such file"), "%s", graph.error);
    torc_graph_release(&graph);
}
