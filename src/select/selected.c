#include "selected.h"
#include "prediction.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 128 }; /* no kernel asks for more alignment, and prediction looks no further */

/* Padding is zeroed, so that keys are compared by their bytes. */
static void write_key(torc_product_key *key, const torc_problem *problem, const char *rule)
{
    memset(key, 0, sizeof *key);
    key->question = problem->kernel;
    key->ncols = problem->ncols;
    key->b_size = problem->b_size;
    key->c_size = problem->c_size;
    key->b_alignment = problem->b_alignment % LINE;
    key->c_alignment = problem->c_alignment % LINE;
    key->is_everywhere = problem->is_everywhere;
    key->may_tile = problem->may_tile;
    snprintf(key->rule, sizeof key->rule, "%s", rule);
}

static const torc_choice *find(const torc_choices *choices, const torc_product_key *key)
{
    for (int i = 0; choices && i < choices->count; i++) {
        if (memcmp(&choices->list[i].key, key, sizeof *key) == 0) {
            return &choices->list[i];
        }
    }
    return NULL;
}

/* Without memory for it nothing is kept. */
static void keep(torc_sparse *A, const torc_choice *choice)
{
    if (!A->choices) {
        A->choices = calloc(1, sizeof *A->choices);
    }
    torc_choices *choices = A->choices;
    if (choices) {
        choices->list[choices->next] = *choice;
        choices->next = (choices->next + 1) % TORC_CHOICES;
        choices->count += choices->count < TORC_CHOICES;
    }
}

torc_choice torc_selected(torc_sparse *A, const torc_problem *problem, const char *rule)
{
    torc_choice choice;
    write_key(&choice.key, problem, rule);
    bool is_kept = !problem->kernel.semiring.definition;
    const torc_choice *known = is_kept ? find(A->choices, &choice.key) : NULL;
    if (known) {
        return *known;
    }
    choice.kernel = torc_select_kernel(problem, rule);
    choice.seconds = torc_predict(&choice.kernel, problem, &torc_measured_rates).seconds;
    if (is_kept) {
        keep(A, &choice);
    }
    return choice;
}
