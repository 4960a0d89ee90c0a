/* graph.c -- the two graphs of the example and plain edge lists, brought into one form.
 *
 * A reader collects pairs of node numbers; build() turns each round, sorts, and drops loops and repetitions, so that
 * the rows do not depend on the order of the file. WordNet names a synset by its byte offset in the file; offsets
 * ascend, so a synset's number is found by bisection.
 */
#include "graph.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef WORDNET_NOUNS
#define WORDNET_NOUNS "/usr/share/wordnet/data.noun" /* Debian package wordnet-base */
#endif

typedef struct pair {
    long from, to;
} pair_t;

typedef struct pair_list {
    pair_t *item;
    size_t count, capacity;
} pair_list_t;

static void *
must(void *memory)
{
    if (memory == NULL) {
        fputs("graph: out of memory\n", stderr);
        abort();
    }
    return memory;
}

static void
pair_list_add(pair_list_t *list, long from, long to)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 256;
        list->item = must(realloc(list->item, list->capacity * sizeof *list->item));
    }
    list->item[list->count++] = (pair_t){from, to};
}

static int
pair_compare(const void *left, const void *right)
{
    const pair_t *a = left, *b = right;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return (a->to > b->to) - (a->to < b->to);
}

static int
long_compare(const void *left, const void *right)
{
    long a = *(const long *)left, b = *(const long *)right;
    return (a > b) - (a < b);
}

/* Rows from pairs of numbers in 0 .. nodes-1. Takes the list's memory. */
static void
build(graph_t *graph, pair_list_t *list, long nodes)
{
    size_t given = list->count;
    for (size_t i = 0; i < given; i++)
        pair_list_add(list, list->item[i].to, list->item[i].from);
    if (list->count > 0)
        qsort(list->item, list->count, sizeof *list->item, pair_compare);
    graph->nodes = nodes;
    graph->first = must(calloc((size_t)nodes + 1, sizeof *graph->first));
    graph->neighbour = must(malloc((list->count + 1) * sizeof *graph->neighbour));
    long kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        const pair_t *p = &list->item[i];
        if (p->from == p->to || (i > 0 && pair_compare(p, p - 1) == 0))
            continue;
        graph->neighbour[kept++] = p->to;
        graph->first[p->from + 1] = kept;
    }
    for (long v = 0; v < nodes; v++) /* rows without neighbours end where they start */
        if (graph->first[v + 1] < graph->first[v])
            graph->first[v + 1] = graph->first[v];
    graph->edges = kept / 2;
    free(list->item);
}

static int
read_edges(graph_t *graph, FILE *file)
{
    pair_list_t list = {0};
    char line[256];
    long low = -1, high = -1;
    while (fgets(line, sizeof line, file) != NULL) {
        long u, v;
        if (line[0] == '#' || sscanf(line, "%ld %ld", &u, &v) != 2)
            continue;
        if (u < 0 || v < 0) {
            free(list.item);
            errno = EINVAL;
            return -1;
        }
        long less = u < v ? u : v, more = u < v ? v : u;
        low = low < 0 || less < low ? less : low;
        high = more > high ? more : high;
        pair_list_add(&list, u, v);
    }
    if (list.count == 0) {
        errno = EINVAL;
        return -1;
    }
    for (size_t i = 0; i < list.count; i++) {
        list.item[i].from -= low;
        list.item[i].to -= low;
    }
    build(graph, &list, high - low + 1);
    return 0;
}

/* One synset: "offset file n words(hex) {word id}... pointers {symbol offset pos words}... | gloss" (wndb(5)). */
static void
read_synset(char *line, long node, pair_list_t *list)
{
    char *save = NULL, *gloss = strchr(line, '|');
    if (gloss != NULL)
        *gloss = '\0';
    strtok_r(line, " ", &save);
    strtok_r(NULL, " ", &save);
    strtok_r(NULL, " ", &save);
    const char *token = strtok_r(NULL, " ", &save);
    for (long words = token ? strtol(token, NULL, 16) : 0; words > 0; words--) {
        strtok_r(NULL, " ", &save);
        strtok_r(NULL, " ", &save);
    }
    token = strtok_r(NULL, " ", &save);
    for (long pointers = token ? strtol(token, NULL, 10) : 0; pointers > 0; pointers--) {
        strtok_r(NULL, " ", &save);
        const char *offset = strtok_r(NULL, " ", &save);
        const char *part_of_speech = strtok_r(NULL, " ", &save);
        strtok_r(NULL, " ", &save);
        if (part_of_speech != NULL && strcmp(part_of_speech, "n") == 0)
            pair_list_add(list, node, strtol(offset, NULL, 10));
    }
}

static int
read_wordnet(graph_t *graph, FILE *file)
{
    pair_list_t list = {0};
    size_t room = 1024, line_room = 0;
    long nodes = 0, *offset = must(malloc(room * sizeof *offset));
    char *line = NULL;
    while (getline(&line, &line_room, file) > 0) {
        if (line[0] == ' ') /* the licence */
            continue;
        if ((size_t)nodes == room)
            offset = must(realloc(offset, (room *= 2) * sizeof *offset));
        offset[nodes] = strtol(line, NULL, 10);
        read_synset(line, nodes++, &list);
    }
    free(line);
    size_t kept = 0;
    for (size_t i = 0; i < list.count; i++) {
        const long *found = bsearch(&list.item[i].to, offset, (size_t)nodes, sizeof *offset, long_compare);
        if (found != NULL)
            list.item[kept++] = (pair_t){list.item[i].from, found - offset};
    }
    list.count = kept;
    free(offset);
    build(graph, &list, nodes);
    return 0;
}

/* karate.txt lies in ../data from this file unless the build says otherwise. */
static void
karate_path(char *path, size_t bytes)
{
#ifdef GNN_DATA
    snprintf(path, bytes, "%s/karate.txt", GNN_DATA);
#else
    const char *here = __FILE__, *slash = strrchr(here, '/');
    snprintf(path, bytes, "%.*s../data/karate.txt", slash ? (int)(slash - here) + 1 : 0, here);
#endif
}

int
graph_load(graph_t *graph, const char *what, char *why, size_t why_bytes)
{
    char path[1024];
    int wordnet = strcmp(what, "wordnet") == 0;
    memset(graph, 0, sizeof *graph);
    const char *slash = strrchr(what, '/');
    snprintf(graph->name, sizeof graph->name, "%s", slash ? slash + 1 : what);
    if (wordnet)
        snprintf(path, sizeof path, "%s", WORDNET_NOUNS);
    else if (strcmp(what, "karate") == 0)
        karate_path(path, sizeof path);
    else
        snprintf(path, sizeof path, "%s", what);
    FILE *file = fopen(path, "r");
    int bad = file == NULL || (wordnet ? read_wordnet(graph, file) : read_edges(graph, file)) != 0;
    if (bad)
        snprintf(why, why_bytes, "%s: %s", path, strerror(errno));
    if (file != NULL)
        fclose(file);
    return bad ? -1 : 0;
}

void
graph_free(graph_t *graph)
{
    free(graph->first);
    free(graph->neighbour);
}
