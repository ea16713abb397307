/* shrink.c: see shrink.h. A call is a seed and a list of changes; every trial draws it anew in a process of
 * its own, since it may die there. */
#include "shrink.h"
#include "call_work.h"
#include "checked_call.h"
#include "reproducer.h"
#include <string.h>
#include <stdio.h>

typedef enum change_kind {
    NO_MASK,
    NO_ACCUM,
    NO_REPLACE,
    NO_STRUCTURE,
    NO_COMPLEMENT,
    NO_OWN_DESCRIPTOR,
    NO_TRANSPOSE, /* of A or B, the operand's shape turned round */
    NO_ALIAS,
    HALF_DIMENSION,    /* 0, 1, 2: m, k, n */
    SMALLER_DIMENSION, /* by one */
    EMPTY,
    PLAIN_FORMAT, /* sparse or full */
    PLAIN_STATE,
    BY_ROW,
    PLAIN_TYPE,
    PLAIN_VALUES,
    THINNER,
    CHANGE_KINDS
} change_kind;

enum { MAX_CHANGES = 400, DRAWS = 12 };

typedef struct change {
    change_kind kind;
    int target; /* an operand, or a dimension */
} change;

typedef struct trial {
    uint64_t seed;
    int nchanges;
    change changes[MAX_CHANGES];
    int fresh; /* which draw of the entries; 0: those of the seed */
    char difference[1200];
} trial;

static void turn_round(matrix_recipe *recipe)
{
    GrB_Index nrows = recipe->nrows;
    recipe->nrows = recipe->ncols;
    recipe->ncols = nrows;
}

static void shorten(GrB_Index *extent, bool is_half)
{
    *extent = *extent > 1 ? (is_half ? *extent / 2 : *extent - 1) : *extent;
}

static void shrink_dimension(random_call *call, int dimension, bool is_half)
{
    matrix_recipe *C = &call->recipes[OPERAND_C], *M = &call->recipes[OPERAND_M];
    matrix_recipe *A = &call->recipes[OPERAND_A], *B = &call->recipes[OPERAND_B];
    bool ta = call->transpose_a, tb = call->transpose_b;
    GrB_Index *const extents[3][3] = {
        {&C->nrows, &M->nrows, ta ? &A->ncols : &A->nrows},
        {ta ? &A->nrows : &A->ncols, tb ? &B->ncols : &B->nrows, NULL},
        {&C->ncols, &M->ncols, tb ? &B->nrows : &B->ncols},
    };
    for (int i = 0; i < 3; i++) {
        if (extents[dimension][i]) {
            shorten(extents[dimension][i], is_half);
        }
    }
}

static void make_plain_format(matrix_recipe *recipe)
{
    bool is_dense = recipe->format == GxB_BITMAP || recipe->format == GxB_FULL;
    recipe->format = is_dense ? GxB_FULL : GxB_SPARSE;
    recipe->control = recipe->control ? recipe->format : 0;
}

static void make_plain_state(matrix_recipe *recipe)
{
    recipe->iso = recipe->is_jumbled = recipe->has_complete_vector = recipe->has_switches = false;
    recipe->npending = 0;
    recipe->empty_vectors = 0;
    recipe->control = recipe->format;
}

static void apply(random_call *call, change c)
{
    matrix_recipe *recipe = &call->recipes[c.target];
    value_type result = call->semiring.type;
    bool is_input = c.target == OPERAND_A || c.target == OPERAND_B;
    bool *transpose = c.target == OPERAND_A ? &call->transpose_a : &call->transpose_b;
    switch (c.kind) {
    case NO_MASK:
        call->has_mask = call->has_complement = call->has_structure = false;
        break;
    case NO_ACCUM:
        call->accum = NULL;
        break;
    case NO_REPLACE:
        call->has_replace = false;
        break;
    case NO_STRUCTURE:
        call->has_structure = false;
        break;
    case NO_COMPLEMENT:
        call->has_complement = false;
        break;
    case NO_OWN_DESCRIPTOR:
        call->has_own_desc = false;
        break;
    case NO_TRANSPOSE:
        if (is_input && *transpose) {
            *transpose = false;
            turn_round(recipe);
        }
        break;
    case NO_ALIAS:
        call->same_as[c.target] = c.target;
        break;
    case HALF_DIMENSION:
    case SMALLER_DIMENSION:
        if (c.target < 3) {
            shrink_dimension(call, c.target, c.kind == HALF_DIMENSION);
        }
        break;
    case EMPTY:
        if (c.target == OPERAND_C) {
            recipe->format = GxB_HYPERSPARSE;
            recipe->density = 0;
            recipe->has_complete_vector = false;
            recipe->npending = recipe->control = 0;
        }
        break;
    case PLAIN_FORMAT:
        make_plain_format(recipe);
        break;
    case PLAIN_STATE:
        make_plain_state(recipe);
        break;
    case BY_ROW:
        recipe->by_col = false;
        break;
    case PLAIN_TYPE:
        recipe->type = is_input && call->semiring.is_known ? (value_type)call->semiring.known.type : result;
        break;
    case PLAIN_VALUES:
        recipe->style = STYLE_EXACT;
        break;
    default:
        recipe->density /= recipe->density > 0.05 ? 2 : 1;
        break;
    }
    torc_random_call_set_descriptor(call);
}

/* Operands that are one object have one recipe, whose shape has to go on to fit. */
static bool is_consistent(const random_call *call)
{
    for (int i = 0; i < OPERAND_COUNT; i++) {
        const matrix_recipe *own = &call->recipes[i], *used = torc_random_call_recipe(call, i);
        if (own->nrows != used->nrows || own->ncols != used->ncols) {
            return false;
        }
    }
    return true;
}

/* What a change can change, as bytes: handles of descriptors are made anew. */
static random_call without_handles(const random_call *call)
{
    random_call plain;
    memcpy(&plain, call, sizeof plain);
    plain.desc = plain.own_desc = NULL;
    memset(plain.desc_name, 0, sizeof plain.desc_name);
    return plain;
}

/* false: the operands do not fit, or the last change changes nothing. */
static bool redraw(random_call *call, const trial *t)
{
    bool is_new = true;
    torc_random_call_draw(call, t->seed);
    for (int i = 0; i < t->nchanges; i++) {
        random_call before = without_handles(call);
        apply(call, t->changes[i]);
        random_call after = without_handles(call);
        is_new = memcmp(&before, &after, sizeof before) != 0;
    }
    for (int i = 0; i < OPERAND_COUNT && t->fresh > 0; i++) {
        call->recipes[i].seed += (uint64_t)t->fresh;
    }
    return is_new && is_consistent(call);
}

static bool is_same_in_every_draw(void *data)
{
    trial *t = data;
    for (t->fresh = 0; t->fresh < DRAWS; t->fresh++) {
        random_call call;
        bool is_call = redraw(&call, t);
        checked_call check = {0};
        if (is_call) {
            check = torc_checked_call(&call);
        }
        torc_random_call_free(&call);
        if (check.difference) {
            snprintf(t->difference, sizeof t->difference, "%s", check.difference);
            return false;
        }
    }
    return true;
}

static bool print(void *data)
{
    random_call call;
    redraw(&call, data);
    torc_reproducer_print(&call);
    torc_random_call_free(&call);
    return true;
}

static bool fails_with(trial *shared, const trial *t, fuzz_verdict verdict)
{
    *shared = *t;
    return torc_fuzz_apart(&torc_call_work, is_same_in_every_draw, shared, true) == verdict;
}

/* One pass over all changes; true where one was kept. */
static bool shrink_once(trial *shared, trial *t, fuzz_verdict verdict)
{
    bool is_smaller = false;
    for (int i = 0; i < CHANGE_KINDS * OPERAND_COUNT && t->nchanges < MAX_CHANGES; i++) {
        change c = {(change_kind)(i / OPERAND_COUNT), i % OPERAND_COUNT};
        bool is_of_call = c.kind <= NO_OWN_DESCRIPTOR;
        trial smaller = *t;
        smaller.changes[smaller.nchanges++] = c;
        if (!(is_of_call && c.target > 0) && fails_with(shared, &smaller, verdict)) {
            *t = *shared;
            is_smaller = true;
        }
    }
    return is_smaller;
}

void torc_shrink(fuzz_failure failure)
{
    trial *shared = torc_fuzz_shared(sizeof *shared), *t = torc_fuzz_shared(sizeof *t);
    t->seed = failure.seed;
    if (!fails_with(shared, t, failure.verdict)) {
        printf("seed %llu alone does not fail\n", (unsigned long long)failure.seed);
        return;
    }
    *t = *shared;
    while (failure.verdict != FUZZ_HUNG && shrink_once(shared, t, failure.verdict)) {
    }
    printf("/* seed %llu, made smaller: %s */\n", (unsigned long long)failure.seed,
        failure.verdict == FUZZ_DIFFERENT ? t->difference
        : failure.verdict == FUZZ_DIED    ? "the process dies"
                                          : "it hangs");
    torc_fuzz_apart(&torc_call_work, print, t, false);
}
