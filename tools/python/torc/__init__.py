"""torc: products of GraphBLAS on NVIDIA GPUs.

    python -m torc run script.py      run a program with all that torc has
    python -m torc doctor             what is missing, and what to do about it

or, where a program cannot be started anew, as in a notebook:

    import torc
    torc.enable()                     before graphblas is imported
    import graphblas
"""

import ctypes
import os
import pathlib

_NATIVE = pathlib.Path(__file__).parent / "native"


def tool():
    """The path of the command torc."""
    return str(_NATIVE / "bin" / "torc")


def dropin():
    """The path of the library that takes the place of GrB_mxm and others, for LD_PRELOAD."""
    return str(next(_NATIVE.glob("lib*/**/libtorc_dropin.so")))


def _is_loaded(name):
    with open("/proc/self/maps") as maps:
        return any(name in line for line in maps)


def enable():
    """Have torc answer GraphBLAS in this process. Call it before graphblas is imported.

    Products, and operations on dense matrices, may run on the GPU from then on; answers stay the same. It is less than
    `python -m torc run` gives: GraphBLAS keeps its own allocator, so large operands are sent in every call, and results
    come back after it. Nothing happens where torc is there already.
    """
    if _is_loaded("libtorc_dropin.so"):
        return
    if _is_loaded("libgraphblas"):
        raise RuntimeError("torc.enable() comes too late: GraphBLAS is loaded; call it before importing graphblas")
    # The loader looks for GrB_mxm among what all objects share before it looks at what graphblas brought for itself.
    ctypes.CDLL(dropin(), mode=os.RTLD_NOW | os.RTLD_GLOBAL)
