/* story.c -- puts the records of a trace together again, see story.h. */
#include "tools/story.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "tools/story_parts.h"

#define NONE UINT32_MAX
#define CONTEXTS_MAX 1024 /* of a PE; with more of them, some are taken for one */

/* What a shape says about each of its records. */
struct shape_facts {
    bool known, rows;
    uint8_t kind;
    bool get;
    uint32_t name, site;
};

/* Operations of a context that no quiet has completed: a list through `next`. */
struct pending {
    int64_t ctx;
    uint32_t head, next; /* next: another context of the PE, + 1 */
};

struct lane {
    int64_t last;      /* latest time of what it did */
    uint32_t contexts; /* into pending, + 1 */
    uint32_t open;     /* innermost collective it is in, + 1: a list through `next` */
};

struct builder {
    struct story *story;
    struct shape_facts *shapes;
    uint32_t nshapes;
    struct lane *lanes;
    uint32_t *op_rows; /* of each operation, by number - 1 */
    uint32_t op_rows_cap;
    uint32_t *next;  /* by row */
    int64_t *clocks; /* by row: recorded clock at the end of the call, which deliveries count from */
    uint32_t next_cap, clocks_cap, rows_cap;
    struct pending *pending;
    uint32_t npending, pending_cap;
    char *error;
    size_t error_size;
};

const char *
story_kind_name(enum story_kind kind)
{
    static const char *const names[] = {
#define KIND_NAME(id, text) text,
        STORY_KINDS(KIND_NAME)
#undef KIND_NAME
    };
    return names[kind];
}

static int64_t
tame(int64_t place)
{
    return place < 0 ? 0 : place > STORY_PLACE_MAX ? STORY_PLACE_MAX : place;
}

/* ---- Shapes ----------------------------------------------------------------------------------------------------- */

static bool
has_word(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = words; at && (at = strstr(at, word)); at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

enum story_kind
story_kind_of(const struct fp_trace_shape *shape)
{
    const char *op = fp_trace_shape_text(shape, "op"), *coll = fp_trace_shape_text(shape, "coll");
    switch (shape->event) {
    case TRACE_EV_ISSUE:
        if (has_word(fp_trace_shape_text(shape, "flags"), "internal"))
            return STORY_INNER;
        if (op && !strcmp(op, "get"))
            return STORY_GET;
        if (op && !strcmp(op, "amo"))
            return STORY_ATOMIC;
        return fp_trace_shape_text(shape, "signal") ? STORY_SIGNAL : STORY_PUT;
    case TRACE_EV_FENCE:
        return STORY_FENCE;
    case TRACE_EV_QUIET:
    case TRACE_EV_PE_QUIET:
        return STORY_QUIET;
    case TRACE_EV_WAIT:
        return STORY_WAIT;
    case TRACE_EV_LOCK_SET:
    case TRACE_EV_LOCK_CLEAR:
        return STORY_LOCK;
    case TRACE_EV_LOAD:
        return STORY_LOAD;
    case TRACE_EV_STORE:
    case TRACE_EV_ATOMIC:
        return STORY_STORE;
    default:
        if (coll && (strstr(coll, "alloc") || !strcmp(coll, "free") || !strcmp(coll, "align")))
            return STORY_HEAP;
        return !coll || !strcmp(coll, "barrier") || !strcmp(coll, "sync") || !strcmp(coll, "init") ||
                       !strcmp(coll, "finalize") || !strncmp(coll, "team", 4)
                   ? STORY_SYNC
                   : STORY_COLL;
    }
}

static struct shape_facts *
facts_of(struct builder *builder, const struct fp_trace_shape *shape)
{
    if (shape->number >= builder->nshapes) {
        uint32_t room = 2 * shape->number + 64;
        struct shape_facts *shapes = realloc(builder->shapes, room * sizeof *shapes);
        if (!shapes)
            exit(EX_OSERR);
        memset(shapes + builder->nshapes, 0, (room - builder->nshapes) * sizeof *shapes);
        builder->shapes = shapes;
        builder->nshapes = room;
    }
    struct shape_facts *facts = &builder->shapes[shape->number];
    if (facts->known)
        return facts;
    const struct story_site *site = story_site(builder->story, shape->site);
    const char *op = fp_trace_shape_text(shape, "op");
    bool plain = shape->event >= TRACE_EV_LOAD && shape->event <= TRACE_EV_ATOMIC;
    *facts = (struct shape_facts){.known = true,
                                  .kind = story_kind_of(shape),
                                  .get = op && !strcmp(op, "get"),
                                  .name = story_name(builder->story, shape->call),
                                  .site = site ? (uint32_t)(site - builder->story->sites) + 1 : 0};
    facts->rows = !plain || builder->story->plain <= STORY_PLAIN_MAX || story_accused(builder->story, shape->site);
    return facts;
}

/* ---- Times ------------------------------------------------------------------------------------------------------ */

/* The time of what a PE does. */
static int64_t
own_time(struct lane *lane, int64_t clock)
{
    clock = tame(clock);
    lane->last = clock > lane->last ? clock : lane->last;
    return clock;
}

/* ---- Rows ------------------------------------------------------------------------------------------------------- */

/* A new row, its call ending at this record; NULL if there are too many. */
static struct story_row *
row_new(struct builder *builder, const struct fp_trace_entry *entry, int64_t end)
{
    struct story *story = builder->story;
    if (story->nrows == STORY_ROWS_MAX) {
        story->rows_left++;
        return NULL;
    }
    story->rows = story_room(story->rows, story->nrows, &builder->rows_cap, sizeof *story->rows);
    builder->next = story_room(builder->next, story->nrows, &builder->next_cap, sizeof *builder->next);
    builder->clocks = story_room(builder->clocks, story->nrows, &builder->clocks_cap, sizeof *builder->clocks);
    builder->clocks[story->nrows] = tame(entry->fields[TRACE_F_time]);
    builder->next[story->nrows] = NONE;
    const struct shape_facts *facts = facts_of(builder, entry->shape);
    struct story_row *row = &story->rows[story->nrows++];
    const int64_t *fields = entry->fields;
    int64_t begin = end - tame(fields[TRACE_F_took]), number = (int64_t)entry->number;
    *row = (struct story_row){.kind = facts->kind,
                              .pe = (uint32_t)fields[TRACE_F_pe],
                              .name = facts->name,
                              .site = facts->site,
                              .target = -1,
                              .region = (uint32_t)fields[TRACE_F_region],
                              .local_region = (uint32_t)fields[TRACE_F_local_region],
                              .bytes = (uint64_t)fields[TRACE_F_bytes],
                              .at = fields[TRACE_F_offset],
                              .local_at = fields[TRACE_F_local_offset]};
    row->time = (struct story_span){begin > 0 ? begin : 0, end, end, end, end};
    row->order = (struct story_span){number, number, number, number, number};
    uint64_t blocks = (uint64_t)tame(fields[TRACE_F_blocks]), step = (uint64_t)tame(fields[TRACE_F_step]);
    row->bytes = (uint64_t)tame((int64_t)row->bytes);
    row->reach = row->bytes;
    if (blocks && step && blocks < (UINT64_C(1) << 20) && step < (UINT64_C(1) << 30))
        row->reach = blocks * step + row->bytes / (blocks + 1);
    row->at = tame(row->at);
    row->local_at = tame(row->local_at);
    story_place(story, row);
    return row;
}

static uint32_t *
pending_of(struct builder *builder, uint32_t pe, int64_t ctx)
{
    struct lane *lane = &builder->lanes[pe];
    ctx &= CONTEXTS_MAX - 1;
    for (uint32_t i = lane->contexts; i; i = builder->pending[i - 1].next)
        if (builder->pending[i - 1].ctx == ctx)
            return &builder->pending[i - 1].head;
    builder->pending = story_room(builder->pending, builder->npending, &builder->pending_cap, sizeof *builder->pending);
    builder->pending[builder->npending] = (struct pending){.ctx = ctx, .head = NONE, .next = lane->contexts};
    lane->contexts = ++builder->npending;
    return &builder->pending[lane->contexts - 1].head;
}

static void
on_issue(struct builder *builder, const struct fp_trace_entry *entry)
{
    const int64_t *fields = entry->fields;
    uint32_t pe = (uint32_t)fields[TRACE_F_pe];
    struct story *story = builder->story;
    struct story_row *row = row_new(builder, entry, own_time(&builder->lanes[pe], fields[TRACE_F_time]));
    builder->op_rows = story_room(builder->op_rows, entry->issues, &builder->op_rows_cap, sizeof *builder->op_rows);
    builder->op_rows[entry->issues - 1] = row ? (uint32_t)(row - story->rows) : NONE;
    story->operations++;
    if (!row)
        return;
    row->target = (int32_t)fields[TRACE_F_target];
    row->flags = facts_of(builder, entry->shape)->get ? STORY_FETCH : 0;
    if (row->bytes == 0 && row->kind != STORY_SIGNAL) {
        row->flags |= STORY_DELIVERED | STORY_COMPLETE;
        return;
    }
    uint32_t *head = pending_of(builder, pe, fields[TRACE_F_ctx]);
    builder->next[story->nrows - 1] = *head;
    *head = (uint32_t)story->nrows - 1;
}

static struct story_row *
row_of_op(struct builder *builder, uint64_t op)
{
    uint32_t row = op ? builder->op_rows[op - 1] : NONE;
    return row == NONE ? NULL : &builder->story->rows[row];
}

static void
on_delivery(struct builder *builder, const struct fp_trace_entry *entry)
{
    struct story_row *row = row_of_op(builder, fp_trace_op(entry));
    if (!row)
        return;
    bool get = row->flags & STORY_FETCH, home = get && entry->shape->event == TRACE_EV_WRITE;
    if (entry->shape->event == TRACE_EV_READ && !get)
        return; /* the source of a nonblocking put */
    int64_t issued = builder->clocks[row - builder->story->rows], number = (int64_t)entry->number;
    int64_t time = tame(issued + tame(entry->fields[TRACE_F_took]));
    if (home) {
        row->time.done = time > row->time.last ? time : row->time.last;
        row->order.done = number;
        return;
    }
    bool first = !(row->flags & STORY_DELIVERED);
    row->flags |= STORY_DELIVERED;
    if (first)
        row->order.first = number;
    /* What happened later need not have arrived later, see story.h. */
    row->time.first = first || time < row->time.first ? time : row->time.first;
    row->time.last = first || time > row->time.last ? time : row->time.last;
    row->time.done = row->time.last;
    row->order.last = row->order.done = number;
}

static void
complete(struct story_row *row, int64_t time, int64_t number)
{
    row->flags |= STORY_COMPLETE;
    row->time.done = time > row->time.last ? time : row->time.last;
    row->order.done = number;
}

static void
on_return(struct builder *builder, const struct fp_trace_entry *entry)
{
    struct story_row *row = row_of_op(builder, fp_trace_op(entry));
    if (!row)
        return;
    int64_t time = own_time(&builder->lanes[row->pe], entry->fields[TRACE_F_time]);
    complete(row, time, (int64_t)entry->number);
    row->time.end = time;
    row->order.end = (int64_t)entry->number;
}

/* A quiet, of all targets or of one (>= 0): what it covers is complete. */
static void
on_quiet(struct builder *builder, const struct fp_trace_entry *entry, int64_t target)
{
    const int64_t *fields = entry->fields;
    struct story *story = builder->story;
    uint32_t pe = (uint32_t)fields[TRACE_F_pe], *at = pending_of(builder, pe, fields[TRACE_F_ctx]);
    int64_t time = own_time(&builder->lanes[pe], fields[TRACE_F_time]);
    while (*at != NONE) {
        struct story_row *row = &story->rows[*at];
        if (target >= 0 && row->target != target) {
            at = &builder->next[*at];
            continue;
        }
        if (!(row->flags & STORY_COMPLETE))
            complete(row, time, (int64_t)entry->number);
        *at = builder->next[*at];
    }
    if (fields[TRACE_F_ctx] != 1) /* the library's own is no call of the program */
        row_new(builder, entry, time);
}

static void
on_enter(struct builder *builder, const struct fp_trace_entry *entry)
{
    const int64_t *fields = entry->fields;
    struct lane *lane = &builder->lanes[fields[TRACE_F_pe]];
    struct story_row *row = row_new(builder, entry, own_time(lane, fields[TRACE_F_time]));
    if (!row)
        return;
    row->flags = STORY_OPEN;
    builder->next[builder->story->nrows - 1] = lane->open;
    lane->open = (uint32_t)builder->story->nrows;
}

static void
on_leave(struct builder *builder, const struct fp_trace_entry *entry)
{
    const int64_t *fields = entry->fields;
    struct lane *lane = &builder->lanes[fields[TRACE_F_pe]];
    int64_t time = own_time(lane, fields[TRACE_F_time]);
    if (!lane->open)
        return;
    uint32_t i = lane->open - 1;
    struct story_row *row = &builder->story->rows[i];
    lane->open = builder->next[i] == NONE ? 0 : builder->next[i];
    builder->next[i] = NONE;
    row->flags &= (uint8_t)~STORY_OPEN;
    int64_t before = builder->clocks[i] - (tame(fields[TRACE_F_time]) - tame(fields[TRACE_F_took]));
    if (before > 0 && row->time.begin > before)
        row->time.begin -= before;
    else if (before > 0)
        row->time.begin = 0;
    row->time.end = row->time.first = row->time.last = row->time.done = time;
    row->order.end = row->order.first = row->order.last = row->order.done = (int64_t)entry->number;
}

static void
on_plain(struct builder *builder, const struct fp_trace_entry *entry)
{
    int64_t time = own_time(&builder->lanes[entry->fields[TRACE_F_pe]], entry->fields[TRACE_F_time]);
    if (facts_of(builder, entry->shape)->rows)
        row_new(builder, entry, time);
    else
        builder->story->plain_left++;
}

/* Recordings of other implementations do not say when an allocation returned, but that the block was there. */
static void
on_block(struct builder *builder, const struct fp_trace_entry *entry)
{
    const struct lane *lane = &builder->lanes[entry->fields[TRACE_F_pe]];
    struct story_row *row = lane->open ? &builder->story->rows[lane->open - 1] : NULL;
    if (!row || row->kind != STORY_HEAP)
        return;
    int64_t time = tame(entry->fields[TRACE_F_time]);
    row->time.end = time > row->time.begin ? time : row->time.begin;
    row->order.end = (int64_t)entry->number;
}

static void
on_record(struct builder *builder, const struct fp_trace_entry *entry)
{
    const int64_t *fields = entry->fields;
    struct story *story = builder->story;
    switch (entry->shape->event) {
    case TRACE_EV_ISSUE:
        on_issue(builder, entry);
        break;
    case TRACE_EV_READ:
    case TRACE_EV_WRITE:
    case TRACE_EV_RMW:
        on_delivery(builder, entry);
        break;
    case TRACE_EV_RETURN:
        on_return(builder, entry);
        break;
    case TRACE_EV_QUIET:
    case TRACE_EV_PE_QUIET:
        on_quiet(builder, entry, entry->shape->event == TRACE_EV_QUIET ? -1 : fields[TRACE_F_target]);
        break;
    case TRACE_EV_SYNC_ENTER:
    case TRACE_EV_COLL_ENTER:
        on_enter(builder, entry);
        break;
    case TRACE_EV_SYNC_LEAVE:
    case TRACE_EV_COLL_LEAVE:
        on_leave(builder, entry);
        break;
    case TRACE_EV_WAIT:
    case TRACE_EV_FENCE:
    case TRACE_EV_LOCK_SET:
    case TRACE_EV_LOCK_CLEAR:
        row_new(builder, entry, own_time(&builder->lanes[fields[TRACE_F_pe]], fields[TRACE_F_time]));
        break;
    case TRACE_EV_LOAD:
    case TRACE_EV_STORE:
    case TRACE_EV_ATOMIC:
        on_plain(builder, entry);
        break;
    case TRACE_EV_BORN:
        on_block(builder, entry);
        story_block_born(story, fields[TRACE_F_offset], (uint64_t)fields[TRACE_F_bytes], entry->shape->site);
        break;
    case TRACE_EV_DIED:
        on_block(builder, entry);
        story_block_died(story, fields[TRACE_F_offset]);
        break;
    case TRACE_EV_FINDING:
        if (fields[TRACE_F_finding] >= 0 && fields[TRACE_F_finding] < story->nfindings)
            story->findings[fields[TRACE_F_finding]].record = entry->number - 1;
        break;
    default:
        break;
    }
}

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

/* Whether the record names PEs that there are. Deliveries name none: their operation does. */
static bool
is_sane(const struct story *story, const struct fp_trace_entry *entry)
{
    const int64_t *fields = entry->fields;
    bool issue = entry->shape->event == TRACE_EV_ISSUE;
    return fields[TRACE_F_pe] >= 0 && fields[TRACE_F_pe] < story->npes &&
           (!issue || (fields[TRACE_F_target] >= 0 && fields[TRACE_F_target] < story->npes));
}

static int
read_records(struct builder *builder, struct fp_trace_reader *trace)
{
    struct fp_trace_entry entry;
    int got;
    while ((got = fp_trace_next_record(trace, &entry, builder->error, builder->error_size)) == 1) {
        if (!is_sane(builder->story, &entry)) {
            snprintf(builder->error, builder->error_size, "trace %s: record %llu names a PE that there is not",
                     builder->story->path, (unsigned long long)entry.number);
            return -1;
        }
        builder->story->records = entry.number;
        on_record(builder, &entry);
    }
    return got;
}

/* Counts plain accesses, and takes the result at the end: places and findings have to be known before. */
static int
read_ahead(struct story *story, char *error, size_t error_size)
{
    struct fp_trace_entry entry;
    int got;
    while ((got = fp_trace_next_record(story->trace, &entry, error, error_size)) == 1)
        story->plain += entry.shape->event >= TRACE_EV_LOAD && entry.shape->event <= TRACE_EV_ATOMIC;
    if (got == 0)
        story_result(story);
    return got;
}

static void
finish(struct story *story)
{
    for (uint64_t i = 0; i < story->nrows; i++) {
        struct story_row *row = &story->rows[i];
        if (row->flags & STORY_OPEN &&
            (row->kind != STORY_HEAP || row->order.end == row->order.begin)) { /* to the end */
            row->time.end = row->time.first = row->time.last = row->time.done = story->end;
            row->order.end = row->order.first = row->order.last = row->order.done = (int64_t)story->records;
        }
    }
    story_match(story);
}

int
story_read(struct story *story, const char *path, char *error, size_t error_size)
{
    *story = (struct story){.path = path};
    *error = '\0';
    int ended = fp_trace_verify(path, error, error_size);
    char again[512];
    story->ended = ended == 1;
    story->trace = fp_trace_open(path, again, sizeof again);
    struct fp_trace_reader *trace = story->trace ? fp_trace_open(path, again, sizeof again) : NULL;
    if (!trace)
        return -1;
    const char *npes = fp_trace_header(trace, "npes", 0);
    long count = npes ? strtol(npes, NULL, 10) : 0;
    if (count < 1 || count > STORY_PES_MAX) {
        snprintf(error, error_size, "trace %s: it does not say for how many PEs it is", path);
        fp_trace_free(trace);
        return -1;
    }
    story->npes = (int)count;
    story->words = calloc(1, sizeof *story->words);
    struct builder *builder = calloc(1, sizeof *builder);
    if (!story->words || !builder || !(builder->lanes = calloc((size_t)count, sizeof *builder->lanes)))
        exit(EX_OSERR);
    *builder = (struct builder){.story = story, .lanes = builder->lanes, .error = again, .error_size = sizeof again};
    story_name(story, "");
    story_object(story, "");
    read_ahead(story, again, sizeof again);
    if (read_records(builder, trace) < 0 && !*error)
        snprintf(error, error_size, "%s", again);
    for (long i = 0; i < count; i++)
        story->end = builder->lanes[i].last > story->end ? builder->lanes[i].last : story->end;
    finish(story);
    fp_trace_free(trace);
    free(builder->shapes);
    free(builder->lanes);
    free(builder->op_rows);
    free(builder->next);
    free(builder->clocks);
    free(builder->pending);
    free(builder);
    return *error ? -1 : 0;
}

void
story_free(struct story *story)
{
    fp_trace_free(story->trace);
    if (story->words) {
        for (uint32_t i = 0; i < story->words->ntexts; i++)
            free(story->words->texts[i]);
        free(story->words->texts);
        free(story->words->statics);
        free(story->words->blocks);
        free(story->words);
    }
    free(story->rows);
    free(story->names);
    free(story->objects);
    free(story->sites);
    free(story->findings);
    *story = (struct story){0};
}
