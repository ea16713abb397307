/* keep_out.c: see keep_out.h. What is said of versions was seen by running 7.4.0. */
#include "keep_out.h"
#include "operators.h"
#include "user_operators.h"
#include <math.h>
#include <string.h>

enum { SHORT_VECTOR = 32 };
static const double MOST_WORK = 2e6; /* multiplications of a product */

static bool is_one_of(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count && name; i++) {
        if (strcmp(name, names[i]) == 0) {
            return true;
        }
    }
    return false;
}
#define IS_ONE_OF(name, ...)                                                                                 \
    is_one_of(name, (const char *const[]){__VA_ARGS__},                                                      \
        sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

static bool is_product(const program_step *s)
{
    return s->kind == STEP_MXM || s->kind == STEP_MXV || s->kind == STEP_VXM;
}

static bool is_ewise(const program_step *s)
{
    return s->kind == STEP_EWISE_ADD || s->kind == STEP_EWISE_MULT || s->kind == STEP_EWISE_UNION;
}

static const program_object *object_in(const program_state *state, int slot)
{
    return slot == NO_SLOT ? NULL : &state->objects[slot];
}

static bool has_missing_object(const program_state *state, const program_step *s)
{
    const int slots[] = {step_makes_c(s) ? NO_SLOT : s->c, s->m, s->a, s->b};
    for (int i = 0; i < 4; i++) {
        if (slots[i] != NO_SLOT && !state->objects[slots[i]].exists) {
            return true;
        }
    }
    return false;
}

/* A serial search in an array that a full operand lacks: C += T under a mask, where one of mask and T is
 * full, the other has few entries in a long vector. */
static bool dies_of_accumulating(const program_state *state, const program_step *s)
{
    if (s->m == NO_SLOT || !s->accum.name || s->complement || s->replace) {
        return false;
    }
    const program_object *C = object_in(state, s->c), *M = object_in(state, s->m);
    bool is_short = torc_object_nrows(C) <= SHORT_VECTOR && torc_object_ncols(C) <= SHORT_VECTOR;
    torc_object_wait(M, MODEL);
    return !is_short && torc_object_option(M, MODEL, GxB_SPARSITY_STATUS) != GxB_BITMAP;
}

/* C of BOOL stays as it was, where accumulator and operator are the same. */
static bool forgets_to_accumulate(const program_step *s)
{
    return is_ewise(s) && s->accum.name && s->accum.type == VALUE_BOOL;
}

/* A sparse operand beside itself under itself as mask is read as if its values had the operator's type. */
static bool forgets_to_cast(const program_step *s)
{
    return is_ewise(s) && s->a == s->b && s->m == s->a;
}

/* Into an iso C that has all entries, in any format, dense operands' results are written as if it had room
 * for them. C may be iso on one side alone: nobody promises where it is. */
static bool overruns_iso(const program_state *state, const program_step *s)
{
    for (int i = 0; i < SIDES && is_ewise(s); i++) {
        const program_object *C = object_in(state, s->c);
        if (torc_object_is_iso(C, i) &&
            torc_object_nvals(C, i) == torc_object_nrows(C) * torc_object_ncols(C)) {
            return true;
        }
    }
    return false;
}

/* The scalar that the operator ignores is copied to one byte. */
static bool overruns_scalar(const program_step *s)
{
    return s->kind == STEP_EWISE_UNION && torc_value_size(s->op.type) > 1 &&
           (IS_ONE_OF(s->op.name, "FIRST", "SECOND", "PAIR", "ONEB") || torc_is_positional(s->op));
}

/* Of a dense A and a sparse B, both iso, the operator gets the values in the wrong order, unless another
 * operator is the same with its arguments exchanged. POW of booleans does so whether they are iso or not. */
static bool forgets_to_flip(const program_state *state, const program_step *s)
{
    if (s->kind != STEP_EWISE_MULT || !IS_ONE_OF(s->op.name, "POW", "ATAN2", "LDEXP", "COPYSIGN", "FMOD",
                                          "REMAINDER", "BGET", "BSET", "BCLR", "BSHIFT")) {
        return false;
    }
    const program_object *A = object_in(state, s->a), *B = object_in(state, s->b);
    bool is_boolean = IS_ONE_OF(s->op.name, "POW") && s->op.type == VALUE_BOOL;
    for (int i = 0; i < SIDES; i++) {
        bool may_forget = is_boolean || (torc_object_is_iso(A, i) && torc_object_is_iso(B, i));
        if (may_forget && torc_object_option(B, i, GxB_SPARSITY_STATUS) < GxB_BITMAP) {
            return true;
        }
    }
    return false;
}

/* Of a matrix that is one value, a user-defined operator is given what lies beyond that value, too. */
static bool reads_beyond_iso(const program_state *state, const program_step *s)
{
    const program_object *A = object_in(state, s->a);
    return s->kind == STEP_APPLY_INDEX && torc_user_source(s->op) &&
           (torc_object_is_iso(A, MODEL) || torc_object_is_iso(A, SUBJECT));
}

/* What is left of a triangle whose diagonal is about 2^63 away depends on the format. */
static bool has_far_diagonal(const program_step *s)
{
    return s->kind == STEP_SELECT && IS_ONE_OF(s->op.name, "TRIL", "TRIU") && fabs(s->scalar) > 0x1p62;
}

/* The copy of an empty object has a value that nobody set, and products of it may have entries. The blob of
 * an empty object that is iso may be refused. */
static bool copies_nothing(const program_state *state, const program_step *s)
{
    const program_object *A = object_in(state, s->a);
    return (s->kind == STEP_DUP || (step_is_blob(s) && torc_object_is_iso(A, MODEL))) &&
           torc_object_nvals(A, MODEL) == 0;
}

/* Nothing, if it is iso, may sum up to its value. */
static bool reduces_nothing(const program_state *state, const program_step *s)
{
    return s->kind == STEP_REDUCE_ALL && torc_object_nvals(object_in(state, s->a), MODEL) == 0 &&
           torc_object_is_iso(object_in(state, s->a), MODEL);
}

/* A GrB_Scalar is invalid afterwards where types are not compatible. */
static bool spoils_scalar(const program_state *state, const program_step *s)
{
    bool is_path = s->op.type == VALUE_UDT, is_into_scalar = s->kind == STEP_REDUCE_ALL && s->variant == 1;
    return is_into_scalar && ((object_in(state, s->a)->type == VALUE_UDT) != is_path ||
                                 (s->accum.name && (is_path || torc_user_takes_paths(s->accum))));
}

/* An assignment under C itself as mask, or of C to a permuted part of itself. */
static bool dies_of_assigning_itself(const program_step *s)
{
    bool is_assign = s->kind == STEP_ASSIGN || s->kind == STEP_ASSIGN_SCALAR;
    bool is_all = s->rows.kind == LIST_ALL && s->cols.kind == LIST_ALL;
    return is_assign && (s->m == s->c || (s->a == s->c && !is_all));
}

/* Under itself as a valued mask, an object of one entry does not go into a bitmap that is empty or has one
 * value for all entries. */
static bool forgets_to_assign(const program_state *state, const program_step *s)
{
    return s->kind == STEP_ASSIGN && s->m == s->a && !s->structure &&
           torc_object_nvals(object_in(state, s->a), MODEL) == 1;
}

/* A mask that is one value, false, ends a call before shapes, and an empty scalar, are looked at: it is no
 * error. It may be one value on one side alone: nobody promises where it is. */
static bool overlooks_an_error(const program_state *state, const program_step *s)
{
    const program_object *C = object_in(state, s->c), *M = object_in(state, s->m);
    return M && !s->structure && torc_object_is_iso(M, MODEL) != torc_object_is_iso(M, SUBJECT) &&
           (s->lacks_value || torc_object_nrows(C) != torc_object_nrows(M) ||
               torc_object_ncols(C) != torc_object_ncols(M));
}

/* A reduction to a vector is a product, which may hash for ever under a mask, whatever the descriptor says.
 */
static bool hashes_for_ever(const program_state *state, const program_step *s)
{
    for (int i = 0; i < SIDES && s->kind == STEP_REDUCE_LINES && s->m != NO_SLOT; i++) {
        if (torc_object_option(object_in(state, s->a), i, GxB_SPARSITY_STATUS) < GxB_BITMAP) {
            return true;
        }
    }
    return false;
}

/* Of a sparse C an entry may stay that the mask names and A lacks. */
static bool forgets_to_delete(const program_step *s)
{
    bool is_backwards = s->rows.kind == LIST_BACKWARDS || s->cols.kind == LIST_BACKWARDS;
    return s->kind == STEP_ASSIGN && is_backwards && s->m != NO_SLOT && !s->accum.name;
}

/* C is made invalid. */
static bool spoils_hypersparse(const program_state *state, const program_step *s)
{
    bool is_alias = s->c == s->a || s->c == s->b || s->c == s->m;
    return s->kind == STEP_EWISE_MULT && s->replace && is_alias && !is_vector_slot(s->c) &&
           torc_object_option(object_in(state, s->c), MODEL, GxB_SPARSITY_STATUS) == GxB_HYPERSPARSE;
}

static bool is_floating(value_type type)
{
    return torc_value_is_real(type) || torc_value_is_complex(type) || type == VALUE_UDT;
}

/* -0 of a mask is true or false; and a sum or the lesser of two zeros may be 0 or -0. */
static bool reads_signs_of_zeros(const program_state *state, const program_step *s)
{
    const program_object *M = object_in(state, s->m), *A = object_in(state, s->a),
                         *B = object_in(state, s->b);
    if (M && !s->structure && is_floating(M->type) && torc_object_range(M).least == 0) {
        return true;
    }
    if (IS_ONE_OF(s->op.name, "COPYSIGN", "ATAN2", "POW")) {
        return is_floating(s->op.type) && ((A && torc_object_range(A).least == 0) ||
                                              (B && torc_object_range(B).least == 0) || s->scalar == 0);
    }
    bool divides_by_b = IS_ONE_OF(s->op.name, "DIV"), divides_by_a = IS_ONE_OF(s->op.name, "RDIV", "MINV");
    bool is_second = s->kind == STEP_APPLY_SECOND;
    bool is_first = s->kind == STEP_APPLY_FIRST;
    if (!s->op.name || !is_floating(s->op.type) || !(divides_by_a || divides_by_b)) {
        return false;
    }
    const program_object *divisor = is_first       ? (divides_by_b ? A : NULL)
                                    : is_second    ? (divides_by_a ? A : NULL)
                                    : divides_by_b ? B
                                                   : A;
    bool divides_by_scalar = (is_first && divides_by_a) || (is_second && divides_by_b);
    return divides_by_scalar ? s->scalar == 0 : divisor && torc_object_range(divisor).least == 0;
}

/* Of any of two values 7.4.0 takes the second, but where an object has one value for all entries, as it may
 * on one side alone. */
static bool takes_any_of_iso(const program_state *state, const program_step *s)
{
    const int slots[] = {s->c, s->a, s->b};
    if (!IS_ONE_OF(s->op.name, "ANY") && !IS_ONE_OF(s->accum.name, "ANY")) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        const program_object *object = object_in(state, slots[i]);
        if (object && object->exists &&
            (torc_object_is_iso(object, MODEL) || torc_object_is_iso(object, SUBJECT))) {
            return true;
        }
    }
    return false;
}

static double nvals_of(const program_object *object)
{
    return (double)torc_object_nvals(object, MODEL);
}

static bool takes_too_long(const program_state *state, const program_step *s)
{
    const program_object *A = object_in(state, s->a), *B = object_in(state, s->b);
    if (!is_product(s)) {
        return false;
    }
    GrB_Index a_inner = s->transpose_a ? torc_object_nrows(A) : torc_object_ncols(A);
    GrB_Index b_inner = s->transpose_b ? torc_object_ncols(B) : torc_object_nrows(B);
    double inner = (double)(s->kind == STEP_VXM   ? torc_object_nrows(A)
                            : s->kind == STEP_MXV ? a_inner
                                                  : (a_inner < b_inner ? a_inner : b_inner));
    return nvals_of(A) * nvals_of(B) / (inner + 1) > MOST_WORK;
}

/* Values that two right answers may differ in are not to decide on structure. */
static bool depends_on_unsure_values(const program_state *state, const program_step *s)
{
    const program_object *M = object_in(state, s->m), *A = object_in(state, s->a);
    return (M && !s->structure && M->has_unsure_values) || (s->kind == STEP_SELECT && A->has_unsure_values);
}

/* The type of the monoid's operator that sums, and how many terms a sum may have; 0: nothing is summed in an
 * order of one's own. */
static double count_terms(const program_state *state, const program_step *s, program_operator *add)
{
    const program_object *A = object_in(state, s->a);
    if (is_product(s)) {
        add->name = torc_user_operator_of_monoid(s->semiring.add);
        add->type = torc_result_type(s->semiring.multiply);
        return s->kind == STEP_VXM || s->transpose_a ? (double)torc_object_nrows(A)
                                                     : (double)torc_object_ncols(A);
    }
    if (s->kind == STEP_REDUCE_ALL || s->kind == STEP_REDUCE_LINES) {
        add->name = torc_user_operator_of_monoid(s->op.name);
        add->type = s->op.type;
        return nvals_of(A);
    }
    return 0;
}

static bool has_few_digits(value_type type)
{
    return type == VALUE_FP32 || type == VALUE_FC32;
}

/* Every partial sum is a multiple of the grain that the type's digits hold. */
static bool is_exact_sum(const program_state *state, const program_step *s, value_type type, double nterms)
{
    const program_object *C = object_in(state, s->c);
    value_range a = torc_object_range(object_in(state, s->a)), b = {.least = 1, .greatest = 1, .grain = 1};
    value_range c = {.grain = INFINITY, .is_finite = true};
    b.is_finite = true;
    if (is_product(s)) {
        b = torc_object_range(object_in(state, s->b));
        if (!IS_ONE_OF(s->semiring.multiply.name, "TIMES", "FIRST", "SECOND", "ONEB", "PAIR", "PLUS", "MINUS",
                "RMINUS", "MIN", "MAX", "mix", "later", "widen", "BARE_mix", "BARE_later", "BARE_widen")) {
            return false;
        }
    }
    if (s->accum.name && C) {
        c = torc_object_range(C);
    }
    bool is_times = is_product(s) && strcmp(s->semiring.multiply.name, "TIMES") == 0;
    double nproducts = torc_value_is_complex(type) ? 2 : 1;
    double most = is_times ? nproducts * a.greatest * b.greatest : 3 * (a.greatest + b.greatest) + 1;
    double grain = is_times ? a.grain * b.grain : fmin(fmin(a.grain, b.grain), 1);
    grain = fmin(fmin(grain, c.grain), 1);
    double digits = has_few_digits(type) || (s->accum.name && has_few_digits(s->accum.type)) ||
                            (C && has_few_digits(C->type))
                        ? 0x1p24
                        : 0x1p53;
    return a.is_finite && b.is_finite && c.is_finite && grain > 0 &&
           (most * nterms + c.greatest + fabs(s->scalar)) / grain < digits;
}

static bool has_unsure_sum(const program_state *state, const program_step *s)
{
    program_operator add = {NULL, VALUE_BOOL};
    double nterms = count_terms(state, s, &add);
    if (nterms == 0) {
        return false;
    }
    if (is_product(s) && strcmp(add.name, "ANY") == 0) {
        return !IS_ONE_OF(s->semiring.multiply.name, "PAIR", "ONEB");
    }
    if (strcmp(add.name, "ANY") == 0) {
        return true;
    }
    if (!is_floating(add.type)) {
        return false;
    }
    /* one NaN alone is a NaN or the identity */
    if (IS_ONE_OF(add.name, "MIN", "MAX", "later", "BARE_later", "shorter", "BARE_shorter")) {
        const program_object *A = object_in(state, s->a),
                             *B = object_in(state, is_product(s) ? s->b : NO_SLOT);
        return !torc_object_range(A).is_finite || (B && !torc_object_range(B).is_finite);
    }
    return strcmp(add.name, "PLUS") != 0 || !is_exact_sum(state, s, add.type, nterms);
}

bool torc_has_unsure_values(const program_state *state, const program_step *s)
{
    const int slots[] = {s->a, s->b};
    for (int i = 0; i < 2; i++) {
        if (slots[i] != NO_SLOT && state->objects[slots[i]].has_unsure_values) {
            return true;
        }
    }
    return has_unsure_sum(state, s);
}

bool torc_is_kept_out(const program *p, const program_state *state, const program_step *s)
{
    return has_missing_object(state, s) || takes_too_long(state, s) || hashes_for_ever(state, s) ||
           dies_of_accumulating(state, s) || forgets_to_accumulate(s) || forgets_to_cast(s) ||
           forgets_to_assign(state, s) || overlooks_an_error(state, s) || overruns_iso(state, s) ||
           copies_nothing(state, s) || reduces_nothing(state, s) || spoils_scalar(state, s) ||
           dies_of_assigning_itself(s) || forgets_to_delete(s) || forgets_to_flip(state, s) ||
           spoils_hypersparse(state, s) || overruns_scalar(s) || reads_beyond_iso(state, s) ||
           has_far_diagonal(s) || takes_any_of_iso(state, s) || reads_signs_of_zeros(state, s) ||
           depends_on_unsure_values(state, s) || (p->is_exact && has_unsure_sum(state, s));
}
