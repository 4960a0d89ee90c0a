/* net.c -- network presets and files, see net.h. Anything read from a file is hostile: every line is checked, and what
 * is wrong is told with line and column and with what would be right. */
#include "sim/net.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_BYTES_MAX (1 << 20)
#define PAIRS_MAX 65536

static const struct key {
    const char *name;
    size_t offset;
    uint64_t standard, least, most;
} keys[] = {
#define SIM_NET_ROW(id, value, least, most, help) {#id, offsetof(struct sim_net, id), value, least, most},
    SIM_NET_ROWS(SIM_NET_ROW)
#undef SIM_NET_ROW
};
enum { KEY_COUNT = sizeof keys / sizeof keys[0] };

static const char *const topologies[] = {
#define SIM_TOPOLOGY_ROW(id, name, help) name,
    SIM_TOPOLOGY_ROWS(SIM_TOPOLOGY_ROW)
#undef SIM_TOPOLOGY_ROW
};
enum { TOPOLOGY_COUNT = sizeof topologies / sizeof topologies[0] };

/* A file while it is read: the current line, and where the first error goes. */
struct input {
    struct sim_net *net;
    const char *name;
    char *line;
    int number;
    bool lines_before; /* preset comes first */
    int depth;         /* 1 inside a preset */
    char *error;
    int error_size;
};

/* One line: file, line, column of `at` within the line, and the sentence. Always false. */
static bool __attribute__((format(printf, 3, 4))) wrong(struct input *in, const char *at, const char *format, ...)
{
    char text[384];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (char *c = text; *c; c++)
        if (!isprint((unsigned char)*c))
            *c = '?';
    snprintf(in->error, (size_t)in->error_size, "network %s:%d:%d: %s", in->name, in->number, (int)(at - in->line) + 1,
             text);
    return false;
}

static void
defaults(struct sim_net *net)
{
    memset(net, 0, sizeof *net);
    for (int i = 0; i < KEY_COUNT; i++)
        memcpy((char *)net + keys[i].offset, &keys[i].standard, sizeof(uint64_t));
}

/* Cuts the word off that begins at *at, and steps to the next. */
static char *
next_word(char **at)
{
    char *word = *at + strspn(*at, " \t");
    char *end = word + strcspn(word, " \t");
    *at = end + (*end != '\0');
    *end = '\0';
    return word;
}

static bool
read_number(struct input *in, const char *text, uint64_t least, uint64_t most, uint64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 10);
    if (isdigit((unsigned char)*text) && !*end && !errno && *value >= least && *value <= most)
        return true;
    return wrong(in, text, "'%.32s' is not a whole number from %llu to %llu", text, (unsigned long long)least,
                 (unsigned long long)most);
}

static bool
read_pe(struct input *in, const char *text, int *pe)
{
    uint64_t value;
    *pe = -1;
    if (!strcmp(text, "*"))
        return true;
    if (!*text)
        return wrong(in, text, "a pair line is `pair FROM TO key = value`");
    if (!isdigit((unsigned char)*text))
        return wrong(in, text, "'%.32s' is not a PE: write its number, or * for any", text);
    bool good = read_number(in, text, 0, INT32_MAX, &value);
    *pe = (int)value;
    return good;
}

/* `FROM TO key` and the value behind the equals sign. */
static bool
read_pair(struct input *in, char *left, const char *text)
{
    struct sim_net *net = in->net;
    struct sim_net_pair pair = {0};
    uint64_t value;
    char *from = next_word(&left), *to = next_word(&left), *key = next_word(&left), *rest = next_word(&left);
    if (!read_pe(in, from, &pair.from) || !read_pe(in, to, &pair.to))
        return false;
    if (*rest)
        return wrong(in, rest, "a pair line is `pair FROM TO key = value`");
    if (!read_number(in, text, 0, SIM_NET_MAX, &value))
        return false;
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
        return wrong(in, key, "a pair has the keys latency_ns, jitter_ns and bandwidth");
    }
    if (net->npairs == PAIRS_MAX)
        return wrong(in, in->line, "there are more than %d pairs", PAIRS_MAX);
    struct sim_net_pair *pairs = realloc(net->pairs, (size_t)(net->npairs + 1) * sizeof *pairs);
    if (!pairs)
        return wrong(in, in->line, "out of memory");
    net->pairs = pairs;
    net->pairs[net->npairs++] = pair;
    return true;
}

static bool
read_topology(struct input *in, const char *text)
{
    for (int i = 0; i < TOPOLOGY_COUNT; i++)
        if (!strcmp(text, topologies[i])) {
            in->net->topology = (enum sim_topology)i;
            return true;
        }
    return wrong(in, text, "there is no topology '%.32s': it is pairs, nodes, fat-tree or dragonfly", text);
}

static bool
unknown_key(struct input *in, const char *key)
{
    char names[320] = "";
    for (int i = 0; i < KEY_COUNT; i++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? ", " : "", keys[i].name);
    return wrong(in, key, "there is no key '%.24s': the keys are %s, topology, preset and pair", key, names);
}

static bool read_text(struct input *in, const char *text);

static bool
read_preset(struct input *in, const char *key, const char *text)
{
    char names[256] = "";
    if (in->lines_before)
        return wrong(in, key, "preset stands before all other lines, since it sets them");
    for (int i = 0; i < sim_net_preset_count; i++) {
        if (!strcmp(sim_net_presets[i].name, text)) {
            struct input inner = {in->net, text, NULL, 0, false, 1, in->error, in->error_size};
            return read_text(&inner, sim_net_presets[i].lines);
        }
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? ", " : "", sim_net_presets[i].name);
    }
    return wrong(in, text, "there is no preset '%.32s': there are %s", text, names);
}

static bool
read_line(struct input *in)
{
    char *line = in->line;
    line[strcspn(line, "#\r\n")] = '\0';
    size_t length = strlen(line);
    while (length > 0 && isspace((unsigned char)line[length - 1]))
        line[--length] = '\0';
    char *left = line + strspn(line, " \t");
    if (!*left)
        return true;
    char *equals = strchr(left, '=');
    if (!equals)
        return wrong(in, left, "a line is `key = value`; here is no '='");
    char *value = equals + 1 + strspn(equals + 1, " \t");
    *equals = '\0';
    if (!*value)
        return wrong(in, value, "the value is missing");
    char *rest = left, *key = next_word(&rest);
    bool pair = !strcmp(key, "pair");
    if (!pair && *(rest += strspn(rest, " \t")))
        return wrong(in, rest, "a line is `key = value`; what is '%.32s'?", rest);
    bool good = false;
    if (pair)
        good = read_pair(in, rest, value);
    else if (!strcmp(key, "preset"))
        good = read_preset(in, key, value);
    else if (!strcmp(key, "topology"))
        good = read_topology(in, value);
    else {
        int i = 0;
        while (i < KEY_COUNT && strcmp(keys[i].name, key))
            i++;
        uint64_t number;
        if (i == KEY_COUNT)
            good = unknown_key(in, key);
        else if ((good = read_number(in, value, keys[i].least, keys[i].most, &number)))
            memcpy((char *)in->net + keys[i].offset, &number, sizeof number);
    }
    in->lines_before = true;
    return good;
}

static bool
read_text(struct input *in, const char *text)
{
    char line[512];
    for (in->line = line; *text; text += strcspn(text, "\n"), text += *text == '\n') {
        size_t length = strcspn(text, "\n");
        in->number++;
        if (length >= sizeof line) {
            *line = '\0';
            return wrong(in, line + sizeof line - 1, "the line is longer than %zu bytes", sizeof line - 1);
        }
        memcpy(line, text, length);
        line[length] = '\0';
        if (!read_line(in))
            return false;
    }
    return true;
}

int
sim_net_parse(struct sim_net *net, const char *name, const char *text, char *error, int error_size)
{
    struct input in = {.net = net, .name = name, .error = error, .error_size = error_size};
    defaults(net);
    bool good = read_text(&in, text);
    if (good && net->immediate && net->reorder) {
        snprintf(error, (size_t)error_size, "network %s: an immediate network has reorder = 0 as well", name);
        good = false;
    }
    if (good)
        return 0;
    sim_net_free(net);
    return -1;
}

/* The whole file as a string; NULL with `error`. */
static char *
read_file(const char *name, char *error, int error_size)
{
    FILE *file = fopen(name, "re");
    if (!file) {
        char names[256] = "";
        for (int i = 0; i < sim_net_preset_count; i++)
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? ", " : "",
                     sim_net_presets[i].name);
        snprintf(error, (size_t)error_size, "network %s: not a preset (%s), and not a readable file: %s", name, names,
                 strerror(errno));
        return NULL;
    }
    char *text = malloc(FILE_BYTES_MAX + 1);
    size_t got = text ? fread(text, 1, FILE_BYTES_MAX + 1, file) : 0;
    const char *fault = !text                     ? "out of memory"
                        : ferror(file)            ? strerror(errno)
                        : got > FILE_BYTES_MAX    ? "it is larger than 1 MiB: that is no network file"
                        : memchr(text, '\0', got) ? "it holds zero bytes: that is no network file"
                                                  : NULL;
    fclose(file);
    if (!fault) {
        text[got] = '\0';
        return text;
    }
    snprintf(error, (size_t)error_size, "network %s: %s", name, fault);
    free(text);
    return NULL;
}

int
sim_net_load(struct sim_net *net, const char *name, char *error, int error_size)
{
    for (int i = 0; i < sim_net_preset_count; i++)
        if (!strcmp(sim_net_presets[i].name, name))
            return sim_net_parse(net, name, sim_net_presets[i].lines, error, error_size);
    char *text = read_file(name, error, error_size);
    if (!text)
        return -1;
    int result = sim_net_parse(net, name, text, error, error_size);
    free(text);
    return result;
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
