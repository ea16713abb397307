"""later_versions.py: what GraphBLAS 9 and 10 have or do that 7.4 has or does not, mostly with objects whose content is on
the device, by the plain bindings of SuiteSparse:GraphBLAS; parts that a version lacks are passed over.
"""
import hashlib
import random

import suitesparse_graphblas
from suitesparse_graphblas import ffi, lib

suitesparse_graphblas.initialize()
random.seed(1)
N, NULL = 20000, ffi.NULL
SETTINGS = [
    name
    for name in (
        "GxB_SPARSITY_CONTROL GxB_SPARSITY_STATUS GxB_HYPER_HASH GrB_STORAGE_ORIENTATION_HINT "
        "GxB_ROWINDEX_INTEGER_HINT GxB_COLINDEX_INTEGER_HINT GxB_OFFSET_INTEGER_HINT"
    ).split()
    if hasattr(lib, name)
]


def call(info, *expected):
    if info not in (expected or (lib.GrB_SUCCESS,)):
        raise SystemExit(f"GraphBLAS returned {info}")
    return info


def kind_of(x):
    return "Matrix" if ffi.typeof(x) == ffi.typeof("GrB_Matrix *") else "Vector"


def function(x, name):
    """That function for the kind of object that x is."""
    return getattr(lib, name.replace("*", kind_of(x)))


def new(ncols=None):
    if ncols:
        x = ffi.new("GrB_Matrix *")
        call(lib.GrB_Matrix_new(x, lib.GrB_FP64, N, ncols))
    else:
        x = ffi.new("GrB_Vector *")
        call(lib.GrB_Vector_new(x, lib.GrB_FP64, N))
    return x


def dense(ncols=None):
    x = new(ncols)
    if ncols:
        call(lib.GrB_Matrix_assign_FP64(x[0], NULL, NULL, 1, lib.GrB_ALL, N, lib.GrB_ALL, ncols, NULL))
        call(lib.GrB_Matrix_setElement_FP64(x[0], 2, 3, 1))
    else:
        call(lib.GrB_Vector_assign_FP64(x[0], NULL, NULL, 1, lib.GrB_ALL, N, NULL))
        call(lib.GrB_Vector_setElement_FP64(x[0], 2, 3))
    return x


A = new(N)
for i in range(N):
    call(lib.GrB_Matrix_setElement_FP64(A[0], random.randint(1, 3), i, i))
    call(lib.GrB_Matrix_setElement_FP64(A[0], random.randint(1, 3), i, random.randrange(N)))
call(lib.GrB_Matrix_wait(A[0], lib.GrB_MATERIALIZE))


def multiply(x, y, accum=NULL):
    """x = A * y"""
    product = lib.GrB_mxm if kind_of(x) == "Matrix" else lib.GrB_mxv
    return product(x[0], NULL, accum, lib.GrB_PLUS_TIMES_SEMIRING_FP64, A[0], y[0], NULL)


def away(ncols=None):
    """A product that another one has used."""
    x, y = new(ncols), new(ncols)
    call(multiply(x, dense(ncols)))
    call(multiply(y, x))
    return x


def get(x, option):
    value = ffi.new("int32_t *")
    call(function(x, "GrB_*_get_INT32")(x[0], value, option))
    return value[0]


def set_option(x, option, value):
    call(function(x, "GrB_*_set_INT32")(x[0], value, option))


def name_of(x):
    text = ffi.new("char[]", 100)
    call(function(x, "GrB_*_get_String")(x[0], text, lib.GrB_NAME))
    return ffi.string(text).decode()


def show(what, x):
    """Settings and content."""
    nvals = ffi.new("GrB_Index *")
    call(function(x, "GrB_*_nvals")(nvals, x[0]))
    lists = [ffi.new("GrB_Index[]", nvals[0] + 1) for _ in range(2 if kind_of(x) == "Matrix" else 1)]
    values = ffi.new("double[]", nvals[0] + 1)
    call(function(x, "GrB_*_extractTuples_FP64")(*lists, values, nvals, x[0]))
    content = hashlib.md5(b"".join(bytes(ffi.buffer(array)) for array in (*lists, values))).hexdigest()
    settings = " ".join(f"{name[4:]}={get(x, getattr(lib, name))}" for name in SETTINGS)
    print(what, kind_of(x), name_of(x), settings, nvals[0], content)


def duplicates():
    for ncols in (None, 4):
        x = away(ncols)
        function(x, "GrB_*_set_String")(x[0], b"a name", lib.GrB_NAME)
        set_option(x, lib.GxB_HYPER_HASH, 0)
        for name in SETTINGS:
            if name.endswith("_HINT") and "INTEGER" in name:
                set_option(x, getattr(lib, name), 64)
        y = ffi.new(f"GrB_{kind_of(x)} *")
        call(function(x, "GrB_*_dup")(y, x[0]))
        show("duplicate", y)


def settings_of_results():
    for ncols in (None, 4):
        x = new(ncols)
        function(x, "GrB_*_set_String")(x[0], b"a name", lib.GrB_NAME)
        set_option(x, lib.GxB_HYPER_HASH, 0)
        call(multiply(x, away(ncols)))
        show("result", x)


def sizes_of_arrays():
    for ncols in (None, 4):
        x, array, size, is_iso = away(ncols), ffi.new("void **"), ffi.new("GrB_Index *"), ffi.new("bool *")
        usage = ffi.new("size_t *")
        call(function(x, "GxB_*_memoryUsage")(usage, x[0]))
        call(function(x, "GxB_*_unpack_Full" + ("R" if ncols else ""))(x[0], array, size, is_iso, NULL))
        print("bytes", usage[0], "of an array", size[0])


def unload(v):
    array, kind = ffi.new("void **"), ffi.new("GrB_Type *")
    count, size, handling = ffi.new("uint64_t *"), ffi.new("uint64_t *"), ffi.new("int *")
    call(lib.GxB_Vector_unload(v, array, kind, count, size, handling, NULL))
    return array, kind[0], count[0], size[0], handling[0]


def borrowed_arrays():
    """C has an array of GraphBLAS's own that the program has taken out of it, and has lent to it then."""
    container, read_only = ffi.new("GxB_Container *"), lib.GxB_OUTPUT_IS_READONLY
    call(lib.GxB_Container_new(container))
    x, y = away(4), away(4)
    call(lib.GxB_unload_Matrix_into_Container(x[0], container[0], NULL))
    array, kind, count, size, _ = unload(container[0].x)
    content = bytes(ffi.buffer(array[0], 8 * count))
    address = array[0]
    call(lib.GxB_Vector_load(container[0].x, array, kind, count, size, lib.GxB_IS_READONLY, NULL))
    call(lib.GxB_load_Matrix_from_Container(x[0], container[0], NULL))
    call(multiply(x, y), read_only)
    call(multiply(x, y, lib.GrB_PLUS_FP64), read_only)
    call(lib.GrB_Matrix_apply(x[0], NULL, NULL, lib.GrB_AINV_FP64, y[0], NULL), read_only)
    call(lib.GrB_Matrix_setElement_FP64(x[0], 7, 1, 1), read_only)
    call(multiply(y, x))
    show("of borrowed arrays", y)
    show("borrowed arrays", x)
    call(lib.GrB_Matrix_free(x))
    print("the program's still", bytes(ffi.buffer(address, 8 * count)) == content)


def away_and_sparse(ncols=None):
    """SuiteSparse makes it sparse at once, torc when somebody asks."""
    x = away(ncols)
    set_option(x, lib.GxB_SPARSITY_CONTROL, lib.GxB_SPARSE)
    return x


def containers_and_controls():
    container = ffi.new("GxB_Container *")
    call(lib.GxB_Container_new(container))
    for ncols in (None, 4):
        x, y = away(ncols), away_and_sparse(ncols)
        call(function(x, "GxB_unload_*_into_Container")(x[0], container[0], NULL))
        call(function(x, "GxB_load_*_from_Container")(y[0], container[0], NULL))
        show("from a container", y)
    v = ffi.new("GrB_Vector *", container[0].x)
    call(lib.GrB_Vector_resize(v[0], N))
    call(multiply(v, dense()))
    call(multiply(new(), v))
    set_option(v, lib.GxB_SPARSITY_CONTROL, lib.GxB_SPARSE)
    call(lib.GxB_Container_free(container))
    # Where the container's vectors were
    print("controls of new vectors", {get(new(), lib.GxB_SPARSITY_CONTROL) for _ in range(20)})


def arenas_and_controls():
    for ncols in (None, 4):
        x, y = away_and_sparse(ncols), ffi.new("GrB_Matrix *" if ncols else "GrB_Vector *")
        call(function(x, "GxB_*_dup_arena")(y, x[0], 0, 0))
        show("duplicate in an arena", y)
        x = away_and_sparse(ncols)
        call(function(x, "GxB_*_set_arenas")(x, 0, 0))
        show("moved to an arena", x)


def complex_division():
    """Where a part is zero or infinite."""
    parts = (0.0, -0.0, 1.0, -2.5, float("inf"), float("nan"))
    numbers = [complex(real, imaginary) for real in parts for imaginary in parts]
    pairs = [(x, y) for x in numbers for y in numbers]
    size = len(pairs)
    operands, indices = [], ffi.new("GrB_Index[]", list(range(size)))
    for column in zip(*pairs):
        v = ffi.new("GrB_Vector *")
        call(lib.GrB_Vector_new(v, lib.GxB_FC64, size))
        call(lib.GxB_Vector_build_FC64(v[0], indices, ffi.new("GxB_FC64_t[]", list(column)), size, NULL))
        call(lib.GxB_Vector_Option_set_INT32(v[0], lib.GxB_SPARSITY_CONTROL, lib.GxB_FULL))
        operands.append(v[0])
    x, y = operands
    for name in ("GxB_DIV_FC64", "GxB_RDIV_FC64", "GxB_TIMES_FC64", "GxB_MINV_FC64", "GxB_AINV_FC64"):
        z, values = ffi.new("GrB_Vector *"), ffi.new("GxB_FC64_t[]", size)
        call(lib.GrB_Vector_new(z, lib.GxB_FC64, size))
        if name in ("GxB_MINV_FC64", "GxB_AINV_FC64"):
            call(lib.GrB_Vector_apply(z[0], NULL, NULL, getattr(lib, name), y, NULL))
        else:
            call(lib.GrB_Vector_eWiseMult_BinaryOp(z[0], NULL, NULL, getattr(lib, name), x, y, NULL))
        call(lib.GxB_Vector_extractTuples_FC64(indices, values, ffi.new("GrB_Index *", size), z[0]))
        print(name, *values)


taken = {}


@ffi.callback("void *(*)(size_t)")
def take(size):
    array = ffi.new("char[]", size)
    taken[int(ffi.cast("intptr_t", array))] = array
    return array


@ffi.callback("void (*)(void *)")
def give(array):
    if array != NULL:
        del taken[int(ffi.cast("intptr_t", array))]


def arena_of_the_program():
    """The program frees by its own allocator what it takes out of objects that have it."""
    call(lib.GxB_arena_init(2, take, NULL, NULL, give))
    x, y = ffi.new("GrB_Vector *"), away()
    call(lib.GxB_Vector_new_arena(x, lib.GrB_FP64, N, 0, 2))
    call(multiply(x, y))
    call(lib.GrB_Vector_apply(x[0], NULL, NULL, lib.GrB_AINV_FP64, y[0], NULL))
    show("in the program's arena", x)
    array, kind, count, size, handling = unload(x[0])
    print("handling", handling, "the program's", int(ffi.cast("intptr_t", array[0])) in taken)
    call(lib.GxB_Vector_load(x[0], array, kind, count, size, handling, NULL))
    call(lib.GrB_Vector_free(x))
    print("left", len(taken))


complex_division()
duplicates()
settings_of_results()
sizes_of_arrays()
if hasattr(lib, "GxB_Vector_load"):
    borrowed_arrays()
    containers_and_controls()
if hasattr(lib, "GxB_arena_init"):
    arenas_and_controls()
    arena_of_the_program()
