/* test_graph_edges.c: SNAP's edge lists, good and bad. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "graph_edges.h"
#include "written_file.h"

static torc_graph read_text(const char *text)
{
    torc_written_file file = torc_file_write(".txt", text);
    torc_graph graph;
    bool is_read = torc_graph_read_edges(&graph, file.path);
    cr_assert(is_read, "%s", graph.error);
    torc_file_remove(&file);
    return graph;
}

Test(edges, vertices_are_counted_as_they_appear_and_keep_their_numbers_as_names)
{
    torc_graph graph = read_text("# Nodes: 3 Edges: 4\n"
                                 "# FromNodeId\tToNodeId\n"
                                 "70\t5\r\n"
                                 "\n"
                                 " 5 900000000000\n"
                                 "005,70\n"
                                 "5 5\n");
    const uint64_t edges[][2] = {{0, 1}, {1, 2}, {1, 0}};
    cr_assert_eq(graph.nvertices, 3);
    cr_assert_eq(graph.nedges, 3, "the self-loop is dropped");
    cr_expect(!graph.has_weights);
    for (uint64_t e = 0; e < 3; e++) {
        cr_expect_eq(graph.source[e], edges[e][0], "edge %d", (int)e);
        cr_expect_eq(graph.target[e], edges[e][1], "edge %d", (int)e);
    }
    cr_expect_str_eq(graph.names[0], "70");
    cr_expect_str_eq(graph.names[1], "5");
    cr_expect_str_eq(graph.names[2], "900000000000");
    torc_graph_release(&graph);
}

Test(edges, a_third_column_is_the_weight)
{
    torc_graph graph = read_text("0 1 -2.5\n1 1 7\n1 0 1e3 \n");
    cr_assert(graph.has_weights);
    cr_assert_eq(graph.nedges, 2);
    cr_expect_eq(graph.weight[0], -2.5);
    cr_expect_eq(graph.weight[1], 1000);
    torc_graph_release(&graph);
}

Test(edges, gzipped_files_are_read_and_cut_ones_refused)
{
    torc_graph graph;
    torc_written_file file = torc_file_write_gz(".txt.gz", "1 2\n2 3\n", 0);
    cr_assert(torc_graph_read_edges(&graph, file.path), "%s", graph.error);
    cr_expect_eq(graph.nedges, 2);
    torc_file_remove(&file);
    torc_graph_release(&graph);
    file = torc_file_write_gz(".txt.gz", "1 2\n2 3\n", 12);
    cr_expect(!torc_graph_read_edges(&graph, file.path));
    cr_expect(strstr(graph.error, "cut short"), "%s", graph.error);
    torc_file_remove(&file);
    torc_graph_release(&graph);
}

static const struct {
    const char *text;
    int line;
    const char *words;
} malformed[] = {
    {"", 1, "without an edge"},
    {"# only a comment\n", 1, "without an edge"},
    {"1 2\n3\n", 2, "two vertex numbers"},
    {"Package: 0ad\n", 1, "two vertex numbers"},
    {"1 -2\n", 1, "two vertex numbers"},
    {"1 2.5\n", 1, "two vertex numbers"},
    {"1 2 x\n", 1, "finite weight"},
    {"1 2 inf\n", 1, "finite weight"},
    {"1 2 1e999\n", 1, "finite weight"},
    {"1 2 3 4\n", 1, "finite weight"},
    {"1 2 3\n2 3\n", 2, "no weight, and earlier"},
    {"1 2\n2 3 1\n", 2, "a weight, and earlier"},
};

Test(edges, a_malformed_file_gives_one_line_with_the_line_number)
{
    for (size_t i = 0; i < sizeof malformed / sizeof malformed[0]; i++) {
        torc_written_file file = torc_file_write(".txt", malformed[i].text);
        torc_graph graph;
        bool is_read = torc_graph_read_edges(&graph, file.path);
        torc_file_remove(&file);
        char line[32];
        snprintf(line, sizeof line, ", line %d: ", malformed[i].line);
        cr_expect(!is_read, "accepted: %s", malformed[i].text);
        cr_expect(strstr(graph.error, line), "'%s' has no '%s'", graph.error, line);
        cr_expect(
            strstr(graph.error, malformed[i].words), "'%s' has no '%s'", graph.error, malformed[i].words);
        torc_graph_release(&graph);
    }
}

Test(edges, a_nul_byte_is_an_error_with_its_line)
{
    torc_written_file file = torc_file_write_bytes(".txt", "1 2\n3 4\0 5\n", 12);
    torc_graph graph;
    cr_expect(!torc_graph_read_edges(&graph, file.path));
    cr_expect(strstr(graph.error, ", line 2: there is a NUL byte"), "%s", graph.error);
    torc_graph_release(&graph);
    torc_file_remove(&file);
}

Test(edges, a_long_path_leaves_room_for_what_is_wrong)
{
    char path[TORC_FAR_PATH];
    torc_written_file file = torc_file_write(".txt", "1 2\n3 x\n");
    torc_graph graph;
    torc_file_go_far(path, &file);
    cr_expect(!torc_graph_read_edges(&graph, path));
    cr_expect(strstr(graph.error, file.path) && strstr(graph.error, ", line 2: "), "%s", graph.error);
    cr_expect(strstr(graph.error, "two vertex numbers"), "%s", graph.error);
    torc_graph_release(&graph);
    torc_file_remove(&file);
    cr_expect(!torc_graph_read_edges(&graph, path));
    cr_expect(strstr(graph.error, "No such file"), "%s", graph.error);
    torc_graph_release(&graph);
}
