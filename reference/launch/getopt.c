/* getopt.c -- getopt, getopt_long and getopt_long_only, one scan a PE.
 *
 * libc's getopt keeps where it stands in hidden statics, so N PEs that parse their arguments would disturb each
 * other. This one keeps it per PE and behaves as glibc's does: arguments that are not options move behind the
 * options while scanning (not with POSIXLY_CORRECT or a leading '+'), the same abbreviations, values and messages.
 * optind and its kin are the variables that the calling PE's image sees (got.c). Callers that are not PEs get libc's.
 */
#include <getopt.h>
#include <string.h>

#include "reference/launch/launch.h"

enum order { ORDER_PERMUTE, ORDER_REQUIRE, ORDER_RETURN };

struct fp_getopt {
    bool begun;
    enum order order;
    char *next;                 /* rest of the argument that is being scanned */
    int skipped_lo, skipped_hi; /* arguments that are no options, [lo, hi), passed over and not yet moved back */
};

/* One call. */
struct scan {
    struct fp_getopt *state;
    char **optarg;
    int *optind, *optopt;
    bool print;
    int argc;
    char **argv;
    const char *options;
    const struct option *longs;
    int *long_index;
    bool long_only;
};

void
fp_getopt_free(struct fp_getopt *getopt)
{
    free(getopt);
}

static bool
is_option(const char *argument)
{
    return argument[0] == '-' && argument[1];
}

static int
missing(const struct scan *scan)
{
    return scan->options[0] == ':' ? ':' : '?';
}

static void
reverse(char **argv, int lo, int hi)
{
    for (hi--; lo < hi; lo++, hi--) {
        char *argument = argv[lo];
        argv[lo] = argv[hi];
        argv[hi] = argument;
    }
}

/* Moves the skipped arguments behind the options [skipped_hi, optind) that follow them; both keep their order. */
static void
move_skipped(struct scan *scan)
{
    struct fp_getopt *state = scan->state;
    int lo = state->skipped_lo, middle = state->skipped_hi, hi = *scan->optind;
    reverse(scan->argv, lo, middle);
    reverse(scan->argv, middle, hi);
    reverse(scan->argv, lo, hi);
    state->skipped_lo += hi - middle;
    state->skipped_hi = hi;
}

static void
scan_begin(struct scan *scan, bool posix)
{
    struct fp_getopt *state = scan->state;
    bool fresh = *scan->optind == 0 || !state->begun;
    char first = scan->options[0];
    if (fresh) {
        if (*scan->optind == 0)
            *scan->optind = 1;
        state->begun = true;
        state->next = NULL;
        state->skipped_lo = state->skipped_hi = *scan->optind;
        state->order = first == '-'                                         ? ORDER_RETURN
                       : first == '+' || posix || getenv("POSIXLY_CORRECT") ? ORDER_REQUIRE
                                                                            : ORDER_PERMUTE;
    }
    if (first == '-' || first == '+')
        scan->options++;
    if (scan->options[0] == ':')
        scan->print = false;
}

/* ---- Long options */

static bool
same_effect(const struct option *a, const struct option *b)
{
    return a->has_arg == b->has_arg && a->flag == b->flag && a->val == b->val;
}

static void
print_ambiguous(const struct scan *scan, const char *prefix, size_t name_bytes)
{
    const char *name = scan->state->next;
    const struct option *first = NULL;
    fprintf(stderr, "%s: option '%s%s' is ambiguous; possibilities:", scan->argv[0], prefix, name);
    for (const struct option *o = scan->longs; o->name; o++) {
        if (strncmp(o->name, name, name_bytes))
            continue;
        if (!first || scan->long_only || !same_effect(first, o))
            fprintf(stderr, " '%s%s'", prefix, o->name);
        if (!first)
            first = o;
    }
    fprintf(stderr, "\n");
}

/* The option that [next, next + name_bytes) names or abbreviates; NULL if there is none, *ambiguous if there are
 * several. */
static const struct option *
long_find(const struct scan *scan, size_t name_bytes, bool *ambiguous)
{
    const struct option *found = NULL;
    *ambiguous = false;
    for (const struct option *o = scan->longs; o->name; o++)
        if (!strncmp(o->name, scan->state->next, name_bytes) && strlen(o->name) == name_bytes)
            return o;
    for (const struct option *o = scan->longs; o->name; o++) {
        if (strncmp(o->name, scan->state->next, name_bytes))
            continue;
        if (!found)
            found = o;
        else if (scan->long_only || !same_effect(found, o))
            *ambiguous = true;
    }
    return found;
}

static int
long_refused(struct scan *scan)
{
    scan->state->next = NULL;
    ++*scan->optind;
    *scan->optopt = 0;
    return '?';
}

static int
long_found(struct scan *scan, const struct option *option, const char *value, const char *prefix)
{
    scan->state->next = NULL;
    ++*scan->optind;
    if (value && option->has_arg == no_argument) {
        if (scan->print)
            fprintf(stderr, "%s: option '%s%s' doesn't allow an argument\n", scan->argv[0], prefix, option->name);
        *scan->optopt = option->val;
        return '?';
    }
    if (value) {
        *scan->optarg = (char *)(uintptr_t)value;
    } else if (option->has_arg == required_argument && *scan->optind < scan->argc) {
        *scan->optarg = scan->argv[(*scan->optind)++];
    } else if (option->has_arg == required_argument) {
        if (scan->print)
            fprintf(stderr, "%s: option '%s%s' requires an argument\n", scan->argv[0], prefix, option->name);
        *scan->optopt = option->val;
        return missing(scan);
    }
    if (scan->long_index)
        *scan->long_index = (int)(option - scan->longs);
    if (option->flag) {
        *option->flag = option->val;
        return 0;
    }
    return option->val;
}

/* -1: not a long option after all (only with long_only). */
static int
long_scan(struct scan *scan, const char *prefix)
{
    const char *name = scan->state->next;
    size_t name_bytes = strcspn(name, "=");
    bool ambiguous;
    const struct option *option = long_find(scan, name_bytes, &ambiguous);
    if (ambiguous) {
        if (scan->print)
            print_ambiguous(scan, prefix, name_bytes);
        return long_refused(scan);
    }
    if (option)
        return long_found(scan, option, name[name_bytes] ? name + name_bytes + 1 : NULL, prefix);
    if (scan->long_only && scan->argv[*scan->optind][1] != '-' && strchr(scan->options, *name))
        return -1;
    if (scan->print)
        fprintf(stderr, "%s: unrecognized option '%s%s'\n", scan->argv[0], prefix, name);
    return long_refused(scan);
}

/* ---- Short options */

static int
short_argument_missing(struct scan *scan, char c)
{
    if (scan->print)
        fprintf(stderr, "%s: option requires an argument -- '%c'\n", scan->argv[0], c);
    *scan->optopt = c;
    return missing(scan);
}

/* "-W name" with "W;" among the options means "--name". */
static int
short_w(struct scan *scan, char c)
{
    struct fp_getopt *state = scan->state;
    if (!*state->next) {
        if (*scan->optind == scan->argc)
            return short_argument_missing(scan, c);
        state->next = scan->argv[*scan->optind];
    }
    bool long_only = scan->long_only;
    scan->long_only = false;
    int result = long_scan(scan, "-W ");
    scan->long_only = long_only;
    return result;
}

static int
short_scan(struct scan *scan)
{
    struct fp_getopt *state = scan->state;
    char c = *state->next++;
    const char *option = strchr(scan->options, c);
    if (!*state->next)
        ++*scan->optind;
    if (!option || c == ':' || c == ';') {
        if (scan->print)
            fprintf(stderr, "%s: invalid option -- '%c'\n", scan->argv[0], c);
        *scan->optopt = c;
        return '?';
    }
    if (option[0] == 'W' && option[1] == ';' && scan->longs)
        return short_w(scan, c);
    if (option[1] != ':')
        return c;
    char *rest = state->next;
    state->next = NULL;
    if (*rest) {
        *scan->optarg = rest;
        ++*scan->optind;
    } else if (option[2] != ':') {
        if (*scan->optind == scan->argc)
            return short_argument_missing(scan, c);
        *scan->optarg = scan->argv[(*scan->optind)++];
    }
    return c;
}

/* ---- Arguments */

/* Brings the scan to the next argument that is an option. False at the end of all options, with optind set. */
static bool
argument_next(struct scan *scan)
{
    struct fp_getopt *state = scan->state;
    int *optind = scan->optind;
    if (state->skipped_hi > *optind)
        state->skipped_hi = *optind;
    if (state->skipped_lo > *optind)
        state->skipped_lo = *optind;
    if (state->order == ORDER_PERMUTE) {
        if (state->skipped_lo != state->skipped_hi && state->skipped_hi != *optind)
            move_skipped(scan);
        else if (state->skipped_hi != *optind)
            state->skipped_lo = *optind;
        while (*optind < scan->argc && !is_option(scan->argv[*optind]))
            ++*optind;
        state->skipped_hi = *optind;
    }
    if (*optind != scan->argc && !strcmp(scan->argv[*optind], "--")) {
        ++*optind;
        if (state->skipped_lo != state->skipped_hi && state->skipped_hi != *optind)
            move_skipped(scan);
        else if (state->skipped_lo == state->skipped_hi)
            state->skipped_lo = *optind;
        state->skipped_hi = *optind = scan->argc;
    }
    if (*optind < scan->argc)
        return true;
    if (state->skipped_lo != state->skipped_hi)
        *optind = state->skipped_lo;
    return false;
}

static int
scan_step(struct scan *scan)
{
    struct fp_getopt *state = scan->state;
    if (state->next && *state->next)
        return short_scan(scan);
    if (!argument_next(scan))
        return -1;
    char *argument = scan->argv[*scan->optind];
    if (!is_option(argument)) {
        if (state->order == ORDER_REQUIRE)
            return -1;
        *scan->optarg = argument;
        ++*scan->optind;
        return 1;
    }
    if (scan->longs && argument[1] == '-') {
        state->next = argument + 2;
        return long_scan(scan, "--");
    }
    if (scan->longs && scan->long_only && (argument[2] || !strchr(scan->options, argument[1]))) {
        state->next = argument + 1;
        int result = long_scan(scan, "-");
        if (result != -1)
            return result;
    }
    state->next = argument + 1;
    return short_scan(scan);
}

static int
pe_getopt(struct fp_pe *pe, struct scan *scan, bool posix)
{
    struct fp_libc *libc = pe->libc;
    if (!libc->getopt && !(libc->getopt = calloc(1, sizeof *libc->getopt)))
        fp_env_fail("out of memory");
    scan->state = libc->getopt;
    scan->optarg = pe->image ? pe->image->optarg : &libc->getopt_vars.optarg;
    scan->optind = pe->image ? pe->image->optind : &libc->getopt_vars.optind;
    scan->optopt = pe->image ? pe->image->optopt : &libc->getopt_vars.optopt;
    scan->print = *(pe->image ? pe->image->opterr : &libc->getopt_vars.opterr) != 0;
    if (scan->argc < 1)
        return -1;
    *scan->optarg = NULL;
    scan_begin(scan, posix);
    return scan_step(scan);
}

int __posix_getopt(int argc, char *const *argv, const char *options);

FP_EXPORT int
getopt(int argc, char *const *argv, const char *options)
{
    struct fp_pe *pe = fp_caller_pe();
    struct scan scan = {.argc = argc, .argv = (char **)(uintptr_t)argv, .options = options};
    return pe ? pe_getopt(pe, &scan, false) : FP_REAL(getopt)(argc, argv, options);
}

FP_EXPORT int
__posix_getopt(int argc, char *const *argv, const char *options)
{
    struct fp_pe *pe = fp_caller_pe();
    struct scan scan = {.argc = argc, .argv = (char **)(uintptr_t)argv, .options = options};
    return pe ? pe_getopt(pe, &scan, true) : FP_REAL(__posix_getopt)(argc, argv, options);
}

FP_EXPORT int
getopt_long(int argc, char *const *argv, const char *options, const struct option *longs, int *index)
{
    struct fp_pe *pe = fp_caller_pe();
    struct scan scan = {
        .argc = argc, .argv = (char **)(uintptr_t)argv, .options = options, .longs = longs, .long_index = index};
    return pe ? pe_getopt(pe, &scan, false) : FP_REAL(getopt_long)(argc, argv, options, longs, index);
}

FP_EXPORT int
getopt_long_only(int argc, char *const *argv, const char *options, const struct option *longs, int *index)
{
    struct fp_pe *pe = fp_caller_pe();
    struct scan scan = {.argc = argc,
                        .argv = (char **)(uintptr_t)argv,
                        .options = options,
                        .longs = longs,
                        .long_index = index,
                        .long_only = true};
    return pe ? pe_getopt(pe, &scan, false) : FP_REAL(getopt_long_only)(argc, argv, options, longs, index);
}
