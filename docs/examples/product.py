"""product.py: python-graphblas, which knows nothing of torc: TORC_BURBLE=1 torc run python product.py"""
import numpy as np
from graphblas import Matrix, binary, semiring

n, k = 20000, 64
random = np.random.default_rng(1)
rows, columns = random.integers(0, n, (2, 10 * n))
A = Matrix.from_coo(rows, columns, random.random(10 * n), nrows=n, ncols=n, dup_op=binary.plus)
B = Matrix.from_dense(random.random((n, k)))

C = B.dup()
C << semiring.min_plus(A @ B)  # sparse times dense: torc's
C(binary.plus) << A @ B  # with an accumulator: torc's too
print(C.nvals)
