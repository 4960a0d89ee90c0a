/* suppress.c -- findings that the user has looked at and wants no more of: --suppress FILE.
 *
 * One rule a line: a class or *, and then any of `rule=E061`, `function=GLOB`, `file=GLOB`, `object=GLOB`, `id=HEX`.
 * Function and file have to hold for one and the same access, or frame of its stack. What is suppressed is counted, and
 * neither told nor listed, and does not make the exit status 66. `#` begins a comment. The file is read when the run
 * starts: a line that cannot be read ends it with 64 there and then.
 */
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reference/report/state.h"

struct fp_suppression {
    struct fp_suppression *next;
    char *text; /* the line, cut into words; the fields point into it */
    const char *class_, *rule, *function, *file, *object, *id;
};

static _Noreturn void
refuse(const char *path, int line, const char *why)
{
    if (line)
        fprintf(stderr, "fencepost: %s:%d: %s\n", path, line, why);
    else
        fprintf(stderr, "fencepost: cannot read the list of suppressions %s: %s\n", path, why);
    _exit(64);
}

static bool
is_class(const char *word)
{
    for (int i = 0; i <= FP_CLASS_CRASH; i++)
        if (!strcmp(word, fp_class_name((enum fp_class)i)))
            return true;
    return !strcmp(word, "*");
}

/* "key=value" into its field. */
static bool
field_set(struct fp_suppression *s, char *word)
{
    const struct {
        const char *key;
        const char **field;
    } fields[] = {
        {"rule", &s->rule}, {"function", &s->function}, {"file", &s->file}, {"object", &s->object}, {"id", &s->id}};
    char *equal = strchr(word, '=');
    for (size_t i = 0; equal && equal[1] && i < sizeof fields / sizeof *fields; i++)
        if (strlen(fields[i].key) == (size_t)(equal - word) && !strncmp(fields[i].key, word, (size_t)(equal - word))) {
            *fields[i].field = equal + 1;
            return true;
        }
    return false;
}

static struct fp_suppression *
line_read(const char *path, int number, char *text)
{
    struct fp_suppression *s = calloc(1, sizeof *s);
    char *rest = NULL;
    if (!s)
        fp_env_fail("out of memory");
    s->text = text;
    s->class_ = strtok_r(text, " \t\r\n", &rest);
    if (!is_class(s->class_))
        refuse(path, number, "a line begins with a class of findings (race, leak ...) or *");
    for (char *word; (word = strtok_r(NULL, " \t\r\n", &rest));)
        if (!field_set(s, word))
            refuse(path, number, "after the class come rule=, function=, file=, object= and id= with their values");
    return s;
}

struct fp_suppression *
fp_suppressions_read(const char *path)
{
    struct fp_suppression *list = NULL, **at = &list;
    char *line = NULL;
    size_t room = 0;
    FILE *file = fopen(path, "re");
    if (!file)
        refuse(path, 0, strerror(errno));
    for (int number = 1; getline(&line, &room, file) >= 0; number++) {
        line[strcspn(line, "#")] = '\0';
        if (line[strspn(line, " \t\r\n")] == '\0')
            continue;
        *at = line_read(path, number, strdup(line));
        at = &(*at)->next;
    }
    free(line);
    fclose(file);
    return list;
}

void
fp_suppressions_free(struct fp_suppression *list)
{
    while (list) {
        struct fp_suppression *next = list->next;
        free(list->text);
        free(list);
        list = next;
    }
}

static bool
matches(const char *pattern, const char *text)
{
    return !pattern || (text && fnmatch(pattern, text, 0) == 0);
}

/* A file by its path as it is known, or by its name. */
static bool
place_fits(const struct fp_suppression *s, const struct fp_line *line)
{
    const char *slash = line->file ? strrchr(line->file, '/') : NULL;
    return matches(s->function, line->function) &&
           (matches(s->file, line->file) || (slash && matches(s->file, slash + 1)));
}

static bool
places_fit(struct fp_report *report, const struct fp_suppression *s, const struct fp_finding *f)
{
    struct fp_line frames[8];
    if (!s->function && !s->file)
        return true;
    for (int i = 0; i < f->naccesses; i++)
        for (int j = -1; j < f->accesses[i].nstack; j++) {
            int n = fp_site_frames(report, j < 0 ? f->accesses[i].site : f->accesses[i].stack[j], frames, 8);
            for (int k = 0; k < n; k++)
                if (place_fits(s, &frames[k]))
                    return true;
        }
    return false;
}

bool
fp_suppressed(struct fp_report *report, const struct fp_finding *f)
{
    for (const struct fp_suppression *s = report->suppressions; s; s = s->next) {
        char id[17];
        if (s->id)
            snprintf(id, sizeof id, "%016" PRIx64, fp_finding_id(report, f));
        if (matches(s->class_, fp_class_name(f->class_)) && (!s->rule || (f->rule && strstr(f->rule, s->rule))) &&
            matches(s->object, f->object.name) && (!s->id || !strcmp(s->id, id)) && places_fit(report, s, f))
            return true;
    }
    return false;
}
