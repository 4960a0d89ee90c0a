/* repair.c -- runs a program again with the repairs that its findings suggest, see repair.h.
 *
 * A suggestion that is one call at one place stands in the report as `insert`, in the words of --insert. The program
 * runs again, with the same seed and settings, as if the call stood there. The repair is *verified* if that finding is
 * gone and no other has come; it is "not enough" if the finding is still there. If another has come (a barrier that
 * only some PEs reach hangs), the call cannot simply be put there and nothing is said against the repair: the place is
 * for a person to find. The report file gets the outcome as `verified`: true, false or null.
 */
#include "tools/repair.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "tools/campaign.h"
#include "tools/options.h"

/* One run that writes `report`; with `insert` it says nothing. Its exit status as a shell has it. */
static int
run(const char *path, char **argv, const char *report, const char *insert)
{
    int status;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        options_set(OPTION_report, report);
        if (insert) {
            options_set(OPTION_insert, insert);
            options_set(OPTION_trace, "");
            int nothing = open("/dev/null", O_RDWR);
            for (int fd = 0; nothing >= 0 && fd < 3; fd++)
                dup2(nothing, fd);
        }
        execv(path, argv);
        _exit(EX_OSERR);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return EX_OSERR;
    if (child < 0)
        return EX_OSERR;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static cJSON *
read_report(const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = fopen(path, "r");
    if (!file)
        return NULL;
    cJSON *json = getdelim(&text, &size, '\0', file) > 0 ? cJSON_Parse(text) : NULL;
    free(text);
    fclose(file);
    return json;
}

static bool
write_report(const char *path, const cJSON *json)
{
    char *text = cJSON_Print(json);
    FILE *file = fopen(path, "w");
    bool good = text && file && fprintf(file, "%s\n", text) > 0;
    if (file && fclose(file))
        good = false;
    cJSON_free(text);
    return good;
}

static cJSON *
findings_of(const cJSON *report)
{
    return cJSON_GetObjectItemCaseSensitive(report, "findings");
}

static bool
has(const cJSON *report, const char *id)
{
    const cJSON *finding;
    cJSON_ArrayForEach(finding, findings_of(report)) if (!strcmp(json_text(finding, "id"), id)) return true;
    return false;
}

enum outcome { VERIFIED, NOT_ENOUGH, OTHERWISE };

/* What became of the finding `id` of `before`. */
static enum outcome
compare(const cJSON *before, const cJSON *after, const char *id)
{
    const cJSON *finding;
    if (!after || !strcmp(json_text(after, "verdict"), "incomplete"))
        return OTHERWISE;
    cJSON_ArrayForEach(finding, findings_of(after)) if (!has(before, json_text(finding, "id"))) return OTHERWISE;
    return has(after, id) ? NOT_ENOUGH : VERIFIED;
}

static void
tell(const char *command, const cJSON *finding, const char *insert, enum outcome outcome)
{
    const char *place = strchr(insert, '@'), *slash = strrchr(insert, '/');
    const char *at = slash ? slash + 1 : place + 1, *context = memchr(insert, '#', (size_t)(place - insert));
    int length = (int)((context ? context : place) - insert);
    const char *object = json_text(cJSON_GetObjectItemCaseSensitive(finding, "object"), "name");
    fprintf(stderr, "%s: with %.*s before %s the %s on %s ", command, length, insert, at, json_text(finding, "class"),
            *object ? object : "memory");
    fputs(outcome == VERIFIED     ? "is gone: repair verified\n"
          : outcome == NOT_ENOUGH ? "is still there\n"
                                  : "cannot be tried: not every PE gets there, or the run ends otherwise\n",
          stderr);
}

/* Tries every suggestion of the report, and notes the outcomes in it. */
static void
try_all(const char *command, const char *path, char **argv, const char *again, cJSON *report)
{
    cJSON *finding;
    cJSON_ArrayForEach(finding, findings_of(report))
    {
        const char *insert = json_text(finding, "insert");
        if (!*insert)
            continue;
        unlink(again);
        run(path, argv, again, insert);
        cJSON *after = read_report(again);
        enum outcome outcome = compare(report, after, json_text(finding, "id"));
        cJSON_Delete(after);
        tell(command, finding, insert, outcome);
        cJSON_AddItemToObject(finding, "verified",
                              outcome == OTHERWISE ? cJSON_CreateNull() : cJSON_CreateBool(outcome == VERIFIED));
    }
}

int
verify_repairs(const char *command, const char *path, char **argv)
{
    char folder[] = "/tmp/fencepost-XXXXXX", first[64], again[64];
    const char *asked = getenv("FENCEPOST_REPORT");
    bool wanted = asked && *asked;
    if (!mkdtemp(folder)) {
        fprintf(stderr, "%s: cannot make a folder in /tmp: %s\n", command, strerror(errno));
        return EX_OSERR;
    }
    snprintf(first, sizeof first, "%s/1.json", folder);
    snprintf(again, sizeof again, "%s/2.json", folder);
    char *report_path = strdup(wanted ? asked : first);
    if (!report_path)
        return EX_OSERR;
    int status = run(path, argv, report_path, NULL);
    cJSON *report = read_report(report_path);
    if (report) {
        try_all(command, path, argv, again, report);
        if (wanted && !write_report(report_path, report))
            fprintf(stderr, "%s: cannot write %s: %s\n", command, report_path, strerror(errno));
    }
    cJSON_Delete(report);
    free(report_path);
    unlink(first);
    unlink(again);
    rmdir(folder);
    return status;
}
