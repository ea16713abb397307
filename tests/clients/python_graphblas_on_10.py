"""python_graphblas_on_10.py: lets python-graphblas, which wants GraphBLAS 9, start on the bindings of GraphBLAS 10. On
other versions nothing changes. It misses the numbers of two options there, which no program here sets. And it hands
numpy's arrays over by unclaim_buffer, which refuses them where GraphBLAS frees by another function than numpy's: by
torc's, which knows numpy's blocks and gives them back to numpy.
"""
import contextlib

import suitesparse_graphblas
import suitesparse_graphblas.utils

lib = suitesparse_graphblas.lib
unclaim = suitesparse_graphblas.utils.unclaim_buffer


class Library:
    GxB_CONTEXT_GPU_ID = GxB_GLOBAL_GPU_ID = -1

    def __getattr__(self, name):
        return getattr(lib, name)

    def __dir__(self):
        return dir(lib)


def unclaim_buffer(array):
    with contextlib.suppress(ValueError):
        unclaim(array)


if not hasattr(lib, "GxB_CONTEXT_GPU_ID"):
    suitesparse_graphblas.initialize()
    suitesparse_graphblas.lib = Library()
    suitesparse_graphblas.is_initialized = lambda: True
    suitesparse_graphblas.utils.unclaim_buffer = unclaim_buffer
