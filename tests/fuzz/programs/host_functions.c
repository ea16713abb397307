/* host_functions.c: the engine's functions as the drop-in finds them. The reference executor cannot compile
 * C: of a user-defined operator it is given the function of user_operators.c on the way. */
#include "user_operators.h"
#include <dlfcn.h>
#include <string.h>
#include <torc/elementwise.h>

/* Declares `real`, the one of libtorc. */
#define FIND_REAL(function)                                                                                  \
    static __typeof__(function) *real;                                                                       \
    if (!real) {                                                                                             \
        void *address = dlsym(RTLD_NEXT, #function);                                                         \
        memcpy(&real, &address, sizeof address);                                                             \
    }

static const torc_definition *give_functions(torc_definition *copy, const torc_definition *definition)
{
    if (!definition) {
        return NULL;
    }
    *copy = *definition;
    if (!copy->multiply_on_host) { /* else it is torc's own */
        copy->multiply_on_host = (torc_function)torc_user_function(copy->multiply);
    }
    copy->add_on_host = (torc_function)torc_user_function(copy->add);
    return copy;
}

torc_status torc_spmm(const torc_dense *C, torc_semiring semiring, torc_sparse *A, bool transpose,
    const torc_dense *B, const torc_update *update)
{
    FIND_REAL(torc_spmm)
    torc_definition given;
    semiring.definition = give_functions(&given, semiring.definition);
    return real(C, semiring, A, transpose, B, update);
}

torc_status torc_spmm_host(const torc_dense *C, torc_semiring semiring, torc_sparse *A, bool transpose,
    const torc_dense *B, const torc_update *update, const torc_host_options *options)
{
    FIND_REAL(torc_spmm_host)
    torc_definition given;
    semiring.definition = give_functions(&given, semiring.definition);
    return real(C, semiring, A, transpose, B, update, options);
}

torc_status torc_spmm_by_rows(const torc_dense *C, torc_semiring semiring, torc_context *context,
    const torc_csr *A, const torc_dense *B, const torc_update *update, const torc_dense *old)
{
    FIND_REAL(torc_spmm_by_rows)
    torc_definition given;
    semiring.definition = give_functions(&given, semiring.definition);
    return real(C, semiring, context, A, B, update, old);
}

torc_status torc_elementwise(const torc_dense *C, const torc_operation *operation, torc_context *context,
    const torc_operand *A, const torc_operand *B, const torc_update *update)
{
    FIND_REAL(torc_elementwise)
    torc_definition given;
    torc_operation copy = *operation;
    copy.definition = give_functions(&given, operation->definition);
    if (copy.definition && copy.kind == TORC_APPLY) {
        copy.unary_on_host = (torc_unary_function)torc_user_function(given.multiply);
    } else if (copy.definition && copy.kind < TORC_EWISE_MULT) {
        copy.index_on_host = (torc_index_unary_function)torc_user_function(given.multiply);
    }
    return real(C, &copy, context, A, B, update);
}

torc_status torc_reduce_to_vector(const torc_dense *w, torc_reduction reduction, torc_context *context,
    const torc_dense *A, bool transpose, const torc_update *update)
{
    FIND_REAL(torc_reduce_to_vector)
    torc_definition given;
    reduction.definition = give_functions(&given, reduction.definition);
    return real(w, reduction, context, A, transpose, update);
}

torc_status torc_reduce_to_scalar(
    void *result, bool *is_empty, torc_reduction reduction, torc_context *context, const torc_dense *A)
{
    FIND_REAL(torc_reduce_to_scalar)
    torc_definition given;
    reduction.definition = give_functions(&given, reduction.definition);
    return real(result, is_empty, reduction, context, A);
}
