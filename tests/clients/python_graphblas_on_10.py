"""python_graphblas_on_10.py: lets python-graphblas, which wants GraphBLAS 9, start on the bindings of GraphBLAS 10. On
other versions nothing changes. It misses the numbers of two options there, which no program here sets.
"""
import suitesparse_graphblas

lib = suitesparse_graphblas.lib


class Library:
    GxB_CONTEXT_GPU_ID = GxB_GLOBAL_GPU_ID = -1

    def __getattr__(self, name):
        return getattr(lib, name)

    def __dir__(self):
        return dir(lib)


if not hasattr(lib, "GxB_CONTEXT_GPU_ID"):
    suitesparse_graphblas.initialize()
    suitesparse_graphblas.lib = Library()
    suitesparse_graphblas.is_initialized = lambda: True
