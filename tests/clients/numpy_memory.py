"""numpy_memory.py: arrays that numpy and GraphBLAS give to each other. GraphBLAS has numpy's allocator, as
python-graphblas starts it; tracemalloc is told of its blocks. Sums are of integers, and so exact.
"""
import gc
import tracemalloc

import numpy as np
from graphblas import Matrix, binary, monoid, semiring

n, k = 20000, 64
tracemalloc.start()
random = np.random.default_rng(1)
rows, columns = random.integers(0, n, (2, 10 * n))
ones = random.integers(1, 9, 10 * n).astype(float)
A = Matrix.from_coo(rows, columns, ones, nrows=n, ncols=n, dup_op=binary.plus)


def full(values):
    return Matrix.ss.import_fullr(nrows=n, ncols=k, values=values, take_ownership=True)


def traced():
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


# From numpy, and freed by GraphBLAS.
B = full(random.integers(1, 9, n * k).astype(float))
C = full(np.zeros(n * k))
for _ in range(3):
    C(binary.plus) << semiring.plus_times(A @ B)
print("sum", C.reduce_scalar(monoid.plus).value)
before = traced()
del B
print("MB that GraphBLAS freed", (before - traced()) // 10**6)

# From GraphBLAS, and freed by numpy.
values = C.ss.export("fullr", give_ownership=True)["values"]
print("exported", values.shape, values.flags.owndata, values.sum(), values[::5000, 0])
values += 1
C = full(values)
print("imported again", C.reduce_scalar(monoid.plus).value)
copy = C.to_dense()
del C
print("copy", copy.shape, copy.sum())
del copy, values
print("no more is left", traced() <= before)
