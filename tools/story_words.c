/* story_words.c -- what rows are about: names of routines, static objects, blocks of the heap while they live. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "tools/story_parts.h"

/* A heap with more blocks at a time is told as one object: the list is kept sorted by moving its entries. */
#define BLOCKS_MAX 65536
/* There are some 2,000 routines. */
#define NAMES_MAX 8192

void *
story_room(void *list, uint64_t count, void *cap, size_t size)
{
    uint32_t *room = cap;
    if (count < *room)
        return list;
    uint64_t more = *room ? 2 * (uint64_t)*room : 64;
    list = more <= UINT32_MAX ? realloc(list, more * size) : NULL;
    if (!list) {
        fprintf(stderr, "fencepost: out of memory for the trace\n");
        exit(EX_OSERR);
    }
    *room = (uint32_t)more;
    return list;
}

const char *
story_keep(struct story *story, const char *text)
{
    struct story_words *words = story->words;
    words->texts = story_room(words->texts, words->ntexts, &words->texts_cap, sizeof *words->texts);
    char *copy = strdup(text);
    if (!copy)
        exit(EX_OSERR);
    return words->texts[words->ntexts++] = copy;
}

uint32_t
story_name(struct story *story, const char *text)
{
    for (uint32_t i = 0; i < story->nnames; i++)
        if (!strcmp(story->names[i], text))
            return i;
    if (story->nnames == NAMES_MAX)
        return 0;
    story->names = story_room(story->names, story->nnames, &story->words->names_cap, sizeof *story->names);
    story->names[story->nnames] = story_keep(story, text);
    return story->nnames++;
}

uint32_t
story_object(struct story *story, const char *text)
{
    story->objects = story_room(story->objects, story->nobjects, &story->words->objects_cap, sizeof *story->objects);
    story->objects[story->nobjects] = *text ? story_keep(story, text) : "";
    return story->nobjects++;
}

/* The first block that does not begin before `offset`. */
static uint32_t
find(const struct story_words *words, int64_t offset)
{
    uint32_t low = 0, high = words->nblocks;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (words->blocks[middle].offset < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void
story_block_born(struct story *story, int64_t offset, uint64_t bytes, uint64_t site)
{
    struct story_words *words = story->words;
    uint32_t at = find(words, offset);
    /* Told for the copy of each PE. */
    if (words->nblocks == BLOCKS_MAX || (at < words->nblocks && words->blocks[at].offset == offset))
        return;
    words->blocks = story_room(words->blocks, words->nblocks, &words->blocks_cap, sizeof *words->blocks);
    memmove(words->blocks + at + 1, words->blocks + at, (words->nblocks - at) * sizeof *words->blocks);
    words->nblocks++;
    const struct story_site *place = story_site(story, site);
    char text[600];
    if (place && place->line)
        snprintf(text, sizeof text, "block of %" PRIu64 " bytes (%s:%d)", bytes, place->file, place->line);
    else
        snprintf(text, sizeof text, "block of %" PRIu64 " bytes", bytes);
    words->blocks[at] = (struct story_block){.offset = offset, .bytes = bytes, .object = story_object(story, text)};
}

void
story_block_died(struct story *story, int64_t offset)
{
    struct story_words *words = story->words;
    uint32_t at = find(words, offset);
    if (at == words->nblocks || words->blocks[at].offset != offset)
        return;
    words->nblocks--;
    memmove(words->blocks + at, words->blocks + at + 1, (words->nblocks - at) * sizeof *words->blocks);
}

static void
place_in_block(const struct story_words *words, struct story_row *row)
{
    uint32_t at = find(words, row->at);
    if (at == words->nblocks || words->blocks[at].offset != row->at)
        at--; /* wraps where there is none before */
    if (at >= words->nblocks || (uint64_t)(row->at - words->blocks[at].offset) >= words->blocks[at].bytes)
        return;
    row->object = words->blocks[at].object;
    row->offset = row->at - words->blocks[at].offset;
}

static void
place_in_static(const struct story_words *words, struct story_row *row)
{
    uint32_t low = 0, high = words->nstatics;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (words->statics[middle].offset <= row->at)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || (uint64_t)(row->at - words->statics[low - 1].offset) >= words->statics[low - 1].bytes)
        return;
    row->object = words->statics[low - 1].object;
    row->offset = row->at - words->statics[low - 1].offset;
}

void
story_place(struct story *story, struct story_row *row)
{
    row->offset = row->at;
    if (row->region == 1)
        place_in_block(story->words, row);
    else if (row->region == 2)
        place_in_static(story->words, row);
}
