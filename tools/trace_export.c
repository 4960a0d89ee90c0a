/* trace_export.c -- `fencepost trace export`: the run for the eye, or for other programs. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>

#include "tools/export.h"
#include "tools/nearest.h"
#include "tools/output.h"
#include "tools/trace.h"

static const char *const formats[] = {"html", "perfetto", "json"};
enum { FORMATS = sizeof formats / sizeof formats[0] };

static int
print_help(void)
{
    puts("usage: fencepost trace export --format=FORMAT [-o FILE] TRACE\n\n"
         "  html      one page with the run as a space-time diagram: open it in a browser; it needs nothing else\n"
         "  perfetto  trace-event JSON: open it at ui.perfetto.dev\n"
         "  json      everything that stands in the trace, for scripts\n\n"
         "  -o FILE   write there; else, to standard output");
    return 0;
}

static int
write_out(const char *command, const char *format, const char *path, FILE *out)
{
    char error[512] = "";
    int got;
    if (!strcmp(format, "json")) {
        got = export_json(path, out, error, sizeof error);
    } else {
        struct story story;
        got = story_read(&story, path, error, sizeof error);
        if (story.words && !strcmp(format, "html"))
            export_html(&story, out);
        else if (story.words)
            export_perfetto(&story, out);
        story_free(&story);
    }
    if (got < 0)
        fprintf(stderr, "%s: %s\n", command, error);
    return got < 0 ? EX_DATAERR : 0;
}

static int
write_file(const char *command, const char *format, const char *path, const char *to)
{
    struct stat here, there;
    if (!stat(to, &there) && !stat(path, &here) && here.st_dev == there.st_dev && here.st_ino == there.st_ino) {
        fprintf(stderr, "%s: %s is the trace itself; name another file with -o\n", command, to);
        return EX_USAGE;
    }
    struct output output;
    FILE *out = output_open(&output, to);
    int status = out ? write_out(command, format, path, out) : 0;
    if (output_close(&output))
        return status;
    fprintf(stderr, "%s: cannot write %s: %s\n", command, to, strerror(errno));
    return EX_CANTCREAT;
}

int
trace_export(int argc, char **argv)
{
    const char *format = NULL, *path = NULL, *to = NULL;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
            return print_help();
        if (!strncmp(argv[i], "--format=", 9)) {
            format = argv[i] + 9;
        } else if (!strcmp(argv[i], "--format") && argv[i + 1]) {
            format = argv[++i];
        } else if (!strcmp(argv[i], "-o") && argv[i + 1]) {
            to = argv[++i];
        } else if (path || (argv[i][0] == '-' && argv[i][1])) {
            fprintf(stderr, "%s: what is '%s'? usage: %s --format=FORMAT [-o FILE] TRACE\n", argv[0], argv[i], argv[0]);
            return EX_USAGE;
        } else {
            path = argv[i];
        }
    }
    bool known = false;
    for (int i = 0; i < FORMATS && format; i++)
        known |= !strcmp(format, formats[i]);
    if (!known) {
        const char *near = format ? nearest_word(format, (const char **)formats, FORMATS) : NULL;
        fprintf(stderr, "%s: %s%s%s; --format is html, perfetto or json%s%s%s\n", argv[0],
                format ? "unknown format '" : "which format?", format ? format : "", format ? "'" : "",
                near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
        return EX_USAGE;
    }
    if (!path) {
        fprintf(stderr, "%s: which trace?\n", argv[0]);
        return EX_USAGE;
    }
    return to ? write_file(argv[0], format, path, to) : write_out(argv[0], format, path, stdout);
}
