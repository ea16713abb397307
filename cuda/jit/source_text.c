#include "source_text.h"
#include <stdarg.h>
#include <stdio.h>

/* What a value is stored as, and what it is in registers and in C. */
static const struct {
    const char *stored, *computed;
} types[TORC_TYPE_COUNT] = {
    [TORC_BOOL] = {"torc::boolean", "bool"},
    [TORC_INT8] = {"int8_t", "int8_t"},
    [TORC_INT16] = {"int16_t", "int16_t"},
    [TORC_INT32] = {"int32_t", "int32_t"},
    [TORC_INT64] = {"int64_t", "int64_t"},
    [TORC_UINT8] = {"uint8_t", "uint8_t"},
    [TORC_UINT16] = {"uint16_t", "uint16_t"},
    [TORC_UINT32] = {"uint32_t", "uint32_t"},
    [TORC_UINT64] = {"uint64_t", "uint64_t"},
    [TORC_FP32] = {"float", "float"},
    [TORC_FP64] = {"double", "double"},
    [TORC_FC32] = {"torc::complex<float>", "torc::complex<float>"},
    [TORC_FC64] = {"torc::complex<double>", "torc::complex<double>"},
};

const char *torc_text_access(torc_access access)
{
    static const char *const accesses[] = {
        [TORC_ACCESS_NONE] = "torc::access_none",
        [TORC_ACCESS_ISO] = "torc::access_iso",
        [TORC_ACCESS_ARRAY] = "torc::access_array",
    };
    return accesses[access];
}

const char *torc_text_stored(const char *alias, torc_type type)
{
    return type > TORC_OPAQUE ? alias : types[type].stored;
}

void torc_text_append(torc_text *to, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    size_t room = TORC_SOURCE_SIZE - to->length;
    int length = vsnprintf(to->characters + to->length, room, format, arguments);
    va_end(arguments);
    to->is_whole = to->is_whole && length >= 0 && (size_t)length < room;
    to->length += to->is_whole ? (size_t)length : 0;
}

bool torc_text_has_source(torc_semiring semiring)
{
    const torc_definition *definition = semiring.definition;
    return (semiring.add != TORC_USER_MONOID || (definition->source && definition->add)) &&
           (semiring.multiply != TORC_USER || (definition->source && definition->multiply));
}

void torc_text_append_type(torc_text *to, const char *alias, torc_type type, const char *user_name)
{
    if (type <= TORC_OPAQUE) {
        torc_text_append(to, "using %s = %s;\n", alias, types[type].computed);
    } else if (user_name) {
        torc_text_append(to, "using %s = torc_c::user::%s;\n", alias, user_name);
    } else {
        torc_text_append(to, "using %s = torc::opaque<%zu>;\n", alias, torc_type_size(type));
    }
    torc_text_append(
        to, "static_assert(sizeof(%s) == %zu, \"host and kernel disagree\");\n", alias, torc_type_size(type));
}

void torc_text_append_call(torc_text *to, const char *name, const char *function)
{
    torc_text_append(to,
        "struct %s {\n"
        "    template <class... Arguments>\n"
        "    static __device__ void call(Arguments... arguments)\n"
        "    {\n"
        "        torc_c::user::%s(arguments...);\n"
        "    }\n"
        "};\n",
        name, function);
}

static void append_identity(torc_text *to, const unsigned char *identity, size_t size)
{
    torc_text_append(to, "struct user_identity {\n"
                         "    static __device__ z_type value()\n"
                         "    {\n"
                         "        const unsigned char bytes[sizeof(z_type)] = {");
    for (size_t i = 0; identity && i < size; i++) {
        torc_text_append(to, "%d,", identity[i]);
    }
    torc_text_append(to, "};\n"
                         "        z_type z;\n"
                         "        memcpy(&z, bytes, sizeof z);\n"
                         "        return z;\n"
                         "    }\n"
                         "};\n");
}

void torc_text_append_monoid(torc_text *to, torc_semiring semiring, torc_type z_type)
{
    if (semiring.add == TORC_USER_MONOID) {
        torc_text_append_call(to, "user_add", semiring.definition->add);
        append_identity(to, semiring.definition->identity, torc_type_size(z_type));
        torc_text_append(to, "using monoid = torc::user_monoid<z_type, user_add, user_identity>;\n");
    } else {
        torc_text_append(to, "using monoid = torc::%s_monoid<z_type>;\n", torc_monoid_name(semiring.add));
    }
}

void torc_text_append_multiply(torc_text *to, torc_semiring semiring)
{
    if (semiring.multiply == TORC_USER) {
        torc_text_append_call(to, "user_function", semiring.definition->multiply);
        torc_text_append(to,
            "using multiply = torc::user_multiply<x_type, y_type, z_type, user_function, %s>;\n",
            semiring.is_flipped ? "true" : "false");
    } else {
        torc_text_append(to, "using multiply = torc::%s<x_type>;\n", torc_multiply_name(semiring.multiply));
    }
}

void torc_text_append_source(torc_text *to, torc_semiring semiring)
{
    if (semiring.add == TORC_USER_MONOID || semiring.multiply == TORC_USER) {
        torc_text_append(to, "#include \"user_operators.cuh\"\nnamespace torc_c::user\n{\n%s\n}\n",
            semiring.definition->source);
    }
}

void torc_text_append_types(torc_text *to, torc_semiring semiring, torc_traits traits)
{
    static const torc_definition none;
    const torc_definition *definition = semiring.definition ? semiring.definition : &none;
    bool is_flipped = semiring.is_flipped;
    torc_text_append_type(to, "x_type", traits.x_type, is_flipped ? definition->y.name : definition->x.name);
    torc_text_append_type(to, "y_type", traits.y_type, is_flipped ? definition->x.name : definition->y.name);
    torc_text_append_type(to, "z_type", traits.z_type, definition->z.name);
}
