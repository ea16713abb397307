/* test_compile_operator_source.c: the run-time compiler takes the built-in multiplies that come as source,
 * without a GPU. */
#include "../graphblas_glue/source_handles.h"
#include "compile.h"
#include "kernel_source.h"
#include <criterion/criterion.h>

enum { ARCHITECTURE = 90, SIZE = 64 * 1024 };

/* Each as the multiply of a kernel's semiring has it: called, on the types of its name. */
Test(compile_operator_source, all_compile_in_one_program)
{
    static char source[SIZE];
    char log[TORC_LOG_SIZE];
    source_handle handles[SOURCE_OPERATORS];
    TORC_REQUIRE(GrB_init(GrB_NONBLOCKING) == GrB_SUCCESS);
    find_source_handles(handles);
    int length = snprintf(source, SIZE, "#include \"spmm_kernel.cuh\"\n#include \"user_operators.cuh\"\n");
    for (int i = 0; i < SOURCE_OPERATORS; i++) {
        const torc_operator_source *op = handles[i].source;
        cr_assert_not_null(op);
        length += snprintf(source + length, (size_t)(SIZE - length),
            "namespace torc_c::user_%d\n{\n%s}\n"
            "template <class Z, class Y> __device__ void call_%d(void (*)(Z *, const Z *, const Y *))\n{\n"
            "    Z z, x = 3;\n    Y y = 2;\n    torc_c::user_%d::%s(&z, &x, &y);\n}\n"
            "extern \"C\" __global__ void main_%d()\n{\n    call_%d(torc_c::user_%d::%s);\n}\n",
            i, op->text, i, i, op->name, i, i, i, op->name);
    }
    cr_assert_lt(length, SIZE);
    torc_image image;
    cr_expect_eq(torc_compile(&image, log, source, ARCHITECTURE), TORC_SUCCESS, "%s", log);
    cr_expect_str_eq(log, "");
    torc_image_release(&image);
    TORC_REQUIRE(GrB_finalize() == GrB_SUCCESS);
}
