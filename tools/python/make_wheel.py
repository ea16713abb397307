#!/usr/bin/env python3
"""make_wheel.py BUILD FOLDER: the wheel torc-graphblas of a build tree, into FOLDER; its path is printed.

It holds the package torc, and below torc/native the command, the libraries, and the kernels that were compiled ahead of
time if the build has CUDA. Nothing of CUDA is needed to install it. The platform follows from the glibc that the
libraries ask for, so build on the oldest system that it is for.
"""

import base64
import hashlib
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
# Of every system that manylinux wheels are for.
EVERYWHERE = re.compile(r"lib(c|m|z|dl|rt|pthread|gcc_s|stdc\+\+)\.so|ld-linux|libtorc")

METADATA = """Metadata-Version: 2.1
Name: torc-graphblas
Version: {version}
Summary: GraphBLAS programs on NVIDIA GPUs
License: Apache-2.0
Requires-Python: >=3.8
Description-Content-Type: text/markdown

"""


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def native_files(build, prefix):
    """What is installed of the command and its libraries: names below torc/native, and files. The names of libraries are
    those that the loader asks for, since a wheel has no links."""
    for component in "runtime", "tools":
        output_of("cmake", "--install", build, "--prefix", str(prefix), "--component", component, "--strip")
    wanted = "libtorc.so.?", "libtorc_cuda.so.?", "libtorc_dropin.so"
    libraries = [path for name in wanted for path in prefix.glob("lib*/**/" + name)]
    kernels = [*prefix.glob("lib*/**/torc/kernels/*.kernel")]
    return {str(path.relative_to(prefix)): path for path in [prefix / "bin/torc", *sorted(libraries), *sorted(kernels)]}


def platform_of(files):
    glibc = (2, 17)
    for path in files:
        if path.suffix == ".kernel":
            continue
        headers = output_of("objdump", "-p", str(path))
        foreign = [name for name in re.findall(r"NEEDED +(\S+)", headers) if not EVERYWHERE.match(name)]
        if foreign:
            sys.exit(f"make_wheel.py: {path.name} needs {', '.join(foreign)}")
        glibc = max([glibc] + [tuple(map(int, v)) for v in re.findall(r"GLIBC_(\d+)\.(\d+)", headers)])
    return f"manylinux_{glibc[0]}_{glibc[1]}_{output_of('uname', '-m').strip()}"


def main():
    build, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as temporary:
        prefix = pathlib.Path(temporary)
        native = native_files(build, prefix)
        version = output_of(str(prefix / "bin/torc"), "version").split()[1]
        tag = f"py3-none-{platform_of(native.values())}"
        info = f"torc_graphblas-{version}.dist-info"
        contents = {f"torc/native/{name}": path.read_bytes() for name, path in native.items()}
        contents |= {f"torc/{path.name}": path.read_bytes() for path in sorted((HERE / "torc").glob("*.py"))}
        contents[f"{info}/METADATA"] = (METADATA.format(version=version) + (HERE / "README.md").read_text()).encode()
        contents[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: torc\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
        contents[f"{info}/entry_points.txt"] = b"[console_scripts]\ntorc = torc.__main__:main\n"
        contents[f"{info}/LICENSE"] = (HERE.parent.parent / "LICENSE").read_bytes()
        record = ""
        for name, data in contents.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record += f"{name},sha256={digest},{len(data)}\n"
        contents[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()

    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / f"torc_graphblas-{version}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in contents.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))  # the same bytes every time
            entry.external_attr = (0o100755 if "/native/bin/" in name else 0o100644) << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    print(wheel)


main()
