/* play.c -- runs of a litmus test: what every PE does around its column, and what a run has shown. */
#include "play.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference/report/report.h"

/* ---- On a PE ----------------------------------------------------------------------------------------------------- */

static void
make_contexts_and_teams(struct turn *turn)
{
    const struct fp_litmus *test = turn->player->test;

    turn->ctxs[0] = SHMEM_CTX_DEFAULT;
    turn->teams[0] = SHMEM_TEAM_WORLD;
    for (int i = 1; i < test->ncontexts; i++)
        if (shmem_team_create_ctx(test->contexts[i].shared ? SHMEM_TEAM_SHARED : SHMEM_TEAM_WORLD,
                                  test->contexts[i].nostore ? SHMEM_CTX_NOSTORE : 0, &turn->ctxs[i]))
            LIT_BUG("no context");
    for (int i = 1; i < test->nteams; i++) {
        unsigned members = test->teams[i].members, rest = members & (members - 1);
        int first = __builtin_ctz(members), stride = rest ? __builtin_ctz(rest) - first : 1;
        shmem_team_split_strided(SHMEM_TEAM_WORLD, first, stride, __builtin_popcount(members), NULL, 0,
                                 &turn->teams[i]);
    }
}

static void
set_objects(const struct turn *turn)
{
    const struct fp_litmus *test = turn->player->test;

    for (int i = 0; i < test->nobjects; i++)
        for (int k = 0; k < test->objects[i].elements; k++) {
            struct lit_place place = {.object = i, .pe = -1, .first = k};
            int64_t value = test->objects[i].start[turn->pe][k];
            if (value)
                plain_store(test->objects[i].type, turn_address(turn, &place, test->objects[i].type), value);
        }
}

/* What stands there, unseen by the observers. */
static int64_t
peek(enum lit_type type, const void *address)
{
    uint64_t bits = 0;
    memcpy(&bits, address, (size_t)lit_types[type].bytes);
    int unused = 64 - 8 * lit_types[type].bytes;
    return lit_types[type].is_signed ? (int64_t)(bits << unused) >> unused : (int64_t)bits;
}

static void
keep_objects(const struct turn *turn)
{
    const struct fp_litmus *test = turn->player->test;

    for (int i = 0; i < test->nobjects; i++)
        for (int k = 0; k < test->objects[i].elements; k++) {
            struct lit_place place = {.object = i, .pe = -1, .first = k};
            turn->player->memory[lit_location(test, i, turn->pe, k)] =
                peek(test->objects[i].type, turn_address(turn, &place, test->objects[i].type));
        }
}

static bool
has_locks(const struct fp_litmus *test)
{
    for (int i = 0; i < test->nobjects; i++)
        if (test->objects[i].lock)
            return true;
    return false;
}

static void
pe_main(void *argument)
{
    struct player *player = argument;
    const struct fp_litmus *test = player->test;
    struct turn turn = {.player = player};

    shmem_init();
    turn.pe = shmem_my_pe();
    turn.objects = shmem_calloc((size_t)test->nobjects + 1, PLAY_SLOT);
    make_contexts_and_teams(&turn);
    set_objects(&turn);
    shmem_barrier_all();
    for (int t = 0; t < test->nthreads; t++)
        if (test->threads[t].pe == turn.pe)
            for (int i = 0; i < test->threads[t].count; i++)
                turn_take(&turn, &test->ops[test->threads[t].first + i]);
    for (int i = 1; i < test->ncontexts; i++)
        shmem_ctx_destroy(turn.ctxs[i]);
    shmem_barrier_all();
    keep_objects(&turn);
    player->ended++;
    for (int i = 1; i < test->nteams; i++)
        shmem_team_destroy(turn.teams[i]);
    if (!has_locks(test)) /* a lock that is still held may end with the program, but not be freed before */
        shmem_free(turn.objects);
    shmem_finalize();
}

/* ---- Runs -------------------------------------------------------------------------------------------------------- */

bool
play_can(const struct fp_litmus *test)
{
    char error[FP_LITMUS_ERROR];
    FILE *nowhere = fopen("/dev/null", "w");
    bool can = nowhere && !test->as_program_only && fp_litmus_emit(test, nowhere, error);

    if (nowhere)
        fclose(nowhere);
    return can;
}

void
play_open(struct player *player, const struct fp_litmus *test, enum fp_rules rules)
{
    fencepost_config_t config = {.npes = test->npes, .rules = lit_rules_text[rules], .heap_bytes = 1 << 20, .quiet = 1};

    *player = (struct player){.test = test};
    int status = fp_session_open(&player->session, pe_main, player, &config);
    if (status)
        exit(status);
}

void
play_close(struct player *player)
{
    fp_session_close(&player->session);
}

/* In the words of the model. */
static void
tell_outcome(const struct player *player, char *text)
{
    const struct fp_litmus *test = player->test;
    size_t used = 0;

    if (!test->nseen)
        strcpy(text, "done");
    for (int i = 0; i < test->nseen && used < PLAY_OUTCOME; i++) {
        const struct lit_seen *seen = &test->seen[i];
        long long value = seen->reg >= 0 ? player->regs[seen->reg] : player->memory[seen->location];
        used += (size_t)snprintf(text + used, PLAY_OUTCOME - used, "%s%s=%lld", i ? " " : "", seen->text, value);
    }
}

/* A call that is told to be wrong, or not to return, stands for a call that does not return; as in `fencepost litmus`.
 */
static void
tell_findings(const struct player *player, struct played *played)
{
    const struct fp_report *report = player->session.job.report;
    uint64_t times;

    for (int i = 0; i < fp_report_count(report); i++) {
        enum fp_class class_ = fp_report_get(report, i, &times)->class_;
        if (class_ == FP_CLASS_RACE)
            played->raced = true;
        else if (class_ == FP_CLASS_HANG || class_ == FP_CLASS_MISMATCH || class_ == FP_CLASS_USAGE)
            strcpy(played->outcome, "hang");
        else if (class_ != FP_CLASS_LEAK)
            snprintf(played->other, sizeof played->other, "%s", fp_class_name(class_));
    }
}

struct played
play_run(struct player *player, const char *chooser, uint64_t seed)
{
    struct played played = {.outcome = ""};
    char **name = &player->session.job.config.chooser;

    if (strcmp(*name, chooser)) {
        free(*name);
        *name = strdup(chooser);
    }
    memset(player->regs, 0, sizeof player->regs);
    player->ended = player->polls = 0;
    player->polls_for_ever = false;
    fp_session_run(&player->session, seed, NULL);
    if (player->polls_for_ever)
        strcpy(played.outcome, "hang");
    else if (player->ended == player->test->npes)
        tell_outcome(player, played.outcome);
    tell_findings(player, &played);
    return played;
}
