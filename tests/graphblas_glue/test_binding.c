/* The table is that of the library that this program has loaded. */
#include "binding.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

Test(binding, is_absent_until_graphblas_is_initialised)
{
    cr_expect_null(torc_binding_get());
    cr_assert_eq(GrB_init(GrB_NONBLOCKING), GrB_SUCCESS);
    cr_expect_not_null(torc_binding_get());
    GrB_finalize();
}

Test(binding, names_version_and_file_of_the_linked_library)
{
    cr_assert_eq(GrB_init(GrB_NONBLOCKING), GrB_SUCCESS);
    const torc_binding *graphblas = torc_binding_get();
    cr_assert_not_null(graphblas);
    int version[3];
    GxB_Global_Option_get(GxB_LIBRARY_VERSION, version);
    for (int i = 0; i < 3; i++) {
        cr_expect_eq((int)graphblas->version[i], version[i]);
    }
    cr_expect(graphblas->is_known);
    Dl_info info;
    cr_assert(dladdr(dlsym(graphblas->library.handle, "GrB_mxm"), &info));
    cr_expect_str_eq(torc_library_path(&graphblas->library), info.dli_fname);
    GrB_finalize();
}

Test(binding, gives_the_programs_own_functions_and_handles)
{
    cr_assert_eq(GrB_init(GrB_NONBLOCKING), GrB_SUCCESS);
    const torc_binding *graphblas = torc_binding_get();
    cr_assert_not_null(graphblas);
    cr_expect(graphblas->mxm == GrB_mxm);
    cr_expect(graphblas->descriptor_get == GxB_Descriptor_get);
    cr_expect_eq(torc_binding_handle(graphblas, "GrB_FP32"), GrB_FP32);
    cr_expect_eq(torc_binding_handle(graphblas, "GxB_PAIR_BOOL"), GxB_PAIR_BOOL);
    cr_expect_null(torc_binding_handle(graphblas, "GrB_no_such_name"));
    GrB_finalize();
}

static void *get(void *unused)
{
    (void)unused;
    return (void *)torc_binding_get();
}

Test(binding, is_one_for_all_threads)
{
    cr_assert_eq(GrB_init(GrB_NONBLOCKING), GrB_SUCCESS);
    pthread_t threads[8];
    for (int i = 0; i < 8; i++) {
        cr_assert_eq(pthread_create(&threads[i], NULL, get, NULL), 0);
    }
    for (int i = 0; i < 8; i++) {
        void *table;
        pthread_join(threads[i], &table);
        cr_expect_not_null(table);
        cr_expect_eq(table, torc_binding_get());
    }
    GrB_finalize();
}

Test(binding, knows_versions_by_major_and_minor_number)
{
    static const struct {
        unsigned version[3];
        bool is_known;
    } cases[] = {{{7, 3, 3}, false}, {{7, 4, 0}, true}, {{8, 0, 2}, false}, {{9, 3, 1}, true},
        {{10, 5, 1}, true}, {{11, 0, 0}, false}, {{0, 0, 0}, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cr_expect_eq(torc_version_numbers(cases[i].version) != NULL, cases[i].is_known, "%u.%u",
            cases[i].version[0], cases[i].version[1]);
    }
}
