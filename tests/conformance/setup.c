/* Start, end and queries: counted init and finalize, levels, names, addresses of other PEs' copies, predefined teams.
 *
 * RUN: -n 1,2,3,5,8 --seeds 1..2 --backends sim,direct
 * EXPECT: clean
 */
#include "conformance.h"

static long global[4] = {1, 2, 3, 4};

static void
names(void)
{
    char name[SHMEM_MAX_NAME_LEN];
    int major = 0, minor = 0;

    shmem_info_get_version(&major, &minor);
    CHECK(major == 1 && minor == 6);
    shmem_info_get_name(name);
    CHECK(strcmp(name, SHMEM_VENDOR_STRING) == 0);
    shmem_pcontrol(1);
    shmem_pcontrol(7, "anything", 3);
}

static void
addresses(void)
{
    const int me = shmem_my_pe(), n = shmem_n_pes(), to = next_pe();
    long *heap = shmem_calloc(2, sizeof *heap), local = 0, *there;

    for (int pe = -1; pe <= n; pe++) {
        const int valid = pe >= 0 && pe < n;
        CHECK(shmem_pe_accessible(pe) == valid);
        CHECK(shmem_addr_accessible(&heap[1], pe) == valid);
        CHECK(shmem_addr_accessible(&global[1], pe) == valid);
        CHECK(shmem_addr_accessible(&local, pe) == 0);
        CHECK(shmem_addr_accessible(NULL, pe) == 0);
        CHECK((shmem_ptr(heap, pe) != NULL) == valid);
        CHECK(shmem_ptr(&local, pe) == NULL);
        CHECK(shmem_team_ptr(SHMEM_TEAM_WORLD, heap, pe) == shmem_ptr(heap, pe));
        CHECK(shmem_team_ptr(SHMEM_TEAM_INVALID, heap, pe) == NULL);
    }
    CHECK(shmem_ptr(heap, me) == heap && shmem_ptr(&global[2], me) == &global[2]);
    there = shmem_ptr(&heap[1], to);
    *there = 100 + me;
    shmem_barrier_all();
    CHECK(heap[1] == 100 + previous_pe());
    CHECK(shmem_long_g(&heap[1], to) == 100 + me);
    shmem_free(heap);
}

static void
teams(void)
{
    const shmem_team_t predefined[] = {SHMEM_TEAM_WORLD, SHMEM_TEAM_SHARED};
    const int me = shmem_my_pe(), n = shmem_n_pes();
    shmem_team_config_t config = {.num_contexts = 77};

    for (int i = 0; i < 2; i++) {
        CHECK(shmem_team_my_pe(predefined[i]) == me && shmem_team_n_pes(predefined[i]) == n);
        CHECK(shmem_team_translate_pe(predefined[i], n - 1, predefined[1 - i]) == n - 1);
        CHECK(shmem_team_translate_pe(predefined[i], n, SHMEM_TEAM_WORLD) == -1);
        CHECK(shmem_team_translate_pe(predefined[i], -1, SHMEM_TEAM_WORLD) == -1);
        CHECK(shmem_team_translate_pe(predefined[i], 0, SHMEM_TEAM_INVALID) == -1);
        CHECK(shmem_team_get_config(predefined[i], 0, NULL) == 0);
        CHECK(shmem_team_get_config(predefined[i], SHMEM_TEAM_NUM_CONTEXTS, &config) == 0 && config.num_contexts == 0);
    }
    CHECK(shmem_team_my_pe(SHMEM_TEAM_INVALID) == -1 && shmem_team_n_pes(SHMEM_TEAM_INVALID) == -1);
    CHECK(shmem_team_get_config(SHMEM_TEAM_INVALID, 0, NULL) != 0);
}

int
main(void)
{
    int flag = 7, provided = -1;

    shmem_query_initialized(&flag);
    if (flag != 0)
        return 1;
    if (shmem_init_thread(SHMEM_THREAD_FUNNELED, &provided) != 0)
        return 1;
    CHECK(provided == SHMEM_THREAD_FUNNELED);
    shmem_init();
    shmem_query_initialized(&flag);
    CHECK(flag == 1);
    shmem_query_thread(&provided);
    CHECK(provided == SHMEM_THREAD_FUNNELED);
    CHECK(shmem_my_pe() >= 0 && shmem_my_pe() < shmem_n_pes());
    names();
    addresses();
    teams();
    shmem_finalize();
    shmem_query_initialized(&flag);
    CHECK(flag == 1);
    shmem_sync_all();
    shmem_finalize();
    shmem_query_initialized(&flag);
    if (flag != 0)
        return 1;

    shmem_init();
    CHECK(shmem_n_pes() >= 1);
    teams();
    shmem_finalize();
    return 0;
}
