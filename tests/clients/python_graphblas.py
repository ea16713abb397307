"""python_graphblas.py: products of python-graphblas, every entry printed, so that two runs can be compared.

All values are whole numbers, so that sums are exact in any order; and floating-point ones are not zero, for the sign of
a zero does depend on the order.
"""
import graphblas as gb
import numpy as np
from graphblas import Matrix, binary, dtypes, monoid, semiring, unary

random = np.random.default_rng(1)
n, k = 60, 7
floats = random.integers(1, 10, (n, k)) * random.choice([-1.0, 1.0], (n, k))


def show(name, C):
    i, j, values = C.to_coo()
    print(name, C.dtype, C.shape, " ".join(f"{a},{b}:{v}" for a, b, v in zip(i, j, values.tolist())))


def sparse(dtype, low):
    values = random.integers(low, 10, 4 * n).astype(dtype)
    return Matrix.from_coo(random.integers(0, n - 5, 4 * n), random.integers(0, n, 4 * n), values, nrows=n, ncols=n,
                           dup_op=binary.any)


print("GraphBLAS", gb.ss.about["library_version"])
A = sparse(np.float64, 1)
whole = sparse(np.int32, 0)
flags = sparse(np.bool_, 0)
B = Matrix.from_dense(floats)
M = Matrix.from_coo(random.integers(0, n, 3 * n), random.integers(0, k, 3 * n), random.integers(0, 2, 3 * n), nrows=n,
                    ncols=k, dup_op=binary.any)

show("plus_times", A.mxm(B, semiring.plus_times).new())
show("min_plus", A.mxm(B, semiring.min_plus).new())
show("any_pair", A.mxm(B, semiring.any_pair).new())
show("lor_land", flags.mxm(Matrix.from_dense(floats > 0), semiring.lor_land).new())
show("int32", whole.mxm(Matrix.from_dense(floats.astype(np.int32)), semiring.max_times).new())
show("operator @", (A @ B).new())
show("transposed", (A.T @ B).new())
show("dense on the left", (Matrix.from_dense(floats.T.copy()) @ A).new())
show("positional", A.mxm(B, semiring.ss.min_secondi).new())
show("cast", A.mxm(B, semiring.plus_times).new(dtype=dtypes.INT64))

C = B.dup()
C << A @ B
show("C << A @ B", C)
C(accum=binary.plus) << A @ B
show("C(accum) <<", C)
C(M.S) << A.mxm(B, semiring.min_plus)
show("structural mask", C)
C(~M.V, accum=binary.max, replace=True) << A.mxm(B, semiring.min_plus)
show("complemented mask, accumulator, replace", C)
C(accum=binary.min) << A @ B  # C is no longer full
show("accumulator on a bitmap", C)

# An operator of Python has no source in C: SuiteSparse calls it
twice = binary.register_anonymous(lambda x, y: x + 2 * y, "twice")
show("an operator of Python", A.mxm(B, semiring.register_anonymous(monoid.plus, twice)).new())

# Breadth-first levels of some vertices at once, as programs write them: a masked product a level
frontier = Matrix.from_coo([3, 20, 41], [0, 1, 2], [True] * 3, nrows=n, ncols=3)
levels = Matrix(dtypes.INT64, n, 3)
for level in range(n):
    levels(frontier.S) << level
    frontier(~levels.S, replace=True) << flags.T.mxm(frontier, semiring.any_pair)
    if frontier.nvals == 0:
        break
show("levels", levels)
show("ranks", (A.apply(unary.one).new().T @ B).new())
