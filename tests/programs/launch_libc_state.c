/* What libc keeps once per process, each PE has for itself: random numbers (the sequences of glibc), strtok, the
 * calendar's static result, getopt with its variables.
 *
 * RUN: -n 3 --seeds 1 --choosers random --contexts fiber,thread --args "-a one -b two -c3 rest --long=x -- -d"
 * RUN: -n 3 --seeds 1 --backends direct --args "-a one -b two -c3 rest --long=x -- -d"
 * EXPECT: clean
 * STDOUT: ok
 * STDOUT: ok
 * STDOUT: ok
 */
#include <getopt.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void
require(int line, int condition)
{
    if (!condition) {
        printf("line %d\n", line);
        exit(1);
    }
}
#define REQUIRE(condition) require(__LINE__, condition)

static void
random_numbers(int me)
{
    static const int of_seed_1[] = {1804289383, 846930886, 1681692777, 1714636915};
    for (int i = 0; i < 4; i++) {
        REQUIRE(rand() == of_seed_1[i]);
        shmem_barrier_all();
    }
    srand(42 + (unsigned)me);
    int numbers[3];
    for (int i = 0; i < 3; i++) {
        numbers[i] = rand();
        shmem_barrier_all();
    }
    srandom(42 + (unsigned)me);
    for (int i = 0; i < 3; i++)
        REQUIRE(random() == numbers[i]);
    char state[64];
    char *before = initstate(7, state, sizeof state);
    long other = random();
    setstate(before);
    long next = random();
    srandom(42 + (unsigned)me);
    for (int i = 0; i < 3; i++)
        random();
    REQUIRE(random() == next && next != other);
    srand48(5);
    double x = drand48();
    shmem_barrier_all();
    srand48(5);
    REQUIRE(drand48() == x && lrand48() >= 0);
}

static void
words(int me)
{
    char text[] = "a b c d";
    int n = 0;
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
        REQUIRE(*word == 'a' + n++);
        shmem_barrier_all();
    }
    REQUIRE(n == 4);
    time_t when = 86400 * me;
    struct tm *day = gmtime(&when);
    shmem_barrier_all();
    REQUIRE(day->tm_mday == 1 + me && strstr(asctime(day), " Jan "));
}

static void
arguments(int argc, char **argv)
{
    static const struct option longs[] = {{"long", required_argument, NULL, 'l'}, {NULL, 0, NULL, 0}};
    static const char expected[] = "abcl";
    int n = 0;
    for (int c; (c = getopt_long(argc, argv, "a:b:c:d", longs, NULL)) != -1; n++) {
        REQUIRE(c == expected[n]);
        REQUIRE(!strcmp(optarg, c == 'a' ? "one" : c == 'b' ? "two" : c == 'c' ? "3" : "x"));
        shmem_barrier_all();
    }
    REQUIRE(n == 4 && optind == argc - 2 && !strcmp(argv[optind], "rest") && !strcmp(argv[optind + 1], "-d"));
    optind = 1;
    opterr = 0;
    REQUIRE(getopt(argc, argv, "x") == '?' && optopt == 'a');
}

int
main(int argc, char **argv)
{
    shmem_init();
    random_numbers(shmem_my_pe());
    words(shmem_my_pe());
    arguments(argc, argv);
    shmem_finalize();
    printf("ok\n");
    return 0;
}
