/* story_parts.h -- between the files that put a story together, and trace_diff.c, which tells places. */
#ifndef TOOLS_STORY_PARTS_H
#define TOOLS_STORY_PARTS_H

#include "tools/story.h"
#include "traces/trace.h"

#define STORY_PES_MAX (1 << 20)
#define STORY_ROWS_MAX (4u << 20)    /* more would not be looked at one by one, nor fit a page */
#define STORY_PLAIN_MAX (200u << 10) /* plain accesses that are rows; with more of them only those of findings are */
#define STORY_FINDINGS_MAX 200
#define STORY_PLACE_MAX (INT64_C(1) << 52) /* times and places beyond are nonsense, and no exact numbers in a page */

/* Words that stand in several rows: names of routines, names of objects. story_words.c */
struct story_words {
    char **texts; /* all that were allocated */
    uint32_t ntexts, texts_cap;
    struct story_static {
        int64_t offset;
        uint64_t bytes;
        uint32_t object;
    } * statics; /* sorted by offset */
    uint32_t nstatics;
    struct story_block {
        int64_t offset;
        uint64_t bytes;
        uint32_t object;
    } * blocks; /* of the heap, alive now, sorted by offset */
    uint32_t nblocks, blocks_cap;
    uint32_t names_cap, objects_cap;
};

void *story_room(void *list, uint64_t count, void *cap, size_t size); /* grows a list; never NULL */
const char *story_keep(struct story *story, const char *text);
uint32_t story_name(struct story *story, const char *text);
/* A new object; no two rows share one by name alone. */
uint32_t story_object(struct story *story, const char *text);
void story_block_born(struct story *story, int64_t offset, uint64_t bytes, uint64_t site);
void story_block_died(struct story *story, int64_t offset);
/* Fills object and offset of a row from its place. */
void story_place(struct story *story, struct story_row *row);

/* story_result.c: sites, static objects and findings, before the records are read. */
void story_result(struct story *story);
/* After the records: which rows the accesses of the findings are. */
void story_match(struct story *story);
/* Whether an access at this site belongs to a finding. */
bool story_accused(const struct story *story, uint64_t site);

#endif
