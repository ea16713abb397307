/* bit_pack.cu: dense values to words of 64 booleans a row, and back: which kernel, and its grid. Compulsory
 * traffic: every value and every word moved once. */
#include "packed_columns.cuh"
#include "packed_rows.cuh"

namespace
{

using namespace torc;

constexpr int MAX_GRID_Y = 65535;

packed_layout layout_of(const torc_dense *X)
{
    const uint64_t steps = reinterpret_cast<uintptr_t>(X->data) | X->ld * torc_type_size(X->type);
    return {X->nrows, X->ncols, X->ld, (X->ncols + WORD - 1) / WORD,
        steps % 16 == 0     ? 16
        : steps % QUAD == 0 ? QUAD
                            : 1};
}

bool is_of_bytes(const torc_dense *X)
{
    return torc_type_size(X->type) == 1;
}

/* Is X one array of aligned runs, as its words are? */
bool is_one_array(const torc_dense *X, const packed_layout &x)
{
    return X->order == TORC_ROW_MAJOR && is_of_bytes(X) && x.alignment == 16 && x.ld == x.ncols &&
           x.ncols % WORD == 0;
}

/* Rows of X in whole quads: the others, three at most, are moved one by one. */
int64_t rows_in_quads(const torc_dense *X, const packed_layout &x)
{
    return is_of_bytes(X) && x.alignment >= QUAD ? X->nrows / QUAD * QUAD : 0;
}

unsigned blocks_of_runs(int64_t runs)
{
    return static_cast<unsigned>((runs + THREADS * EACH - 1) / (THREADS * EACH));
}

dim3 grid_of_rows(const packed_layout &x)
{
    const int64_t runs = run_place::runs_a_row(x), rows = run_place::rows_a_block(runs);
    return dim3(static_cast<unsigned>((x.nrows + rows - 1) / rows * run_place::blocks_a_row(runs)));
}

dim3 grid_of_columns(const packed_layout &x, int rows_a_thread)
{
    const int64_t rows = THREADS * rows_a_thread, tall = x.words < MAX_GRID_Y ? x.words : MAX_GRID_Y;
    return dim3(static_cast<unsigned>((x.nrows + rows - 1) / rows), static_cast<unsigned>(tall));
}

__global__ void __launch_bounds__(THREADS)
    mask_words(uint64_t *words, const uint64_t *mask, int64_t count, uint64_t flip)
{
    const int64_t at = static_cast<int64_t>(blockIdx.x) * THREADS + threadIdx.x;
    if (at < count) {
        words[at] &= mask[at] ^ flip;
    }
}

template <class Stored>
void pack(torc_device *device, uint64_t *words, const torc_dense *X)
{
    packed_layout x = layout_of(X);
    const Stored *values = static_cast<const Stored *>(X->data);
    if (is_one_array(X, x)) {
        const int64_t runs = x.nrows * x.words * RUNS;
        pack_array<<<blocks_of_runs(runs), THREADS, 0, device->stream>>>(
            reinterpret_cast<uint16_t *>(words), static_cast<const boolean *>(X->data), runs);
        return;
    }
    if (X->order == TORC_ROW_MAJOR) {
        pack_rows<<<grid_of_rows(x), THREADS, 0, device->stream>>>(
            reinterpret_cast<uint16_t *>(words), values, x);
        return;
    }
    const int64_t whole = rows_in_quads(X, x);
    x.nrows = whole;
    if (whole > 0) {
        pack_quads<<<grid_of_columns(x, QUAD), THREADS, 0, device->stream>>>(
            words, static_cast<const uint8_t *>(X->data), x);
    }
    x.nrows = X->nrows - whole;
    if (x.nrows > 0) {
        pack_columns<<<grid_of_columns(x, 1), THREADS, 0, device->stream>>>(
            words + whole * x.words, values + whole, x);
    }
}

void unpack(torc_device *device, const torc_dense *X, const uint64_t *words)
{
    packed_layout x = layout_of(X);
    uint8_t *values = static_cast<uint8_t *>(X->data);
    if (is_one_array(X, x)) {
        const int64_t runs = x.nrows * x.words * RUNS;
        unpack_array<<<blocks_of_runs(runs), THREADS, 0, device->stream>>>(
            values, reinterpret_cast<const uint16_t *>(words), runs);
        return;
    }
    if (X->order == TORC_ROW_MAJOR) {
        unpack_rows<<<grid_of_rows(x), THREADS, 0, device->stream>>>(
            values, reinterpret_cast<const uint16_t *>(words), x);
        return;
    }
    const int64_t whole = rows_in_quads(X, x);
    x.nrows = whole;
    if (whole > 0) {
        unpack_quads<<<grid_of_columns(x, QUAD), THREADS, 0, device->stream>>>(values, words, x);
    }
    x.nrows = X->nrows - whole;
    if (x.nrows > 0) {
        unpack_columns<<<grid_of_columns(x, 1), THREADS, 0, device->stream>>>(
            values + whole, words + whole * x.words, x);
    }
}

} // namespace

torc_status torc_cuda_pack_bits(torc_device *device, uint64_t *words, const torc_dense *X)
{
    TORC_ENTER(device);
    if (X->nrows == 0 || X->ncols == 0) {
        return TORC_SUCCESS;
    }
    switch (X->type) {
    case TORC_BOOL:
    case TORC_INT8:
    case TORC_UINT8:
        pack<boolean>(device, words, X);
        break;
    case TORC_INT16:
    case TORC_UINT16:
        pack<uint16_t>(device, words, X);
        break;
    case TORC_INT32:
    case TORC_UINT32:
        pack<uint32_t>(device, words, X);
        break;
    case TORC_INT64:
    case TORC_UINT64:
        pack<uint64_t>(device, words, X);
        break;
    case TORC_FP32:
        pack<float>(device, words, X);
        break;
    case TORC_FP64:
        pack<double>(device, words, X);
        break;
    case TORC_FC32:
        pack<torc::complex<float>>(device, words, X);
        break;
    case TORC_FC64:
        pack<torc::complex<double>>(device, words, X);
        break;
    default:
        return TORC_UNSUPPORTED;
    }
    TORC_TRY_CUDA(device, cudaGetLastError());
    return TORC_SUCCESS;
}

torc_status torc_cuda_unpack_bits(torc_device *device, const torc_dense *X, const uint64_t *words)
{
    TORC_ENTER(device);
    if (X->nrows == 0 || X->ncols == 0) {
        return TORC_SUCCESS;
    }
    unpack(device, X, words);
    TORC_TRY_CUDA(device, cudaGetLastError());
    return TORC_SUCCESS;
}

torc_status torc_cuda_mask_bits(
    torc_device *device, uint64_t *words, const uint64_t *mask, int64_t count, bool complement)
{
    TORC_ENTER(device);
    if (count > 0) {
        const unsigned blocks = static_cast<unsigned>((count + THREADS - 1) / THREADS);
        mask_words<<<blocks, THREADS, 0, device->stream>>>(words, mask, count, complement ? ~uint64_t(0) : 0);
        TORC_TRY_CUDA(device, cudaGetLastError());
    }
    return TORC_SUCCESS;
}
