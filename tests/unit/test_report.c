/* test_report.c -- findings: which are one, what the file says, what a person reads.
 *
 * The program under test is this test itself: its sites, its static objects. The JSON file is compared key by key.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

#include "fake_job.h"
#include "reference/report/report.h"

_Noreturn void
fp_job_abort(struct fp_job *job, int status)
{
    (void)job, (void)status;
    abort();
}

_Noreturn void
fp_env_fail(const char *fmt, ...)
{
    (void)fmt;
    abort();
}

static struct fp_pe pes[4];
static struct fp_job job;
static struct fp_report *report;
static char *path;
int shared_words[6] = {1, 2, 3, 4, 5, 6};
static long counter = 3;

/* Where the caller called. */
static __attribute__((noinline)) fp_site_t
here(int *line, int at)
{
    *line = at;
    return fp_site_of(&job, 0, __builtin_return_address(0));
}
#define HERE(line) here(&(line), __LINE__)

static int
set_up(void **state)
{
    free(path);
    assert_true(asprintf(&path, "/tmp/test_report.%d.json", (int)getpid()) > 0);
    char *argv[] = {"./prog", "a b", "--x=1", NULL};
    static char *kept[4];
    memcpy(kept, argv, sizeof argv);
    job = (struct fp_job){.npes = 4, .pes = pes, .ops = 12345, .waits_blocked = 17};
    job.config = (struct fp_config){.npes = 4,
                                    .seed = UINT64_C(18446744073709551615),
                                    .net = "reorder",
                                    .chooser = "adversarial",
                                    .rules_name = "common",
                                    .report = path,
                                    .trace = "",
                                    .check = true,
                                    .argv = kept,
                                    .argc = 3};
    for (int i = 0; i < 4; i++)
        pes[i] = (struct fp_pe){.rank = i, .job = &job};
    report = fp_report_open(&job);
    return 0;
}

static int
tear_down(void **state)
{
    fp_report_free(report);
    unlink(path);
    return 0;
}

/* stderr while f runs, as a string to free. */
static char *
stderr_of(void (*f)(void *), void *arg)
{
    char *text = calloc(1, 65536);
    FILE *file = tmpfile();
    int keep = dup(2);
    dup2(fileno(file), 2);
    f(arg);
    dup2(keep, 2);
    close(keep);
    rewind(file);
    size_t n = fread(text, 1, 65535, file);
    text[n] = '\0';
    fclose(file);
    return text;
}

static void
add(void *finding)
{
    fp_report_add(report, finding);
}

static void
close_report(void *unused)
{
    assert_int_equal(fp_report_close(report), 0);
}

static void
quietly_add(const struct fp_finding *finding)
{
    free(stderr_of(add, (void *)finding));
}

static cJSON *
read_json(void)
{
    free(stderr_of(close_report, NULL));
    char *text = calloc(1, 1 << 20);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    cJSON *json = cJSON_Parse(text);
    assert_non_null(json);
    free(text);
    return json;
}

static const char *
string_at(const cJSON *json, const char *key)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(json, key));
}

static double
number_at(const cJSON *json, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(json, key);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

/* Exactly these keys in this order. */
static void
assert_keys(const cJSON *json, const char *keys)
{
    char have[512] = "";
    for (const cJSON *item = json->child; item; item = item->next) {
        strcat(have, *have ? " " : "");
        strcat(have, item->string);
    }
    assert_string_equal(have, keys);
}

static struct fp_finding
race(fp_site_t a, fp_site_t b, int owner)
{
    struct fp_finding f = {.class_ = FP_CLASS_RACE, .rule = "E065, S 9.12.1", .naccesses = 2};
    strcpy(f.message, "put by PE 0 and load by PE 2 touch the same bytes, and nothing orders them");
    f.object = (struct fp_object){.name = "shared_words", .pe = owner, .offset = 4, .bytes = sizeof shared_words};
    f.accesses[0] = (struct fp_access){.pe = 0, .op = "shmem_int_put", .kind = FP_WRITE, .site = a};
    f.accesses[1] = (struct fp_access){.pe = 2, .op = "load", .kind = FP_READ, .site = b};
    strcpy(f.repair, "shmem_fence between the put and the flag");
    return f;
}

static void
test_same_finding_is_counted(void **state)
{
    int la, lb;
    fp_site_t a = HERE(la), b = HERE(lb);
    uint64_t count;
    struct fp_finding f = race(a, b, 2), swapped = race(b, a, 2), elsewhere = race(a, b, 1);
    quietly_add(&f);
    quietly_add(&swapped);
    f.object.offset = 8;
    quietly_add(&f);
    assert_int_equal(fp_report_count(report), 1);
    assert_non_null(fp_report_get(report, 0, &count));
    assert_int_equal(count, 3);
    quietly_add(&elsewhere);
    assert_int_equal(fp_report_count(report), 2);
    assert_null(fp_report_get(report, 2, NULL));
}

static void
test_further_actors_join_except_in_races(void **state)
{
    int line;
    fp_site_t a = HERE(line);
    struct fp_finding f = {.class_ = FP_CLASS_USAGE, .rule = "E125", .message = "root 2 outside", .naccesses = 1};
    static const int actors[] = {1, 3, 0, 3, 1, 0};
    for (size_t i = 0; i < sizeof actors / sizeof *actors; i++) {
        f.accesses[0] = (struct fp_access){.pe = actors[i], .op = "shmem_broadcast", .kind = FP_CALL, .site = a};
        quietly_add(&f);
    }
    assert_int_equal(fp_report_count(report), 1);
    const struct fp_finding *got = fp_report_get(report, 0, NULL);
    assert_int_equal(got->naccesses, 3);
    for (int i = 0; i < 3; i++)
        assert_int_equal(got->accesses[i].pe, actors[i]);
    struct fp_finding r = race(a, a, 0);
    quietly_add(&r);
    r.accesses[0].pe = 3;
    quietly_add(&r);
    assert_int_equal(fp_report_get(report, 1, NULL)->naccesses, 2);
}

static void
test_many_findings(void **state)
{
    struct fp_finding f = race(1, 2, 0);
    job.config.quiet = true;
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 1000; i++) {
            snprintf(f.object.name, sizeof f.object.name, "object%d", i);
            fp_report_add(report, &f);
        }
    assert_int_equal(fp_report_count(report), 1000);
    assert_string_equal(fp_report_get(report, 999, NULL)->object.name, "object999");
}

static void
test_json_of_clean_run(void **state)
{
    job.unseen[job.nunseen++] = "accesses of threads";
    cJSON *json = read_json();
    assert_keys(json, "schema verdict seed npes trace findings footer");
    assert_string_equal(string_at(json, "schema"), "fencepost-report/1");
    assert_string_equal(string_at(json, "verdict"), "clean");
    assert_int_equal(number_at(json, "npes"), 4);
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(json, "trace")));
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(json, "findings")), 0);
    const cJSON *footer = cJSON_GetObjectItem(json, "footer");
    assert_keys(footer, "seed pes operations waits_blocked chooser net rules unseen");
    assert_int_equal(number_at(footer, "pes"), 4);
    assert_int_equal(number_at(footer, "operations"), 12345);
    assert_int_equal(number_at(footer, "waits_blocked"), 17);
    assert_string_equal(string_at(footer, "chooser"), "adversarial");
    assert_string_equal(string_at(footer, "net"), "reorder");
    assert_string_equal(string_at(footer, "rules"), "common");
    const cJSON *unseen = cJSON_GetObjectItem(footer, "unseen");
    assert_int_equal(cJSON_GetArraySize(unseen), 2);
    assert_string_equal(cJSON_GetArrayItem(unseen, 1)->valuestring, "accesses of threads");
    cJSON_Delete(json);
}

static void
test_json_of_finding(void **state)
{
    int la, lb, lm;
    fp_site_t a = HERE(la), b = HERE(lb), allocated = HERE(lm), stack[2] = {a, b};
    struct fp_finding f = race(a, b, 2), heap = race(b, a, 1);
    f.accesses[0].stack = stack;
    f.accesses[0].nstack = 2;
    strcpy(heap.object.name, "block of 64 \xff bytes");
    heap.object.allocated = allocated;
    heap.accesses[1].kind = FP_REALLOC;
    strcpy(heap.details, "PE 0: one\nPE 1: two");
    job.config.trace = "run.fptrace";
    quietly_add(&f);
    quietly_add(&heap);
    cJSON *json = read_json();
    assert_string_equal(string_at(json, "verdict"), "findings");
    assert_string_equal(string_at(json, "trace"), "run.fptrace");
    const cJSON *first = cJSON_GetArrayItem(cJSON_GetObjectItem(json, "findings"), 0);
    assert_keys(first, "class rule message object accesses repair count id");
    assert_string_equal(string_at(first, "class"), "race");
    assert_string_equal(string_at(first, "rule"), "E065, S 9.12.1");
    assert_string_equal(string_at(first, "message"), f.message);
    assert_string_equal(string_at(first, "repair"), f.repair);
    assert_int_equal(number_at(first, "count"), 1);
    const cJSON *object = cJSON_GetObjectItem(first, "object");
    assert_keys(object, "name pe offset bytes allocated");
    assert_string_equal(string_at(object, "name"), "shared_words");
    assert_int_equal(number_at(object, "pe"), 2);
    assert_int_equal(number_at(object, "offset"), 4);
    assert_int_equal(number_at(object, "bytes"), 24);
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(object, "allocated")));
    const cJSON *access = cJSON_GetArrayItem(cJSON_GetObjectItem(first, "accesses"), 0);
    assert_keys(access, "pe op kind file line stack");
    assert_int_equal(number_at(access, "pe"), 0);
    assert_string_equal(string_at(access, "op"), "shmem_int_put");
    assert_string_equal(string_at(access, "kind"), "write");
    assert_string_equal(string_at(access, "file"), "tests/unit/test_report.c");
    assert_int_equal(number_at(access, "line"), la);
    const cJSON *frames = cJSON_GetObjectItem(access, "stack");
    assert_int_equal(cJSON_GetArraySize(frames), 2);
    assert_keys(cJSON_GetArrayItem(frames, 0), "function file line");
    assert_string_equal(string_at(cJSON_GetArrayItem(frames, 0), "function"), "test_json_of_finding");
    assert_int_equal(number_at(cJSON_GetArrayItem(frames, 1), "line"), lb);
    const cJSON *second = cJSON_GetArrayItem(cJSON_GetObjectItem(json, "findings"), 1);
    object = cJSON_GetObjectItem(second, "object");
    assert_string_equal(string_at(object, "name"), "block of 64 ? bytes");
    assert_keys(cJSON_GetObjectItem(object, "allocated"), "file line");
    assert_int_equal(number_at(cJSON_GetObjectItem(object, "allocated"), "line"), lm);
    assert_non_null(strstr(string_at(second, "message"), "\nPE 0: one\nPE 1: two"));
    access = cJSON_GetArrayItem(cJSON_GetObjectItem(second, "accesses"), 1);
    assert_string_equal(string_at(access, "kind"), "realloc");
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(access, "stack")), 1);
    cJSON_Delete(json);
}

static void
test_text_of_race(void **state)
{
    int la, lb;
    char expected[256];
    fp_site_t a = HERE(la), /* the first access */
        b = HERE(lb);
    struct fp_finding f = race(a, b, 2);
    char *text = stderr_of(add, &f);
    assert_non_null(strstr(text, "race: put by PE 0 and load by PE 2"));
    snprintf(expected, sizeof expected, "--> tests/unit/test_report.c:%d in test_text_of_race\n", la);
    assert_non_null(strstr(text, expected));
    snprintf(expected, sizeof expected, "%d |     fp_site_t a = HERE(la), /* the first access */\n", la);
    assert_non_null(strstr(text, expected));
    assert_non_null(strstr(text, "PE 2: load (read)\n"));
    assert_non_null(strstr(text, "= object: shared_words on PE 2, byte 4 of 24\n"));
    assert_non_null(strstr(text, "= rule: E065, S 9.12.1\n"));
    assert_non_null(strstr(text, "= repair: shmem_fence between the put and the flag\n"));
    assert_null(strchr(text, '\033'));
    if (getenv("SHOW"))
        fputs(text, stderr);
    free(text);
    /* The same again is silent; on another copy it is one line. */
    text = stderr_of(add, &f);
    assert_string_equal(text, "");
    free(text);
    f.object.pe = 3;
    text = stderr_of(add, &f);
    assert_non_null(strstr(text, "race: the same on PE 3's copy: shmem_int_put by PE 0 at "));
    free(text);
    text = stderr_of(close_report, NULL);
    assert_non_null(
        strstr(text, "fencepost: 2 findings (3 occurrences). seed 18446744073709551615, 4 PEs, 12,345 operations, "
                     "17 waits that blocked, chooser adversarial, net reorder; not checked: plain loads and "
                     "stores (compile with oshcc -fsanitize=shmem)\n"));
    assert_non_null(strstr(text, "again: fencepost run -n 4 --seed 18446744073709551615 ./prog 'a b' --x=1\n"));
    free(text);
}

/* A PE function has no command line: what runs it again is a configuration, with all that its choices depend on. */
static void
test_again_in_process(void **state)
{
    int la, lb;
    fp_site_t a = HERE(la), b = HERE(lb);
    struct fp_finding f = race(a, b, 2);
    job.config.in_process = true;
    char net[] = "a\"b.net", chooser[] = "pct";
    job.config.net = net;
    job.config.chooser = chooser;
    job.config.depth = 5;
    free(stderr_of(add, &f));
    char *text = stderr_of(close_report, NULL);
    assert_non_null(strstr(text, "again: fencepost_config_t{.npes = 4, .seed = 18446744073709551615, "
                                 ".net = \"a\\\"b.net\", .chooser = \"pct\", .depth = 5}\n"));
    free(text);
}

static void
test_text_groups_pes(void **state)
{
    int la;
    fp_site_t a = HERE(la);
    struct fp_finding f = {.class_ = FP_CLASS_MISMATCH, .rule = "E110", .message = "calls differ", .naccesses = 3};
    for (int pe = 0; pe < 3; pe++)
        f.accesses[pe] = (struct fp_access){.pe = pe, .op = "shmem_barrier_all", .kind = FP_CALL, .site = a};
    char *text = stderr_of(add, &f);
    assert_non_null(strstr(text, "PEs 0, 1, 2: shmem_barrier_all\n"));
    free(text);
}

static void
test_footer_of_clean_run(void **state)
{
    job.hooked = true;
    job.config.seed = 7;
    char *text = stderr_of(close_report, NULL);
    assert_string_equal(text, "fencepost: clean. seed 7, 4 PEs, 12,345 operations, 17 waits that blocked, chooser "
                              "adversarial, net reorder\n");
    free(text);
}

static void
test_static_objects(void **state)
{
    const char *name;
    uint64_t start, bytes;
    pes[0].static_lo = (char *)shared_words; /* any address in the image serves as the start of the segment */
    assert_true(fp_static_object(report, 23, &name, &start, &bytes));
    assert_string_equal(name, "shared_words");
    assert_int_equal(start, 0);
    assert_int_equal(bytes, 24);
    static int in_function[3] = {1, 2, 3};
    pes[0].static_lo = (char *)in_function;
    assert_true(fp_static_object(report, 4, &name, &start, &bytes));
    assert_string_equal(name, "in_function");
    pes[0].static_lo = (char *)&counter;
    assert_true(fp_static_object(report, 7, &name, &start, &bytes));
    assert_string_equal(name, "counter");
}

static __attribute__((noinline)) int
deep(fp_site_t *sites, int max)
{
    int n = fp_stack_capture(&job, sites, max);
    __asm__ volatile("" ::: "memory"); /* no tail call */
    return n;
}

static void
test_stack(void **state)
{
    fp_site_t sites[16];
    int n = deep(sites, 16), at = 0;
    assert_true(n >= 2);
    while (at < n && strcmp(fp_site_line(report, sites[at]).function, "deep") != 0)
        at++;
    assert_true(at + 1 < n);
    assert_string_equal(fp_site_line(report, sites[at + 1]).function, "test_stack");
    for (int i = 0; i < n; i++)
        assert_false(sites[i] & FP_SITE_FOREIGN);
}

static void
test_foreign_site(void **state)
{
    fp_site_t site = fp_site_of(&job, 0, (const char *)&getppid + 5);
    assert_true(site & FP_SITE_FOREIGN);
    assert_non_null(strstr(fp_site_line(report, site).file, "libc"));
    assert_int_equal(fp_site_line(report, site).line, 0);
    assert_int_equal(fp_site_of(&job, 0, NULL), 0);
    assert_string_equal(fp_site_line(report, 0).file, "?");
}

static void
test_equal_runs_give_equal_bytes(void **state)
{
    char *texts[2];
    for (int run = 0; run < 2; run++) {
        int la;
        fp_site_t a = HERE(la);
        struct fp_finding f = race(a, a + 1, 2);
        quietly_add(&f);
        cJSON *json = read_json();
        texts[run] = cJSON_Print(json);
        cJSON_Delete(json);
        if (run == 0) {
            fp_report_free(report);
            set_up(state);
        }
    }
    assert_string_equal(texts[0], texts[1]);
    free(texts[0]);
    free(texts[1]);
}

int
main(void)
{
    /* Places are shown relative to the directory where a run begins; let that be the root. */
    char root[4096];
    snprintf(root, sizeof root, "%.*s.", (int)(strstr(__FILE__, "tests/unit/") - __FILE__), __FILE__);
    if (chdir(root))
        return 1;
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_same_finding_is_counted),
        TEST(test_further_actors_join_except_in_races),
        TEST(test_many_findings),
        TEST(test_json_of_clean_run),
        TEST(test_json_of_finding),
        TEST(test_text_of_race),
        TEST(test_again_in_process),
        TEST(test_text_groups_pes),
        TEST(test_footer_of_clean_run),
        TEST(test_static_objects),
        TEST(test_stack),
        TEST(test_foreign_site),
        TEST(test_equal_runs_give_equal_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
