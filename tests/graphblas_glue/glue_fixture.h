/* glue_fixture.h: GraphBLAS and torc as most tests of the glue need them. */
#ifndef TORC_GLUE_FIXTURE_H
#define TORC_GLUE_FIXTURE_H

#include "session.h"
#include "traced_mxm.h"
#include <criterion/criterion.h>

static inline void torc_glue_start(void)
{
    torc_trace_begin();
    cr_assert_eq(GrB_init(GrB_NONBLOCKING), GrB_SUCCESS);
}

static inline void torc_glue_finish(void)
{
    torc_session_close();
    GrB_finalize();
}

#endif
