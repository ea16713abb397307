/* reduce_source.c: the text of reductions: reduction.cuh. */
#include "kernel_source.h"
#include "source_text.h"

torc_status torc_reduce_source(char source[TORC_SOURCE_SIZE], const void *description)
{
    const torc_reduce_kernel *kernel = description;
    const torc_definition *definition = kernel->reduction.definition;
    torc_semiring semiring = {
        .add = kernel->reduction.add, .type = kernel->reduction.type, .definition = definition};
    torc_type type = kernel->reduction.type;
    bool is_user = semiring.add == TORC_USER_MONOID;
    if (torc_type_size(type) == 0 || torc_type_size(kernel->a_type) == 0 ||
        (kernel->a_access != TORC_ACCESS_ISO && kernel->a_access != TORC_ACCESS_ARRAY) ||
        (is_user ? !definition || !torc_text_has_source(semiring)
                 : (unsigned)semiring.add >= TORC_MONOID_COUNT || type > TORC_OPAQUE)) {
        return TORC_UNSUPPORTED;
    }
    torc_text to = {.characters = source, .is_whole = true};
    torc_text_append(&to, "#include \"reduction.cuh\"\n");
    torc_text_append_source(&to, semiring);
    torc_text_append_type(&to, "z_type", type, is_user ? definition->z.name : NULL);
    torc_text_append_monoid(&to, semiring, type);
    torc_text_append(&to,
        "static_assert(sizeof(torc_reduce_args) == %zu, \"host and kernel disagree\");\n"
        "using kernel = torc::reduce_kernel<monoid, %s, %s, %d, %d>;\n"
        "extern \"C\" __global__ void __launch_bounds__(TORC_REDUCE_LANES, 1)\n" TORC_REDUCE_MAIN
        "(const __grid_constant__ torc_reduce_args args)\n"
        "{\n"
        "    kernel::%s(args);\n"
        "}\n",
        sizeof(torc_reduce_args), torc_text_stored("z_type", kernel->a_type),
        torc_text_access(kernel->a_access), kernel->a_is_bitmap, kernel->c_is_bitmap,
        kernel->is_across ? "across" : "along");
    return to.is_whole ? TORC_SUCCESS : TORC_UNSUPPORTED;
}
