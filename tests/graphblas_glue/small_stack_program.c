/* small_stack_program KIB: multiplies in a thread whose stack has so many KiB, and prints the sum. */
#include "program_product.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *multiply(void *info)
{
    *(GrB_Info *)info = program_product_multiply(C, B);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    pthread_attr_t attributes;
    GrB_Info info = GrB_PANIC;
    TORC_REQUIRE(argc == 2);
    program_product_make();
    TORC_REQUIRE(pthread_attr_init(&attributes) == 0);
    TORC_REQUIRE(pthread_attr_setstacksize(&attributes, strtoul(argv[1], NULL, 10) << 10) == 0);
    TORC_REQUIRE(pthread_create(&thread, &attributes, multiply, &info) == 0);
    TORC_REQUIRE(pthread_join(thread, NULL) == 0);
    OK(info);
    printf("%.0f\n", program_product_sum(C));
    return 0;
}
