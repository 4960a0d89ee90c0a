/* net.c -- network presets and files, see net.h. Anything read from a file is hostile: every line is checked. */
#include "sim/net.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VALUE_MAX UINT64_C(1000000000000)

struct key {
    const char *name;
    size_t offset;
};

static const struct key keys[] = {
#define SIM_NET_ROW(id, value, help) {#id, offsetof(struct sim_net, id)},
    SIM_NET_ROWS(SIM_NET_ROW)
#undef SIM_NET_ROW
};
#define KEY_COUNT (sizeof keys / sizeof keys[0])

static void
defaults(struct sim_net *net)
{
    memset(net, 0, sizeof *net);
#define SIM_NET_ROW(id, value, help) net->id = value;
    SIM_NET_ROWS(SIM_NET_ROW)
#undef SIM_NET_ROW
}

static bool
preset(struct sim_net *net, const char *name)
{
    defaults(net);
    if (!strcmp(name, "reorder"))
        return true;
    if (!strcmp(name, "ordered")) {
        net->reorder = 0;
        net->split_max = 1;
        return true;
    }
    if (!strcmp(name, "ideal")) {
        net->reorder = 0;
        net->split_max = 1;
        net->immediate = 1;
        net->latency_ns = net->jitter_ns = 0;
        net->bandwidth = 0;
        return true;
    }
    return false;
}

static char *
trim(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    char *end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1]))
        *--end = '\0';
    return text;
}

/* An unsigned decimal number of the whole text. */
static bool
number(const char *text, uint64_t *value)
{
    if (!isdigit((unsigned char)*text))
        return false;
    char *end;
    errno = 0;
    unsigned long long read = strtoull(text, &end, 10);
    if (*end || errno || read > VALUE_MAX)
        return false;
    *value = read;
    return true;
}

static bool
pe_number(const char *text, int *pe)
{
    uint64_t value;
    *pe = -1;
    if (!strcmp(text, "*"))
        return true;
    if (!number(text, &value) || value > INT32_MAX)
        return false;
    *pe = (int)value;
    return true;
}

/* `pair A B key = value`, the text after `pair`. NULL, or what is wrong. */
static const char *
parse_pair(struct sim_net *net, char *left, uint64_t value)
{
    char from[32], to[32], key[32], rest;
    if (sscanf(left, "%31s %31s %31s %c", from, to, key, &rest) != 3)
        return "a pair line is `pair FROM TO key = value`";
    struct sim_net_pair pair = {0};
    if (!pe_number(from, &pair.from) || !pe_number(to, &pair.to))
        return "a PE is a number or *";
    if (!strcmp(key, "latency_ns")) {
        pair.latency_ns = value;
        pair.has_latency = true;
    } else if (!strcmp(key, "jitter_ns")) {
        pair.jitter_ns = value;
        pair.has_jitter = true;
    } else if (!strcmp(key, "bandwidth")) {
        pair.bandwidth = value;
        pair.has_bandwidth = true;
    } else {
        return "a pair has latency_ns, jitter_ns and bandwidth";
    }
    struct sim_net_pair *pairs = realloc(net->pairs, (size_t)(net->npairs + 1) * sizeof *pairs);
    if (!pairs)
        return "out of memory";
    net->pairs = pairs;
    net->pairs[net->npairs++] = pair;
    return NULL;
}

static const char *
parse_line(struct sim_net *net, char *line)
{
    char *comment = strchr(line, '#');
    if (comment)
        *comment = '\0';
    line = trim(line);
    if (!*line)
        return NULL;
    char *equals = strchr(line, '=');
    if (!equals)
        return "a line is `key = value`";
    *equals = '\0';
    char *left = trim(line);
    uint64_t value;
    if (!number(trim(equals + 1), &value))
        return "the value is not a whole number between 0 and 10^12";
    if (!strncmp(left, "pair", 4) && isspace((unsigned char)left[4]))
        return parse_pair(net, left + 5, value);
    for (size_t i = 0; i < KEY_COUNT; i++) {
        if (!strcmp(left, keys[i].name)) {
            memcpy((char *)net + keys[i].offset, &value, sizeof value);
            return NULL;
        }
    }
    return "unknown key: the keys are overhead_ns, latency_ns, jitter_ns, bandwidth, reorder, split_max, immediate, "
           "and pair";
}

static const char *
validate(const struct sim_net *net)
{
    if (net->reorder > 1 || net->immediate > 1)
        return "reorder and immediate are 0 or 1";
    if (net->split_max < 1 || net->split_max > 1024)
        return "split_max lies between 1 and 1024";
    if (net->immediate && net->reorder)
        return "an immediate network has reorder = 0";
    return NULL;
}

int
sim_net_load(struct sim_net *net, const char *name, char *error, int error_size)
{
    if (preset(net, name))
        return 0;
    FILE *file = fopen(name, "re");
    if (!file) {
        snprintf(error, (size_t)error_size,
                 "network %s: not a preset (ideal, ordered, reorder), and not a readable file: %s", name,
                 strerror(errno));
        return -1;
    }
    char line[512];
    int number_of_line = 0;
    const char *wrong = NULL;
    while (!wrong && fgets(line, sizeof line, file)) {
        number_of_line++;
        if (!strchr(line, '\n') && !feof(file))
            wrong = "the line is too long";
        else
            wrong = parse_line(net, line);
    }
    fclose(file);
    if (wrong) {
        snprintf(error, (size_t)error_size, "network %s:%d: %s", name, number_of_line, wrong);
    } else if ((wrong = validate(net))) {
        snprintf(error, (size_t)error_size, "network %s: %s", name, wrong);
    }
    if (wrong)
        sim_net_free(net);
    return wrong ? -1 : 0;
}

void
sim_net_free(struct sim_net *net)
{
    free(net->pairs);
    net->pairs = NULL;
    net->npairs = 0;
}

void
sim_net_pair(const struct sim_net *net, int from, int to, uint64_t *latency_ns, uint64_t *jitter_ns,
             uint64_t *bandwidth)
{
    *latency_ns = net->latency_ns;
    *jitter_ns = net->jitter_ns;
    *bandwidth = net->bandwidth;
    for (int i = 0; i < net->npairs; i++) {
        const struct sim_net_pair *pair = &net->pairs[i];
        if ((pair->from != -1 && pair->from != from) || (pair->to != -1 && pair->to != to))
            continue;
        *latency_ns = pair->has_latency ? pair->latency_ns : *latency_ns;
        *jitter_ns = pair->has_jitter ? pair->jitter_ns : *jitter_ns;
        *bandwidth = pair->has_bandwidth ? pair->bandwidth : *bandwidth;
    }
}
