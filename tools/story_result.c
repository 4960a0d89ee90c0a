/* story_result.c -- the end of a trace: places in the source, static objects, findings; and which rows they accuse. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/story_parts.h"

/* Splits a value of words that tabs separate; the last one keeps its tabs. How many there are. */
static int
split(char *text, char **words, int max)
{
    int count = 0;
    while (count < max) {
        words[count++] = text;
        char *tab = count < max ? strchr(text, '\t') : NULL;
        if (!tab)
            break;
        *tab = '\0';
        text = tab + 1;
    }
    return count;
}

static int
by_site(const void *a, const void *b)
{
    const struct story_site *x = a, *y = b;
    return x->site < y->site ? -1 : x->site > y->site;
}

static int
by_offset(const void *a, const void *b)
{
    const struct story_static *x = a, *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static void
take_site(struct story *story, char *text, uint32_t *cap)
{
    char *words[4];
    if (split(text, words, 4) < 4)
        return;
    story->sites = story_room(story->sites, story->nsites, cap, sizeof *story->sites);
    bool known = strcmp(words[3], "?") != 0 && atoi(words[1]) > 0;
    story->sites[story->nsites++] = (struct story_site){.site = strtoull(words[0], NULL, 16),
                                                        .line = known ? atoi(words[1]) : 0,
                                                        .function = strcmp(words[2], "?") ? words[2] : "",
                                                        .file = known ? words[3] : ""};
}

static void
take_object(struct story *story, char *text, uint32_t *cap)
{
    char *words[3];
    struct story_words *all = story->words;
    if (split(text, words, 3) < 3)
        return;
    all->statics = story_room(all->statics, all->nstatics, cap, sizeof *all->statics);
    all->statics[all->nstatics++] = (struct story_static){.offset = strtoll(words[0], NULL, 10),
                                                          .bytes = strtoull(words[1], NULL, 10),
                                                          .object = story_object(story, words[2])};
}

static void
take_finding(struct story *story, char *text, uint32_t *cap)
{
    if (story->nfindings == STORY_FINDINGS_MAX) {
        story->findings_left++;
        return;
    }
    story->findings = story_room(story->findings, (uint64_t)story->nfindings, cap, sizeof *story->findings);
    struct story_finding *finding = &story->findings[story->nfindings++];
    char *colon = strstr(text, ": ");
    *finding = (struct story_finding){.class_ = "finding", .message = text, .rule = "", .repair = "", .object = ""};
    if (!colon)
        return;
    *colon = '\0';
    finding->class_ = isdigit((unsigned char)*text) ? "finding" : text;
    finding->message = colon + 2;
}

/* The finding that the first word numbers, or NULL. */
static struct story_finding *
finding_of(struct story *story, const char *word)
{
    long number = strtol(word, NULL, 10);
    return isdigit((unsigned char)*word) && number < story->nfindings ? &story->findings[number] : NULL;
}

static void
take_detail(struct story *story, const char *what, char *text)
{
    char *words[6];
    int count = split(text, words,
                      !strcmp(what, "object")   ? 6
                      : !strcmp(what, "access") ? 5
                      : !strcmp(what, "source") ? 3
                                                : 2);
    struct story_finding *finding = finding_of(story, words[0]);
    if (!finding || count < 2)
        return;
    if (!strcmp(what, "rule"))
        finding->rule = words[1];
    if (!strcmp(what, "repair"))
        finding->repair = words[1];
    if (!strcmp(what, "object") && count == 6) {
        finding->object = words[5];
        finding->object_pe = atoi(words[1]);
        finding->object_offset = strtoull(words[3], NULL, 10);
        finding->object_bytes = strtoull(words[4], NULL, 10);
    }
    if (!strcmp(what, "access") && count == 5 && finding->naccesses < STORY_ACCESSES)
        finding->accesses[finding->naccesses++] = (struct story_access){.pe = atoi(words[1]),
                                                                        .kind = words[2],
                                                                        .site = strtoull(words[3], NULL, 16),
                                                                        .op = words[4],
                                                                        .source = "",
                                                                        .row = -1};
    if (!strcmp(what, "source") && count == 3) {
        long access = strtol(words[1], NULL, 10);
        if (access >= 0 && access < finding->naccesses)
            finding->accesses[access].source = words[2];
    }
}

void
story_result(struct story *story)
{
    const char *key, *value;
    uint32_t sites_cap = 0, statics_cap = 0, findings_cap = 0;
    for (int i = 0; fp_trace_result_at(story->trace, i, &key, &value); i++) {
        bool site = !strcmp(key, "site"), object = !strcmp(key, "object"), finding = !strcmp(key, "finding");
        if (!site && !object && !finding && strncmp(key, "finding-", 8) != 0)
            continue;
        char *text = (char *)story_keep(story, value);
        if (site)
            take_site(story, text, &sites_cap);
        else if (object)
            take_object(story, text, &statics_cap);
        else if (finding)
            take_finding(story, text, &findings_cap);
        else
            take_detail(story, key + 8, text);
    }
    if (story->nsites)
        qsort(story->sites, story->nsites, sizeof *story->sites, by_site);
    if (story->words->nstatics)
        qsort(story->words->statics, story->words->nstatics, sizeof *story->words->statics, by_offset);
}

const struct story_site *
story_site(const struct story *story, uint64_t site)
{
    struct story_site key = {.site = site};
    return site && story->nsites ? bsearch(&key, story->sites, story->nsites, sizeof key, by_site) : NULL;
}

bool
story_accused(const struct story *story, uint64_t site)
{
    for (int i = 0; i < story->nfindings; i++)
        for (int j = 0; j < story->findings[i].naccesses; j++)
            if (story->findings[i].accesses[j].site == site)
                return true;
    return false;
}

/* ---- Which rows ------------------------------------------------------------------------------------------------- */

/* Bytes of a row in one copy of memory. */
struct bytes {
    uint32_t region;
    int64_t pe, from, to;
};

static struct bytes
remote_bytes(const struct story_row *row)
{
    int64_t pe = row->target >= 0 ? row->target : (int64_t)row->pe;
    return (struct bytes){row->region, pe, row->at, row->at + (int64_t)(row->reach ? row->reach : row->bytes)};
}

static struct bytes
local_bytes(const struct story_row *row)
{
    return (struct bytes){row->kind <= STORY_INNER ? row->local_region : 0, row->pe, row->local_at,
                          row->local_at + (int64_t)(row->reach ? row->reach : row->bytes)};
}

static bool
meet(struct bytes a, struct bytes b)
{
    return a.region && a.region == b.region && a.pe == b.pe && a.from < b.to && b.from < a.to;
}

static bool
is_access(const struct story *story, const struct story_row *row, const struct story_access *access)
{
    return row->pe == (uint32_t)access->pe && row->site && story->sites[row->site - 1].site == access->site &&
           row->kind != STORY_QUIET && row->kind != STORY_FENCE;
}

/* Rows are searched backwards from the record by which the finding was known. */
static void
match(struct story *story, struct story_finding *finding, uint64_t last)
{
    struct story_access *a = &finding->accesses[0], *b = &finding->accesses[1];
    int count = finding->naccesses < 2 ? finding->naccesses : 2;
    for (int which = 0; which < count; which++)
        for (uint64_t i = last; i-- > 0 && finding->accesses[which].row < 0;)
            if (is_access(story, &story->rows[i], &finding->accesses[which]) &&
                (which == 0 || a->site != b->site || a->pe != b->pe || (int64_t)i != a->row))
                finding->accesses[which].row = (int64_t)i;
    if (count < 2 || a->row < 0 || b->row < 0)
        return;
    /* The later of the two is the one that was found; the other may have been made often: the last that touches it. */
    struct story_access *first = a->row < b->row ? a : b, *second = first == a ? b : a;
    struct bytes there = remote_bytes(&story->rows[second->row]), here = local_bytes(&story->rows[second->row]);
    for (int64_t i = second->row; i-- > 0;) {
        const struct story_row *row = &story->rows[i];
        if (!is_access(story, row, first))
            continue;
        struct bytes remote = remote_bytes(row), local = local_bytes(row);
        first->local = meet(local, there) || meet(local, here);
        second->local = meet(remote, here) || meet(local, here);
        if (!first->local && !second->local && !meet(remote, there))
            continue;
        first->row = i;
        return;
    }
    first->local = second->local = false;
}

void
story_match(struct story *story)
{
    for (int i = 0; i < story->nfindings; i++) {
        struct story_finding *finding = &story->findings[i];
        uint64_t low = 0, high = story->nrows; /* rows begin in the order of the records */
        while (finding->record && low < high) {
            uint64_t middle = low + (high - low) / 2;
            if (story->rows[middle].order.begin <= (int64_t)finding->record)
                low = middle + 1;
            else
                high = middle;
        }
        match(story, finding, finding->record ? low : story->nrows);
    }
}
