"""python_documentation.py: the examples that python-graphblas documents in its package, README and docstrings, each
statement of them run and what it left printed, so that two runs can be compared.

Many examples leave open what A, mask or rows are: they find such names in a namespace. A statement that raises is
counted, and the next one follows: examples show errors too, or want packages that are not there.
"""
import ast
import contextlib
import doctest
import importlib.metadata
import io
import pathlib
import random
import re
import sys
import textwrap

import numpy as np

import python_graphblas_on_10  # noqa: F401 (before graphblas)
import graphblas as gb

n = 20  # large enough for GraphBLAS to keep few entries sparse
shown = (bool, int, float, complex, str, list, tuple, np.ndarray)


def operands():
    """What examples expect to find, each time anew. Whole numbers: sums are exact in any order."""
    numbers = np.random.default_rng(1)
    i, j = numbers.integers(0, n, (2, 2 * n))
    sparse = gb.Matrix.from_coo(i, j, numbers.integers(1, 9, 2 * n), nrows=n, ncols=n, dup_op=gb.binary.any)
    full = gb.Matrix.from_dense(numbers.integers(1, 9, (n, n)))
    mask = gb.Matrix.from_coo(i, (i + j) % n, i % 2, nrows=n, ncols=n, dup_op=gb.binary.any)
    names = {name: getattr(gb, name) for name in dir(gb) if not name.startswith("_")}
    names |= {"gb": gb, "graphblas": gb, "np": np}
    names |= {"A": sparse, "B": full, "M": full.dup(), "C": full.dup(), "mask": mask, "matrix": sparse.dup()}
    names |= {"v": full[0, :].new(), "w": full[1, :].new(), "u": sparse[0, :].new(), "s": gb.Scalar.from_value(2)}
    names |= {"vector": names["u"].dup(), "x": names["v"], "y": names["w"], "m": numbers.integers(0, 3, (n, n))}
    names |= {"accum": gb.binary.plus, "binaryop": gb.binary.plus, "unaryop": gb.unary.ainv, "op": gb.monoid.plus}
    names |= {"rows": slice(None), "cols": slice(None), "row_index": int(i[0]), "col_index": int(j[0])}
    names |= {"num_rows": n, "num_cols": n, "row_indices": 0, "col_indices": 1, "values": 2, "dtype": gb.dtypes.INT64}
    return names


def operators_for_modules(names):
    """As dict leaves them, but `semiring` is an operator, and `mask` a mask of matrices; below, of vectors."""
    return names | {"semiring": gb.semiring.min_plus, "mask": names["mask"].V}


def masks_of_vectors(names):
    return operators_for_modules(names) | {"mask": names["u"].S}


def text(value):
    if isinstance(value, gb.Scalar):
        return f"{value.dtype} {value.value}"
    if isinstance(value, (gb.Matrix, gb.Vector)):
        return f"{value.dtype} {value.shape} {[part.tolist() for part in value.to_coo()]}"
    if hasattr(value, "new") and not isinstance(value, type):  # an expression that is not computed yet
        return text(value.new())
    return repr(value) if isinstance(value, shown) else type(value).__name__


def run_statement(statement, names):
    """The value of an expression; and what the statement prints is left out, for it may tell of time."""
    with contextlib.redirect_stdout(io.StringIO()):
        if isinstance(statement, ast.Expr):
            return eval(compile(ast.Expression(statement.value), "example", "eval"), names)
        exec(compile(ast.Module([statement], []), "example", "exec"), names)


def run(page, blocks, readings=(dict,)):
    """Runs a page's blocks in one namespace, once for each reading of the names that it leaves open."""
    statements = []
    for block in blocks:
        with contextlib.suppress(SyntaxError):  # shell, output, or "..." in the middle of a call
            statements += ast.parse(textwrap.dedent(block)).body
    failed = {}
    for reading in readings:
        random.seed(1)
        np.random.seed(1)
        names = reading(operands())
        known = {name: None for name in names}
        for number, statement in enumerate(statements):
            try:
                print(page, number, text(run_statement(statement, names)))
                failed[number] = False
            except Exception as error:
                print(page, number, type(error).__name__)
                failed.setdefault(number, True)
            for name, value in sorted(names.items()):
                if isinstance(value, (gb.Matrix, gb.Vector, gb.Scalar)):
                    now = text(value)
                    if known.get(name) != now:
                        print("   ", name, now)
                    known[name] = now
    done = len(statements) - sum(failed.values())
    print(page, done, "of", len(statements), "statements run")
    return done


def docstrings(root):
    for path in sorted(root.rglob("*.py")):
        name = path.relative_to(root)
        for node in ast.walk(ast.parse(path.read_text())) if "tests" not in name.parts else ():
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
                blocks = examples(ast.get_docstring(node))
                if blocks:
                    yield f"{name}:{getattr(node, 'name', '')}", blocks


def examples(docstring):
    try:
        return [example.source for example in doctest.DocTestParser().get_examples(docstring or "")]
    except ValueError:  # not as doctest wants it
        return re.findall(r"^ *>>> (.*)", docstring, re.M)


def markdown(page):
    return re.findall(r"^```python\n(.*?)^```", page, re.M | re.S)


package = importlib.metadata.distribution("python-graphblas")
print("python-graphblas", package.version, "on GraphBLAS", gb.ss.about["library_version"])
readme = package.metadata.get_payload() or package.metadata["Description"]
done = run("README", markdown(readme), (dict, operators_for_modules, masks_of_vectors))
if done < 40:
    sys.exit(f"only {done} statements of README run")
for page, blocks in docstrings(pathlib.Path(gb.__file__).parent):
    run(page, blocks)
