#!/bin/sh
# test_package.sh BUILD LIBDIR VERSION CONFIGURATION [CUDA]: the Debian packages that cpack makes of this build tree hold
# the right files and ask for the right packages. Skipped (77) where a tool of Debian's is missing.
build=$1
lib=./usr/$2
version=$3
configuration=$4
cuda=$5
docs=$(dirname "$0")/../../docs
major=${version%%.*}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

fail() {
    echo "test_package.sh: $*" >&2
    exit 1
}

for tool in cpack dpkg-deb dpkg-shlibdeps file; do
    command -v $tool >/dev/null || { echo "skipped: there is no $tool"; exit 77; }
done
cpack --config "$build/CPackConfig.cmake" -B "$work" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "cpack fails"; }

# PACKAGE, with the paths that it should hold, no more and no fewer, on standard input. Kernels have hashes for names.
holds() {
    { cat; printf './usr/share/doc/%s/%s\n' "$1" changelog.gz "$1" changelog.Debian.gz "$1" copyright; } |
        sort >"$work/expected"
    dpkg-deb --fsys-tarfile "$work/$1"_*.deb | tar --list | grep -v "/\$" |
        sed "s|^$lib/torc/kernels/[0-9a-f]*\.|$lib/torc/kernels/HASH.|" | sort -u >"$work/actual"
    diff "$work/expected" "$work/actual" >&2 || fail "$1 should hold the first and holds the second"
}

field() {
    dpkg-deb --field "$work/$1"_*.deb "$2"
}

holds "libtorc$major" <<END
./usr/share/lintian/overrides/libtorc$major
$lib/libtorc.so.$major
$lib/libtorc.so.$version
$lib/libtorc_graphblas.so.$major
$lib/libtorc_graphblas.so.$version
$lib/libtorc_dropin.so${cuda:+
$lib/libtorc_cuda.so.$major
$lib/libtorc_cuda.so.$version
$lib/torc/kernels/HASH.kernel}
END
holds libtorc-dev <<END
./usr/include/torc/elementwise.h
./usr/include/torc/exchange.h
./usr/include/torc/torc.h
./usr/include/torc/graphblas.h
$lib/libtorc.so
$lib/libtorc_graphblas.so
$(for file in torcConfig torcConfigVersion torcTargets "torcTargets-$configuration"; do echo "$lib/cmake/torc/$file.cmake"; done)
$lib/pkgconfig/torc.pc
$lib/pkgconfig/torc_graphblas.pc
END
holds torc-tools <<END
$(for program in torc torc-pagerank torc-bfs torc-paths; do
    printf '%s\n' "./usr/bin/$program" "./usr/share/man/man1/$program.1.gz" \
        "./usr/share/bash-completion/completions/$program"
done)
$(for page in "$docs"/*.md; do echo "./usr/share/doc/torc-tools/${page##*/}"; done)
$(for example in "$docs"/examples/*.c "$docs"/examples/*.py; do
    echo "./usr/share/doc/torc-tools/examples/${example##*/}"
done)
./usr/share/doc/torc-tools/examples/lexicographic.txt
END

dpkg-deb --fsys-tarfile "$work/libtorc$major"_*.deb | tar -x -O "./usr/share/doc/libtorc$major/changelog.Debian.gz" |
    gzip -d | head -n 1 | grep -qF "($version-1)" || fail "Debian's changelog has no entry of this version"

# The libraries run with any GraphBLAS, or none, and without CUDA.
field "libtorc$major" Depends | grep -iE 'graphblas|cuda|nvrtc|nvidia' && fail "libtorc$major asks for too much"
field "libtorc$major" Depends | grep -q libc6 || fail "libtorc$major asks for no libc6"
for package in libtorc-dev torc-tools; do
    field $package Depends | grep -q "libtorc$major (= $version-1)" || fail "$package asks for no libtorc$major"
    field $package Depends | grep -q libgraphblas || fail "$package asks for no GraphBLAS"
done
exit 0
