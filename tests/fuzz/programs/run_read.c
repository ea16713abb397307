/* run_read.c: everything that an object holds, read in unusual ways: by threads at once, in a child, out of
 * the middle of a loop. Only the subject is: the model is what it is compared with. */
#include "contents.h"
#include "iterate.h"
#include "require.h"
#include "run.h"
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { READERS = 3 };

typedef struct reader {
    pthread_t thread;
    const program_object *object;
    const contents *expected;
    char difference[256]; /* empty: none */
} reader;

static void compare(reader *r, read_way way)
{
    contents actual = torc_contents_read(r->object, SUBJECT, way);
    const char *found = torc_contents_compare(r->expected, &actual, r->object->has_unsure_values);
    snprintf(r->difference, sizeof r->difference, "%s", found ? found : "");
    torc_contents_free(&actual);
}

static void *read_in_thread(void *data)
{
    compare(data, READ_TUPLES);
    return NULL;
}

static bool has_had_threads;

bool torc_has_had_threads(void)
{
    return has_had_threads;
}

static void compare_in_threads(reader *first)
{
    has_had_threads = true;
    reader readers[READERS];
    torc_object_wait(first->object, SUBJECT);
    for (int i = 0; i < READERS; i++) {
        readers[i] = *first;
        TORC_REQUIRE(pthread_create(&readers[i].thread, NULL, read_in_thread, &readers[i]) == 0);
    }
    for (int i = 0; i < READERS; i++) {
        TORC_REQUIRE(pthread_join(readers[i].thread, NULL) == 0);
        if (readers[i].difference[0]) {
            memcpy(first->difference, readers[i].difference, sizeof first->difference);
        }
    }
}

static void compare_in_child(reader *r)
{
    int status;
    pid_t child = fork();
    TORC_REQUIRE(child >= 0);
    if (child == 0) {
        compare(r, READ_TUPLES);
        _exit(r->difference[0] != '\0');
    }
    TORC_REQUIRE(waitpid(child, &status, 0) == child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        snprintf(r->difference, sizeof r->difference, "a child %s",
            WIFEXITED(status) ? "reads something else" : "dies of reading");
    }
}

static void compare_after_jump(reader *r)
{
    static contents c; /* setjmp leaves automatic variables undefined */
    jmp_buf environment;
    c = torc_contents_read(r->object, SUBJECT, READ_TUPLES);
    if (setjmp(environment) == 0) {
        torc_iterate(&c, r->object, &environment);
    }
    torc_contents_free(&c);
    compare(r, READ_ITERATOR);
}

GrB_Info torc_run_read_object(const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    static reader r;
    if (g->index == MODEL) {
        return GrB_SUCCESS;
    }
    contents expected = torc_contents_read(&state->objects[s->a], MODEL, READ_TUPLES);
    r = (reader){.object = &state->objects[s->a], .expected = &expected};
    switch ((read_way)s->variant) {
    case READ_THREADS:
        compare_in_threads(&r);
        break;
    case READ_FORK:
        compare_in_child(&r);
        break;
    case READ_LONGJMP:
        compare_after_jump(&r);
        break;
    default:
        compare(&r, (read_way)s->variant);
        break;
    }
    torc_contents_free(&expected);
    answer->difference = r.difference[0] ? r.difference : NULL;
    return GrB_SUCCESS;
}
