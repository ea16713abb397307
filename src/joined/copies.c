/* copies.c: content from and to host memory. What is large goes by all buses, to each member a part. */
#include "joined.h"
#include <stdlib.h>
#include <string.h>

enum { LINE = 256 }; /* bytes: parts of a copy begin at multiples */

static torc_joined_lines bytes_at(const void *address, size_t size)
{
    return (torc_joined_lines){address, 1, (int64_t)size, (int64_t)size, 1};
}

static bool is_large(const torc_joined *joined, size_t size)
{
    return joined->count > 1 && size >= joined->least_copy;
}

static bool all_have(torc_joined *joined, const void *address)
{
    const torc_joined_block *block = torc_joined_find(joined, address);
    bool all_have = true;
    for (int m = 0; block && m < joined->count; m++) {
        all_have = all_have && block->member[m];
    }
    return all_have;
}

/* ---- Lines beside the work ---------------------------------------------------------------------------- */

/* Members receive from each other in the order of work. If there were more exchanges than are awaited, what
 * is fetched from now on waits for them, and if sends_wait what is sent. */
static torc_status wait_for_exchanges(torc_joined *joined, uint64_t awaited, bool sends_wait)
{
    return joined->exchanges == awaited ? TORC_SUCCESS
                                        : torc_joined_fence((torc_device *)(void *)joined, sends_wait);
}

static torc_status spread_what_is_sent(
    torc_joined *joined, const torc_joined_lines *to, const torc_joined_cut *cut)
{
    uint64_t before = joined->exchanges;
    torc_status status = torc_joined_spread_out(joined, to, cut);
    return status == TORC_SUCCESS ? wait_for_exchanges(joined, before, true) : status;
}

torc_status torc_joined_fence(torc_device *device, bool sends_wait)
{
    torc_joined *joined = torc_joined_of(device);
    torc_status status = TORC_SUCCESS;
    for (int m = 0; m < joined->count && status == TORC_SUCCESS; m++) {
        status = torc_joined_note(joined, m, joined->each->fence(joined->members[m], sends_wait));
    }
    if (status == TORC_SUCCESS) {
        joined->awaited_by_fetches = joined->exchanges;
        joined->awaited_by_sends = sends_wait ? joined->exchanges : joined->awaited_by_sends;
    }
    return status;
}

/* Bytes begin .. end-1 of each line, to a member or from it. */
static torc_status move_part(
    torc_joined *joined, int member, const torc_lines *lines, int64_t begin, int64_t end, bool is_sent)
{
    torc_lines part = *lines;
    part.width = (size_t)(end - begin);
    part.to = (char *)lines->to + begin;
    part.from = (const char *)lines->from + begin;
    part.chosen = torc_joined_at(joined, member, lines->chosen);
    if (part.width == 0 || part.height == 0) {
        return TORC_SUCCESS;
    }
    if (is_sent) {
        part.to = torc_joined_at(joined, member, part.to);
        return torc_joined_note(joined, member, joined->each->send(joined->members[member], &part));
    }
    part.from = torc_joined_at(joined, member, part.from);
    return torc_joined_note(joined, member, joined->each->fetch(joined->members[member], &part));
}

/* Lines without gaps on both sides are one. */
static torc_lines without_gaps(const torc_lines *lines)
{
    torc_lines one = *lines;
    if (!lines->chosen && lines->to_pitch == lines->width && lines->from_pitch == lines->width) {
        one.width *= lines->height;
        one.height = 1;
    }
    return one;
}

static torc_joined_lines lines_at(const void *first, const torc_lines *lines, size_t pitch)
{
    int64_t length = (int64_t)lines->width;
    return (torc_joined_lines){
        first, (int64_t)lines->height, length, lines->height > 1 ? (int64_t)pitch : length, 1};
}

/* Of the columns of the whole, in elements. */
static torc_joined_cut cut_whole(const torc_joined *joined, const torc_lines *lines, int64_t columns)
{
    int64_t whole = lines->whole > 0 ? lines->whole : columns;
    torc_joined_cut cut = torc_joined_even_cut(joined, whole, TORC_JOINED_VECTOR);
    for (int m = 0; m <= joined->count; m++) {
        int64_t at = cut.at[m] - lines->skipped;
        cut.at[m] = at < 0 ? 0 : at < columns ? at : columns;
    }
    return cut;
}

/* Bytes of all lines as one: between lines it may be cut. */
static torc_joined_lines all_lines(const void *first, size_t height, size_t pitch, size_t width)
{
    torc_joined_lines lines = {first, (int64_t)height, (int64_t)width, (int64_t)pitch, 1};
    return torc_joined_as_one(&lines);
}

/* Lines begin .. end-1, to a member or from it. */
static torc_status move_lines(
    torc_joined *joined, int member, const torc_lines *lines, int64_t begin, int64_t end, bool is_sent)
{
    torc_lines some = *lines;
    some.height = (size_t)(end - begin);
    some.to = (char *)lines->to + (size_t)begin * lines->to_pitch;
    some.from = (const char *)lines->from + (size_t)begin * lines->from_pitch;
    return move_part(joined, member, &some, 0, (int64_t)some.width, is_sent);
}

static torc_status send_columns(torc_joined *joined, const torc_lines *lines)
{
    int64_t element = (int64_t)lines->element, columns = (int64_t)lines->width / element;
    torc_joined_lines to = lines_at(lines->to, lines, lines->to_pitch);
    torc_joined_cut cut = cut_whole(joined, lines, columns);
    for (int m = 0; m <= joined->count; m++) {
        cut.at[m] *= element;
    }
    torc_status status = spread_what_is_sent(joined, &to, &cut);
    for (int m = 0; m < joined->count && status == TORC_SUCCESS; m++) {
        status = move_part(joined, m, lines, cut.at[m], cut.at[m + 1], true);
    }
    return status;
}

static torc_status send_lines(torc_joined *joined, const torc_lines *lines, const torc_joined_cut *cut)
{
    torc_joined_lines to = all_lines(lines->to, lines->height, lines->to_pitch, lines->width);
    torc_joined_cut bytes = torc_joined_cut_between(joined, cut, (int64_t)lines->to_pitch, to.length);
    torc_status status = spread_what_is_sent(joined, &to, &bytes);
    for (int m = 0; m < joined->count && status == TORC_SUCCESS; m++) {
        status = move_lines(joined, m, lines, cut->at[m], cut->at[m + 1], true);
    }
    return status;
}

static torc_status send_to_all(torc_joined *joined, const torc_lines *lines)
{
    torc_status status = TORC_SUCCESS;
    for (int m = 0; m < joined->count && status == TORC_SUCCESS; m++) {
        status = move_part(joined, m, lines, 0, (int64_t)lines->width, true);
    }
    if (status == TORC_SUCCESS && (lines->height == 1 || lines->to_pitch == lines->width)) {
        torc_joined_overwrite(joined, lines->to, lines->width * lines->height);
    }
    return status;
}

/* Is a member's part of the whole's lines long enough to be moved by itself? */
static bool has_long_parts(const torc_joined *joined, const torc_lines *lines)
{
    int64_t columns = lines->whole > 0 ? lines->whole : (int64_t)(lines->width / lines->element);
    return torc_joined_is_wide(joined, columns) &&
           columns * (int64_t)lines->element >= joined->least_line * joined->count;
}

/* What is sent elsewhere than to a buffer waits for exchanges since the last fence: they may move bytes
 * between its lines' ends and those of others, and so write over what is sent. A buffer's are nobody's. */
static uint64_t awaited_by(const torc_joined *joined, const torc_lines *lines)
{
    return lines->is_in_buffer ? joined->exchanges : joined->awaited_by_sends;
}

/* Of lines some of which are chosen the others stay. */
static torc_status require_written(torc_joined *joined, const torc_lines *lines)
{
    const torc_joined_lines all = {.first = lines->to,
        .count = (int64_t)lines->height,
        .length = (int64_t)lines->width,
        .ld = (int64_t)lines->to_pitch,
        .size = 1};
    return lines->chosen ? torc_joined_begin_read(joined, lines->to, lines->width * lines->height)
                         : torc_joined_begin_write(joined, &all);
}

/* Columns go where they are multiplied: where rows are cut, or between columns. Otherwise rows are shared
 * out, and united before they are multiplied; or all go to all. */
torc_status torc_joined_send(torc_device *device, const torc_lines *lines)
{
    torc_joined *joined = torc_joined_of(device);
    size_t chosen = lines->nchosen * sizeof *lines->chosen;
    bool is_by_row = lines->element > 0;
    int64_t height = (int64_t)lines->height;
    uint64_t awaited = awaited_by(joined, lines);
    torc_status status = torc_joined_unite_bytes(joined, lines->chosen, chosen);
    status = status == TORC_SUCCESS ? wait_for_exchanges(joined, awaited, true) : status;
    if (status == TORC_SUCCESS && lines->is_in_buffer && lines->width > 0 && lines->height > 0) {
        torc_joined_abandon(joined, lines->to, (lines->height - 1) * lines->to_pitch + lines->width);
    }
    if (status == TORC_SUCCESS) {
        status = require_written(joined, lines);
    }
    if (status != TORC_SUCCESS || lines->width == 0 || lines->height == 0) {
        return status;
    }
    if (is_by_row && has_long_parts(joined, lines)) {
        return send_columns(joined, lines);
    }
    torc_joined_cut cut =
        is_by_row ? torc_joined_even_cut(joined, height, 1) : cut_whole(joined, lines, height);
    bool is_shared =
        !lines->chosen && torc_joined_is_wide(joined, is_by_row || lines->whole == 0 ? height : lines->whole);
    return is_shared ? send_lines(joined, lines, &cut) : send_to_all(joined, lines);
}

torc_status torc_joined_set(torc_device *device, const torc_lines *lines, int byte)
{
    torc_joined *joined = torc_joined_of(device);
    uint64_t awaited = awaited_by(joined, lines);
    torc_status status = require_written(joined, lines);
    status = status == TORC_SUCCESS ? wait_for_exchanges(joined, awaited, true) : status;
    for (int m = 0; m < joined->count && status == TORC_SUCCESS; m++) {
        torc_lines own = *lines;
        own.to = torc_joined_at(joined, m, lines->to);
        status = torc_joined_note(joined, m, joined->each->set(joined->members[m], &own, byte));
    }
    return status;
}

/* Lines that all members have: some from each. */
static torc_status fetch_lines_of(torc_joined *joined, int member, const torc_lines *lines)
{
    size_t count = lines->chosen ? lines->nchosen : lines->height;
    size_t first = count * (size_t)member / (size_t)joined->count;
    size_t last = count * ((size_t)member + 1) / (size_t)joined->count;
    torc_lines some = *lines;
    if (!lines->chosen) {
        return move_lines(joined, member, lines, (int64_t)first, (int64_t)last, false);
    }
    some.chosen += first;
    some.nchosen = last - first;
    return first < last ? move_part(joined, member, &some, 0, (int64_t)some.width, false) : TORC_SUCCESS;
}

/* Each fetches what others may have been sent, to where in host memory that lies: so it waits for them. */
static torc_status unite_for_fetches(torc_joined *joined, const torc_joined_lines *from)
{
    torc_status status = torc_joined_unite(joined, from);
    if (status != TORC_SUCCESS || joined->count == 1) {
        return status;
    }
    status = torc_joined_barrier(joined);
    return status == TORC_SUCCESS ? torc_joined_fence((torc_device *)(void *)joined, false) : status;
}

/* Is no part so short that it is not moved by itself? */
static bool has_long_pieces(const torc_joined *joined, const torc_joined_cut *cut)
{
    bool has_long = true;
    for (int m = 0; m < joined->count && has_long; m++) {
        int64_t width = cut->at[m + 1] - cut->at[m];
        has_long = width == 0 || width >= joined->least_line || width == cut->at[joined->count];
    }
    return has_long;
}

torc_status torc_joined_fetch(torc_device *device, const torc_lines *lines)
{
    torc_joined *joined = torc_joined_of(device);
    size_t chosen = lines->nchosen * sizeof *lines->chosen;
    uint64_t awaited = joined->awaited_by_fetches;
    torc_status status = torc_joined_unite_bytes(joined, lines->chosen, chosen);
    if (status != TORC_SUCCESS || lines->width == 0 || lines->height == 0) {
        return status;
    }
    torc_joined_lines from = lines_at(lines->from, lines, lines->from_pitch);
    torc_joined_lines all = all_lines(lines->from, lines->height, lines->from_pitch, lines->width);
    torc_joined_cut cut;
    bool is_cut = torc_joined_cut_of(&cut, joined, &from) && has_long_pieces(joined, &cut);
    bool is_between = !is_cut && !lines->chosen && torc_joined_cut_of(&cut, joined, &all) &&
                      torc_joined_cut_into_lines(
                          &cut, joined, (int64_t)lines->from_pitch, (int64_t)lines->height, all.length);
    torc_lines one = without_gaps(lines);
    bool is_one = !is_cut && !is_between && one.height == 1;
    status =
        is_cut || is_between ? wait_for_exchanges(joined, awaited, false) : unite_for_fetches(joined, &from);
    if (is_one) {
        cut = torc_joined_even_cut(joined, (int64_t)one.width, LINE);
    }
    for (int m = 0; m < joined->count && status == TORC_SUCCESS; m++) {
        status = is_between ? move_lines(joined, m, lines, cut.at[m], cut.at[m + 1], false)
                 : is_cut || is_one
                     ? move_part(joined, m, is_one ? &one : lines, cut.at[m], cut.at[m + 1], false)
                     : fetch_lines_of(joined, m, lines);
    }
    return status;
}

/* ---- Copies in the order of work ---------------------------------------------------------------------- */

/* A copy shared out goes beside the work, between two fences. */
static torc_status share(
    torc_joined *joined, const torc_lines *line, const torc_joined_cut *cut, bool is_sent)
{
    torc_device *device = (torc_device *)(void *)joined;
    torc_status status = torc_joined_fence(device, true);
    for (int m = 0; m < joined->count && status == TORC_SUCCESS; m++) {
        status = move_part(joined, m, line, cut->at[m], cut->at[m + 1], is_sent);
    }
    torc_status finished = torc_joined_wait(device); /* the host's memory is in use until then */
    return status == TORC_SUCCESS ? finished : status;
}

torc_status torc_joined_upload(torc_device *device, void *to, const void *from, size_t size)
{
    torc_joined *joined = torc_joined_of(device);
    torc_status status = torc_joined_begin_write_bytes(joined, to, size);
    if (status == TORC_SUCCESS && is_large(joined, size) && all_have(joined, to)) {
        torc_joined_lines line = bytes_at(to, size);
        torc_joined_cut cut = torc_joined_even_cut(joined, (int64_t)size, LINE);
        torc_lines lines = {to, from, size, size, size, 1, NULL, 0, 1};
        status = torc_joined_spread_out(joined, &line, &cut);
        return status == TORC_SUCCESS ? share(joined, &lines, &cut, true) : status;
    }
    for (int m = 0; m < joined->count && status == TORC_SUCCESS; m++) {
        void *own = torc_joined_at(joined, m, to);
        status = own ? torc_joined_note(joined, m, joined->each->upload(joined->members[m], own, from, size))
                     : status;
    }
    if (status == TORC_SUCCESS) {
        torc_joined_overwrite(joined, to, size);
    }
    return status;
}

/* Each member's part, one after another. */
static torc_status download_parts(torc_joined *joined, char *to, const char *from, const torc_joined_cut *cut)
{
    torc_status status = TORC_SUCCESS;
    for (int m = 0; m < joined->count && status == TORC_SUCCESS; m++) {
        int64_t begin = cut->at[m], end = cut->at[m + 1];
        status = begin == end ? TORC_SUCCESS
                              : torc_joined_note(joined, m,
                                    joined->each->download(joined->members[m], to + begin,
                                        torc_joined_at(joined, m, from + begin), (size_t)(end - begin)));
    }
    return status;
}

torc_status torc_joined_download(torc_device *device, void *to, const void *from, size_t size)
{
    torc_joined *joined = torc_joined_of(device);
    torc_joined_lines line = bytes_at(from, size);
    torc_joined_cut cut;
    bool is_cut = torc_joined_cut_of(&cut, joined, &line);
    torc_status status = is_cut ? TORC_SUCCESS : torc_joined_unite(joined, &line);
    if (status != TORC_SUCCESS) {
        return status;
    }
    if (is_large(joined, size) && all_have(joined, from)) {
        torc_lines lines = {to, from, size, size, size, 1, NULL, 0, 1};
        cut = is_cut ? cut : torc_joined_even_cut(joined, (int64_t)size, LINE);
        return share(joined, &lines, &cut, false);
    }
    int first = torc_joined_first(joined, from);
    return is_cut ? download_parts(joined, to, from, &cut)
                  : torc_joined_note(joined, first,
                        joined->each->download(
                            joined->members[first], to, torc_joined_at(joined, first, from), size));
}

torc_status torc_joined_upload_narrow(torc_device *device, uint32_t *to, const int64_t *from, int64_t count)
{
    torc_joined *joined = torc_joined_of(device);
    torc_status status = TORC_SUCCESS;
    for (int m = 0; m < joined->count && status == TORC_SUCCESS; m++) {
        uint32_t *own = torc_joined_at(joined, m, to);
        status = own ? torc_joined_note(
                           joined, m, joined->each->upload_narrow(joined->members[m], own, from, count))
                     : status;
    }
    if (status == TORC_SUCCESS) {
        torc_joined_overwrite(joined, to, (size_t)count * sizeof *to);
    }
    return status;
}

/* ---- Single elements ---------------------------------------------------------------------------------- */

/* Elements that a member has, packed: their offsets, and their places among all. */
typedef struct own_elements {
    size_t count;
    uint64_t *offsets;
    size_t *places;
    char *values;
} own_elements;

/* What lies left of the first cut and right of the last every member has; the next line is another's. */
static bool has_element(const torc_joined_spread *s, int member, int last, size_t begin, size_t size)
{
    size_t at = (begin - s->begin) % s->pitch;
    size_t end = member == last ? s->pitch : (size_t)s->cut.at[member + 1];
    return (member == 0 || at >= (size_t)s->cut.at[member]) && at + size <= end;
}

/* The member that has an element; -1: no member has all of it. One that is not spread the first has. */
static int owner_of(const torc_joined *joined, const torc_joined_block *block, size_t begin, size_t size)
{
    for (int n = 0; n < block->nspreads; n++) {
        const torc_joined_spread *s = &block->spread[n];
        size_t first = torc_joined_first_byte(s);
        if (first < begin + size && begin < s->end) {
            for (int m = 0; m < joined->count; m++) {
                if (begin >= first && begin + size <= s->end &&
                    has_element(s, m, joined->count - 1, begin, size)) {
                    return m;
                }
            }
            return -1;
        }
    }
    return 0;
}

/* TORC_INVALID_VALUE: there is no such block. TORC_DEVICE_ERROR: one of the elements was lost. */
static torc_status require_elements(
    torc_joined *joined, const void *first, const uint64_t *offsets, size_t count, size_t size)
{
    const torc_joined_block *block = torc_joined_find(joined, first);
    torc_status status = block ? TORC_SUCCESS : torc_joined_begin_read(joined, first, size);
    bool has_lost = block && block->torn_begin < block->torn_end;
    for (size_t i = 0; i < count && has_lost && status == TORC_SUCCESS; i++) {
        status = torc_joined_begin_read(joined, (const char *)first + offsets[i], size);
    }
    return status;
}

static bool allocate_elements(own_elements *own, size_t count, size_t size)
{
    own->offsets = malloc(count * sizeof *own->offsets);
    own->places = malloc(count * sizeof *own->places);
    own->values = malloc(count * size);
    return own->offsets && own->places && own->values;
}

/* Gather from each member what it has. */
static torc_status gather_from(torc_joined *joined, int member, own_elements *own, char *to, const void *from,
    const uint64_t *offsets, size_t count, size_t size)
{
    const torc_joined_block *block = torc_joined_find(joined, from);
    size_t first = (size_t)((const char *)from - block->address);
    own->count = 0;
    for (size_t i = 0; i < count; i++) {
        if (owner_of(joined, block, first + offsets[i], size) == member) {
            own->offsets[own->count] = offsets[i];
            own->places[own->count++] = i;
        }
    }
    if (own->count == 0) {
        return TORC_SUCCESS;
    }
    torc_status status = joined->each->gather(joined->members[member], own->values,
        torc_joined_at(joined, member, from), own->offsets, own->count, size);
    for (size_t i = 0; i < own->count && status == TORC_SUCCESS; i++) {
        memcpy(to + own->places[i] * size, own->values + i * size, size);
    }
    return torc_joined_note(joined, member, status);
}

static bool is_split(const torc_joined *joined, const torc_joined_block *block, size_t first,
    const uint64_t *offsets, size_t count, size_t size)
{
    bool is_split = false;
    for (size_t i = 0; i < count && !is_split; i++) {
        is_split = owner_of(joined, block, first + offsets[i], size) < 0;
    }
    return is_split;
}

torc_status torc_joined_gather(
    torc_device *device, void *to, const void *from, const uint64_t *offsets, size_t count, size_t size)
{
    torc_joined *joined = torc_joined_of(device);
    torc_status status = require_elements(joined, from, offsets, count, size);
    if (status != TORC_SUCCESS) {
        return status;
    }
    const torc_joined_block *block = torc_joined_find(joined, from);
    if (block->nspreads == 0) {
        return torc_joined_note(joined, 0,
            joined->each->gather(
                joined->members[0], to, torc_joined_at(joined, 0, from), offsets, count, size));
    }
    own_elements own = {0};
    status = allocate_elements(&own, count, size) ? TORC_SUCCESS : TORC_OUT_OF_MEMORY;
    size_t first = (size_t)((const char *)from - block->address);
    if (status == TORC_SUCCESS && is_split(joined, block, first, offsets, count, size)) {
        status = torc_joined_unite_block(joined, from);
    }
    for (int m = 0; m < joined->count && status == TORC_SUCCESS; m++) {
        status = gather_from(joined, m, &own, to, from, offsets, count, size);
    }
    free(own.offsets);
    free(own.places);
    free(own.values);
    return status;
}

/* To all, whoever has the content around them. */
torc_status torc_joined_scatter(
    torc_device *device, void *to, const void *from, const uint64_t *offsets, size_t count, size_t size)
{
    torc_joined *joined = torc_joined_of(device);
    torc_status status = require_elements(joined, to, offsets, count, size);
    for (int m = 0; m < joined->count && status == TORC_SUCCESS; m++) {
        status = torc_joined_note(joined, m,
            joined->each->scatter(
                joined->members[m], torc_joined_at(joined, m, to), from, offsets, count, size));
    }
    return status;
}
