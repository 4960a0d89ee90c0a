/* trace_diff.c -- `fencepost trace diff`: where two runs part, and what that tells.
 *
 * Two runs of one program with the same answers to the same choices are the same run, so there are three reasons to
 * part: other settings, another answer, or something outside of Fencepost. The first record and the first choice that
 * differ say which.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "tools/story_parts.h"
#include "tools/text.h"
#include "tools/trace.h"

enum { LEFT, RIGHT };

struct side {
    const char *path;
    struct story story; /* its result and places */
    bool there;         /* it has a record where the two part */
    struct fp_trace_entry entry;
    int64_t fields[TRACE_F_COUNT];
};

struct comparison {
    struct side sides[2];
    uint64_t same_records, same_choices;
    bool records_differ, choices_differ;
    struct fp_trace_choice_entry choices[2];
    bool choice_there[2];
    char error[512];
};

/* ---- Comparing -------------------------------------------------------------------------------------------------- */

static bool
same_shape(const struct fp_trace_shape *a, const struct fp_trace_shape *b)
{
    return a->keys_bytes == b->keys_bytes && !memcmp(a->keys, b->keys, a->keys_bytes);
}

/* Reads both to their ends; 0, or -1 with the error. */
static int
compare_records(struct comparison *all)
{
    int got[2];
    struct fp_trace_entry entry[2];
    for (;;) {
        for (int side = 0; side < 2; side++)
            got[side] = fp_trace_next_record(all->sides[side].story.trace, &entry[side], all->error, sizeof all->error);
        if (got[LEFT] < 0 || got[RIGHT] < 0)
            return -1;
        if (!got[LEFT] && !got[RIGHT])
            return 0;
        if (all->records_differ)
            continue; /* only for the result, which is at the end */
        if (got[LEFT] && got[RIGHT] && same_shape(entry[LEFT].shape, entry[RIGHT].shape) &&
            !memcmp(entry[LEFT].fields, entry[RIGHT].fields, sizeof all->sides[LEFT].fields)) {
            all->same_records++;
            continue;
        }
        all->records_differ = true;
        for (int side = 0; side < 2; side++) {
            all->sides[side].there = got[side] == 1;
            if (got[side] != 1)
                continue;
            all->sides[side].entry = entry[side];
            memcpy(all->sides[side].fields, entry[side].fields, sizeof all->sides[side].fields);
            all->sides[side].entry.fields = all->sides[side].fields;
        }
    }
}

static int
compare_choices(struct comparison *all)
{
    struct fp_trace_reader *trace[2];
    int got[2] = {1, 1};
    uint64_t zeros[2] = {0, 0}; /* steps answered by 0 that come next */
    for (int side = 0; side < 2; side++)
        trace[side] = fp_trace_open(all->sides[side].path, all->error, sizeof all->error);
    while (trace[LEFT] && trace[RIGHT]) {
        for (int side = 0; side < 2; side++) {
            if (zeros[side]) {
                zeros[side]--;
                all->choices[side] = (struct fp_trace_choice_entry){0};
                continue;
            }
            got[side] = fp_trace_next(trace[side], &all->choices[side], all->error, sizeof all->error);
            zeros[side] = fp_trace_skip(trace[side], UINT64_MAX);
        }
        if (got[LEFT] != 1 || got[RIGHT] != 1)
            break;
        const struct fp_trace_choice_entry *a = &all->choices[LEFT], *b = &all->choices[RIGHT];
        bool bounds = !a->bound || !b->bound || a->bound == b->bound; /* a bound of 0 was not recorded */
        if (a->kind != b->kind || a->answer != b->answer || !bounds)
            break;
        all->same_choices++;
        uint64_t both = zeros[LEFT] < zeros[RIGHT] ? zeros[LEFT] : zeros[RIGHT];
        all->same_choices += both;
        zeros[LEFT] -= both;
        zeros[RIGHT] -= both;
    }
    all->choices_differ = got[LEFT] != 0 || got[RIGHT] != 0;
    for (int side = 0; side < 2; side++) {
        all->choice_there[side] = got[side] == 1;
        fp_trace_free(trace[side]);
    }
    return !trace[LEFT] || !trace[RIGHT] || got[LEFT] < 0 || got[RIGHT] < 0 ? -1 : 0;
}

/* ---- Telling ---------------------------------------------------------------------------------------------------- */

static void
tell_place(struct side *side, uint64_t number)
{
    const struct story_site *site = story_site(&side->story, number);
    if (!site || !site->line)
        return;
    fputs(" (", stdout);
    text_line(stdout, site->file);
    printf(":%d)", site->line);
}

/* A record in words. */
static void
tell_record(struct side *side)
{
    printf("  ");
    text_line(stdout, side->path);
    if (!side->there) {
        puts(": nothing more happens");
        return;
    }
    const struct fp_trace_shape *shape = side->entry.shape;
    const int64_t *fields = side->fields;
    enum fp_trace_event event = shape->event;
    bool delivery = event == TRACE_EV_READ || event == TRACE_EV_WRITE || event == TRACE_EV_RMW;
    fputs(": ", stdout);
    if (delivery)
        printf("%s of operation %" PRIu64, fp_trace_shape_text(shape, "event"), fp_trace_op(&side->entry));
    else
        printf("PE %" PRId64 ", ", fields[TRACE_F_pe]);
    if (!delivery && event != TRACE_EV_LOAD && event != TRACE_EV_STORE) {
        text_line(stdout, fp_trace_shape_text(shape, "event"));
        putchar(' ');
    }
    text_line(stdout, shape->call);
    if (fields[TRACE_F_bytes])
        printf(", %" PRId64 " bytes", fields[TRACE_F_bytes]);
    if (event == TRACE_EV_ISSUE)
        printf(" at PE %" PRId64, fields[TRACE_F_target]);
    struct story_row row = {.region = (uint32_t)fields[TRACE_F_region], .at = fields[TRACE_F_offset]};
    story_place(&side->story, &row);
    if (row.region) {
        fputs(", ", stdout);
        text_line(stdout, row.object        ? side->story.objects[row.object]
                          : row.region == 1 ? "symmetric heap"
                                            : "static memory");
        printf(" byte %" PRId64, row.offset);
    }
    if (fields[TRACE_F_value])
        printf(", value %" PRId64, fields[TRACE_F_value]);
    if (!delivery)
        printf(", at %" PRId64 " ns", fields[TRACE_F_time]);
    tell_place(side, shape->site);
    putchar('\n');
}

/* Settings that differ, a line each; how many. */
static int
tell_headers(struct comparison *all, bool *program_differs)
{
    int count = 0;
    const char *key, *value, *other;
    for (int side = 0; side < 2; side++) {
        const struct fp_trace_reader *here = all->sides[side].story.trace, *there = all->sides[!side].story.trace;
        for (int i = 0; fp_trace_header_at(here, i, &key, &value); i++) {
            int before = 0;
            const char *earlier, *unused;
            for (int j = 0; j < i && fp_trace_header_at(here, j, &earlier, &unused); j++)
                before += !strcmp(earlier, key);
            other = fp_trace_header(there, key, before);
            if ((other && !strcmp(other, value)) || (side == RIGHT && other))
                continue;
            fputs(count++ ? "          " : "settings: ", stdout);
            text_line(stdout, key);
            putchar(' ');
            text_line(stdout, side == LEFT ? value : "(none)");
            fputs(" | ", stdout);
            text_line(stdout, side == RIGHT ? value : other ? other : "(none)");
            putchar('\n');
            *program_differs |= !strcmp(key, "program-hash");
        }
    }
    return count;
}

static void
tell_choice(const struct comparison *all)
{
    static const char *const kinds[] = {"step (who moves next)", "split (in how many pieces it travels)",
                                        "jitter (how long it takes)"};
    for (int side = 0; side < 2; side++) {
        const struct fp_trace_choice_entry *choice = &all->choices[side];
        printf("  ");
        text_line(stdout, all->sides[side].path);
        if (!all->choice_there[side]) {
            puts(": no further choice");
            continue;
        }
        printf(": a %s, answered %" PRIu32, kinds[choice->kind], choice->answer);
        if (choice->bound)
            printf(" of %" PRIu32, choice->bound);
        putchar('\n');
    }
}

static void
tell_choices(const struct comparison *all)
{
    if (!all->choices_differ) {
        printf("choices: all %" PRIu64 " are the same\n", all->same_choices);
        return;
    }
    printf("choices: the first %" PRIu64 " are the same, then\n", all->same_choices);
    tell_choice(all);
}

/* Findings of one that the other has not. */
static int
tell_findings(const struct comparison *all)
{
    int count = 0;
    for (int side = 0; side < 2; side++) {
        const struct story *here = &all->sides[side].story, *there = &all->sides[!side].story;
        for (int i = 0; i < here->nfindings; i++) {
            bool known = false;
            for (int j = 0; j < there->nfindings && !known; j++)
                known = !strcmp(here->findings[i].message, there->findings[j].message);
            if (known)
                continue;
            count++;
            fputs("only in ", stdout);
            text_line(stdout, all->sides[side].path);
            printf(": %s: ", here->findings[i].class_);
            text_line(stdout, here->findings[i].message);
            putchar('\n');
        }
    }
    return count;
}

static void
tell_reason(const struct comparison *all, int settings, bool program_differs)
{
    const struct fp_trace_choice_entry *a = &all->choices[LEFT], *b = &all->choices[RIGHT];
    bool both = all->choice_there[LEFT] && all->choice_there[RIGHT];
    if (program_differs)
        puts("reason: they are runs of two programs, or of two builds of one");
    else if (!all->choices_differ && all->records_differ)
        puts("reason: with the same answers to every choice a run is the same, unless the program depends on something "
             "else:\n"
             "  its input, the environment, memory that it never wrote. fencepost run --verify-determinism says more");
    else if (both && a->kind == b->kind && (a->bound == b->bound || !a->bound || !b->bound))
        puts(settings ? "reason: the same choice was answered differently, as other settings do"
                      : "reason: the same choice was answered differently");
    else if (all->choices_differ)
        puts("reason: other things could be chosen there, so the runs had parted before, without a choice");
    else if (settings)
        puts("the settings differ, and the runs are the same all the same");
}

static int
compare(struct comparison *all)
{
    for (int side = 0; side < 2; side++) {
        struct story *story = &all->sides[side].story;
        story->trace = fp_trace_open(all->sides[side].path, all->error, sizeof all->error);
        if (!story->trace)
            return -1;
        story->words = calloc(1, sizeof *story->words);
        if (!story->words)
            exit(EX_OSERR);
        story_object(story, "");
    }
    int got = compare_records(all);
    if (got == 0)
        got = compare_choices(all);
    for (int side = 0; side < 2; side++)
        story_result(&all->sides[side].story);
    return got;
}

int
trace_diff(int argc, char **argv)
{
    if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
        puts("usage: fencepost trace diff TRACE TRACE\n\n"
             "Says where two runs part: which settings differ, the first record and the first choice that are not the "
             "same, and\n"
             "what is found in one only. Exit status: 0 the same, 1 not, 65 where one is damaged.");
        return 0;
    }
    if (argc != 3) {
        fprintf(stderr, "%s: two traces, please; usage: %s TRACE TRACE\n", argv[0], argv[0]);
        return EX_USAGE;
    }
    struct comparison all = {.sides = {{.path = argv[1]}, {.path = argv[2]}}};
    int status = EX_DATAERR;
    if (compare(&all) < 0) {
        fprintf(stderr, "%s: %s\n", argv[0], all.error);
    } else {
        bool program_differs = false;
        int settings = tell_headers(&all, &program_differs);
        if (all.records_differ) {
            printf("records: the first %" PRIu64 " are the same, then\n", all.same_records);
            tell_record(&all.sides[LEFT]);
            tell_record(&all.sides[RIGHT]);
        } else {
            printf("records: all %" PRIu64 " are the same\n", all.same_records);
        }
        tell_choices(&all);
        int findings = tell_findings(&all);
        tell_reason(&all, settings, program_differs);
        status = settings || findings || all.records_differ || all.choices_differ;
    }
    story_free(&all.sides[LEFT].story);
    story_free(&all.sides[RIGHT].story);
    return status;
}
