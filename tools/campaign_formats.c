/* campaign_formats.c -- a campaign for other tools: JUnit XML (CI systems) and SARIF 2.1.0 (code scanning). */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/campaign.h"
#include "tools/output.h"

/* ---- JUnit */

static void
put_xml(FILE *out, const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '<')
            fputs("&lt;", out);
        else if (*c == '>')
            fputs("&gt;", out);
        else if (*c == '&')
            fputs("&amp;", out);
        else if (*c == '"')
            fputs("&quot;", out);
        else if (*c >= ' ' || *c == '\n' || *c == '\t')
            fputc(*c, out);
        else
            fputc('?', out); /* no XML has these */
    }
}

static void
put_place(FILE *out, const cJSON *access)
{
    const cJSON *line = cJSON_GetObjectItemCaseSensitive(access, "line"),
                *pe = cJSON_GetObjectItemCaseSensitive(access, "pe");
    fprintf(out, "PE %d: %s at ", cJSON_IsNumber(pe) ? pe->valueint : 0, json_text(access, "op"));
    put_xml(out, json_text(access, "file"));
    fprintf(out, ":%d\n", cJSON_IsNumber(line) ? line->valueint : 0);
}

int
campaign_write_junit(const struct campaign *c, const char *command, const char *path)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"fencepost explore ");
    put_xml(out, c->program);
    fprintf(out, "\" tests=\"%d\" failures=\"%d\" errors=\"0\">\n", c->count ? c->count : 1, c->count);
    if (c->count == 0) {
        fputs("    <testcase classname=\"fencepost\" name=\"", out);
        put_xml(out, c->program);
        fprintf(out, " (%" PRIu64 " runs)\"/>\n", c->runs);
    }
    for (int i = 0; i < c->count; i++) {
        const struct found *found = &c->found[i];
        fputs("    <testcase classname=\"fencepost\" name=\"", out);
        put_xml(out, json_text(found->finding, "class"));
        fprintf(out, " %d\">\n      <failure type=\"", i + 1);
        put_xml(out, json_text(found->finding, "class"));
        fputs("\" message=\"", out);
        put_xml(out, json_text(found->finding, "message"));
        fprintf(out, "\">seed %" PRIu64 ", chooser %s, seen in %" PRIu64 " runs\n", found->seed, found->chooser,
                found->runs);
        const cJSON *access;
        cJSON_ArrayForEach(access, cJSON_GetObjectItemCaseSensitive(found->finding, "accesses")) put_place(out, access);
        put_xml(out, json_text(found->finding, "repair"));
        fputs("</failure>\n    </testcase>\n", out);
    }
    fputs("  </testsuite>\n</testsuites>\n", out);
    fclose(out);
    int status = file_write(command, path, text);
    free(text);
    return status;
}

/* ---- SARIF */

/* A file name as a reference by URI. */
static void
add_uri(cJSON *artifact, const char *file)
{
    char *uri = malloc(3 * strlen(file) + 1), *to = uri;
    for (const unsigned char *c = (const unsigned char *)file; uri && *c; c++)
        if ((*c < 0x80 && isalnum(*c)) || strchr("-._~/!$&'()*+,;=@", *c))
            *to++ = (char)*c;
        else
            to += sprintf(to, "%%%02X", *c);
    if (uri)
        *to = '\0';
    cJSON_AddStringToObject(artifact, "uri", uri ? uri : "");
    free(uri);
}

static cJSON *
location(const cJSON *access)
{
    cJSON *json = cJSON_CreateObject(), *physical = cJSON_AddObjectToObject(json, "physicalLocation");
    const cJSON *line = cJSON_GetObjectItemCaseSensitive(access, "line");
    add_uri(cJSON_AddObjectToObject(physical, "artifactLocation"), json_text(access, "file"));
    if (cJSON_IsNumber(line) && line->valueint > 0)
        cJSON_AddNumberToObject(cJSON_AddObjectToObject(physical, "region"), "startLine", line->valueint);
    char text[200];
    snprintf(text, sizeof text, "%s (%s)", json_text(access, "op"), json_text(access, "kind"));
    cJSON_AddStringToObject(cJSON_AddObjectToObject(json, "message"), "text", text);
    return json;
}

static void
add_rule(cJSON *rules, const char *id)
{
    const cJSON *rule;
    cJSON_ArrayForEach(rule, rules) if (!strcmp(json_text(rule, "id"), id)) return;
    cJSON *fresh = cJSON_CreateObject();
    cJSON_AddStringToObject(fresh, "id", id);
    cJSON_AddItemToArray(rules, fresh);
}

static cJSON *
result(const struct found *found)
{
    cJSON *json = cJSON_CreateObject();
    char text[1600];
    cJSON_AddStringToObject(json, "ruleId", json_text(found->finding, "class"));
    cJSON_AddStringToObject(json, "level", "error");
    snprintf(text, sizeof text, "%s%s%s", json_text(found->finding, "message"),
             *json_text(found->finding, "repair") ? "\n" : "", json_text(found->finding, "repair"));
    cJSON_AddStringToObject(cJSON_AddObjectToObject(json, "message"), "text", text);
    cJSON *locations = cJSON_AddArrayToObject(json, "locations"), *related = NULL;
    const cJSON *access;
    cJSON_ArrayForEach(access, cJSON_GetObjectItemCaseSensitive(found->finding, "accesses"))
    {
        if (!*json_text(access, "file") || !strcmp(json_text(access, "file"), "?"))
            continue;
        if (cJSON_GetArraySize(locations) == 0) {
            cJSON_AddItemToArray(locations, location(access));
            continue;
        }
        if (!related)
            related = cJSON_AddArrayToObject(json, "relatedLocations");
        cJSON_AddItemToArray(related, location(access));
    }
    cJSON_AddStringToObject(cJSON_AddObjectToObject(json, "partialFingerprints"), "fencepost/1", found->key);
    cJSON *properties = cJSON_AddObjectToObject(json, "properties");
    cJSON_AddStringToObject(properties, "rule", json_text(found->finding, "rule"));
    snprintf(text, sizeof text, "%" PRIu64, found->seed);
    cJSON_AddStringToObject(properties, "seed", text);
    cJSON_AddStringToObject(properties, "chooser", found->chooser);
    cJSON_AddStringToObject(properties, "trace", found->trace);
    return json;
}

int
campaign_write_sarif(const struct campaign *c, const char *command, const char *path)
{
    cJSON *json = cJSON_CreateObject(), *run = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    cJSON_AddStringToObject(json, "version", "2.1.0");
    cJSON_AddItemToArray(cJSON_AddArrayToObject(json, "runs"), run);
    cJSON *driver = cJSON_AddObjectToObject(cJSON_AddObjectToObject(run, "tool"), "driver");
    cJSON_AddStringToObject(driver, "name", "fencepost");
    cJSON_AddStringToObject(driver, "version", FENCEPOST_VERSION);
    cJSON *rules = cJSON_AddArrayToObject(driver, "rules"), *results = cJSON_AddArrayToObject(run, "results");
    for (int i = 0; i < c->count; i++) {
        add_rule(rules, json_text(c->found[i].finding, "class"));
        cJSON_AddItemToArray(results, result(&c->found[i]));
    }
    char *text = cJSON_Print(json), *whole;
    int status = text && asprintf(&whole, "%s\n", text) >= 0 ? file_write(command, path, whole) : 71;
    if (text)
        free(whole);
    free(text);
    cJSON_Delete(json);
    return status;
}
