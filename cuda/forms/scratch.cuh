/* scratch.cuh: what the kernels that nvcc compiles share: device memory for the time of a call, threads by
 * number, a search. */
#ifndef TORC_SCRATCH_CUH
#define TORC_SCRATCH_CUH

#include "cuda_device.h"

namespace torc
{

constexpr int THREADS = 256; /* a block */

inline unsigned blocks_for(int64_t count)
{
    return static_cast<unsigned>((count + THREADS - 1) / THREADS);
}

inline __device__ int64_t thread_number()
{
    return static_cast<int64_t>(blockIdx.x) * THREADS + threadIdx.x;
}

/* The first index in [0, count) whose value is at least `bound`; count if there is none. */
template <class Integer>
__device__ int64_t first_at_least(const Integer *ascending, int64_t count, int64_t bound)
{
    int64_t low = 0;
    while (low < count) {
        const int64_t middle = low + (count - low) / 2;
        if (static_cast<int64_t>(ascending[middle]) < bound) {
            low = middle + 1;
        } else {
            count = middle;
        }
    }
    return low;
}

class scratch
{
  public:
    explicit scratch(torc_device *owner) : device(owner)
    {
    }
    ~scratch()
    {
        torc_cuda_release(device, memory);
    }
    scratch(const scratch &) = delete;
    scratch &operator=(const scratch &) = delete;

    torc_status allocate(size_t size)
    {
        return torc_cuda_allocate(&memory, device, size);
    }
    template <class T>
    T *as() const
    {
        return static_cast<T *>(memory);
    }

  private:
    torc_device *device;
    void *memory = nullptr;
};

} // namespace torc

#endif
