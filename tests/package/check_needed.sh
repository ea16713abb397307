#!/bin/sh
# check_needed.sh FILE ...: what each file needs is part of every Linux system, or of torc: no GraphBLAS, and nothing of
# CUDA, so that a build with CUDA starts on machines without it.
for file; do
    needed=$(readelf --dynamic "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
    [ -n "$needed" ] || { echo "$file: not a dynamic ELF file" >&2; exit 1; }
    for library in $needed; do
        case $library in
        libc.so.* | libm.so.* | ld-linux*.so.* | libgcc_s.so.* | libgomp.so.* | libstdc++.so.* | libtorc.so.* | libtorc_graphblas.so.*) ;;
        libasan.so.* | libubsan.so.* | libtsan.so.*) ;; # the presets with sanitizers
        *) echo "$file needs $library" >&2; exit 1 ;;
        esac
    done
done
