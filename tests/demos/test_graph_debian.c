/* test_graph_debian.c: package stanzas and the edges that follow from them. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph_debian.h"
#include "written_file.h"

static torc_graph read_text(const char *text)
{
    torc_written_file file = torc_file_write("", text);
    torc_graph graph;
    bool is_read = torc_graph_read_debian(&graph, file.path);
    cr_assert(is_read, "%s", graph.error);
    torc_file_remove(&file);
    return graph;
}

static bool has_edge(const torc_graph *graph, const char *source, const char *target)
{
    for (uint64_t e = 0; e < graph->nedges; e++) {
        if (strcmp(graph->names[graph->source[e]], source) == 0 &&
            strcmp(graph->names[graph->target[e]], target) == 0) {
            return true;
        }
    }
    return false;
}

Test(debian, depends_pre_depends_and_recommends_are_edges_and_nothing_else_is)
{
    torc_graph graph = read_text("Package: a\n"
                                 "Version: 1\n"
                                 "Depends: b\n"
                                 "Pre-Depends: c\n"
                                 "Recommends: d\n"
                                 "Suggests: e\n"
                                 "Breaks: e\n"
                                 "\n"
                                 "Package: b\n\nPackage: c\n\nPackage: d\n\nPackage: e\n");
    cr_expect_eq(graph.nvertices, 5);
    cr_expect_eq(graph.nedges, 3);
    cr_expect_str_eq(graph.names[0], "a");
    cr_expect_str_eq(graph.names[4], "e");
    cr_expect(has_edge(&graph, "a", "b"));
    cr_expect(has_edge(&graph, "a", "c"));
    cr_expect(has_edge(&graph, "a", "d"));
    torc_graph_release(&graph);
}

Test(debian, versions_architectures_and_restrictions_are_ignored)
{
    torc_graph graph = read_text("Package: a\n"
                                 "Depends: b (>= 2.34), c:any, d:amd64 (= 1), e [!i386] <!nocheck>, f(<<3)\n"
                                 "\n"
                                 "Package: b\n\nPackage: c\n\nPackage: d\n\nPackage: e\n\nPackage: f\n");
    cr_expect_eq(graph.nedges, 5);
    torc_graph_release(&graph);
}

Test(debian, every_alternative_that_exists_is_an_edge)
{
    torc_graph graph = read_text("Package: a\nDepends: b (>= 1) | c | nowhere, nowhere-either\n\n"
                                 "Package: b\n\nPackage: c\n");
    cr_expect_eq(graph.nvertices, 3);
    cr_expect_eq(graph.nedges, 2);
    cr_expect(has_edge(&graph, "a", "b"));
    cr_expect(has_edge(&graph, "a", "c"));
    torc_graph_release(&graph);
}

Test(debian, a_virtual_name_is_each_of_its_providers)
{
    torc_graph graph = read_text("Package: mutt\nDepends: mail-transport-agent\n\n"
                                 "Package: exim4\nProvides: mail-transport-agent\n\n"
                                 "Package: postfix\nProvides: other, mail-transport-agent (= 3)\n\n"
                                 "Package: unrelated\nProvides: other\n");
    cr_expect_eq(graph.nvertices, 4);
    cr_expect_eq(graph.nedges, 2);
    cr_expect(has_edge(&graph, "mutt", "exim4"));
    cr_expect(has_edge(&graph, "mutt", "postfix"));
    torc_graph_release(&graph);
}

Test(debian, a_package_is_preferred_to_those_that_provide_its_name)
{
    torc_graph graph = read_text("Package: fork\nProvides: original\n\n"
                                 "Package: user\nDepends: original\n\n"
                                 "Package: original\n");
    cr_expect_eq(graph.nedges, 1);
    cr_expect(has_edge(&graph, "user", "original"));
    torc_graph_release(&graph);
}

Test(debian, a_package_that_needs_itself_has_no_edge)
{
    torc_graph graph = read_text("Package: a\nDepends: a, v\nProvides: v\n\nPackage: b\nDepends: a\n");
    cr_expect_eq(graph.nedges, 1);
    cr_expect(has_edge(&graph, "b", "a"));
    torc_graph_release(&graph);
}

Test(debian, the_first_stanza_of_a_name_counts)
{
    torc_graph graph = read_text("Package: a\nVersion: 2\nDepends: b\n\n"
                                 "Package: b\n\nPackage: c\n\n"
                                 "Package: a\nVersion: 1\nDepends: c\nProvides: v\n\n"
                                 "Package: d\nDepends: v\n");
    cr_expect_eq(graph.nvertices, 4);
    cr_expect_eq(graph.nedges, 1);
    cr_expect(has_edge(&graph, "a", "b"));
    torc_graph_release(&graph);
}

Test(debian, continuation_lines_belong_to_their_field)
{
    torc_graph graph = read_text("Package: a\n"
                                 "Description: text\n"
                                 " Depends: d\n"
                                 " .\n"
                                 "DEPENDS: b,\n"
                                 " c\n"
                                 "\t| d (>= 1)\n"
                                 "Tag: x,\n"
                                 " e\n"
                                 "\n \n\n"
                                 "Package: b\n\nPackage: c\n\nPackage: d\n\nPackage: e\n");
    cr_expect_eq(graph.nvertices, 5);
    cr_expect_eq(graph.nedges, 3);
    cr_expect(!has_edge(&graph, "a", "e"));
    torc_graph_release(&graph);
}

Test(debian, many_packages_outgrow_every_table)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    for (int i = 0; i < 5000; i++) {
        fprintf(stream, "Package: p%d\nDepends: p%d, virtual%d\nProvides: virtual%d\n\n", i, (i + 1) % 5000,
            (i + 2) % 5000, i);
    }
    fclose(stream);
    torc_graph graph = read_text(text);
    free(text);
    cr_expect_eq(graph.nvertices, 5000);
    cr_assert_eq(graph.nedges, 10000);
    for (uint64_t i = 0; i < 5000; i++) {
        cr_expect_eq(graph.target[2 * i], (i + 1) % 5000);
        cr_expect_eq(graph.target[2 * i + 1], (i + 2) % 5000);
    }
    torc_graph_release(&graph);
}

static void expect_refusal(const torc_written_file *file, const char *words)
{
    torc_graph graph;
    cr_expect(!torc_graph_read_debian(&graph, file->path), "accepted, instead of '%s'", words);
    cr_expect(strstr(graph.error, words), "'%s' has no '%s'", graph.error, words);
    torc_file_remove(file);
    torc_graph_release(&graph);
}

Test(debian, malformed_texts_are_refused_with_the_line)
{
    torc_written_file file = torc_file_write("", "");
    expect_refusal(&file, "no packages");
    file = torc_file_write("", "Some: thing\n");
    expect_refusal(&file, "no packages");
    file = torc_file_write("", "Package: a\nnonsense\n");
    expect_refusal(&file, "line 2: neither a field");
    file = torc_file_write("", "Package: a\n\nDepends: a\n\n");
    expect_refusal(&file, "line 4: a stanza ends that names no package");
    file = torc_file_write("", "Package:\nDepends: a\n");
    expect_refusal(&file, "names no package");
    file = torc_file_write_gz(".gz", "Package: a\n\nPackage: b\n", 9);
    expect_refusal(&file, "cut short");
}

Test(debian, a_nul_byte_is_an_error_with_its_line)
{
    static const char text[] = "Package: a\nDepends: b\0c\n";
    torc_written_file file = torc_file_write_bytes(".txt", text, sizeof text - 1);
    torc_graph graph;
    cr_expect(!torc_graph_read_debian(&graph, file.path));
    cr_expect(strstr(graph.error, ", line 2: there is a NUL byte"), "%s", graph.error);
    torc_graph_release(&graph);
    torc_file_remove(&file);
}

Test(debian, a_missing_file_is_refused)
{
    torc_graph graph;
    cr_expect(!torc_graph_read_debian(&graph, "/nonexistent/Packages"));
    cr_expect(strstr(graph.error, "No such file"), "%s", graph.error);
    torc_graph_release(&graph);
}

Test(debian, a_long_path_leaves_room_for_what_is_wrong)
{
    char path[TORC_FAR_PATH];
    torc_written_file file = torc_file_write(".txt", "Package: a\nb\n");
    torc_graph graph;
    torc_file_go_far(path, &file);
    cr_expect(!torc_graph_read_debian(&graph, path));
    cr_expect(strstr(graph.error, file.path) && strstr(graph.error, ", line 2: "), "%s", graph.error);
    cr_expect(strstr(graph.error, "neither a field"), "%s", graph.error);
    torc_graph_release(&graph);
    torc_file_remove(&file);
    cr_expect(!torc_graph_read_debian(&graph, path));
    cr_expect(strstr(graph.error, "No such file"), "%s", graph.error);
    torc_graph_release(&graph);
}
