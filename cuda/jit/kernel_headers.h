/* kernel_headers.h: the headers that kernels are made of, as text inside the library; embed_headers.cmake
 * writes them. */
#ifndef TORC_KERNEL_HEADERS_H
#define TORC_KERNEL_HEADERS_H

extern const int torc_kernel_header_count;
extern const char *const torc_kernel_header_names[];
extern const char *const torc_kernel_header_texts[];

#endif
