/* wrapper.c: somebody else's interposer of GrB_mxm, not to be taken for GraphBLAS. */
int GrB_mxm(void);

__attribute__((visibility("default"))) int GrB_mxm(void)
{
    return -1;
}
