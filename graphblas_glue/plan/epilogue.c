#include "epilogue.h"
#include "mask_bytes.h"
#include "match.h"

/* C's old content matters only where there is some. */
static void plan_update(torc_epilogue *epilogue, const torc_output *output)
{
    bool has_content = epilogue->C->nvals > 0;
    bool selects_all = epilogue->mask && epilogue->mask_is_pattern && !output->has_complement &&
                       torc_view_has_all_elements(epilogue->mask);
    if (selects_all) {
        epilogue->mask = NULL;
    }
    bool has_mask = epilogue->mask;
    epilogue->update.complement = has_mask && output->has_complement;
    epilogue->update.replace = has_mask && (output->has_replace || !has_content);
    epilogue->update.has_accum = output->accum && has_content;
    epilogue->reads_old = epilogue->update.has_accum || (has_mask && !epilogue->update.replace);
}

static bool is_fusible(torc_epilogue *epilogue, const torc_output *output, const torc_product *product,
    GrB_Type type, bool may_stay)
{
    const torc_view *C = epilogue->C, *mask = epilogue->mask;
    bool is_readable = true, has_operator = true;
    if (mask) {
        epilogue->mask_is_pattern = torc_mask_is_pattern(&is_readable, mask, output->has_structure);
    }
    if (output->accum) {
        has_operator = torc_match_accum(&epilogue->update.accum, product->result_view.type, output->accum);
    }
    plan_update(epilogue, output);
    bool is_plain = !output->mask && !output->accum;
    epilogue->old_is_listed = epilogue->reads_old && torc_view_is_listed(C);
    bool is_readable_c = !epilogue->old_is_listed || may_stay;
    return C->type == type && is_readable && has_operator && is_readable_c &&
           (is_plain || !product->is_compact);
}

static double travelling_bytes(const torc_epilogue *epilogue, const torc_product *product)
{
    const torc_view *C = epilogue->C;
    double cells = (double)product->result_view.nrows * (double)product->result_view.ncols;
    double bytes = epilogue->has_presence ? cells : 0;
    bytes +=
        torc_product_has_bitmap(product) ? (double)product->dense->nrows * (double)product->dense->ncols : 0;
    bytes += epilogue->mask ? cells : 0;
    if (epilogue->reads_old) {
        bytes += (C->iso ? 0 : cells * (double)C->type_size) + (epilogue->has_presence ? cells : 0);
    }
    return bytes;
}

void torc_epilogue_plan(torc_epilogue *epilogue, const torc_output *output, const torc_view *C,
    const torc_view *mask, torc_product *product, GrB_Type type, bool may_stay)
{
    *epilogue = (torc_epilogue){.C = C, .mask = mask};
    epilogue->is_fused = is_fusible(epilogue, output, product, type, may_stay);
    if (!epilogue->is_fused) {
        *epilogue = (torc_epilogue){
            .C = C,
            .wants_bitmap = output->mask && output->accum, /* SuiteSparse 7.4 crashes on a full T there */
        };
    }
    epilogue->is_full =
        epilogue->update.has_accum && torc_view_has_all_elements(C) && !epilogue->update.replace;
    epilogue->has_presence =
        !epilogue->is_full && (torc_product_has_bitmap(product) || epilogue->mask || epilogue->reads_old);
    product->side_bytes = travelling_bytes(epilogue, product);
}
