/* generate_styles.c -- what makes a random litmus test of single operations.
 *
 * Operations drawn blindly are nearly always racy, so a test has a style: atoms (sc or weak), shapes (few locations,
 * two accesses a PE: mostly weak), messages (data, perhaps an order, a flag; then a look at the flag and one at the
 * data), relays (the message passes through others), phases between meetings, collectives, locks, or anything at all.
 */
#include <string.h>

#include "reference/model/generate.h"

static void
atoms(struct draft *draft)
{
    for (int pe = 0; pe < draft->npes; pe++)
        for (int i = 1 + (int)draw(draft, 3); i > 0; i--) {
            add_atomic(draft, pe);
            if (!draw(draft, 4))
                add_order(draft, pe);
        }
}

/* Store buffering, message passing, IRIW and their kin, from atomics and signals. */
static void
shapes(struct draft *draft)
{
    for (int pe = 0; pe < draft->npes; pe++) {
        int first = (int)draw(draft, 2), writes = (int)draw(draft, 3);
        for (int k = 0; k < 2; k++) {
            int home = first ^ k;
            const char *x = home ? "y" : "x", *c = context_of(draft, pe);
            if (writes == 0 || (writes == 1 && k == 1))
                add(draft, pe, "r%d = %safetch(%s@%d)", new_reg(draft), c, x, home);
            else
                add(draft, pe, draw(draft, 3) ? "%saset(%s@%d, %d)" : "%saadd(%s@%d, %d)", c, x, home, pe + 1);
            if (k == 0 && !draw(draft, 3))
                add_order(draft, pe);
        }
    }
}

/* ---- Messages ---------------------------------------------------------------------------------------------------- */

/* Tells PE `to` by a flag or signal. Returns its name. */
static const char *
add_flag(struct draft *draft, int pe, int to)
{
    const char *c = context_of(draft, pe), *f = one_of(draft, "f g f g s t ");

    if (*f == 's' || *f == 't') {
        switch (draw(draft, 4)) {
        case 0:
            add(draft, pe, "%ssigset(%s@%d, 1)", c, f, to);
            break;
        case 1:
            add(draft, pe, "%ssigadd(%s@%d, 1)", c, f, to);
            break;
        default:
            add(draft, pe, "%ssig(y@%d, {}, %s %s 1)", c, to, f, draw(draft, 2) ? "+=" : ":=");
            break;
        }
        return f;
    }
    switch (draw(draft, 6)) {
    case 0:
        add(draft, pe, "%sp(%s@%d, 1)", c, f, to);
        break;
    case 1:
        add(draft, pe, "%sput(%s@%d, 1)", c, f, to);
        break;
    case 2:
        add(draft, pe, "%sainc(%s@%d)", c, f, to);
        break;
    case 3:
        add(draft, pe, "r%d = %safinc(%s@%d)", new_reg(draft), c, f, to);
        break;
    default:
        add(draft, pe, "%saset(%s@%d, 1)", c, f, to);
        break;
    }
    return f;
}

/* Looks at the flag: waits, polls, or looks once; then what follows is done only if it was set, or (seldom) in any
 * case. */
static void
add_wait(struct draft *draft, int pe, const char *f)
{
    bool signal = *f == 's' || *f == 't';
    int r;

    switch (draw(draft, 10)) {
    case 0:
        r = new_reg(draft);
        if (signal)
            add(draft, pe, "r%d = sfetch(%s) until r%d >= 1", r, f, r);
        else
            add(draft, pe, "r%d = afetch(%s@%d) until r%d >= 1", r, f, pe, r);
        break;
    case 1:
        r = new_reg(draft);
        add(draft, pe, "r%d = test(%s == 1) until r%d != 0", r, f, r);
        break;
    case 2:
        r = new_reg(draft);
        add(draft, pe, draw(draft, 4) ? "r%d = acas(%s@%d, 1, 2) until r%d == 1" : "r%d = ld(%s@%d) until r%d == 1", r,
            f, pe, r);
        break;
    case 3:
    case 4:
        r = new_reg(draft);
        if (signal)
            add(draft, pe, "r%d = sfetch(%s)", r, f);
        else if (draw(draft, 2))
            add(draft, pe, "r%d = test(%s >= 1)", r, f);
        else
            add(draft, pe, "r%d = afetch(%s@%d)", r, f, pe);
        if (draw(draft, 5))
            snprintf(draft->guards[pe], sizeof draft->guards[pe], "if r%d != 0: ", r);
        break;
    case 5:
        r = new_reg(draft);
        if (signal)
            add(draft, pe, "r%d = swait(%s != 0)", r, f);
        else
            add(draft, pe, "wait(%s != 0)", f);
        break;
    default:
        add(draft, pe, signal ? "swait(%s >= 1)" : "wait(%s >= 1)", f);
        break;
    }
}

/* Data and signal by one call. Returns the signal. */
static const char *
add_put_signal(struct draft *draft, int from, int to)
{
    const char *c = context_of(draft, from), *s = one_of(draft, "s t "), *how = draw(draft, 2) ? "+=" : ":=";

    if (draw(draft, 2))
        add(draft, from, "%ssig(x@%d, 1, %s %s 1)", c, to, s, how);
    else if (draw(draft, 2))
        add(draft, from, "%ssig(a@%d, {1, 2}, %s %s 1)", c, to, s, how);
    else
        add(draft, from, "%ssig_nbi(x@%d, d, %s %s 1)", c, to, s, how);
    return s;
}

/* After a nonblocking put: the source is written again, when a reply or a quiet has come, or too early. */
static void
add_reuse(struct draft *draft, int from, int to, const char *object)
{
    if (draw(draft, 2)) {
        add(draft, to, "aset(g@%d, 1)", from);
        add(draft, from, "wait(g == 1)");
    } else if (draw(draft, 3)) {
        add(draft, from, "quiet");
    }
    add(draft, from, "st(%s, 4)", *object == 'i' ? "di" : *object == 'u' ? "du" : "d");
}

static void
message(struct draft *draft)
{
    int from = any_pe(draft), to = other_pe(draft, from), home = draw(draft, 4) ? to : any_pe(draft);
    const char *object = data_object(draft);
    bool nbi = false;

    if (!draw(draft, 4)) {
        const char *s = add_put_signal(draft, from, to);
        bool array = strstr(draft->cells[from][draft->rows[from] - 1], "sig(a");
        add_wait(draft, to, s);
        add_look(draft, to, array ? "a" : "x", to);
        draft->guards[to][0] = 0;
        return;
    }
    nbi = add_data(draft, from, object, home);
    if (draw(draft, 5))
        add_order(draft, from);
    const char *f = add_flag(draft, from, to);
    add_wait(draft, to, f);
    add_look(draft, to, object, home);
    draft->guards[to][0] = 0;
    if (nbi && draw(draft, 2))
        add_reuse(draft, from, to, object);
}

static void
messages(struct draft *draft)
{
    for (int i = 1 + (int)draw(draft, 3); i > 0; i--)
        message(draft);
}

/* The data is at a PE; the news of it goes from one to the next. */
static void
relay(struct draft *draft)
{
    int from = any_pe(draft), home = any_pe(draft), hops = 1 + (int)draw(draft, 2);
    const char *object = data_object(draft);

    add_data(draft, from, object, home);
    for (int i = 0; i < hops; i++) {
        int to = (from + 1) % draft->npes;
        if (draw(draft, 5))
            add(draft, from, i || draw(draft, 2) ? "quiet" : "fence");
        add_wait(draft, to, add_flag(draft, from, to));
        from = to;
    }
    add_look(draft, from, object, home);
    memset(draft->guards, 0, sizeof draft->guards);
}

/* ---- Meetings ---------------------------------------------------------------------------------------------------- */

static bool
is_member(const struct draft *draft, const char *team, int pe)
{
    return !*team || draft->team >> pe & 1;
}

static void
meeting(struct draft *draft)
{
    unsigned kind = draw(draft, 5), quiet = draw(draft, 4);
    const char *c = context_of(draft, 0), *team = draft->team && !draw(draft, 3) ? "A:" : "";

    for (int pe = 0; pe < draft->npes; pe++) {
        if (!is_member(draft, team, pe))
            continue;
        if (kind < 3 && quiet)
            add(draft, pe, "%squiet", draft->destroyed[pe] ? "" : c);
        if (kind < 3 || *team)
            add(draft, pe, "%ssync", team);
        else
            add(draft, pe, "barrier");
    }
}

/* Each PE writes to a PE of its own or to any, they meet, and look. */
static void
phases(struct draft *draft)
{
    int shift = any_pe(draft), more = (int)draw(draft, 2);
    const char *object = data_object(draft);

    for (int pe = 0; pe < draft->npes; pe++) {
        int home = draw(draft, 8) ? (pe + shift) % draft->npes : any_pe(draft);
        if (draw(draft, 5))
            add_data(draft, pe, object, home);
        if (more && draw(draft, 2))
            add_atomic(draft, pe);
    }
    meeting(draft);
    for (int pe = 0; pe < draft->npes; pe++)
        if (draw(draft, 3))
            add_look(draft, pe, object, any_pe(draft));
        else if (draw(draft, 2))
            add_atomic(draft, pe);
}

static void
collective(struct draft *draft)
{
    const char *team = draft->team && draw(draft, 2) ? "A:" : "",
               *kind = one_of(draft, "broadcast fcollect alltoall sum_reduce sum_inscan sum_exscan ");
    unsigned members = *team ? draft->team : (1u << draft->npes) - 1;
    int size = __builtin_popcount(members), root;

    do
        root = any_pe(draft);
    while (!(members >> root & 1));
    for (int pe = 0; pe < draft->npes; pe++) {
        if (!(members >> pe & 1))
            continue;
        if (*kind == 'b')
            add(draft, pe, "%sbroadcast(e, d, %d)", team, root);
        else if (*kind == 'f')
            add(draft, pe, "%sfcollect(w%d, d)", team, size);
        else if (*kind == 'a')
            add(draft, pe, "%salltoall(w%d, v%d)", team, size, size);
        else
            add(draft, pe, "%s%.*s(e, d)", team, (int)strcspn(kind, " "), kind);
    }
}

/* Something before, a collective, something that relies on it or on its data. */
static void
collectives(struct draft *draft)
{
    const char *object = data_object(draft);
    int writer = any_pe(draft), home = any_pe(draft);

    if (draw(draft, 3))
        add_data(draft, writer, object, home);
    if (draw(draft, 2))
        add(draft, writer, "quiet");
    for (int pe = 0; pe < draft->npes; pe++)
        if (!draw(draft, 3))
            add(draft, pe, "st(d, %d)", 4 + pe);
    if (!draw(draft, 4))
        meeting(draft);
    collective(draft);
    if (!draw(draft, 4))
        meeting(draft);
    int reader = any_pe(draft);
    if (draw(draft, 3))
        add_look(draft, reader, object, draw(draft, 2) ? reader : home);
    else
        add(draft, reader, draw(draft, 2) ? "r%d = ld(e@%d)" : "r%d = g(e@%d)", new_reg(draft), any_pe(draft));
    if (!draw(draft, 3))
        collective(draft);
}

/* ---- Locks ------------------------------------------------------------------------------------------------------- */

static void
add_body(struct draft *draft, int pe, const char *object, int home)
{
    if (draw(draft, 3))
        add_look(draft, pe, object, home);
    if (draw(draft, 3))
        add_data(draft, pe, object, home);
    if (!draw(draft, 4))
        add_order(draft, pe);
}

static void
locks(struct draft *draft)
{
    const char *object = data_object(draft);
    int home = any_pe(draft);

    for (int pe = 0; pe < draft->npes; pe++) {
        switch (draw(draft, 5)) {
        case 0: {
            int r = new_reg(draft);
            add(draft, pe, draw(draft, 2) ? "r%d = trylock(l) until r%d == 0" : "r%d = trylock(l)", r, r);
            snprintf(draft->guards[pe], sizeof draft->guards[pe], "if r%d == 0: ", r);
            add_body(draft, pe, object, home);
            add(draft, pe, "unlock(l)");
            draft->guards[pe][0] = 0;
            break;
        }
        case 1:
            if (draw(draft, 2))
                add_body(draft, pe, object, home);
            break;
        default:
            add(draft, pe, "lock(l)");
            add_body(draft, pe, object, home);
            add(draft, pe, "unlock(l)");
            break;
        }
    }
}

/* ---- Anything ---------------------------------------------------------------------------------------------------- */

static void
anything(struct draft *draft)
{
    for (int pe = 0; pe < draft->npes; pe++)
        for (int i = 1 + (int)draw(draft, 3); i > 0; i--) {
            int to = other_pe(draft, pe);
            switch (draw(draft, 7)) {
            case 0:
                add_data(draft, pe, data_object(draft), to);
                break;
            case 1:
                add_look(draft, pe, data_object(draft), to);
                break;
            case 2:
                add_order(draft, pe);
                break;
            case 3:
                add_flag(draft, pe, to);
                break;
            case 4:
                add(draft, pe, "r%d = %s", new_reg(draft), one_of(draft, "sfetch(s) sfetch(t) test(f>=1) test(g==1) "));
                break;
            default:
                add_atomic(draft, pe);
                break;
            }
        }
}

void
compose(struct draft *draft)
{
    static void (*const styles[])(struct draft * draft) = {atoms, shapes, shapes, messages,    messages, messages,
                                                           relay, phases, phases, collectives, locks,    anything};
    styles[draw(draft, sizeof styles / sizeof styles[0])](draft);
    if (!draw(draft, 6))
        message(draft);
}
