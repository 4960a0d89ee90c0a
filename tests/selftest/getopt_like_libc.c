/* getopt, getopt_long and getopt_long_only against libc's own, on random arguments and option strings: the same
 * answers, variables, order of arguments and messages. Run on one PE; prints "same" and the number of cases. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <getopt.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CASES 5000
#define TEXT_BYTES 65536

static int flag;
static const struct option longs[] = {
    {"alpha", no_argument, NULL, 'a'},
    {"alpine", required_argument, NULL, 'p'},
    {"beta", optional_argument, NULL, 'b'},
    {"bet", no_argument, NULL, 'B'},
    {"gamma", required_argument, NULL, 'g'},
    {"flag", no_argument, &flag, 7},
    {"verbose", no_argument, NULL, 'v'},
    {"verbatim", no_argument, NULL, 'v'},
    {"x", no_argument, NULL, 'x'},
    {"xy", required_argument, NULL, 'X'},
    {NULL, 0, NULL, 0},
};
static char *const words[] = {
    "-a",    "-b",     "-bfoo", "-c",       "-ab", "--alpha", "--alp",  "--alpi=3",  "--alpine",  "--al=",  "--beta",
    "--be",  "--bet",  "--gam", "foo",      "bar", "--",      "-",      "-Wgamma=3", "-W",        "alpha",  "--flag",
    "--fl",  "--verb", "--ver", "-x",       "-xy", "-xyz",    "--nope", "--nope=1",  "-gamma",    "-alpha", "-al",
    "-verb", "-q:",    "-:",    "--flag=3", "-c5", "--=",     "-;",     "--beta=2",  "--gamma=1",
};
static const char *const strings[] = {"ab:c::", "-ab:c::",  "+ab:c::", ":ab:c::", "ab:c::W;",
                                      "-:ab:x", "+:W;ab:g", "",        "xab"};

struct implementation {
    int (*plain)(int, char *const *, const char *);
    int (*with_long)(int, char *const *, const char *, const struct option *, int *);
    int (*long_only)(int, char *const *, const char *, const struct option *, int *);
    int *index, *option;
    char **argument;
};

static void
scan(const struct implementation *by, int form, int argc, char **argv, const char *options, char *answers,
     char *messages)
{
    FILE *told = fmemopen(answers, TEXT_BYTES, "w"), *captured = tmpfile();
    int saved = dup(STDERR_FILENO);
    dup2(fileno(captured), STDERR_FILENO);
    *by->index = 0;
    for (int c = 0, calls = 0; c != -1 && calls < 60; calls++) {
        int which = -9;
        flag = 0;
        c = form == 0   ? by->plain(argc, argv, options)
            : form == 1 ? by->with_long(argc, argv, options, longs, &which)
                        : by->long_only(argc, argv, options, longs, &which);
        fprintf(told, "%d %d %s %d %d %d; ", c, *by->index, *by->argument ? *by->argument : "-",
                c == '?' || c == ':' ? *by->option : 0, which, flag);
    }
    for (int i = 0; i < argc; i++)
        fprintf(told, " %s", argv[i]);
    fclose(told);
    dup2(saved, STDERR_FILENO);
    close(saved);
    rewind(captured);
    messages[fread(messages, 1, TEXT_BYTES - 1, captured)] = 0;
    fclose(captured);
}

static int
differs(const struct implementation *ours, const struct implementation *theirs)
{
    static char answers[2][TEXT_BYTES], messages[2][TEXT_BYTES];
    char *first[8] = {"prog"}, *second[8] = {"prog"};
    int argc = 1 + rand() % 7, form = rand() % 3;
    for (int i = 1; i < argc; i++)
        first[i] = second[i] = words[rand() % (int)(sizeof words / sizeof *words)];
    const char *options = strings[rand() % (int)(sizeof strings / sizeof *strings)];
    scan(ours, form, argc, first, options, answers[0], messages[0]);
    scan(theirs, form, argc, second, options, answers[1], messages[1]);
    if (!strcmp(answers[0], answers[1]) && !strcmp(messages[0], messages[1]))
        return 0;
    printf("form %d, options '%s'\nours:   %s\n%sshould: %s\n%s", form, options, answers[0], messages[0], answers[1],
           messages[1]);
    return 1;
}

int
main(void)
{
    shmem_init();
    void *libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
    struct implementation ours = {getopt, getopt_long, getopt_long_only, &optind, &optopt, &optarg};
    struct implementation theirs = {
        (int (*)(int, char *const *, const char *))dlsym(libc, "getopt"),
        (int (*)(int, char *const *, const char *, const struct option *, int *))dlsym(libc, "getopt_long"),
        (int (*)(int, char *const *, const char *, const struct option *, int *))dlsym(libc, "getopt_long_only"),
        dlsym(libc, "optind"),
        dlsym(libc, "optopt"),
        dlsym(libc, "optarg")};
    int bad = theirs.index == ours.index;
    for (int i = 0; i < CASES && bad < 3; i++)
        bad += differs(&ours, &theirs);
    printf(bad ? "differs\n" : "same %d\n", CASES);
    shmem_finalize();
    return bad != 0;
}
