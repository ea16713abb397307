/* test_joined_spread.c: who of the members has what, beside a model that has every byte of every member.
 * Steps are random: lines written by shares, lines read, bytes written by all, bytes given up. After
 * each step what the block says of its members is true of their bytes. */
#include "joined.h"
#include "splitmix.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { MEMBERS = 5, SIZE = 240, STEPS = 30, WALKS = 11000, PITCHES = 2 };

typedef struct model {
    torc_joined joined;
    torc_joined_block *block;
    char bytes[MEMBERS][SIZE], truth[SIZE];
    bool matters[SIZE];              /* does anybody need it? */
    int64_t pitches[PITCHES];        /* bytes: most lines have one of these */
    torc_joined_cut common[PITCHES]; /* and are cut alike */
    int64_t width, apart;            /* bytes: of lines that are taken for one, and from one to the next */
    uint64_t walk, random;
    int step;
} model;

static model m;

static int64_t below(int64_t bound)
{
    return random_below(&m.random, bound);
}

/* ---- Members that are memory --------------------------------------------------------------------------- */

static bool have_met, have_received; /* since the step began; since they met */

static torc_status follow(torc_device *device, torc_device *other)
{
    (void)device, (void)other;
    have_met = true;
    have_received = false;
    return TORC_SUCCESS;
}

static torc_status receive(torc_device *device, torc_device *other, const torc_lines *lines)
{
    (void)device, (void)other;
    cr_assert(have_met, "a member receives before it waits for the others");
    have_received = true;
    for (size_t i = 0; i < lines->height; i++) {
        memcpy((char *)lines->to + i * lines->to_pitch, (const char *)lines->from + i * lines->from_pitch,
            lines->width);
    }
    return TORC_SUCCESS;
}

static void release(torc_device *device, void *bytes)
{
    (void)device, (void)bytes;
}

static const torc_executor memory = {.follow = follow, .receive = receive, .release = release};

/* Cuts of lines of a pitch, at multiples of 8 bytes: no element is cut. */
static torc_joined_cut random_cut(int64_t length, int64_t unit)
{
    torc_joined_cut cut = {{0}};
    for (int n = 1; n < m.joined.count; n++) {
        int64_t at = below(length + 1) / unit * unit;
        for (int k = n; k < m.joined.count; k++) {
            cut.at[k] = cut.at[k] > at ? cut.at[k] : at;
        }
    }
    cut.at[m.joined.count] = length;
    return cut;
}

static void begin(uint64_t walk)
{
    memset(&m, 0, sizeof m);
    m.walk = m.random = walk;
    m.joined = (torc_joined){.each = &memory, .count = 2 + (int)below(MEMBERS - 1)};
    void *addresses[MEMBERS];
    for (int n = 0; n < m.joined.count; n++) {
        addresses[n] = m.bytes[n];
    }
    cr_assert(torc_joined_reserve(&m.joined, 1) == TORC_SUCCESS);
    torc_joined_know(&m.joined, addresses, SIZE);
    m.block = m.joined.blocks;
    for (int p = 0; p < PITCHES; p++) {
        m.pitches[p] = 8 * (1 + below(6));
        m.common[p] =
            below(2) ? torc_joined_even_cut(&m.joined, m.pitches[p], 8) : random_cut(m.pitches[p], 8);
    }
    memset(m.matters, true, SIZE);
}

static void end(void)
{
    torc_joined_release((torc_device *)(void *)&m.joined, m.bytes[0]);
    free(m.joined.blocks);
}

/* ---- Lines --------------------------------------------------------------------------------------------- */

/* Some columns of some rows of a matrix that begins at a multiple of its pitch, or of anything. */
static torc_joined_lines random_lines(torc_joined_cut *cut)
{
    int p = (int)below(PITCHES);
    int64_t size = (int64_t)1 << below(4), columns = m.pitches[p] / size, rows = SIZE / m.pitches[p];
    int64_t first_row = below(3) ? 0 : below(rows), first = below(2) ? 0 : below(columns);
    int64_t odd = below(4) ? 0 : below(m.pitches[p] / 8) * 8;
    torc_joined_lines lines = {.ld = columns, .size = (size_t)size};
    lines.length = below(2) ? columns - first : 1 + below(columns - first);
    lines.count = below(2) ? rows - first_row : 1 + below(rows - first_row);
    int64_t at = first_row * m.pitches[p] + first * size + odd;
    while (lines.count > 0 && at + ((lines.count - 1) * columns + lines.length) * size > SIZE) {
        lines.count--;
    }
    for (int n = 0; n <= m.joined.count; n++) {
        int64_t whole = m.common[p].at[n] / size - first;
        cut->at[n] = whole < 0 ? 0 : whole < lines.length ? whole : lines.length;
    }
    cut->at[m.joined.count] = lines.length;
    if (below(4) == 0) {
        *cut = random_cut(lines.length, 1);
    }
    m.width = m.apart = SIZE;
    if (below(4) == 0 && lines.count > 0) { /* cut between lines, as one */
        m.width = lines.length * size;
        m.apart = lines.ld * size;
        torc_joined_cut between = random_cut(lines.count, 1);
        lines = torc_joined_as_one(&lines);
        *cut = torc_joined_cut_between(&m.joined, &between, m.apart / size, lines.length);
    }
    lines.first = m.bytes[0] + at;
    return lines;
}

static size_t place_of(const torc_joined_lines *lines, int64_t line, int64_t column)
{
    return (size_t)((const char *)lines->first - m.bytes[0]) +
           (size_t)(line * lines->ld + column) * lines->size;
}

static void expect(int member, size_t place, const char *what)
{
    cr_assert(!m.matters[place] || m.bytes[member][place] == m.truth[place],
        "walk %lu step %d: member %d of %d lacks byte %zu: %s", (unsigned long)m.walk, m.step, member,
        m.joined.count, place, what);
}

/* By a member, of what the cut gives it. */
typedef void visit(int member, size_t place, const char *what);

/* But what lies between lines that are taken for one. */
static bool is_between(const torc_joined_lines *lines, size_t place)
{
    return (int64_t)(place - place_of(lines, 0, 0)) % m.apart >= m.width;
}

static void each_byte(
    const torc_joined_lines *lines, const torc_joined_cut *cut, visit *each, const char *what)
{
    for (int n = 0; n < m.joined.count; n++) {
        for (int64_t line = 0; line < lines->count; line++) {
            size_t last = place_of(lines, line, cut->at[n + 1]);
            for (size_t place = place_of(lines, line, cut->at[n]); place < last; place++) {
                if (!is_between(lines, place)) {
                    each(n, place, what);
                }
            }
        }
    }
}

static void write_byte(int member, size_t place, const char *what)
{
    (void)what;
    m.bytes[member][place] = m.truth[place] = (char)below(256);
    m.matters[place] = true;
}

static void expect_of_all(int member, size_t place, const char *what)
{
    (void)member;
    for (int n = 0; n < m.joined.count; n++) {
        expect(n, place, what);
    }
}

static void write_to_all(int member, size_t place, const char *what)
{
    write_byte(member, place, what);
    for (int n = 0; n < m.joined.count; n++) {
        m.bytes[n][place] = m.truth[place];
    }
}

/* ---- What is said of the block --------------------------------------------------------------------------
 */

/* Does a spread say that the member has the byte? */
static bool says(const torc_joined_spread *s, int member, size_t place)
{
    int64_t at = (int64_t)((place - s->begin) % s->pitch);
    bool is_outside =
        place < s->begin || place >= s->end || at < s->cut.at[0] || at >= s->cut.at[m.joined.count];
    return is_outside || (s->cut.at[member] <= at && at < s->cut.at[member + 1]);
}

/* What lies before it in its first line is said of nobody. */
static size_t first_place(const torc_joined_spread *s)
{
    return s->begin + (size_t)s->cut.at[0];
}

static void check_block(void)
{
    for (int a = 0; a < m.block->nspreads; a++) {
        for (int b = 0; b < a; b++) {
            const torc_joined_spread *one = &m.block->spread[a], *other = &m.block->spread[b];
            cr_assert(one->end <= first_place(other) || other->end <= first_place(one),
                "walk %lu step %d: overlap", (unsigned long)m.walk, m.step);
        }
    }
    for (int n = 0; n < m.joined.count; n++) {
        for (size_t place = 0; place < SIZE; place++) {
            bool has = true;
            for (int s = 0; s < m.block->nspreads; s++) {
                has = has && says(&m.block->spread[s], n, place);
            }
            if (has) {
                expect(n, place, "what is said of the block");
            }
        }
    }
}

/* ---- Steps ----------------------------------------------------------------------------------------------
 */

static void read_own(const torc_joined_lines *lines, const torc_joined_cut *cut)
{
    cr_assert(torc_joined_align(&m.joined, lines, cut) == TORC_SUCCESS);
    each_byte(lines, cut, expect, "aligned");
}

static void read_all(const torc_joined_lines *lines, const torc_joined_cut *cut)
{
    cr_assert(torc_joined_unite(&m.joined, lines) == TORC_SUCCESS);
    each_byte(lines, cut, expect_of_all, "united");
}

static void read_as_spread(const torc_joined_lines *lines)
{
    torc_joined_cut cut = {{0}};
    if (torc_joined_cut_of(&cut, &m.joined, lines)) {
        cr_assert(cut.at[0] == 0 && cut.at[m.joined.count] == lines->length);
        each_byte(lines, &cut, expect, "as it is cut");
    }
}

static void write_own(const torc_joined_lines *lines, const torc_joined_cut *cut)
{
    if (below(2)) {
        read_own(lines, cut);
    }
    cr_assert(torc_joined_spread_out(&m.joined, lines, cut) == TORC_SUCCESS);
    each_byte(lines, cut, write_byte, NULL);
}

static void write_all(const torc_joined_lines *lines, const torc_joined_cut *cut)
{
    each_byte(lines, cut, write_to_all, NULL);
    if (m.width == m.apart && (lines->ld == lines->length || lines->count == 1)) {
        torc_joined_overwrite(&m.joined, lines->first, (size_t)(lines->count * lines->length) * lines->size);
    }
}

static void give_up(const torc_joined_lines *lines)
{
    size_t first = place_of(lines, 0, 0), end = place_of(lines, lines->count - 1, lines->length);
    for (int s = 0; s < m.block->nspreads; s++) {
        const torc_joined_spread *spread = &m.block->spread[s];
        if (first_place(spread) < end && first < spread->end) {
            memset(m.matters + first_place(spread), false, spread->end - first_place(spread));
        }
    }
    torc_joined_abandon(&m.joined, lines->first, end - first);
}

static void step(void)
{
    torc_joined_cut cut = {{0}};
    torc_joined_lines lines = random_lines(&cut);
    int64_t kind = below(16);
    if (lines.count == 0) {
        return;
    }
    if (kind < 9) {
        write_own(&lines, &cut);
    } else if (kind < 11) {
        read_own(&lines, &cut);
    } else if (kind < 13) {
        read_as_spread(&lines);
    } else if (kind < 14) {
        read_all(&lines, &cut);
    } else if (kind < 15) {
        write_all(&lines, &cut);
    } else {
        give_up(&lines);
    }
    check_block();
}

Test(joined_spread, says_what_is_so)
{
    for (uint64_t walk = 1; walk <= WALKS; walk++) {
        begin(walk);
        for (m.step = 0; m.step < STEPS; m.step++) {
            have_met = false;
            step();
            cr_assert(!have_received, "members do not wait until the others have received");
        }
        end();
    }
}
