/* stub_plugin.c: says what the GraphBLAS answers that it was linked to, and whether it frees by the plugin's
 * own free. */
#include <GraphBLAS.h>
#include <stdio.h>
#include <stdlib.h>

void plugin_run(void);
GrB_Info GrB_Global_get_VOID(void *global, void *value, int field);

void plugin_run(void)
{
    int started = GrB_init(GrB_NONBLOCKING), multiplied = GrB_mxm(NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    void (*release)(void *) = NULL;
    GrB_Global_get_VOID(NULL, &release, 0);
    printf("start %d, mxm %d, frees by free: %d, ", started, multiplied, release == free);
    printf("end %d\n", GrB_finalize());
}
