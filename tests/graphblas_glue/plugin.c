/* plugin.c: an extension module that links to GraphBLAS. */
#include <GraphBLAS.h>

int plugin_answer(void);

int plugin_answer(void)
{
    unsigned version, subversion;
    return GrB_getVersion(&version, &subversion);
}
