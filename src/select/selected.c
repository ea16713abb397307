#include "selected.h"
#include "prediction.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 128 }; /* no kernel asks for more alignment, and prediction looks no further */

static void write_key(torc_product_key *key, const torc_problem *problem, const char *rule)
{
    const torc_spmm_kernel *k = &problem->kernel;
    *key = (torc_product_key){
        .ncols = problem->ncols,
        .facts = {(int32_t)k->semiring.add, (int32_t)k->semiring.multiply, (int32_t)k->semiring.type,
            (int32_t)k->a_type, (int32_t)k->b_type, (int32_t)k->a_access, (int32_t)k->b_access,
            k->wide_offsets, k->wide_pitch, k->b_is_bitmap, k->c_is_bitmap, k->has_mask, k->has_accum,
            (int32_t)k->accum, (int32_t)k->old_access, k->is_packed, (int32_t)problem->b_size,
            (int32_t)problem->c_size, (int32_t)(problem->b_alignment % LINE),
            (int32_t)(problem->c_alignment % LINE), problem->is_everywhere, (int32_t)problem->precision},
    };
    for (int cut = 0; cut < TORC_CUTS; cut++) {
        key->lacks |= (uint64_t)problem->lacks[cut] << cut;
    }
    snprintf(key->rule, sizeof key->rule, "%s", rule);
}

/* What tuning found for a product holds whichever plans A has. */
static void write_tuned_key(torc_product_key *key, const torc_problem *problem, const char *rule)
{
    write_key(key, problem, rule);
    key->lacks = 0;
}

static torc_choice *find(torc_choices *choices, const torc_product_key *key)
{
    for (int i = 0; choices && i < choices->count; i++) {
        if (memcmp(&choices->list[i].key, key, sizeof *key) == 0) {
            return &choices->list[i];
        }
    }
    return NULL;
}

void torc_program_release(const torc_sparse *A, torc_constant_program *program)
{
    if (program) {
        A->context->executor->wait(A->context->device);
        A->context->executor->constant_unload(A->context->device, program);
    }
}

static void drop(torc_choices *choices, int number)
{
    choices->count--;
    memmove(&choices->list[number], &choices->list[number + 1],
        (size_t)(choices->count - number) * sizeof *choices->list);
}

/* A place for the newest choice; the oldest may have to go. NULL without memory. */
static torc_choice *new_place(torc_choices **choices, const torc_sparse *A)
{
    if (!*choices) {
        *choices = calloc(1, sizeof **choices);
    }
    torc_choices *c = *choices;
    if (c && c->count == TORC_CHOICES) {
        torc_program_release(A, c->list[0].program);
        drop(c, 0);
    }
    return c ? &c->list[c->count++] : NULL;
}

/* NULL: nothing was tuned, or what was needs a plan that the problem lacks. */
static const torc_choice *find_tuned(const torc_sparse *A, const torc_problem *problem, const char *rule)
{
    torc_product_key key;
    write_tuned_key(&key, problem, rule);
    const torc_choice *tuned = problem->is_part ? NULL : find(A->tuned, &key);
    bool is_lacking = tuned && problem->lacks[torc_sparse_cut_of(A, &tuned->kernel, problem->ncols)];
    return is_lacking ? NULL : tuned;
}

torc_choice torc_selected(torc_sparse *A, const torc_problem *problem, const char *rule)
{
    torc_choice choice = {.program = NULL};
    write_key(&choice.key, problem, rule);
    bool is_kept = !problem->kernel.semiring.definition;
    const torc_choice *known = is_kept ? find_tuned(A, problem, rule) : NULL;
    if (is_kept && !known) {
        known = find(A->selected, &choice.key);
    }
    if (known) {
        return *known;
    }
    choice.kernel = torc_select_kernel(problem, rule);
    choice.seconds = torc_predict(&choice.kernel, problem, &torc_measured_rates).seconds;
    torc_choice *place = is_kept ? new_place(&A->selected, A) : NULL; /* without memory nothing is kept */
    if (place) {
        *place = choice;
    }
    return choice;
}

torc_status torc_selected_set(torc_sparse *A, const torc_problem *problem, const torc_choice *choice)
{
    torc_choice *place = new_place(&A->tuned, A);
    if (!place) {
        return TORC_OUT_OF_MEMORY;
    }
    *place = *choice;
    write_tuned_key(&place->key, problem, "");
    return TORC_SUCCESS;
}

bool torc_selected_take(torc_choice *choice, torc_sparse *A, const torc_problem *problem)
{
    torc_product_key key;
    write_tuned_key(&key, problem, "");
    torc_choice *place = find(A->tuned, &key);
    if (place) {
        *choice = *place;
        drop(A->tuned, (int)(place - A->tuned->list));
    }
    return place;
}
