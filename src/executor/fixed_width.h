/* fixed_width.h: <stdint.h>, which NVRTC lacks. */
#ifndef TORC_FIXED_WIDTH_H
#define TORC_FIXED_WIDTH_H

#ifdef __CUDACC_RTC__
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
#else
#include <stdint.h>
#endif

/* Of functions that both sides have. */
#ifdef __CUDACC__
#define TORC_HOST_DEVICE __host__ __device__
#else
#define TORC_HOST_DEVICE
#endif

#endif
