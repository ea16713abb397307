/* graph_matrix.c: built from the two index arrays, in either order. */
#include "graph_matrix.h"

#include "grb_try.h"

GrB_Info torc_graph_pattern(GrB_Matrix *A, const torc_graph *graph, bool is_transposed)
{
    GrB_Index n = graph->nvertices;
    const GrB_Index *row = is_transposed ? graph->target : graph->source;
    const GrB_Index *column = is_transposed ? graph->source : graph->target;
    GrB_Scalar present = NULL;
    GrB_Info info;
    *A = NULL;
    TRY(GrB_Scalar_new(&present, GrB_BOOL));
    TRY(GrB_Scalar_setElement_BOOL(present, true));
    TRY(GrB_Matrix_new(A, GrB_BOOL, n, n));
    if (graph->nedges > 0) { /* without edges there are no arrays, which GraphBLAS would refuse */
        TRY(GxB_Matrix_build_Scalar(*A, row, column, present, graph->nedges));
    }
    TRY(GrB_Matrix_wait(*A, GrB_MATERIALIZE));
done:
    GrB_Scalar_free(&present);
    if (info != GrB_SUCCESS) {
        GrB_Matrix_free(A);
    }
    return info;
}

GrB_Info torc_graph_weights(
    GrB_Matrix *AT, const torc_graph *graph, GrB_Type type, const void *weight, GrB_BinaryOp parallel)
{
    GrB_Info info;
    *AT = NULL;
    TRY(GrB_Matrix_new(AT, type, graph->nvertices, graph->nvertices));
    if (graph->nedges > 0 && type == GrB_FP64) {
        TRY(GrB_Matrix_build_FP64(*AT, graph->target, graph->source, weight, graph->nedges, parallel));
    } else if (graph->nedges > 0) {
        TRY(GrB_Matrix_build_UDT(*AT, graph->target, graph->source, weight, graph->nedges, parallel));
    }
    TRY(GrB_Matrix_wait(*AT, GrB_MATERIALIZE));
done:
    if (info != GrB_SUCCESS) {
        GrB_Matrix_free(AT);
    }
    return info;
}
