/* forms.c: what is made of operands on the device. Every member makes it for itself, but for transposes of
 * dense matrices that are spread: each member transposes what it has. */
#include "joined.h"

/* ---- Sparse operands ---------------------------------------------------------------------------------- */

torc_status torc_joined_csr(torc_joined *joined, const torc_device_csr *A)
{
    torc_status status = torc_joined_unite_block(joined, A->row_ptr);
    if (status == TORC_SUCCESS) {
        status = torc_joined_unite_block(joined, A->col_idx);
    }
    return status == TORC_SUCCESS ? torc_joined_unite_block(joined, A->values) : status;
}

torc_device_csr torc_joined_csr_at(torc_joined *joined, int member, const torc_device_csr *A)
{
    torc_device_csr own = *A;
    own.row_ptr = torc_joined_at(joined, member, A->row_ptr);
    own.col_idx = torc_joined_at(joined, member, A->col_idx);
    own.values = torc_joined_at(joined, member, A->values);
    return own;
}

/* The same on all that have it. */
torc_status torc_joined_measure(
    torc_device *device, torc_partition *rows, torc_window *windows, const torc_device_csr *A)
{
    torc_joined *joined = torc_joined_of(device);
    torc_status status = torc_joined_csr(joined, A);
    int first = torc_joined_first(joined, A->row_ptr);
    torc_device_csr own = torc_joined_csr_at(joined, first, A);
    return status == TORC_SUCCESS ? torc_joined_note(joined, first,
                                        joined->each->measure(joined->members[first], rows, windows, &own))
                                  : status;
}

static torc_partition rows_at(torc_joined *joined, int member, const torc_partition *rows)
{
    torc_partition own = *rows;
    own.present = torc_joined_at(joined, member, rows->present);
    own.segments = torc_joined_at(joined, member, rows->segments);
    own.long_rows = torc_joined_at(joined, member, rows->long_rows);
    own.pieces = torc_joined_at(joined, member, rows->pieces);
    own.pieced_rows = torc_joined_at(joined, member, rows->pieced_rows);
    own.row_ends = torc_joined_at(joined, member, rows->row_ends);
    own.rows = torc_joined_at(joined, member, rows->rows);
    own.slice_rows = torc_joined_at(joined, member, rows->slice_rows);
    own.spanning_rows = torc_joined_at(joined, member, rows->spanning_rows);
    return own;
}

torc_status torc_joined_cut_rows(torc_device *device, const torc_partition *rows, const torc_device_csr *A)
{
    torc_joined *joined = torc_joined_of(device);
    torc_status status = torc_joined_csr(joined, A);
    for (int m = 0; m < joined->count && status == TORC_SUCCESS; m++) {
        torc_partition own_rows = rows_at(joined, m, rows);
        torc_device_csr own = torc_joined_csr_at(joined, m, A);
        status = own.row_ptr ? torc_joined_note(
                                   joined, m, joined->each->cut_rows(joined->members[m], &own_rows, &own))
                             : status;
    }
    return status;
}

torc_status torc_joined_list_columns(
    torc_device *device, uint32_t *columns, int64_t *count, const torc_device_csr *A)
{
    torc_joined *joined = torc_joined_of(device);
    torc_status status = torc_joined_csr(joined, A);
    for (int m = 0; m < joined->count && status == TORC_SUCCESS; m++) {
        torc_device_csr own = torc_joined_csr_at(joined, m, A);
        status = torc_joined_note(joined, m,
            joined->each->list_columns(joined->members[m], torc_joined_at(joined, m, columns), count, &own));
    }
    return status;
}

torc_status torc_joined_transpose_csr(torc_device *device, const torc_device_csr *T, const torc_device_csr *A)
{
    torc_joined *joined = torc_joined_of(device);
    torc_status status = torc_joined_csr(joined, A);
    for (int m = 0; m < joined->count && status == TORC_SUCCESS; m++) {
        torc_device_csr own_t = torc_joined_csr_at(joined, m, T), own_a = torc_joined_csr_at(joined, m, A);
        status = torc_joined_note(joined, m, joined->each->transpose_csr(joined->members[m], &own_t, &own_a));
    }
    return status;
}

/* ---- Dense transposes --------------------------------------------------------------------------------- */

/* Lines that are cut in one matrix are what the other is cut between: a cut of places as a cut of all of its
 * elements, and back. */
static torc_joined_cut cut_between(
    const torc_joined *joined, const torc_joined_cut *places, const torc_joined_lines *lines)
{
    return torc_joined_cut_between(joined, places, lines->ld, torc_joined_as_one(lines).length);
}

static bool cut_of_lines(torc_joined_cut *places, torc_joined *joined, const torc_joined_lines *lines)
{
    torc_joined_lines all = torc_joined_as_one(lines);
    return torc_joined_cut_of(places, joined, &all) &&
           torc_joined_cut_into_lines(places, joined, lines->ld, lines->count, all.length);
}

typedef struct transposition {
    torc_joined_lines to, from;
    bool is_columns, is_rows; /* a member transposes some columns of `from`, or some rows; neither: all */
    torc_joined_cut cut;
} transposition;

static torc_status transpose_part(torc_joined *joined, int member, const void *argument)
{
    const transposition *t = argument;
    const torc_joined_lines *to = &t->to, *from = &t->from;
    bool is_cut = t->is_columns || t->is_rows;
    int64_t begin = is_cut ? t->cut.at[member] : 0, end = is_cut ? t->cut.at[member + 1] : from->count;
    int64_t skipped_to = t->is_columns ? begin * to->ld : begin;
    int64_t skipped_from = t->is_columns ? begin : begin * from->ld;
    char *own_to = torc_joined_behind(joined, member, to->first, skipped_to, to->size);
    const char *own_from = torc_joined_behind(joined, member, from->first, skipped_from, from->size);
    return joined->each->transpose_dense(joined->members[member], own_to, to->ld, own_from, from->ld,
        t->is_columns ? from->count : end - begin, t->is_columns ? end - begin : from->length, from->size);
}

static torc_status place_transposition(const transposition *t, torc_joined *joined)
{
    torc_joined_lines all = torc_joined_as_one(&t->to);
    torc_joined_cut between = cut_between(joined, &t->cut, &t->to);
    torc_status status = t->is_columns || t->is_rows ? TORC_SUCCESS : torc_joined_unite(joined, &t->from);
    status = status == TORC_SUCCESS ? torc_joined_begin_write(joined, &t->to) : status;
    return status != TORC_SUCCESS ? status
           : t->is_columns        ? torc_joined_spread_out(joined, &all, &between)
           : t->is_rows           ? torc_joined_spread_out(joined, &t->to, &t->cut)
                                  : status;
}

torc_status torc_joined_transpose_dense(torc_device *device, void *to, int64_t ldto, const void *from,
    int64_t ldfrom, int64_t nrows, int64_t ncols, size_t size)
{
    static const torc_joined_lines nothing;
    torc_joined *joined = torc_joined_of(device);
    transposition t = {.to = {to, ncols, nrows, ldto, size}, .from = {from, nrows, ncols, ldfrom, size}};
    if (nrows == 0 || ncols == 0) {
        return TORC_SUCCESS;
    }
    t.is_columns = torc_joined_cut_of(&t.cut, joined, &t.from);
    t.is_rows = !t.is_columns && cut_of_lines(&t.cut, joined, &t.from);
    bool is_cut = t.is_columns || t.is_rows;
    torc_joined_snapshot(joined, &t.to, &nothing);
    torc_status status = torc_joined_restore_on_error(joined, place_transposition(&t, joined));
    if (status == TORC_SUCCESS) {
        status = torc_joined_launch_all(joined, is_cut ? &t.cut : NULL, transpose_part, &t);
    }
    if (status == TORC_SUCCESS && !is_cut && ldto == nrows) {
        torc_joined_overwrite(joined, to, (size_t)(nrows * ncols) * size);
    }
    return status;
}

/* ---- Bits, bytes and entries -------------------------------------------------------------------------- */

static torc_joined_lines lines_of(const torc_dense *X)
{
    bool by_row = X->order == TORC_ROW_MAJOR;
    return (torc_joined_lines){
        X->data, by_row ? X->nrows : X->ncols, by_row ? X->ncols : X->nrows, X->ld, torc_type_size(X->type)};
}

static torc_dense dense_at(torc_joined *joined, int member, const torc_dense *X)
{
    torc_dense own = *X;
    own.data = torc_joined_at(joined, member, X->data);
    own.bitmap = torc_joined_at(joined, member, X->bitmap);
    return own;
}

static size_t word_bytes(const torc_dense *X)
{
    return (size_t)(X->nrows * ((X->ncols + TORC_WORD_COLUMNS - 1) / TORC_WORD_COLUMNS)) * sizeof(uint64_t);
}

torc_status torc_joined_pack_bits(torc_device *device, uint64_t *words, const torc_dense *X)
{
    torc_joined *joined = torc_joined_of(device);
    torc_joined_lines lines = lines_of(X);
    torc_status status = torc_joined_unite(joined, &lines);
    if (status == TORC_SUCCESS) {
        status = torc_joined_begin_write_bytes(joined, words, word_bytes(X));
    }
    for (int m = 0; m < joined->count && status == TORC_SUCCESS; m++) {
        torc_dense own = dense_at(joined, m, X);
        status = torc_joined_note(
            joined, m, joined->each->pack_bits(joined->members[m], torc_joined_at(joined, m, words), &own));
    }
    if (status == TORC_SUCCESS) {
        torc_joined_overwrite(joined, words, word_bytes(X));
    }
    return status;
}

torc_status torc_joined_unpack_bits(torc_device *device, const torc_dense *X, const uint64_t *words)
{
    torc_joined *joined = torc_joined_of(device);
    torc_joined_lines lines = lines_of(X);
    torc_status status = torc_joined_unite_bytes(joined, words, word_bytes(X));
    if (status == TORC_SUCCESS) {
        status = torc_joined_begin_write(joined, &lines);
    }
    for (int m = 0; m < joined->count && status == TORC_SUCCESS; m++) {
        torc_dense own = dense_at(joined, m, X);
        status = torc_joined_note(
            joined, m, joined->each->unpack_bits(joined->members[m], &own, torc_joined_at(joined, m, words)));
    }
    if (status == TORC_SUCCESS && (lines.ld == lines.length || lines.count == 1)) {
        torc_joined_overwrite(joined, X->data, (size_t)(lines.count * lines.length) * lines.size);
    }
    return status;
}

torc_status torc_joined_mask_bits(
    torc_device *device, uint64_t *words, const uint64_t *mask, int64_t count, bool complement)
{
    torc_joined *joined = torc_joined_of(device);
    torc_status status = torc_joined_unite_bytes(joined, words, (size_t)count * sizeof *words);
    if (status == TORC_SUCCESS) {
        status = torc_joined_unite_bytes(joined, mask, (size_t)count * sizeof *mask);
    }
    for (int m = 0; m < joined->count && status == TORC_SUCCESS; m++) {
        status = torc_joined_note(joined, m,
            joined->each->mask_bits(joined->members[m], torc_joined_at(joined, m, words),
                torc_joined_at(joined, m, mask), count, complement));
    }
    return status;
}

torc_status torc_joined_build(torc_device *device, const torc_build_args *build)
{
    torc_joined *joined = torc_joined_of(device);
    size_t values = build->iso ? 1 : (size_t)build->count, cells = (size_t)build->cells;
    torc_status status =
        torc_joined_unite_bytes(joined, build->positions, (size_t)build->count * sizeof *build->positions);
    if (status == TORC_SUCCESS) {
        status = torc_joined_unite_bytes(joined, build->values, values * build->value_size);
    }
    if (status == TORC_SUCCESS) {
        status = torc_joined_begin_write_bytes(joined, build->bitmap, cells);
    }
    if (status == TORC_SUCCESS) {
        status = torc_joined_begin_write_bytes(joined, build->to, cells * build->value_size);
    }
    for (int m = 0; m < joined->count && status == TORC_SUCCESS; m++) {
        torc_build_args own = *build;
        own.bitmap = torc_joined_at(joined, m, build->bitmap);
        own.to = torc_joined_at(joined, m, build->to);
        own.positions = torc_joined_at(joined, m, build->positions);
        own.values = torc_joined_at(joined, m, build->values);
        status = torc_joined_note(joined, m, joined->each->build(joined->members[m], &own));
    }
    if (status == TORC_SUCCESS) {
        torc_joined_overwrite(joined, build->bitmap, cells);
        torc_joined_overwrite(joined, build->to, cells * build->value_size);
    }
    return status;
}

/* Each member counts what it has. */
torc_status torc_joined_count(torc_device *device, int64_t *count, const uint8_t *bytes, size_t size)
{
    torc_joined *joined = torc_joined_of(device);
    torc_joined_lines line = {bytes, 1, (int64_t)size, (int64_t)size, 1};
    torc_joined_cut cut;
    torc_status status = TORC_SUCCESS;
    if (!torc_joined_cut_of(&cut, joined, &line)) {
        cut = torc_joined_even_cut(joined, (int64_t)size, 1);
        status = torc_joined_unite(joined, &line);
    }
    *count = 0;
    for (int m = 0; m < joined->count && status == TORC_SUCCESS; m++) {
        int64_t own = 0, length = cut.at[m + 1] - cut.at[m];
        const uint8_t *from = torc_joined_at(joined, m, bytes + cut.at[m]);
        if (length > 0) {
            status = torc_joined_note(
                joined, m, joined->each->count(joined->members[m], &own, from, (size_t)length));
        }
        *count += own;
    }
    return status;
}
