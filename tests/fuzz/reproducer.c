/* reproducer.c: see reproducer.h. */
#include "reproducer.h"
#include "call_operands.h"
#include "entries.h"
#include "require.h"
#include <math.h>

static const char names[] = "CMAB";

static void print_real(double x)
{
    if (isnan(x)) {
        printf("NAN");
    } else if (isinf(x)) {
        printf(x > 0 ? "INFINITY" : "-INFINITY");
    } else {
        printf("%a", x);
    }
}

static void print_complex(const char *constructor, double real, double imag)
{
    printf("%s (", constructor);
    print_real(real);
    printf(", ");
    print_real(imag);
    printf(")");
}

static void print_value(value_type type, const void *value)
{
    const float *floats = value;
    const double *doubles = value;
    int64_t integer;
    switch (type) {
    case VALUE_FP32:
        print_real(floats[0]);
        break;
    case VALUE_FP64:
        print_real(doubles[0]);
        break;
    case VALUE_FC32:
        print_complex("GxB_CMPLXF", floats[0], floats[1]);
        break;
    case VALUE_FC64:
        print_complex("GxB_CMPLX", doubles[0], doubles[1]);
        break;
    case VALUE_UINT64:
        printf("%lluu", *(const unsigned long long *)value);
        break;
    default:
        torc_cast(&integer, TORC_INT64, value, (torc_type)type);
        if (integer == INT64_MIN) {
            printf("INT64_MIN");
        } else {
            printf("%lld", (long long)integer);
        }
        break;
    }
}

static void print_entries(char name, const matrix_recipe *recipe, GrB_Matrix X)
{
    entries e = torc_entries_of(X);
    const char *type = torc_value_type_name(recipe->type);
    const char *prefix = recipe->type >= VALUE_FC32 ? "GxB" : "GrB";
    for (GrB_Index r = 0; r < e.nlisted; r++) {
        for (GrB_Index p = e.ptr[r]; p < e.ptr[r + 1]; p++) {
            printf("%s_Matrix_setElement_%s (%c, ", prefix, type, name);
            print_value(recipe->type, (const char *)e.values + p * e.value_size);
            printf(", %llu, %llu);\n", (unsigned long long)(e.rows ? e.rows[r] : r),
                (unsigned long long)e.idx[p]);
        }
    }
    torc_entries_free(&e);
}

/* The format is forced while entries are set; then the settings are what they were. */
static void print_operand(char name, const matrix_recipe *recipe, GrB_Matrix X)
{
    int status, control;
    TORC_REQUIRE(GrB_Matrix_wait(X, GrB_MATERIALIZE) == GrB_SUCCESS);
    TORC_REQUIRE(GxB_Matrix_Option_get(X, GxB_SPARSITY_STATUS, &status) == GrB_SUCCESS);
    TORC_REQUIRE(GxB_Matrix_Option_get(X, GxB_SPARSITY_CONTROL, &control) == GrB_SUCCESS);
    printf("GrB_Matrix_new (&%c, %s_%s, %llu, %llu);%s\n", name, recipe->type >= VALUE_FC32 ? "GxB" : "GrB",
        torc_value_type_name(recipe->type), (unsigned long long)recipe->nrows,
        (unsigned long long)recipe->ncols, recipe->iso ? " // iso" : "");
    printf(
        "GxB_Matrix_Option_set (%c, GxB_FORMAT, %s);\n", name, recipe->by_col ? "GxB_BY_COL" : "GxB_BY_ROW");
    print_entries(name, recipe, X);
    printf("GxB_Matrix_Option_set (%c, GxB_SPARSITY_CONTROL, %d);\n", name, status);
    printf("GxB_Matrix_Option_set (%c, GxB_SPARSITY_CONTROL, %d);\n", name, control);
}

void torc_reproducer_print(const random_call *call)
{
    call_operands operands = torc_call_operands_new(call);
    printf("GrB_Matrix C, M, A, B;\n");
    for (int i = 0; i < OPERAND_COUNT; i++) {
        if (call->same_as[i] == i && operands.matrices[i]) {
            print_operand(names[i], &call->recipes[i], operands.matrices[i]);
        }
    }
    for (int i = 0; i < OPERAND_COUNT; i++) {
        if (call->same_as[i] != i && operands.matrices[i]) {
            printf("%c = %c;\n", names[i], names[call->same_as[i]]);
        }
    }
    printf("semiring = %s;\n", call->semiring.name);
    printf("GrB_mxm (C, %s, %s, semiring, A, B, %s);%s\n", call->has_mask ? "M" : "NULL",
        call->accum ? call->accum_name : "NULL", call->desc ? call->desc_name : "NULL",
        call->own_desc ? " // a descriptor of its own" : "");
    torc_call_operands_free(call, &operands);
}
