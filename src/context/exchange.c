/* exchange.c: content from device to device between processes, where the context's executor knows a way. */
#include "context.h"
#include <stdlib.h>

struct torc_exchange {
    torc_context *context;
    torc_device_exchange *on_device;
    int number, count;
};

static torc_status refuse_reference(torc_context *context)
{
    return torc_context_refuse(context, TORC_UNSUPPORTED, "the %s executor has no exchange between processes",
        context->executor->name);
}

torc_status torc_exchange_identify(torc_exchange_identity *identity, torc_context *context)
{
    if (!identity || !context) {
        return torc_context_explain(context, TORC_NULL_POINTER, "identity is NULL");
    }
    *identity = (torc_exchange_identity){.version = 0};
    return context->executor->exchange_identity
               ? context->executor->exchange_identity(identity, context->device)
               : refuse_reference(context);
}

torc_status torc_exchange_make_unique_id(torc_exchange_unique_id *id, torc_context *context)
{
    if (!id || !context) {
        return torc_context_explain(context, TORC_NULL_POINTER, "id is NULL");
    }
    return context->executor->exchange_unique_id ? context->executor->exchange_unique_id(id, context->device)
                                                 : refuse_reference(context);
}

torc_status torc_exchange_create(
    torc_exchange **exchange, torc_context *context, const torc_exchange_unique_id *id, int number, int count)
{
    if (exchange) {
        *exchange = NULL;
    }
    if (!exchange || !context || !id) {
        return torc_context_explain(context, TORC_NULL_POINTER, exchange ? "id is NULL" : "exchange is NULL");
    }
    if (number < 0 || number >= count) {
        return torc_context_refuse(context, TORC_INVALID_VALUE, "process %d of %d", number, count);
    }
    if (!context->executor->exchange_open) {
        return refuse_reference(context);
    }
    torc_exchange *made = malloc(sizeof *made);
    if (!made) {
        return TORC_OUT_OF_MEMORY;
    }
    *made = (torc_exchange){.context = context, .number = number, .count = count};
    torc_status status =
        context->executor->exchange_open(&made->on_device, context->device, id, number, count);
    if (status != TORC_SUCCESS) {
        free(made);
        return status;
    }
    *exchange = made;
    return TORC_SUCCESS;
}

void torc_exchange_destroy(torc_exchange *exchange, bool aborts)
{
    if (exchange) {
        exchange->context->executor->exchange_close(exchange->context->device, exchange->on_device, aborts);
    }
    free(exchange);
}

torc_status torc_exchange_progress(torc_exchange_stage *stage, torc_exchange *exchange)
{
    if (!stage || !exchange) {
        return TORC_NULL_POINTER;
    }
    *stage = TORC_EXCHANGE_PENDING;
    torc_context *context = exchange->context;
    return context->executor->exchange_progress(stage, context->device, exchange->on_device);
}

size_t torc_exchange_turn_bytes(const torc_exchange *exchange, bool are_written)
{
    if (!exchange) {
        return 0;
    }
    const torc_executor *executor = exchange->context->executor;
    return are_written ? executor->exchange_written_bytes : executor->exchange_turn_bytes;
}

static torc_status check_turn(torc_context *context, int turn)
{
    return turn >= 0 && turn < TORC_EXCHANGE_TURNS
               ? TORC_SUCCESS
               : torc_context_refuse(context, TORC_INVALID_VALUE, "turn %d", turn);
}

torc_status torc_exchange_move(
    torc_exchange *exchange, int turn, const torc_exchange_piece *pieces, int count)
{
    if (!exchange || (count > 0 && !pieces)) {
        return TORC_NULL_POINTER;
    }
    torc_context *context = exchange->context;
    torc_status status = check_turn(context, turn);
    return status != TORC_SUCCESS || count == 0
               ? status
               : context->executor->exchange_move(context->device, exchange->on_device, turn, pieces, count);
}

torc_status torc_exchange_await(torc_exchange *exchange, int turn)
{
    if (!exchange) {
        return TORC_NULL_POINTER;
    }
    torc_context *context = exchange->context;
    torc_status status = check_turn(context, turn);
    return status == TORC_SUCCESS
               ? context->executor->exchange_await(context->device, exchange->on_device, turn)
               : status;
}

/* ---- Memory that others write to ---------------------------------------------------------------------- */

torc_status torc_exchange_export_events(torc_exchange_events *events, torc_exchange *exchange)
{
    if (!events || !exchange) {
        return TORC_NULL_POINTER;
    }
    torc_context *context = exchange->context;
    return context->executor->exchange_export_events(events, context->device, exchange->on_device);
}

torc_status torc_exchange_import_events(
    torc_exchange *exchange, int other, const torc_exchange_events *events)
{
    if (!exchange || !events) {
        return TORC_NULL_POINTER;
    }
    torc_context *context = exchange->context;
    if (other < 0 || other >= exchange->count || other == exchange->number) {
        return torc_context_refuse(context, TORC_INVALID_VALUE,
            "process %d of %d imports events of process %d", exchange->number, exchange->count, other);
    }
    return context->executor->exchange_import_events(context->device, exchange->on_device, other, events);
}

torc_status torc_exchange_allocate(
    void **memory, torc_exchange_memory_handle *handle, torc_context *context, size_t size)
{
    if (!memory || !handle || !context) {
        return torc_context_explain(context, TORC_NULL_POINTER, memory ? "handle is NULL" : "memory is NULL");
    }
    *memory = NULL;
    const torc_executor *executor = context->executor;
    if (!executor->exchange_allocate) {
        return refuse_reference(context);
    }
    torc_status status = executor->exchange_allocate(memory, handle, context->device, size);
    if (status == TORC_OUT_OF_MEMORY && torc_context_trim(context)) {
        status = executor->exchange_allocate(memory, handle, context->device, size);
    }
    return status;
}

torc_status torc_exchange_map(void **mapped, torc_context *context, const torc_exchange_memory_handle *handle)
{
    if (!mapped || !handle || !context) {
        return torc_context_explain(context, TORC_NULL_POINTER, mapped ? "handle is NULL" : "mapped is NULL");
    }
    *mapped = NULL;
    return context->executor->exchange_map ? context->executor->exchange_map(mapped, context->device, handle)
                                           : refuse_reference(context);
}

void torc_exchange_unmap(torc_context *context, void *mapped)
{
    if (context && mapped) {
        context->executor->exchange_unmap(context->device, mapped);
    }
}

torc_status torc_exchange_ready(torc_exchange *exchange)
{
    if (!exchange) {
        return TORC_NULL_POINTER;
    }
    return exchange->context->executor->exchange_ready(exchange->context->device, exchange->on_device);
}

torc_status torc_exchange_write(torc_exchange *exchange, int turn, const torc_exchange_rows *rows, int count)
{
    if (!exchange || (count > 0 && !rows)) {
        return TORC_NULL_POINTER;
    }
    torc_context *context = exchange->context;
    torc_status status = check_turn(context, turn);
    return status == TORC_SUCCESS
               ? context->executor->exchange_write(context->device, exchange->on_device, turn, rows, count)
               : status;
}
