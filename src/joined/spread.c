/* spread.c: who of the members has what. */
#include "joined.h"
#include <stdio.h>
#include <stdlib.h>

typedef torc_joined_spread spread;

static bool is_empty(const torc_joined_lines *lines)
{
    return torc_joined_span_of(lines) == 0;
}

static bool overlaps(const spread *s, size_t begin, size_t end)
{
    return torc_joined_first_byte(s) < end && begin < s->end;
}

static void forget(torc_joined_block *block, int number)
{
    block->spread[number] = block->spread[--block->nspreads];
}

/* ---- Exchange ----------------------------------------------------------------------------------------- */

/* A member receives another's part. The last line may end early. */
static torc_status receive(
    torc_joined *joined, const torc_joined_block *block, const spread *s, int to, int from)
{
    size_t first = (size_t)s->cut.at[from], last = (size_t)s->cut.at[from + 1], size = s->end - s->begin;
    size_t full = size / s->pitch, rest = size % s->pitch;
    size_t height = full + (rest >= last && rest > 0 ? 1 : 0);
    torc_lines lines = {.to = block->member[to] + s->begin + first,
        .from = block->member[from] + s->begin + first,
        .to_pitch = s->pitch,
        .from_pitch = s->pitch,
        .width = last - first,
        .height = height};
    if (lines.width == 0 || height == 0) {
        return TORC_SUCCESS;
    }
    torc_status status = joined->each->receive(joined->members[to], joined->members[from], &lines);
    return torc_joined_note(joined, to, status);
}

torc_status torc_joined_barrier(torc_joined *joined)
{
    torc_status status = TORC_SUCCESS;
    for (int m = 0; m < joined->count; m++) {
        for (int other = 0; other < joined->count && status == TORC_SUCCESS; other++) {
            if (m != other) {
                status = joined->each->follow(joined->members[m], joined->members[other]);
                status = torc_joined_note(joined, m, status);
            }
        }
    }
    return status;
}

/* All have what some had. Nobody waits for it on the host. */
static torc_status exchange(torc_joined *joined, torc_joined_block *block, int number)
{
    const spread s = block->spread[number];
    joined->exchanges++;
    torc_status status = torc_joined_barrier(joined);
    for (int to = 0; to < joined->count; to++) {
        for (int from = 0; from < joined->count && status == TORC_SUCCESS; from++) {
            status = to == from ? status : receive(joined, block, &s, to, from);
        }
    }
    status = status == TORC_SUCCESS ? torc_joined_barrier(joined) : status;
    if (status == TORC_SUCCESS) {
        forget(block, number);
    }
    return status;
}

static torc_status unite_range(torc_joined *joined, torc_joined_block *block, size_t begin, size_t end)
{
    torc_status status = TORC_SUCCESS;
    for (int n = block->nspreads; n-- > 0 && status == TORC_SUCCESS;) {
        if (overlaps(&block->spread[n], begin, end)) {
            status = exchange(joined, block, n);
        }
    }
    return status;
}

static torc_status refuse(torc_joined *joined, torc_status status, const char *why)
{
    snprintf(joined->text, sizeof joined->text, "%s", why);
    return status;
}

static bool is_torn(const torc_joined_block *block, size_t begin, size_t end)
{
    return begin < block->torn_end && block->torn_begin < end;
}

/* The block that bytes lie in; NULL, and success: there are no bytes. */
static torc_status find_block(
    torc_joined_block **block, torc_joined *joined, const void *address, size_t size)
{
    bool is_nothing = !address || size == 0;
    *block = is_nothing ? NULL : torc_joined_find(joined, address);
    return is_nothing || *block
               ? TORC_SUCCESS
               : refuse(joined, TORC_INVALID_VALUE, "an array is not of torc_memory_allocate");
}

/* The same of bytes that will be read: NULL, too, if one of them was lost. */
static torc_status find_kept(torc_joined_block **block, torc_joined *joined, const void *address, size_t size)
{
    torc_status status = find_block(block, joined, address, size);
    size_t begin = *block ? (size_t)((const char *)address - (*block)->address) : 0;
    if (*block && is_torn(*block, begin, begin + size)) {
        *block = NULL;
        status = refuse(joined, TORC_DEVICE_ERROR, "an array was lost in an operation");
    }
    return status;
}

torc_status torc_joined_begin_read(torc_joined *joined, const void *address, size_t size)
{
    torc_joined_block *block;
    return find_kept(&block, joined, address, size);
}

/* What was lost is less by what is written, if that has its first bytes or its last; by lines with gaps
 * between them only if they reach from one to the other. */
static void renew(torc_joined_block *block, size_t begin, size_t end, bool has_gaps)
{
    bool is_lost = block->torn_begin < block->torn_end;
    bool has_first = is_lost && begin <= block->torn_begin && block->torn_begin < end;
    bool has_last = is_lost && begin < block->torn_end && block->torn_end <= end;
    if (has_first && has_last) {
        block->torn_begin = block->torn_end = 0;
    } else if (has_first && !has_gaps) {
        block->torn_begin = end;
    } else if (has_last && !has_gaps) {
        block->torn_end = begin;
    }
}

torc_status torc_joined_begin_write(torc_joined *joined, const torc_joined_lines *lines)
{
    torc_joined_block *block;
    torc_status status = find_block(&block, joined, lines->first, torc_joined_span_of(lines));
    if (block) {
        size_t begin = (size_t)((const char *)lines->first - block->address);
        bool has_gaps = lines->has_gaps || (lines->count > 1 && lines->ld > lines->length);
        renew(block, begin, begin + torc_joined_span_of(lines), has_gaps);
    }
    return status;
}

torc_status torc_joined_begin_write_bytes(torc_joined *joined, const void *address, size_t size)
{
    const torc_joined_lines line = {address, 1, (int64_t)size, (int64_t)size, 1};
    return torc_joined_begin_write(joined, &line);
}

torc_status torc_joined_unite_bytes(torc_joined *joined, const void *address, size_t size)
{
    torc_joined_block *block;
    torc_status status = find_kept(&block, joined, address, size);
    if (!block) {
        return status;
    }
    torc_joined_note_read(joined, block);
    size_t begin = (size_t)((const char *)address - block->address);
    return unite_range(joined, block, begin, begin + size);
}

torc_status torc_joined_unite(torc_joined *joined, const torc_joined_lines *lines)
{
    return torc_joined_unite_bytes(joined, lines->first, torc_joined_span_of(lines));
}

torc_status torc_joined_unite_block(torc_joined *joined, const void *address)
{
    torc_joined_block *block;
    torc_status status = find_kept(&block, joined, address, 1);
    if (!block) {
        return status;
    }
    torc_joined_note_read(joined, block);
    return unite_range(joined, block, 0, block->size);
}

/* ---- Cuts --------------------------------------------------------------------------------------------- */

torc_joined_cut torc_joined_even_cut(const torc_joined *joined, int64_t length, int64_t unit)
{
    torc_joined_cut cut = {{0}};
    for (int m = 0; m < joined->count; m++) {
        cut.at[m] = length * m / joined->count / unit * unit;
    }
    cut.at[joined->count] = length;
    return cut;
}

torc_joined_cut torc_joined_cut_between(
    const torc_joined *joined, const torc_joined_cut *lines, int64_t ld, int64_t length)
{
    torc_joined_cut cut = {{0}};
    for (int m = 0; m < joined->count; m++) {
        cut.at[m] = lines->at[m] * ld < length ? lines->at[m] * ld : length;
    }
    cut.at[joined->count] = length;
    return cut;
}

bool torc_joined_cut_into_lines(
    torc_joined_cut *cut, const torc_joined *joined, int64_t ld, int64_t count, int64_t length)
{
    bool is_between = true;
    for (int m = 0; m <= joined->count && is_between; m++) {
        is_between = cut->at[m] == length || cut->at[m] % ld == 0;
        cut->at[m] = cut->at[m] == length ? count : cut->at[m] / ld;
    }
    return is_between;
}

/* The one spread that the lines lie in. NULL: there is none, or they lie in it in part, or in several. */
static const spread *spread_around(const torc_joined_block *block, size_t begin, size_t end)
{
    const spread *around = NULL;
    for (int n = 0; n < block->nspreads; n++) {
        const spread *s = &block->spread[n];
        if (overlaps(s, begin, end)) {
            if (around || begin < s->begin || end > s->end) {
                return NULL;
            }
            around = s;
        }
    }
    return around;
}

static int64_t within(int64_t x, int64_t most)
{
    return x < 0 ? 0 : x < most ? x : most;
}

bool torc_joined_cut_of(torc_joined_cut *cut, torc_joined *joined, const torc_joined_lines *lines)
{
    const torc_joined_block *block = is_empty(lines) ? NULL : torc_joined_find(joined, lines->first);
    size_t begin = block ? (size_t)((const char *)lines->first - block->address) : 0;
    if (!block || is_torn(block, begin, begin + torc_joined_span_of(lines)) || block->nspreads == 0) {
        return false;
    }
    const spread *s = spread_around(block, begin, begin + torc_joined_span_of(lines));
    size_t width = (size_t)lines->length * lines->size;
    if (!s || (lines->count > 1 && (size_t)lines->ld * lines->size != s->pitch)) {
        return false;
    }
    size_t skipped = (begin - s->begin) % s->pitch;
    bool is_cut = false;
    if (skipped + width > s->pitch) {
        return false;
    }
    for (int m = 0; m <= joined->count; m++) {
        int64_t at = within(s->cut.at[m] - (int64_t)skipped, (int64_t)width);
        at = m == 0 ? 0 : m == joined->count ? (int64_t)width : at;
        is_cut = is_cut || at % (int64_t)lines->size != 0;
        cut->at[m] = at / (int64_t)lines->size;
    }
    return !is_cut;
}

torc_status torc_joined_align(torc_joined *joined, const torc_joined_lines *lines, const torc_joined_cut *cut)
{
    torc_joined_cut has;
    bool fits = torc_joined_cut_of(&has, joined, lines);
    for (int m = 0; m < joined->count && fits; m++) {
        bool is_nothing = cut->at[m] == cut->at[m + 1];
        fits = is_nothing || (has.at[m] <= cut->at[m] && cut->at[m + 1] <= has.at[m + 1]);
    }
    if (fits) {
        torc_joined_note_read(joined, torc_joined_find(joined, lines->first));
    }
    return fits ? TORC_SUCCESS : torc_joined_unite(joined, lines);
}

static bool is_cut_through(
    const torc_joined *joined, const spread *s, size_t begin, size_t end, const spread *as)
{
    bool is_same = true;
    for (int m = 0; m <= joined->count && is_same; m++) {
        int64_t at = s->cut.at[m] < (int64_t)begin ? (int64_t)begin
                     : s->cut.at[m] > (int64_t)end ? (int64_t)end
                                                   : s->cut.at[m];
        is_same = as->cut.at[m] == at;
    }
    return is_same;
}

/* Does each member have of b what it has of a, to their right? */
static bool continues(const torc_joined *joined, const spread *a, const spread *b)
{
    int64_t end = a->cut.at[joined->count], begin = b->cut.at[0];
    bool continues = end <= begin;
    for (int m = 1; m < joined->count && continues; m++) {
        continues = a->cut.at[m] == end || b->cut.at[m] == begin;
    }
    return continues;
}

static void append(const torc_joined *joined, spread *a, const spread *b)
{
    int64_t end = a->cut.at[joined->count];
    for (int m = 1; m <= joined->count; m++) {
        a->cut.at[m] = m < joined->count && a->cut.at[m] < end ? a->cut.at[m] : b->cut.at[m];
    }
}

static void stretch(spread *made, const spread *s)
{
    made->begin = s->begin < made->begin ? s->begin : made->begin;
    made->end = s->end > made->end ? s->end : made->end;
}

static size_t count_lines(const spread *s)
{
    return (s->end - s->begin + s->pitch - 1) / s->pitch;
}

/* Make one of two, of the same columns of some lines, or of columns side by side of the same lines: false if
 * they are cut otherwise. */
static bool merge(const torc_joined *joined, spread *made, const spread *s)
{
    size_t apart = made->begin < s->begin ? s->begin - made->begin : made->begin - s->begin;
    int64_t left = s->cut.at[0], right = s->cut.at[joined->count];
    if (made->pitch != s->pitch || apart % s->pitch != 0) {
        return false;
    }
    bool is_same = is_cut_through(joined, s, (size_t)left, (size_t)right, made);
    bool is_same_lines = apart == 0 && count_lines(made) == count_lines(s);
    bool is_within =
        made->begin >= s->begin && made->end <= s->end &&
        is_cut_through(joined, s, (size_t)made->cut.at[0], (size_t)made->cut.at[joined->count], made);
    spread other = *s;
    if (is_within) {
        *made = *s;
    } else if (is_same) {
        stretch(made, s);
    } else if (is_same_lines && continues(joined, made, s)) {
        append(joined, made, s);
        stretch(made, s);
    } else if (is_same_lines && continues(joined, s, made)) {
        append(joined, &other, made);
        stretch(&other, made);
        *made = other;
    } else {
        return false;
    }
    return true;
}

static bool has_gaps(const torc_joined *joined, const spread *s)
{
    return (size_t)(s->cut.at[joined->count] - s->cut.at[0]) < s->pitch && s->end - s->begin > s->pitch;
}

/* Some columns of lines count from where lines begin if their block begins with one. */
static spread spread_of(const torc_joined *joined, const torc_joined_block *block,
    const torc_joined_lines *lines, const torc_joined_cut *cut)
{
    size_t begin = (size_t)((const char *)lines->first - block->address);
    size_t width = (size_t)lines->length * lines->size;
    spread made = {.begin = begin, .end = begin + torc_joined_span_of(lines), .pitch = width};
    size_t skipped = 0;
    if (lines->count > 1) {
        made.pitch = (size_t)lines->ld * lines->size;
        skipped = width < made.pitch ? begin % made.pitch : 0;
        skipped = skipped + width <= made.pitch ? skipped : 0;
    }
    made.begin -= skipped;
    for (int m = 0; m <= joined->count; m++) {
        made.cut.at[m] = cut->at[m] * (int64_t)lines->size + (int64_t)skipped;
    }
    return made;
}

/* For one more spread, unless there are as many as may be. */
static torc_status make_room(torc_joined_block *block)
{
    if (block->nspreads < block->most_spreads || block->most_spreads == TORC_JOINED_SPREADS) {
        return TORC_SUCCESS;
    }
    int most = block->most_spreads == 0 ? 1 : 2 * block->most_spreads;
    most = most < TORC_JOINED_SPREADS ? most : TORC_JOINED_SPREADS;
    spread *more = realloc(block->spread, (size_t)most * sizeof *more);
    if (!more) {
        return TORC_OUT_OF_MEMORY;
    }
    block->spread = more;
    block->most_spreads = most;
    return TORC_SUCCESS;
}

torc_status torc_joined_spread_out(
    torc_joined *joined, const torc_joined_lines *lines, const torc_joined_cut *cut)
{
    torc_joined_block *block;
    torc_status status = find_block(&block, joined, lines->first, torc_joined_span_of(lines));
    if (!block) {
        return status;
    }
    const spread written = spread_of(joined, block, lines, cut);
    spread made = written;
    status = make_room(block);
    for (int n = block->nspreads; n-- > 0 && status == TORC_SUCCESS;) {
        spread *s = &block->spread[n];
        if (!overlaps(s, torc_joined_first_byte(&made), made.end)) {
            continue;
        }
        bool is_covered = !lines->has_gaps && !has_gaps(joined, &written) && written.begin <= s->begin &&
                          s->end <= written.end;
        if (merge(joined, &made, s) || is_covered) {
            forget(block, n);
        } else {
            status = exchange(joined, block, n);
        }
    }
    if (status == TORC_SUCCESS && block->nspreads == TORC_JOINED_SPREADS) {
        status = exchange(joined, block, 0);
    }
    if (status == TORC_SUCCESS) {
        block->spread[block->nspreads++] = made;
    }
    return status;
}

void torc_joined_abandon(torc_joined *joined, const void *address, size_t size)
{
    torc_joined_block *block = address && size > 0 ? torc_joined_find(joined, address) : NULL;
    size_t begin = block ? (size_t)((const char *)address - block->address) : 0;
    for (int n = block ? block->nspreads : 0; n-- > 0;) {
        if (overlaps(&block->spread[n], begin, begin + size)) {
            forget(block, n);
        }
    }
    if (block) {
        renew(block, begin, begin + size, false);
    }
}

void torc_joined_overwrite(torc_joined *joined, const void *address, size_t size)
{
    torc_joined_block *block = address && size > 0 ? torc_joined_find(joined, address) : NULL;
    if (!block) {
        return;
    }
    size_t begin = (size_t)((const char *)address - block->address);
    for (int n = block->nspreads; n-- > 0;) {
        if (begin <= block->spread[n].begin && block->spread[n].end <= begin + size) {
            forget(block, n);
        }
    }
}
