/* upfront.h: are operands worth sending for the calls to come?
 *
 * What stays on the device is sent once, and the first call with it should not have to pay for all. So calls
 * that stay on the CPU, and would be faster on the device if their operands were there, keep an account of
 * what they lose by it. Once that is as much as sending takes, the next one sends (the ski rental rule: at
 * most twice the best that could have been done). In a program that gained by the device last time (profit.h)
 * the first call sends, as long as what was sent and is not paid back is no more than opening the device
 * takes. An operand that was sent in vain, since it changed before the calls that found it there had gained
 * as much as sending took, has to lose twice as much the next time, and so on up to 256 times.
 *
 * The account of a product is the sparse operand's; or, where that is on the device and the dense one is not,
 * that of like calls (experience.h). Inputs of a dense operation have one together. Some thousand
 * accounts are remembered. Any thread. */
#ifndef TORC_UPFRONT_H
#define TORC_UPFRONT_H

#include "decision.h"

/* What of a call tells its account. */
typedef struct torc_upfront_call {
    uint64_t kept; /* a number that calls with the same sparse operand, or the same inputs, share */
    uint64_t like; /* one that like calls share */
    bool lacks_kept, lacks_dense; /* on the device; a dense operation has no operand beside those */
} torc_upfront_call;

torc_upfront_call torc_upfront_call_of(
    const torc_view *S, uint64_t like, const torc_circumstances *circumstances);

/* Takes from cost->gpu what is paid up front, where calls before this one have lost as much. */
void torc_upfront_apply(torc_cost *cost, const torc_upfront_call *call);

/* Seconds that the call would gain by the device if its operands were there. */
double torc_upfront_gain(const torc_cost *cost);

/* The call is done. cost: as applied. */
void torc_upfront_note(const torc_cost *cost, const torc_upfront_call *call, bool is_on_device);

#endif
