/* campaign.h -- what a series of runs has found: distinct findings, each with its shortest run.
 *
 * A campaign is written as a report (fencepost-report/1) with the further key "campaign"; such a file can be taken
 * up again (--resume) and joined with those of other shards (--merge).
 */
#ifndef TOOLS_CAMPAIGN_H
#define TOOLS_CAMPAIGN_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

struct found {
    char *key;      /* equal for the same fault */
    cJSON *finding; /* as in the report */
    uint64_t number, seed;
    char chooser[16];
    uint64_t choices, runs; /* of the shortest run; how many showed it */
    char *trace;            /* file, or "" */
    char *text;             /* what that run wrote */
};

struct campaign {
    char *program, *hash, *settings; /* settings: what else decides a run, in words */
    uint64_t first_seed, npes;
    uint64_t shard, shards;       /* 1 .. shards */
    uint64_t done;                /* runs with numbers below it have been made, or belong to other shards */
    uint64_t runs, wrong;         /* made; not clean */
    uint64_t executions, repeats; /* exhaustive */
    bool exhaustive, complete;
    bool partial; /* joined of some of its shards only */
    char *unseen; /* what the runs did not look at: phrases, a line each; or NULL */
    struct found *found;
    int count, capacity;
};

/* How a run ended that was not clean. */
struct ending {
    uint64_t number, seed;
    const char *chooser;
    uint64_t choices;
    int status; /* as waitpid tells */
    bool timed_out;
    const char *report; /* file that may be there */
    const char *output; /* what it wrote */
};

/* Takes up what the run has shown. Returns how many findings are new; *better (or NULL) is set when some finding now
 * has a shorter run than before (new ones included). */
int campaign_add(struct campaign *campaign, const struct ending *ending, bool *better);
/* Forgets all findings. */
void campaign_forget(struct campaign *campaign);
void campaign_free(struct campaign *campaign);
cJSON *campaign_json(const struct campaign *campaign);
/* 0, or an exit status after saying why. */
int campaign_read(struct campaign *campaign, const char *command, const char *path);
int campaign_write(const struct campaign *campaign, const char *command, const char *path);
int campaign_write_junit(const struct campaign *campaign, const char *command, const char *path);
int campaign_write_sarif(const struct campaign *campaign, const char *command, const char *path);
/* Adds phrases, a line each, to what was not looked at. */
void campaign_unseen(struct campaign *campaign, const char *phrases);
/* Adds the findings and counts of another shard. */
void campaign_join(struct campaign *campaign, struct campaign *other);

/* "" where the key is missing or no string. */
const char *json_text(const cJSON *object, const char *key);

#endif
