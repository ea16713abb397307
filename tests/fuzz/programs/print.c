/* print.c: see print.h. Matrices are A0, A1, ..., vectors v0, v1, ...; what a step has is named, what it has
 * not is left out. Below it are the functions that it uses; user_operators.h says what BARE_ and OWN_ mean;
 * UDT is value_path of value_types.h. */
#include "print.h"
#include "operators.h"
#include "user_operators.h"

static void print_slot(FILE *out, const char *title, int slot)
{
    if (slot != NO_SLOT) {
        fprintf(out, "%s%c%d", title, is_vector_slot(slot) ? 'v' : 'A',
            is_vector_slot(slot) ? slot - MATRICES : slot);
    }
}

static void print_operator(FILE *out, const char *title, program_operator op)
{
    if (op.name) {
        fprintf(out, "%s%s_%s", title, op.name, torc_value_type_name(op.type));
    }
}

static void print_functions(FILE *out, const program_step *s)
{
    const program_operator used[] = {s->op, s->accum, s->semiring.multiply,
        {s->semiring.add, s->semiring.add ? torc_result_type(s->semiring.multiply) : VALUE_BOOL}};
    for (size_t i = 0; i < sizeof used / sizeof *used; i++) {
        const char *source = torc_user_source(used[i]);
        if (source) {
            fprintf(out, "      %s\n", source);
        }
    }
}

static void print_indices(FILE *out, const char *title, const index_choice *choice)
{
    unsigned long long first = choice->first, stride = choice->stride, count = choice->count;
    switch (choice->bound == 0 ? -1 : (int)choice->kind) {
    case -1:
        break;
    case LIST_ALL:
        fprintf(out, "%sall", title);
        break;
    case LIST_RANGE:
        fprintf(out, "%srange %llu..%llu", title, first, first + count - 1);
        break;
    case LIST_STRIDE:
    case LIST_BACKWARDS:
        fprintf(out, "%s%llu of them by %llu from %llu%s", title, count, stride, first,
            choice->kind == LIST_BACKWARDS ? ", backwards" : "");
        break;
    default:
        fprintf(out, "%slist of %llu: (%llu + p * %llu) %% %llu", title, count, first, stride,
            (unsigned long long)choice->bound);
    }
}

static void print_recipe(FILE *out, const object_recipe *r)
{
    const char *format = r->format == GxB_FULL     ? "full"
                         : r->format == GxB_BITMAP ? "bitmap"
                         : r->format == GxB_SPARSE ? "sparse"
                                                   : "hypersparse";
    fprintf(out, ", %s %llu x %llu %s by %s%s%s, degree %llu, %d set later, control %d",
        torc_value_type_name(r->type), (unsigned long long)r->nrows, (unsigned long long)r->ncols, format,
        r->by_col ? "column" : "row", r->iso ? ", iso" : "", r->is_copied ? ", copied" : "",
        (unsigned long long)r->degree, r->npending, r->control);
}

void torc_step_print(FILE *out, int number, const program_step *s)
{
    fprintf(out, "%4d  %s (", number, torc_step_name(s->kind));
    print_slot(out, "", s->c);
    print_slot(out, ", mask ", s->m);
    print_operator(out, ", accum ", s->accum);
    print_operator(out, ", ", s->op);
    if (s->semiring.add) {
        fprintf(out, ", %s_%s_%s%s", s->semiring.add, s->semiring.multiply.name,
            torc_value_type_name(s->semiring.multiply.type), s->semiring.is_own ? " of its own" : "");
    }
    print_slot(out, ", ", s->a);
    print_slot(out, ", ", s->b);
    print_indices(out, ", rows ", &s->rows);
    print_indices(out, ", columns ", &s->cols);
    if (s->scalar != 0 || s->imaginary != 0) {
        fprintf(out, ", %s %g", torc_value_type_name(s->scalar_type), s->scalar);
    }
    if (s->imaginary != 0) {
        fprintf(out, " + %gi", s->imaginary);
    }
    fprintf(
        out, "%s%s", s->lacks_value ? ", no value" : "", s->has_index_vectors ? ", indices in vectors" : "");
    if (s->i != 0 || s->j != 0) {
        fprintf(out, ", at %llu %llu", (unsigned long long)s->i, (unsigned long long)s->j);
    }
    if (s->kind == STEP_NEW) {
        print_recipe(out, &s->recipe);
    }
    fprintf(out, "%s%s%s%s%s%s%s", s->variant ? ", variant " : "",
        s->variant ? (char[2]){(char)('0' + s->variant)} : "", s->replace ? ", R" : "",
        s->structure ? ", S" : "", s->complement ? ", C" : "", s->transpose_a ? ", T0" : "",
        s->transpose_b ? ", T1" : "");
    fprintf(out, ");\n");
    print_functions(out, s);
}

void torc_program_print(FILE *out, const program *p, const bool *is_left_out)
{
    for (int i = 0; i < p->nsteps; i++) {
        if (!is_left_out || !is_left_out[i]) {
            torc_step_print(out, i, &p->steps[i]);
        }
    }
}
