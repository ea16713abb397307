#include "multiply.h"
#include "bit_packing.h"
#include "launch.h"
#include "selected.h"
#include <stdlib.h>

/* A is in its text; all of C is overwritten. */
static torc_status run_program(
    const torc_constant_program *program, const torc_dense *C, const torc_sparse *A, const torc_dense *B)
{
    torc_constant_args args = {B->data, C->data};
    return A->context->executor->constant_multiply(A->context->device, program, &args);
}

/* The kernel of choice. A is planned for one that is there, where that can be; else the kernel is chosen
 * among those that need no such plan. */
static torc_status choose(torc_choice *choice, torc_problem *problem, torc_sparse *A)
{
    const torc_context *context = A->context;
    for (;;) {
        *choice = torc_selected(A, problem, context->kernel);
        torc_cut cut = torc_families[choice->kernel.family].cut;
        if (!torc_cut_is_plan(cut)) {
            return TORC_SUCCESS;
        }
        torc_status status = context->executor->load(context->device, &choice->kernel);
        if (status == TORC_SUCCESS) {
            status = torc_sparse_cut(A, cut);
        }
        if (status == TORC_SUCCESS && torc_sparse_has_plan(A, cut)) {
            return status;
        }
        if (status != TORC_SUCCESS && !torc_lacks_kernel(status)) {
            return status;
        }
        problem->lacks[cut] = true;
    }
}

/* The candidates but for the chosen one, the best first. They lie on the heap: there may be little stack, and
 * the driver needs some of it. */
static torc_status run_next_best(const torc_problem *problem, const torc_dense *C, torc_sparse *A,
    const torc_dense *B, const torc_update *update, const torc_part *part, torc_status status)
{
    torc_spmm_kernel *list = malloc(TORC_MAX_CANDIDATES * sizeof *list);
    int count = list ? torc_rank_kernels(list, problem) : 0;
    for (int i = 0; i < count && torc_lacks_kernel(status); i++) {
        status = torc_launch_kernel(&list[i], C, A, B, update, part);
    }
    free(list);
    return status;
}

/* Use the chosen kernel. If it does not compile for this device, or there is no compiler for it, use the next
 * best that can be had; executors remember kernels that do not compile. User-defined source is tried once: a
 * mistake in it is in every kernel. */
torc_status torc_multiply_by_row(const torc_dense *C, torc_semiring semiring, torc_sparse *A,
    const torc_dense *B, const torc_update *update, const torc_part *part, bool is_packed)
{
    torc_dense all_c = torc_as_whole(C, part), all_b = torc_as_whole(B, part),
               mask = torc_presence_of(C, update->mask);
    torc_sparse *all_a = part->all_rows ? part->all_rows : A;
    torc_update all_update = *update;
    all_update.mask = torc_as_whole(&mask, part).data;
    torc_problem problem = torc_problem_of(&all_c, semiring, all_a, &all_b, &all_update, is_packed);
    bool is_part = part->whole_columns > 0 || part->all_rows;
    for (int cut = 0; cut < TORC_CUTS && !part->may_plan; cut++) {
        problem.lacks[cut] = problem.lacks[cut] || torc_cut_is_plan((torc_cut)cut);
    }
    if (is_part) {
        torc_rule_out_whole(&problem);
    }
    torc_choice choice;
    torc_status status = choose(&choice, &problem, all_a);
    if (status != TORC_SUCCESS) {
        return status;
    }
    status = choice.program && !is_part && C->ld == C->ncols && B->ld == B->ncols
                 ? run_program(choice.program, C, A, B)
                 : torc_launch_kernel(&choice.kernel, C, A, B, update, part);
    bool is_hopeless = status == TORC_COMPILE_ERROR && semiring.definition;
    if (torc_lacks_kernel(status) && !is_hopeless) {
        for (int cut = 0; cut < TORC_CUTS; cut++) { /* nothing more is planned */
            problem.lacks[cut] = problem.lacks[cut] ||
                                 (torc_cut_is_plan((torc_cut)cut) && !torc_sparse_has_plan(A, (torc_cut)cut));
        }
        status = run_next_best(&problem, C, A, B, update, part, status);
    }
    return status;
}
