/* grb_try.h: call GraphBLAS and leave for `done` where it fails; the function has `GrB_Info info`. */
#ifndef TORC_GRB_TRY_H
#define TORC_GRB_TRY_H

#define TRY(call)                                                                                            \
    do {                                                                                                     \
        info = (call);                                                                                       \
        if (info != GrB_SUCCESS) {                                                                           \
            goto done;                                                                                       \
        }                                                                                                    \
    } while (0)

#endif
