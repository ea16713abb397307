/* vocabulary.c: the few types, semirings and operators that a program uses. */
#include "draw.h"
#include "operators.h"
#include "user_operators.h"
#include <string.h>

#define PICK(stream, array) (array)[random_below(stream, (int64_t)(sizeof(array) / sizeof *(array)))]

static const double USER_SHARE = 0.2; /* of operators: what the program defines itself */

static value_type draw_type(uint64_t *stream)
{
    static const value_type common[] = {
        VALUE_FP64, VALUE_FP64, VALUE_FP32, VALUE_INT64, VALUE_INT32, VALUE_BOOL};
    return random_chance(stream, 0.75) ? PICK(stream, common)
                                       : (value_type)random_below(stream, VALUE_TYPE_COUNT);
}

/* Of those that the program defines; mostly one of the vocabulary's types. */
static program_operator draw_user(const vocabulary *words, user_kind kind, uint64_t *stream)
{
    program_operator op;
    bool fits = false;
    for (int tries = 0; !fits; tries++) {
        op = torc_user_draw(kind, stream);
        fits = tries > 8 && !torc_user_takes_paths(op);
        for (int i = 0; i < WORDS; i++) {
            fits |= op.type == words->types[i] && !torc_user_takes_paths(op);
        }
    }
    return op;
}

static program_operator draw_of_paths(user_kind kind, uint64_t *stream)
{
    program_operator op;
    do {
        op = torc_user_draw(kind, stream);
    } while (!torc_user_takes_paths(op));
    return op;
}

/* Words for VALUE_UDT. */
static void draw_paths(vocabulary *words, uint64_t *stream)
{
    program_operator shorter = {random_chance(stream, 0.7) ? "shorter" : "BARE_shorter", VALUE_UDT};
    program_operator extend = {random_chance(stream, 0.7) ? "extend" : "BARE_extend", VALUE_UDT};
    words->semirings[0] = (program_semiring){shorter.name, extend, true};
    words->monoids[0] = shorter;
    words->binary[0] = draw_of_paths(USER_BINARY, stream);
    words->accums[0] = draw_of_paths(USER_BINARY, stream);
    words->unary[0] = draw_of_paths(USER_UNARY, stream);
    words->select[0] = draw_of_paths(USER_INDEX_UNARY, stream);
}

/* Operators whose every bit is promised; those that are not would leave nothing to compare. */
static program_operator draw_binary(const vocabulary *words, uint64_t *stream)
{
    static const char *const names[] = {"PLUS", "PLUS", "MINUS", "TIMES", "TIMES", "MIN", "MAX", "FIRST",
        "SECOND", "DIV", "RDIV", "RMINUS", "ONEB", "ANY", "POW", "ISEQ", "ISNE", "ISGT", "ISLT", "ISGE",
        "ISLE", "EQ", "NE", "GT", "LT", "GE", "LE", "LOR", "LAND", "LXOR", "LXNOR", "BOR", "BAND", "BXOR",
        "BXNOR", "BSHIFT", "BGET", "BSET", "BCLR", "FMOD", "REMAINDER", "COPYSIGN", "ATAN2", "HYPOT", "LDEXP",
        "CMPLX", "FIRSTI", "FIRSTJ", "SECONDI1", "SECONDJ"};
    program_operator op;
    if (random_chance(stream, USER_SHARE)) {
        return draw_user(words, USER_BINARY, stream);
    }
    do {
        op = (program_operator){PICK(stream, names), words->types[random_below(stream, WORDS)]};
        if (torc_is_positional(op)) {
            op.type = random_chance(stream, 0.5) ? VALUE_INT32 : VALUE_INT64;
        }
    } while (!torc_binary_handle(op));
    return op;
}

static program_operator draw_accum(const vocabulary *words, uint64_t *stream)
{
    static const char *const tell_signs_of_zeros[] = {"DIV", "RDIV", "POW", "COPYSIGN", "ATAN2"};
    program_operator op;
    bool fits;
    do {
        op = draw_binary(words, stream);
        fits = !torc_is_positional(op);
        for (size_t i = 0; i < sizeof tell_signs_of_zeros / sizeof *tell_signs_of_zeros; i++) {
            fits = fits && strcmp(op.name, tell_signs_of_zeros[i]) != 0;
        }
    } while (!fits);
    return op;
}

static program_operator draw_unary(const vocabulary *words, uint64_t *stream)
{
    static const char *const names[] = {"IDENTITY", "AINV", "MINV", "ABS", "LNOT", "ONE", "SQRT", "SIGNUM",
        "CEIL", "FLOOR", "ROUND", "TRUNC", "BNOT", "ISNAN", "ISINF", "ISFINITE", "CONJ", "CREAL", "CIMAG",
        "FREXPX", "FREXPE", "POSITIONI", "POSITIONJ1"};
    program_operator op;
    if (random_chance(stream, USER_SHARE)) {
        return draw_user(words, USER_UNARY, stream);
    }
    do {
        op = (program_operator){PICK(stream, names), words->types[random_below(stream, WORDS)]};
        if (strncmp(op.name, "POSITION", 8) == 0) {
            op.type = random_chance(stream, 0.5) ? VALUE_INT32 : VALUE_INT64;
        }
    } while (!torc_unary_handle(op));
    return op;
}

static program_operator draw_index(const vocabulary *words, uint64_t *stream)
{
    static const char *const names[] = {"ROWINDEX", "COLINDEX", "DIAGINDEX"};
    if (random_chance(stream, USER_SHARE)) {
        return draw_user(words, USER_INDEX_UNARY, stream);
    }
    return (program_operator){PICK(stream, names), random_chance(stream, 0.5) ? VALUE_INT32 : VALUE_INT64};
}

/* Those that look at values are of the type of the object that they meet. */
static program_operator draw_select(const vocabulary *words, uint64_t *stream)
{
    static const char *const names[] = {"TRIL", "TRIU", "DIAG", "OFFDIAG", "ROWLE", "ROWGT", "COLLE", "COLGT",
        "VALUEEQ", "VALUENE", "VALUELT", "VALUELE", "VALUEGT", "VALUEGE"};
    program_operator op = {PICK(stream, names), VALUE_INT64};
    if (random_chance(stream, USER_SHARE)) {
        do {
            op = draw_user(words, USER_INDEX_UNARY, stream);
        } while (torc_result_type(op) != VALUE_BOOL);
    }
    return op;
}

/* Not on every type. */
static const char *draw_add(uint64_t *stream)
{
    static const char *const names[] = {"PLUS", "PLUS", "MIN", "MAX", "TIMES", "LOR", "LAND", "LXOR", "BOR"};
    return random_chance(stream, USER_SHARE) ? torc_user_draw_monoid(stream) : PICK(stream, names);
}

static program_operator draw_monoid(const vocabulary *words, uint64_t *stream)
{
    program_operator op;
    do {
        op = (program_operator){draw_add(stream), words->types[random_below(stream, WORDS)]};
    } while (!torc_monoid_handle(op.name, op.type));
    return op;
}

/* Of parts that the program defines itself, or of built-in ones in any combination. */
static program_semiring draw_unusual_semiring(const vocabulary *words, uint64_t *stream)
{
    static const char *const multiplies[] = {
        "PLUS", "MINUS", "TIMES", "MIN", "MAX", "ISGT", "LE", "LOR", "BXOR"};
    program_semiring semiring = {.is_own = true};
    do {
        semiring.multiply = random_chance(stream, 0.6) ? draw_user(words, USER_BINARY, stream)
                                                       : (program_operator){PICK(stream, multiplies),
                                                             words->types[random_below(stream, WORDS)]};
        semiring.add = random_chance(stream, 0.5) ? torc_user_draw_monoid(stream) : draw_add(stream);
    } while (!torc_monoid_handle(semiring.add, torc_result_type(semiring.multiply)) ||
             !torc_binary_handle(semiring.multiply));
    return semiring;
}

static program_semiring draw_semiring(const vocabulary *words, uint64_t *stream)
{
    static const struct {
        const char *add, *multiply;
    } parts[] = {{"PLUS", "TIMES"}, {"PLUS", "FIRST"}, {"PLUS", "SECOND"}, {"PLUS", "ONEB"}, {"MIN", "PLUS"},
        {"MIN", "FIRST"}, {"MIN", "SECOND"}, {"MAX", "PLUS"}, {"MAX", "TIMES"}, {"LOR", "LAND"},
        {"ANY", "ONEB"}, {"LOR", "EQ"}, {"LAND", "GE"}, {"LXOR", "LAND"}, {"PLUS", "MIN"}, {"MIN", "SECONDI"},
        {"MAX", "FIRSTJ1"}, {"PLUS", "MINUS"}, {"MIN", "MAX"}, {"BOR", "BAND"}, {"TIMES", "PLUS"},
        {"ANY", "SECOND"}};
    program_semiring semiring;
    if (random_chance(stream, 0.4)) {
        return draw_unusual_semiring(words, stream);
    }
    do {
        int which = (int)random_below(stream, sizeof parts / sizeof *parts);
        semiring = (program_semiring){parts[which].add,
            {parts[which].multiply, words->types[random_below(stream, WORDS)]}, random_chance(stream, 0.5)};
        if (torc_is_positional(semiring.multiply)) {
            semiring.multiply.type = random_chance(stream, 0.5) ? VALUE_INT32 : VALUE_INT64;
        }
    } while (!torc_semiring_handle(&semiring));
    return semiring;
}

void torc_vocabulary_draw(vocabulary *words, uint64_t *stream)
{
    for (int i = 0; i < WORDS; i++) {
        words->types[i] = i == 1 && random_chance(stream, 0.5) ? words->types[0] : draw_type(stream);
    }
    for (int i = 0; i < WORDS; i++) {
        words->semirings[i] = draw_semiring(words, stream);
        words->binary[i] = draw_binary(words, stream);
        words->accums[i] = draw_accum(words, stream);
        words->unary[i] = draw_unary(words, stream);
        words->index[i] = draw_index(words, stream);
        words->select[i] = draw_select(words, stream);
        words->monoids[i] = draw_monoid(words, stream);
    }
    words->has_paths = random_chance(stream, 0.08);
    if (words->has_paths) {
        draw_paths(words, stream);
    }
}
