/* stub_plugin.c: says what the GraphBLAS answers that it was linked to. */
#include <GraphBLAS.h>
#include <stdio.h>

void plugin_run(void);

void plugin_run(void)
{
    int started = GrB_init(GrB_NONBLOCKING), multiplied = GrB_mxm(NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    printf("start %d, mxm %d, ", started, multiplied);
    printf("end %d\n", GrB_finalize());
}
