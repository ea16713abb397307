"""suitesparse_bindings.py: products by the plain bindings of SuiteSparse:GraphBLAS 10, which python-graphblas cannot
use yet; every entry printed, so that two runs can be compared. Values are chosen as in python_graphblas.py.
"""
import random

import suitesparse_graphblas
from suitesparse_graphblas import ffi, lib

suitesparse_graphblas.initialize()
random.seed(1)
n, k = 60, 7


def call(info):
    if info != lib.GrB_SUCCESS:
        raise SystemExit(f"GraphBLAS returned {info}")


def matrix(nrows, ncols, entries, kind=lib.GrB_FP64):
    A = ffi.new("GrB_Matrix *")
    call(lib.GrB_Matrix_new(A, kind, nrows, ncols))
    for (i, j), value in entries.items():
        call(lib.GrB_Matrix_setElement_FP64(A[0], value, i, j))
    call(lib.GrB_Matrix_wait(A[0], lib.GrB_MATERIALIZE))
    return A[0]


def some(nrows, ncols, count, least=1):
    return {(random.randrange(nrows), random.randrange(ncols)): random.randint(least, 9) for _ in range(count)}


def show(name, C):
    nvals = ffi.new("GrB_Index *")
    call(lib.GrB_Matrix_nvals(nvals, C))
    rows, columns = ffi.new("GrB_Index[]", nvals[0]), ffi.new("GrB_Index[]", nvals[0])
    values = ffi.new("double[]", nvals[0])
    call(lib.GrB_Matrix_extractTuples_FP64(rows, columns, values, nvals, C))
    entries = sorted(zip(rows, columns, values))
    print(name, len(entries), " ".join(f"{i},{j}:{value:g}" for i, j, value in entries))


def product(name, C, mask, accum, semiring, A, B, descriptor=ffi.NULL):
    call(lib.GrB_mxm(C, mask, accum, semiring, A, B, descriptor))
    show(name, C)


print("GraphBLAS", suitesparse_graphblas.libgraphblas_version)
NULL = ffi.NULL
A = matrix(n, n, some(n - 5, n, 4 * n))
B = matrix(n, k, {(i, j): random.choice([-5, -3, 2, 7]) for i in range(n) for j in range(k)})
F = matrix(n, n, some(n, n, 4 * n, -1), lib.GrB_BOOL)
M = matrix(n, k, some(n, k, 3 * n, -1))
C = matrix(n, k, {})
product("plus_times", C, NULL, NULL, lib.GrB_PLUS_TIMES_SEMIRING_FP64, A, B)
product("min_plus", C, NULL, NULL, lib.GrB_MIN_PLUS_SEMIRING_FP64, A, B)
product("any_pair", C, NULL, NULL, lib.GxB_ANY_PAIR_FP64, A, B)
product("lor_land", matrix(n, k, {}, lib.GrB_BOOL), NULL, NULL, lib.GrB_LOR_LAND_SEMIRING_BOOL, F, B)
product("transposed", C, NULL, NULL, lib.GrB_PLUS_TIMES_SEMIRING_FP64, A, B, lib.GrB_DESC_T0)
product("dense on the left", matrix(k, n, {}), NULL, NULL, lib.GrB_PLUS_TIMES_SEMIRING_FP64, B, A, lib.GrB_DESC_T0)
product("accumulator", C, NULL, lib.GrB_PLUS_FP64, lib.GrB_PLUS_TIMES_SEMIRING_FP64, A, B)
product("structural mask", C, M, NULL, lib.GrB_MIN_PLUS_SEMIRING_FP64, A, B, lib.GrB_DESC_S)
product("complemented mask, replace", C, M, lib.GrB_MAX_FP64, lib.GrB_MIN_PLUS_SEMIRING_FP64, A, B,
        lib.GrB_DESC_RC)
product("accumulator on a bitmap", C, NULL, lib.GrB_MIN_FP64, lib.GrB_PLUS_TIMES_SEMIRING_FP64, A, B)


def text(error, C):
    found = ffi.new("char **")
    call(error(found, C))
    return ffi.string(found[0]).decode()


def get(function, C):
    value = ffi.new("int32_t *")
    call(function(C, value, lib.GxB_SPARSITY_CONTROL))
    return value[0]


# A control that waits for a result to come home takes away what GraphBLAS takes away, and no more; nor does a question.
def explain(control):
    N = 200
    all_of_it = ffi.cast("GrB_Index *", lib.GrB_ALL)
    one, small = matrix(1, 1, {}), ffi.new("GrB_Vector *")
    call(lib.GrB_Vector_new(small, lib.GrB_FP64, 1))
    base, v = matrix(N, N, {}), ffi.new("GrB_Vector *")
    call(lib.GrB_Matrix_assign_FP64(base, NULL, NULL, 3, all_of_it, N, all_of_it, N, NULL))
    call(lib.GrB_Matrix_setElement_FP64(base, 2, 1, 1))
    call(lib.GrB_Vector_new(v, lib.GrB_FP64, N * N))
    call(lib.GrB_Vector_assign_FP64(v[0], NULL, NULL, 3, all_of_it, N * N, NULL))
    call(lib.GrB_Vector_setElement_FP64(v[0], 2, 1))
    for by_old_name in False, True:
        C, w = matrix(N, N, {}), ffi.new("GrB_Vector *")
        call(lib.GrB_Vector_new(w, lib.GrB_FP64, N * N))
        call(lib.GrB_Matrix_apply(C, NULL, NULL, lib.GrB_AINV_FP64, base, NULL))
        call(lib.GrB_Vector_apply(w[0], NULL, NULL, lib.GrB_AINV_FP64, v[0], NULL))
        lib.GrB_Matrix_apply(C, NULL, NULL, lib.GrB_AINV_FP64, one, NULL)
        lib.GrB_Vector_apply(w[0], NULL, NULL, lib.GrB_AINV_FP64, small[0], NULL)
        field = lib.GxB_SPARSITY_CONTROL
        if by_old_name:
            call(lib.GxB_Matrix_Option_set_INT32(C, field, control))
            call(lib.GxB_Vector_Option_set_INT32(w[0], field, control))
        else:
            call(lib.GrB_Matrix_set_INT32(C, control, field))
            call(lib.GrB_Vector_set_INT32(w[0], control, field))
        print("control", control, by_old_name, repr(text(lib.GrB_Matrix_error, C)), "and",
              repr(text(lib.GrB_Vector_error, w[0])))
        print(get(lib.GrB_Matrix_get_INT32, C), get(lib.GrB_Vector_get_INT32, w[0]), repr(text(lib.GrB_Matrix_error, C)),
              "and", repr(text(lib.GrB_Vector_error, w[0])))


explain(lib.GxB_SPARSE)
explain(lib.GxB_BITMAP)
