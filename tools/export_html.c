/* export_html.c -- the run as one page that needs nothing else: the files of tools/view, with the story in them.
 *
 * The rows go in as columns of LEB128 numbers, differences where neighbours are alike, in blocks that the page reads
 * one after the other (tools/view/rows.js is the reader); the rest as JSON. Nothing of the trace reaches the page but
 * through text_json, text_html or base64.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "tools/export.h"
#include "tools/text.h"
#include "traces/trace.h"

#define BLOCK_ROWS 32768

/* The files, embedded by view.S, each with a zero behind it. */
extern const char view_page_html[], view_page_css[], view_script_js[];

/* ---- Rows ------------------------------------------------------------------------------------------------------- */

struct packer {
    FILE *out;
    unsigned char left[3];
    int nleft, column;
};

static void
put_quad(struct packer *packer, const unsigned char *bytes, int count)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned word = (unsigned)bytes[0] << 16 | (count > 1 ? (unsigned)bytes[1] << 8 : 0) | (count > 2 ? bytes[2] : 0u);
    char quad[4] = {digits[word >> 18], digits[word >> 12 & 63], count > 1 ? digits[word >> 6 & 63] : '=',
                    count > 2 ? digits[word & 63] : '='};
    fwrite(quad, 1, sizeof quad, packer->out);
}

static void
put_byte(struct packer *packer, unsigned char byte)
{
    packer->left[packer->nleft++] = byte;
    if (packer->nleft == 3)
        put_quad(packer, packer->left, 3);
    packer->nleft %= 3;
}

static void
put_number(struct packer *packer, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        put_byte(packer, (unsigned char)(value | 0x80));
    put_byte(packer, (unsigned char)value);
}

static void
put_signed(struct packer *packer, int64_t value)
{
    put_number(packer, value < 0 ? ((uint64_t)-value << 1) - 1 : (uint64_t)value << 1);
}

static void
put_span(struct packer *packer, const struct story_span *span)
{
    put_signed(packer, span->first - span->begin);
    put_signed(packer, span->last - span->first);
    put_signed(packer, span->done - span->last);
}

static void
put_rows(FILE *out, const struct story_row *rows, uint64_t count)
{
    struct packer packer = {.out = out};
    fputs("<script type=\"text/plain\" class=\"rows\">", out);
    put_number(&packer, count);
#define COLUMN(value)                                                                                                  \
    for (uint64_t i = 0; i < count; i++)                                                                               \
    put_number(&packer, rows[i].value)
#define DIFFERENCES(value)                                                                                             \
    for (uint64_t i = 0; i < count; i++)                                                                               \
    put_signed(&packer, rows[i].value - (i ? rows[i - 1].value : 0))
#define LENGTHS(axis)                                                                                                  \
    for (uint64_t i = 0; i < count; i++)                                                                               \
    put_signed(&packer, rows[i].axis.end - rows[i].axis.begin)
    COLUMN(kind);
    COLUMN(flags);
    COLUMN(pe);
    COLUMN(name);
    COLUMN(site);
    COLUMN(object);
    COLUMN(bytes);
    DIFFERENCES(offset);
    DIFFERENCES(time.begin);
    LENGTHS(time);
    DIFFERENCES(order.begin);
    LENGTHS(order);
#undef COLUMN
#undef DIFFERENCES
#undef LENGTHS
    for (uint64_t i = 0; i < count; i++)
        if (rows[i].kind <= STORY_INNER) {
            put_number(&packer, (uint64_t)rows[i].target);
            put_span(&packer, &rows[i].time);
            put_span(&packer, &rows[i].order);
        }
    if (packer.nleft)
        put_quad(&packer, packer.left, packer.nleft);
    fputs("</script>\n", out);
}

/* ---- What is not rows ------------------------------------------------------------------------------------------- */

static void
put_pair(FILE *out, const char **comma, const char *key, const char *value)
{
    fputs(*comma, out);
    *comma = ",";
    putc('[', out);
    text_json(out, key);
    putc(',', out);
    text_json(out, value);
    putc(']', out);
}

/* `before` ends with the key and its colon. */
static void
put_text(FILE *out, const char *before, const char *text)
{
    fputs(before, out);
    text_json(out, text);
}

static void
put_finding(const struct story *story, FILE *out, const struct story_finding *finding)
{
    put_text(out, "{\"class\":", finding->class_);
    put_text(out, ",\"message\":", finding->message);
    put_text(out, ",\"rule\":", finding->rule);
    put_text(out, ",\"repair\":", finding->repair);
    put_text(out, ",\"object\":{\"name\":", finding->object);
    fprintf(out, ",\"pe\":%d,\"offset\":%" PRIu64 ",\"bytes\":%" PRIu64 "},\"accesses\":[", finding->object_pe,
            finding->object_offset, finding->object_bytes);
    for (int i = 0; i < finding->naccesses; i++) {
        const struct story_access *access = &finding->accesses[i];
        const struct story_site *site = story_site(story, access->site);
        fprintf(out, "%s{\"pe\":%d,\"row\":%" PRId64 ",\"local\":%s,\"line\":%d,\"file\":", i ? "," : "", access->pe,
                access->row, access->local ? "true" : "false", site ? site->line : 0);
        text_json(out, site ? site->file : "");
        put_text(out, ",\"op\":", access->op);
        put_text(out, ",\"kind\":", access->kind);
        put_text(out, ",\"source\":", access->source);
        putc('}', out);
    }
    fputs("]}", out);
}

static void
put_list(FILE *out, const char *key, const char *const *words, uint32_t count)
{
    fprintf(out, ",\"%s\":[", key);
    for (uint32_t i = 0; i < count; i++) {
        if (i)
            putc(',', out);
        text_json(out, words[i]);
    }
    putc(']', out);
}

static void
put_header(const struct story *story, FILE *out)
{
    static const struct {
        const char *key, *shown;
    } chips[] = {{"seed", "seed %s"}, {"chooser", "chooser %s"}, {"net", "net %s"}};
    const char *comma = "", *key, *value, *program = fp_trace_header(story->trace, "program", 0);
    fprintf(out, "\"npes\":%d,\"program\":", story->npes);
    text_json(out, program ? program : "");
    fputs(",\"arguments\":[", out);
    for (int i = 0; (value = fp_trace_header(story->trace, "arg", i)); i++) {
        fputs(i ? "," : "", out);
        text_json(out, value);
    }
    fprintf(out, "],\"chips\":[\"%d PE%s\"", story->npes, story->npes == 1 ? "" : "s");
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
        char text[300];
        if (!(value = fp_trace_header(story->trace, chips[i].key, 0)))
            continue;
        snprintf(text, sizeof text, i == 0 ? "seed %.250s" : i == 1 ? "chooser %.250s" : "net %.250s", value);
        putc(',', out);
        text_json(out, text);
    }
    fputs("],\"about\":[", out);
    for (int i = 0; fp_trace_header_at(story->trace, i, &key, &value); i++)
        if (strcmp(key, "program") != 0 && strcmp(key, "arg") != 0 && *value)
            put_pair(out, &comma, key, value);
    char number[32];
    snprintf(number, sizeof number, "%" PRIu64, story->operations);
    put_pair(out, &comma, "operations", number);
    snprintf(number, sizeof number, "%" PRIu64, story->records);
    put_pair(out, &comma, "records", number);
    putc(']', out);
}

static void
put_note(FILE *out, const char **comma, const char *text, uint64_t count)
{
    char line[300];
    if (!count)
        return;
    snprintf(line, sizeof line, text, count);
    fputs(*comma, out);
    *comma = ",";
    text_json(out, line);
}

static void
put_notes(const struct story *story, FILE *out)
{
    const char *comma = "", *key, *value;
    fputs(",\"notes\":[", out);
    if (!story->ended) {
        fputs("\"The trace was cut short; this is what it held.\"", out);
        comma = ",";
    }
    const char *clock = fp_trace_header(story->trace, "clock", 0);
    const char *chooser = fp_trace_header(story->trace, "chooser", 0);
    if ((!clock || !strcmp(clock, "virtual")) && chooser && strcmp(chooser, "timed") != 0) {
        fprintf(
            out,
            "%s\"Times are those of the network's clock. This run's chooser does not go by it: what nothing orders may "
            "have happened in another order, which the axis 'order' shows.\"",
            comma);
        comma = ",";
    }
    put_note(out, &comma, "%" PRIu64 " loads and stores that no finding is about are not shown.", story->plain_left);
    put_note(out, &comma, "%" PRIu64 " further calls are not shown.", story->rows_left);
    put_note(out, &comma, "%" PRIu64 " further findings are not shown.", (uint64_t)story->findings_left);
    for (int i = 0; fp_trace_result_at(story->trace, i, &key, &value); i++)
        if (!strcmp(key, "unseen")) {
            fputs(comma, out);
            comma = ",";
            text_json(out, value);
        }
    putc(']', out);
}

static void
put_meta(const struct story *story, FILE *out)
{
    const char *clock = fp_trace_header(story->trace, "clock", 0);
    const char *check = fp_trace_header(story->trace, "check", 0);
    putc('{', out);
    put_header(story, out);
    fprintf(out, ",\"rows\":%" PRIu64 ",\"ended\":%s,\"judged\":%s,\"clock\":", story->nrows,
            story->ended ? "true" : "false", check && !strcmp(check, "1") ? "true" : "false");
    text_json(out, clock ? clock : "virtual");
    put_list(out, "names", story->names, story->nnames);
    put_list(out, "objects", story->objects, story->nobjects);
    fputs(",\"sites\":[[\"\",0,\"\"]", out);
    for (uint32_t i = 0; i < story->nsites; i++) {
        put_text(out, ",[", story->sites[i].file);
        fprintf(out, ",%d,", story->sites[i].line);
        text_json(out, story->sites[i].function);
        putc(']', out);
    }
    fputs("],\"findings\":[", out);
    for (int i = 0; i < story->nfindings; i++) {
        fputs(i ? ",\n" : "", out);
        put_finding(story, out, &story->findings[i]);
    }
    putc(']', out);
    put_notes(story, out);
    putc('}', out);
}

static void
put_title(const struct story *story, FILE *out)
{
    const char *program = fp_trace_header(story->trace, "program", 0), *slash = program ? strrchr(program, '/') : NULL;
    text_html(out, slash ? slash + 1 : program && *program ? program : "a run");
    fprintf(out, ", %d PEs: Fencepost trace", story->npes);
}

void
export_html(const struct story *story, FILE *out)
{
    for (const char *at = view_page_html; *at;) {
        const char *mark = strchr(at, '%');
        if (!mark) {
            fputs(at, out);
            break;
        }
        fwrite(at, 1, (size_t)(mark - at), out);
        const char *end = strchr(mark + 1, '%');
        size_t length = end ? (size_t)(end - mark) + 1 : 1;
        if (length == 7 && !memcmp(mark, "%TITLE%", 7)) {
            put_title(story, out);
        } else if (length == 7 && !memcmp(mark, "%STYLE%", 7)) {
            fputs(view_page_css, out);
        } else if (length == 6 && !memcmp(mark, "%META%", 6)) {
            put_meta(story, out);
        } else if (length == 6 && !memcmp(mark, "%ROWS%", 6)) {
            for (uint64_t i = 0; i < story->nrows; i += BLOCK_ROWS)
                put_rows(out, story->rows + i, story->nrows - i < BLOCK_ROWS ? story->nrows - i : BLOCK_ROWS);
        } else if (length == 8 && !memcmp(mark, "%SCRIPT%", 8)) {
            fputs(view_script_js, out);
        } else {
            putc('%', out);
            length = 1;
        }
        at = mark + length;
    }
}
