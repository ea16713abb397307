/* check.c: see check.h. Each step runs on the model first: where SuiteSparse itself dies, it dies there. */
#include "check.h"
#include "contents.h"
#include "globals.h"
#include "keep_out.h"
#include "require.h"
#include "run.h"
#include <string.h>

enum { TEXT_OF_ERROR = 512 };

typedef GrB_Info (*step_function)(
    const side *g, program_state *state, const program_step *s, step_answer *answer);

static const step_function functions[] = {
#define X(kind, run) [STEP_##kind] = torc_run_##run,
    STEP_MAP(X)
#undef X
};

static const char *compare_answers(const GrB_Info infos[SIDES], const step_answer answers[SIDES],
    bool has_unsure_values, char *text, size_t size)
{
    const step_answer *expected = &answers[MODEL], *actual = &answers[SUBJECT];
    if (infos[MODEL] != infos[SUBJECT]) {
        snprintf(text, size, "returns %d instead of %d", (int)infos[SUBJECT], (int)infos[MODEL]);
        return text;
    }
    if (expected->count != actual->count || expected->has_value != actual->has_value) {
        snprintf(text, size, "counts %llu instead of %llu", (unsigned long long)actual->count,
            (unsigned long long)expected->count);
        return text;
    }
    if (expected->has_value && !has_unsure_values &&
        !torc_value_equal(expected->type, expected->value, actual->value)) {
        snprintf(text, size, "answers %.17g instead of %.17g",
            torc_value_as_double(expected->type, actual->value),
            torc_value_as_double(expected->type, expected->value));
        return text;
    }
    return actual->difference;
}

/* Or it becomes so since it has one value, as it may on one side alone. */
static bool is_structural(const program_state *state, const program_step *s)
{
    const program_object *M = &state->objects[s->m];
    return s->structure || s->m == s->c || torc_object_is_iso(M, MODEL) || torc_object_is_iso(M, SUBJECT);
}

/* 7.4.0 may take over sparsity control and switches in an assignment under a structural mask, which any other
 * operation under one may be inside, and forgets switches where it reshapes a sparse object, or makes it the
 * sum or product of dense ones. */
static void note_effects(program_state *state, const program_step *s, bool has_unsure_values)
{
    program_object *c = s->c == NO_SLOT ? NULL : &state->objects[s->c];
    bool is_assign = s->kind == STEP_ASSIGN || s->kind == STEP_ASSIGN_SCALAR;
    bool is_ewise = s->kind == STEP_EWISE_ADD || s->kind == STEP_EWISE_MULT || s->kind == STEP_EWISE_UNION;
    bool loses_switches = s->kind == STEP_RESHAPE || is_ewise;
    if (s->kind == STEP_SWAP) { /* the handles are */
        program_object *x = &state->objects[s->a], *y = &state->objects[s->b], z = *x;
        x->type = y->type;
        x->has_unsure_values = y->has_unsure_values;
        x->has_unsure_control = y->has_unsure_control;
        x->has_forgetful_control = y->has_forgetful_control;
        x->has_unsure_switches = y->has_unsure_switches;
        y->type = z.type;
        y->has_unsure_values = z.has_unsure_values;
        y->has_unsure_control = z.has_unsure_control;
        y->has_forgetful_control = z.has_forgetful_control;
        y->has_unsure_switches = z.has_unsure_switches;
    } else if (s->kind == STEP_NEW || s->kind == STEP_CLEAR) {
        c->has_unsure_values = false;
        c->has_unsure_control = c->has_unsure_control && s->kind == STEP_CLEAR;
        c->has_forgetful_control = c->has_forgetful_control && s->kind == STEP_CLEAR;
        c->has_unsure_switches = c->has_unsure_switches && s->kind == STEP_CLEAR;
    } else if (s->kind == STEP_KRONECKER || s->kind == STEP_CONCAT ||
               (s->kind == STEP_IMPORT && !step_is_blob(s))) {
        c->has_unsure_values = has_unsure_values;
        c->has_unsure_control = c->has_forgetful_control = c->has_unsure_switches = false;
    } else if (s->kind == STEP_DUP || step_is_blob(s) || s->kind == STEP_SPLIT) {
        c->has_unsure_values = state->objects[s->a].has_unsure_values;
        c->has_unsure_control = state->objects[s->a].has_unsure_control;
        c->has_forgetful_control = state->objects[s->a].has_forgetful_control;
        c->has_unsure_switches = state->objects[s->a].has_unsure_switches;
    } else if (s->kind == STEP_CONTAIN) {
        c->has_unsure_values = has_unsure_values;
        c->has_unsure_control |= state->objects[s->a].has_unsure_control;
        c->has_forgetful_control |= state->objects[s->a].has_forgetful_control;
        c->has_unsure_switches |= state->objects[s->a].has_unsure_switches;
    } else if (c) {
        c->has_unsure_values |= has_unsure_values;
        c->has_unsure_control |= s->m != NO_SLOT && (is_structural(state, s) || is_assign);
        c->has_forgetful_control |=
            is_ewise || ((is_assign || s->kind == STEP_EXTRACT) && s->m != NO_SLOT && s->replace);
        c->has_unsure_switches |= loses_switches || (s->m != NO_SLOT && is_structural(state, s));
    }
}

/* 7.4.0 takes a mask that is an operand too for another one where it is unsorted inside, as one side may be
 * alone. */
static void sort_aliased_mask(const program_state *state, const program_step *s)
{
    bool is_aliased = s->m != NO_SLOT && (s->m == s->c || s->m == s->a || s->m == s->b);
    for (int i = 0; i < SIDES && is_aliased; i++) {
        torc_object_wait(&state->objects[s->m], i);
    }
}

/* Waiting clears it: 7.4.0 may free it twice later. */
static void take_text_of_error(
    char text[TEXT_OF_ERROR], const program_state *state, const program_step *s, int i)
{
    const program_object *C = &state->objects[s->c == NO_SLOT ? 0 : s->c];
    const side *g = &torc_sides()[i];
    const char *found = NULL;
    if (s->c != NO_SLOT && C->exists) {
        GrB_Info info = C->is_vector ? g->GrB_Vector_error(&found, C->handles[i].vector)
                                     : g->GrB_Matrix_error(&found, C->handles[i].matrix);
        TORC_REQUIRE(info == GrB_SUCCESS);
        snprintf(text, TEXT_OF_ERROR, "%s", found ? found : "");
        torc_object_wait(C, i);
    }
}

static const char *run_step(
    program_check *check, const program *p, program_state *state, const program_step *s)
{
    GrB_Info infos[SIDES];
    step_answer answers[SIDES];
    char texts[SIDES][TEXT_OF_ERROR] = {""};
    if (torc_is_kept_out(p, state, s)) {
        check->nskipped++;
        return NULL;
    }
    bool is_unsure = torc_has_unsure_values(state, s);
    memset(answers, 0, sizeof answers);
    sort_aliased_mask(state, s);
    for (int i = 0; i < SIDES; i++) {
        infos[i] = functions[s->kind](&torc_sides()[i], state, s, &answers[i]);
        if (i == MODEL && s->c != NO_SLOT && state->objects[s->c].exists &&
            !torc_object_is_valid(&state->objects[s->c], MODEL)) {
            check->is_abandoned = true;
            return NULL;
        }
        if (infos[i] != GrB_SUCCESS) {
            take_text_of_error(texts[i], state, s, i);
        }
    }
    note_effects(state, s, is_unsure);
    check->nrun++;
    const char *found =
        compare_answers(infos, answers, is_unsure, check->difference, sizeof check->difference);
    return found || strcmp(texts[MODEL], texts[SUBJECT]) == 0 ? found : "the text of an error is another";
}

static const char *compare_object(program_check *check, const program_object *object, read_way way)
{
    const char *found = torc_object_is_valid(object, SUBJECT) ? NULL : "GxB_fprint finds it invalid";
    found = found ? found : torc_settings_compare(object, &check->formats);
    if (!found) {
        contents expected = torc_contents_read(object, MODEL, READ_TUPLES);
        contents actual = torc_contents_read(object, SUBJECT, way);
        found = torc_contents_compare(&expected, &actual, object->has_unsure_values);
        torc_contents_free(&expected);
        torc_contents_free(&actual);
    }
    return found;
}

static void compare_all(program_check *check, const program *p, const program_state *state)
{
    for (int slot = 0; slot < SLOTS && check->is_same; slot++) {
        const program_object *object = &state->objects[slot];
        read_way way = (read_way)((p->seed + (uint64_t)slot) % READ_THREADS);
        const char *found = object->exists ? compare_object(check, object, way) : NULL;
        if (found) {
            snprintf(check->difference, sizeof check->difference, "at the end %c%d: %s",
                object->is_vector ? 'v' : 'A', object->is_vector ? slot - MATRICES : slot, found);
            check->is_same = false;
        }
    }
}

void torc_program_check(program_check *check, const program *p, const bool *is_left_out)
{
    program_state state;
    memset(&state, 0, sizeof state);
    torc_globals_restore();
    *check = (program_check){.is_same = true};
    for (check->failed_step = 0; check->failed_step < p->nsteps; check->failed_step++) {
        const program_step *s = &p->steps[check->failed_step];
        const char *found =
            is_left_out && is_left_out[check->failed_step] ? NULL : run_step(check, p, &state, s);
        if (check->is_abandoned) {
            break;
        }
        if (found) {
            memmove(check->difference, found, strnlen(found, sizeof check->difference - 1) + 1);
            check->is_same = false;
            break;
        }
    }
    if (check->is_same && !check->is_abandoned) {
        compare_all(check, p, &state);
    }
    for (int slot = 0; slot < SLOTS; slot++) {
        torc_object_free(&state.objects[slot]);
    }
    torc_globals_restore();
}
