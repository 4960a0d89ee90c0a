/* config.c -- the environment becomes the configuration of a run.
 *
 * Every option is a row of fencepost_options.h; this file has one assignment a row and knows nothing else about them.
 * Two things are the standard's: SHMEM_SYMMETRIC_SIZE (SMA_SYMMETRIC_SIZE before OpenSHMEM 1.5, which still counts
 * when the new name is not set). A wrong value ends the program with a message and status 64 before anything has run.
 *
 * Names of networks and choosers are judged by the backend, which is the one that knows them.
 */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "fencepost_options.h"
#include "reference/launch/launch.h"

#define HEAP_BYTES_DEFAULT ((size_t)64 << 20)
#define HEAP_BYTES_MAX ((size_t)1 << 44)
#define NPES_MAX 65536

enum option_kind { OPTION_TEXT, OPTION_NUMBER, OPTION_SWITCH };

struct option_value {
    const char *flag, *variable, *text;
    uint64_t number;
    bool on;
};

static int
option_read(struct option_value *option, enum option_kind kind, const char *fallback)
{
    const char *text = getenv(option->variable);
    bool given = text && *text;
    option->text = given ? text : fallback;
    if (kind == OPTION_SWITCH)
        option->on = strcmp(option->text, "0") != 0 && option->text[0];
    if (kind != OPTION_NUMBER)
        return 0;
    char *end;
    errno = 0;
    option->number = strtoull(option->text, &end, 10);
    if (option->text[0] < '0' || option->text[0] > '9' || *end || errno == ERANGE) {
        fprintf(stderr, "fencepost: --%s (%s): '%s' is not a number\n", option->flag, option->variable, option->text);
        return -1;
    }
    return 0;
}

/* Digits, at most one point, an exponent: what strtold takes, without its signs, infinities and hexadecimals. */
bool
fp_size_parse(const char *text, size_t *bytes)
{
    while (*text == ' ' || *text == '\t')
        text++;
    if (!strchr("0123456789.", *text) || !*text || (text[0] == '0' && (text[1] | 32) == 'x'))
        return false;
    char *end;
    errno = 0;
    long double prefix = strtold(text, &end);
    if (end == text || errno == ERANGE)
        return false;
    int shift = 0;
    if (*end) {
        static const char suffixes[] = "kmgt";
        const char *suffix = strchr(suffixes, *end | 32);
        if (!suffix)
            return false;
        shift = 10 * (int)(suffix - suffixes + 1);
    }
    long double value = ceill(ldexpl(prefix, shift));
    if (!(value <= (long double)SIZE_MAX / 2))
        return false;
    *bytes = (size_t)value;
    return true;
}

static int
heap_bytes_read(struct fp_config *config)
{
    const char *name = "SHMEM_SYMMETRIC_SIZE", *text = getenv(name);
    if (!text && (text = getenv("SMA_SYMMETRIC_SIZE")))
        name = "SMA_SYMMETRIC_SIZE";
    config->heap_bytes = HEAP_BYTES_DEFAULT;
    if (!text)
        return 0;
    if (fp_size_parse(text, &config->heap_bytes) && config->heap_bytes <= HEAP_BYTES_MAX)
        return 0;
    fprintf(stderr,
            "fencepost: %s: '%s' is not a size up to %zuT: write a number of bytes, with k, m, g or t behind it for "
            "powers of "
            "1024 (64m, 1.5G)\n",
            name, text, HEAP_BYTES_MAX >> 40);
    return -1;
}

static bool
one_of(const char *flag, const char *text, const char *const *names)
{
    for (int i = 0; names[i]; i++)
        if (!strcmp(text, names[i]))
            return true;
    fprintf(stderr, "fencepost: --%s: '%s' is none of", flag, text);
    for (int i = 0; names[i]; i++)
        fprintf(stderr, "%s %s", i ? "," : "", names[i]);
    fprintf(stderr, "\n");
    return false;
}

int
fp_config_settle(struct fp_config *config)
{
    static const char *const heaps[] = {"direct", "device", NULL};
    static const char *const rules[] = {"strict", "common", "nv", NULL}; /* order of enum fp_rules */
    static const char *const contexts[] = {"fiber", "thread", NULL};
    if (config->npes < 1 || config->npes > NPES_MAX) {
        fprintf(stderr, "fencepost: --npes: %d is not a number of PEs from 1 to %d\n", config->npes, NPES_MAX);
        return -1;
    }
    if (!one_of("heap", config->heap, heaps) || !one_of("rules", config->rules_name, rules) ||
        !one_of("pe-context", config->pe_context, contexts))
        return -1;
    for (int i = 0; rules[i]; i++)
        if (!strcmp(config->rules_name, rules[i]))
            config->rules = (enum fp_rules)i;
    return 0;
}

static char *
text_copy(const char *text)
{
    char *copy = strdup(text);
    if (!copy)
        fp_env_fail("out of memory");
    return copy;
}

/* "K:N"; '*' for either is -1 where that is allowed. */
static int
pair_read(const struct option_value *option, bool any, int64_t *first, int64_t *second)
{
    int64_t *parts[] = {first, second};
    const char *at = option->text;
    for (int i = 0; i < 2; i++) {
        char *end;
        errno = 0;
        if (any && *at == '*') {
            *parts[i] = -1;
            end = (char *)(uintptr_t)(at + 1);
        } else {
            *parts[i] = *at >= '0' && *at <= '9' ? strtoll(at, &end, 10) : -1;
            if (*at < '0' || *at > '9' || errno)
                break;
        }
        if (*end != (i ? '\0' : ':'))
            break;
        if (i)
            return 0;
        at = end + 1;
    }
    fprintf(stderr, "fencepost: --%s (%s): '%s' is not of the form %s\n", option->flag, option->variable, option->text,
            any ? "FROM:TO (PEs, or *)" : "K:N");
    return -1;
}

/* The switches that make a run fail on purpose. */
static int
faults_read(struct fp_config *config, const struct option_value *stop, const struct option_value *stall)
{
    int64_t pe = 0, call = 0, from = 0, to = 0;
    if ((*stop->text && pair_read(stop, false, &pe, &call)) || (*stall->text && pair_read(stall, true, &from, &to)))
        return -1;
    if (pe >= config->npes || from >= config->npes || to >= config->npes || (*stop->text && call < 1)) {
        fprintf(stderr, "fencepost: --%s: the run has PEs 0 to %d%s\n",
                pe >= config->npes || call < 1 ? stop->flag : stall->flag, config->npes - 1,
                *stop->text && call < 1 ? ", and calls are counted from 1" : "");
        return -1;
    }
    config->stop_pe = (int)pe;
    config->stop_call = (uint64_t)call;
    config->stall = *stall->text;
    config->stall_from = (int)from;
    config->stall_to = (int)to;
    return 0;
}

static int
until_read(struct fp_config *config, const struct option_value *option)
{
    char *end;
    errno = 0;
    config->until = strtoull(option->text, &end, 10);
    if (!strcmp(option->text, "finding"))
        config->until = UINT64_MAX;
    else if (*option->text && (*end || errno || !config->until || *option->text == '-')) {
        fprintf(stderr, "fencepost: --%s (%s): '%s' is neither the number of a record, from 1, nor `finding`\n",
                option->flag, option->variable, option->text);
        return -1;
    }
    return 0;
}

int
fp_config_read(struct fp_config *config)
{
#define OPTION_READ(id, flag_, variable_, kind, default_, argument, help)                                              \
    struct option_value id = {.flag = flag_, .variable = variable_};                                                   \
    if (option_read(&id, OPTION_##kind, default_))                                                                     \
        return -1;
    FENCEPOST_OPTIONS(OPTION_READ)
#undef OPTION_READ
    memset(config, 0, sizeof *config);
    if (heap_bytes_read(config))
        return -1;
    config->npes = npes.number > INT_MAX ? INT_MAX : (int)npes.number;
    config->seed = seed.number;
    config->depth = depth.number > UINT32_MAX ? UINT32_MAX : (uint32_t)depth.number;
    config->steps = steps.number;
    config->watchdog_s = watchdog.number > UINT_MAX ? UINT_MAX : (unsigned)watchdog.number;
    config->timeout_s = timeout.number > INT_MAX ? INT_MAX : (unsigned)timeout.number;
    config->check = !no_check.on;
    config->label = label.on;
    config->guided = guided.on;
    config->real_time = real_time.on;
    config->no_footer = quiet_footer.on;
    config->stop_at_first = stop_at_first.on;
    config->time = time.on;
    if (until_read(config, &until))
        return -1;
    config->notes = notes.on;
    config->unneeded = unneeded.on;
    config->predict = predict.on;
    config->fail_alloc = fail_alloc.number;
    if (faults_read(config, &stop_pe, &stall))
        return -1;
    if (*insert.text && !fp_backend->before) {
        fprintf(stderr, "fencepost: --%s (%s): the %s backend cannot do that\n", insert.flag, insert.variable,
                fp_backend->name);
        return -1;
    }
    config->suppress = text_copy(suppress.text);
    config->insert = text_copy(insert.text);
    config->net = text_copy(net.text);
    bool clock_decides = time.on && !getenv(chooser.variable);
    config->chooser = text_copy(clock_decides ? "timed" : chooser.text);
    config->heap = text_copy(heap.text);
    config->rules_name = text_copy(rules.text);
    config->pe_context = text_copy(pe_context.text);
    config->report = text_copy(report.text);
    config->trace = text_copy(trace.text);
    config->replay = text_copy(replay.text);
    return 0;
}

void
fp_config_free(struct fp_config *config)
{
    char **texts[] = {&config->net,    &config->chooser, &config->heap,   &config->rules_name, &config->pe_context,
                      &config->report, &config->trace,   &config->replay, &config->suppress, &config->insert};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        free(*texts[i]);
        *texts[i] = NULL;
    }
}

char **
fp_argv_copy(int argc, char **argv)
{
    size_t bytes = ((size_t)argc + 1) * sizeof(char *);
    for (int i = 0; i < argc; i++)
        bytes += strlen(argv[i]) + 1;
    char **copy = malloc(bytes);
    if (!copy)
        fp_env_fail("out of memory");
    char *text = (char *)(copy + argc + 1);
    for (int i = 0; i < argc; i++) {
        copy[i] = strcpy(text, argv[i]);
        text += strlen(argv[i]) + 1;
    }
    copy[argc] = NULL;
    return copy;
}
