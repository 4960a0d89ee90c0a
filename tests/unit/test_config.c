/* test_config.c -- sizes and options as they stand in the environment. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reference/launch/launch.h"

static void
sizes(void **state)
{
    static const struct {
        const char *text;
        size_t bytes;
    } good[] = {
        {"0", 0},
        {"1", 1},
        {"64", 64},
        {"3.1M", 3250586},
        {".5m", 524288},
        {"20kk", 20480},
        {"20k", 20480},
        {"0.1k", 103},
        {"1G", (size_t)1 << 30},
        {"1t", (size_t)1 << 40},
        {"1e3", 1000},
        {" 7", 7},
        {"64MB", 64 << 20},
        {"1.", 1},
        {"2K", 2048},
        {"0.0000001g", 108},
        {"1048576", 1 << 20},
    };
    static const char *const bad[] = {"",     " ",  "m",   "-1", "+1",    "nan",      "inf",
                                      "0x10", "1x", "1 m", ".",  "1e999", "99999999t"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        size_t bytes = 12345;
        assert_true(fp_size_parse(good[i].text, &bytes));
        assert_int_equal(bytes, good[i].bytes);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        size_t bytes = 12345;
        assert_false(fp_size_parse(bad[i], &bytes));
    }
}

static int
read_with(const char *variable, const char *value, struct fp_config *config)
{
    setenv(variable, value, 1);
    int result = fp_config_read(config) || fp_config_settle(config);
    unsetenv(variable);
    return result;
}

static void
options(void **state)
{
    struct fp_config config;
    static const char *const variables[] = {"FENCEPOST_NPES", "FENCEPOST_SEED", "FENCEPOST_RULES",
                                            "SHMEM_SYMMETRIC_SIZE"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        unsetenv(variables[i]);
    assert_false(read_with("FENCEPOST_NPES", "7", &config));
    assert_int_equal(config.npes, 7);
    assert_int_equal(config.seed, 1);
    assert_int_equal(config.heap_bytes, 64 << 20);
    assert_true(config.check);
    assert_int_equal(config.rules, FP_RULES_COMMON);
    fp_config_free(&config);
    assert_false(read_with("FENCEPOST_RULES", "nv", &config));
    assert_int_equal(config.rules, FP_RULES_NV);
    fp_config_free(&config);
    assert_false(read_with("FENCEPOST_SEED", "18446744073709551615", &config));
    assert_true(config.seed == UINT64_MAX);
    fp_config_free(&config);
    assert_false(read_with("FENCEPOST_NO_CHECK", "0", &config));
    assert_true(config.check);
    fp_config_free(&config);
    assert_false(read_with("FENCEPOST_NO_CHECK", "1", &config));
    assert_false(config.check);
    fp_config_free(&config);
    assert_false(read_with("SMA_SYMMETRIC_SIZE", "1m", &config));
    assert_int_equal(config.heap_bytes, 1 << 20);
    fp_config_free(&config);
}

static void
wrong_options(void **state)
{
    static const struct {
        const char *variable, *value;
    } wrong[] = {
        {"FENCEPOST_NPES", "0"},       {"FENCEPOST_NPES", "two"},        {"FENCEPOST_NPES", "-3"},
        {"FENCEPOST_NPES", "70000"},   {"FENCEPOST_NPES", "4294967297"}, {"FENCEPOST_SEED", "18446744073709551616"},
        {"FENCEPOST_SEED", "1x"},      {"FENCEPOST_RULES", "loose"},     {"FENCEPOST_HEAP", "big"},
        {"FENCEPOST_PE_CONTEXT", "x"}, {"SHMEM_SYMMETRIC_SIZE", "many"}, {"SHMEM_SYMMETRIC_SIZE", "99t"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct fp_config config = {0};
        assert_true(read_with(wrong[i].variable, wrong[i].value, &config));
        fp_config_free(&config);
    }
}

static void
argument_vectors(void **state)
{
    char first[] = "prog", second[] = "";
    char *argv[] = {first, second, NULL};
    char **copy = fp_argv_copy(2, argv);
    assert_string_equal(copy[0], "prog");
    assert_string_equal(copy[1], "");
    assert_null(copy[2]);
    copy[0][0] = 'P';
    assert_string_equal(first, "prog");
    free(copy);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes),
        cmocka_unit_test(options),
        cmocka_unit_test(wrong_options),
        cmocka_unit_test(argument_vectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
