/* Each PE has an image of its own: globals, statics, constants that point into the image, thread-locals (also with
 * initial values that are addresses), function pointers, arguments; constructors and destructors run once a PE, in
 * order, with its arguments.
 *
 * RUN: -n 1,2,5 --seeds 1 --choosers random --contexts fiber,thread --hooks yes,no --args "alpha beta"
 * RUN: -n 3 --seeds 1 --backends direct --args "alpha beta"
 * EXPECT: clean
 * STDOUT~ ok
 */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int early, late, calls;
static int value = 41;
static int *const pointer = &value;
static int *moving = &value;
static __thread int local = 7;
static __thread int *local_pointer = &value;
static __thread char local_zero[100];
static int (*const compare)(const char *, const char *) = strcmp;

static int
own_function(void)
{
    return ++calls;
}

static int (*own)(void) = own_function;

__attribute__((constructor(101))) static void
first(int argc, char **argv, char **envp)
{
    early = argc == 3 && !strcmp(argv[1], "alpha") && envp && late == 0;
    argv[1][0] = 'A';
}

__attribute__((constructor(102))) static void
second(int argc, char **argv)
{
    late = early && argc == 3 && argv[1][0] == 'A';
    local_zero[5] = 1;
}

__attribute__((destructor)) static void
last(void)
{
    if (value < 1000)
        _Exit(9);
    printf("ok\n");
}

static void
require(int line, int condition)
{
    if (!condition) {
        printf("line %d\n", line);
        exit(1);
    }
}
#define REQUIRE(condition) require(__LINE__, condition)

int
main(int argc, char **argv)
{
    REQUIRE(early && late && argc == 3 && !argv[3]);
    REQUIRE(!strcmp(argv[1], "Alpha") && !strcmp(argv[2], "beta"));
    REQUIRE(value == 41 && pointer == &value && moving == &value && local_pointer == &value);
    REQUIRE(local == 7 && local_zero[5] == 1 && local_zero[6] == 0);
    REQUIRE(compare("a", "a") == 0 && own() == 1);
    shmem_init();
    int me = shmem_my_pe();
    value += 1000 * (me + 1);
    local += me;
    argv[2][0] = (char)('a' + me);
    shmem_barrier_all();
    REQUIRE(*pointer == 41 + 1000 * (me + 1) && local == 7 + me && *local_pointer == value);
    REQUIRE(argv[2][0] == 'a' + me && own() == 2);
    shmem_finalize();
    return 0;
}
