/* user_algebra.c: read, compile, look the functions up, make the objects. */
#include "user_algebra.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "grb_try.h"
#include "host_compiler.h"

/* ISO C knows no cast from an object pointer to a function pointer. */
static void look_up(void *function, void *library, const char *name)
{
    void *address = dlsym(library, name);
    memcpy(function, &address, sizeof address);
}

static GrB_Info make_objects(torc_user_algebra *user)
{
    torc_algebra *algebra = &user->algebra;
    GxB_binary_function add, multiply, better;
    GrB_Info info;
    look_up(&add, user->library, "path_add");
    look_up(&multiply, user->library, "path_multiply");
    look_up(&better, user->library, "path_better");
    TRY(GxB_Type_new(&algebra->type, algebra->size, "path", user->text.type));
    GrB_Type path = algebra->type;
    TRY(GxB_BinaryOp_new(&algebra->add, add, path, path, path, "path_add", user->text.add));
    TRY(GxB_BinaryOp_new(&user->multiply, multiply, path, path, path, "path_multiply", user->text.multiply));
    TRY(GxB_BinaryOp_new(&algebra->better, better, GrB_BOOL, path, path, "path_better", user->text.better));
    TRY(GrB_Monoid_new_UDT(&user->monoid, algebra->add, (void *)algebra->nothing));
    TRY(GrB_Semiring_new(&algebra->semiring, user->monoid, user->multiply));
done:
    return info;
}

bool torc_user_algebra_open(torc_user_algebra *user, const char *argument, char error[TORC_ALGEBRA_ERROR])
{
    torc_algebra *algebra = &user->algebra;
    *user = (torc_user_algebra){
        .algebra = {.name = "best", .semiring_name = "user-defined", .has_weights = true}};
    if (!torc_algebra_text_read(&user->text, argument, error)) {
        return false;
    }
    user->library = torc_host_compile(user->text.host, error, TORC_ALGEBRA_ERROR);
    if (!user->library) {
        return false;
    }
    look_up(&algebra->extend, user->library, "path_extend");
    look_up(&algebra->is_better, user->library, "path_is_better");
    look_up(&algebra->edge, user->library, "path_edge");
    look_up(&algebra->show, user->library, "path_show");
    algebra->source = dlsym(user->library, "path_source");
    algebra->nothing = dlsym(user->library, "path_nothing");
    algebra->size = *(const size_t *)dlsym(user->library, "path_size");
    GrB_Info info = make_objects(user);
    if (info != GrB_SUCCESS) {
        snprintf(error, TORC_ALGEBRA_ERROR, "GraphBLAS does not take it: %d", (int)info);
    }
    return info == GrB_SUCCESS;
}

void torc_user_algebra_release(torc_user_algebra *user)
{
    GrB_Semiring_free(&user->algebra.semiring);
    GrB_Monoid_free(&user->monoid);
    GrB_BinaryOp_free(&user->algebra.add);
    GrB_BinaryOp_free(&user->algebra.better);
    GrB_BinaryOp_free(&user->multiply);
    GrB_Type_free(&user->algebra.type);
    if (user->library) {
        dlclose(user->library);
    }
    torc_algebra_text_release(&user->text);
    *user = (torc_user_algebra){0};
}
