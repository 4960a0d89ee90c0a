/* identity.c -- a number for a fault that stays the same from run to run and from version to version.
 *
 * It is made of what the fault is and of the text of its lines, not of their numbers: class, rule, object, and for each
 * access routine, file, function and source line with its blanks taken out. So a comment further up changes nothing,
 * and the same fault on another PE's copy has the same number. Of allocations only the line counts, not the size.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "reference/report/state.h"

static uint64_t
mix_text(uint64_t h, const char *text)
{
    for (; text && *text; text++)
        if (!isspace((unsigned char)*text))
            h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return (h ^ 0xff) * UINT64_C(0x100000001b3);
}

static uint64_t
mix_line(uint64_t h, const struct fp_line *line)
{
    const char *slash = line->file ? strrchr(line->file, '/') : NULL;
    char *text = fp_source_line(line->file, line->line);
    h = mix_text(h, slash ? slash + 1 : line->file);
    h = mix_text(h, line->function);
    h = mix_text(h, text);
    free(text);
    return h;
}

uint64_t
fp_finding_id(struct fp_report *report, const struct fp_finding *f)
{
    const uint64_t start = UINT64_C(0xcbf29ce484222325);
    uint64_t h = mix_text(mix_text(start, fp_class_name(f->class_)), f->rule);
    uint64_t accesses = 0;
    if (f->object.allocated) {
        struct fp_line line = fp_site_line(report, f->object.allocated);
        h = mix_line(h, &line);
    } else {
        h = mix_text(h, f->object.name);
    }
    /* Which of the two came first, and how many PEs did the same, is the schedule's matter. */
    for (int i = 0; i < f->naccesses; i++) {
        struct fp_line line = fp_access_line(report, &f->accesses[i]);
        uint64_t one = mix_line(mix_text(start, f->accesses[i].op), &line);
        bool known = false;
        for (int j = 0; j < i && !known; j++)
            known = f->accesses[j].site == f->accesses[i].site && !strcmp(f->accesses[j].op, f->accesses[i].op);
        accesses += known ? 0 : one * UINT64_C(0x9e3779b97f4a7c15);
    }
    return h ^ accesses;
}
