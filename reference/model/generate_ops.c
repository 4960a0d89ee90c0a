/* generate_ops.c -- single operations of a random litmus test.
 *
 * The objects: x y (long), i (int), u (short), a (array) are data, z and b (uint64, for bitwise atomics) belong to
 * atomics, f g are flags, s t signals, d is a source and e a destination of nonblocking operations, v w are buffers of
 * collectives, l is a lock.
 */
#include <stdarg.h>
#include <string.h>

#include "reference/model/generate.h"

unsigned
draw(struct draft *draft, unsigned bound)
{
    uint64_t x = draft->random += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return (unsigned)((x ^ x >> 31) % bound);
}

const char *
one_of(struct draft *draft, const char *words)
{
    static char kept[4][32];
    static unsigned turn;
    char *word = kept[turn++ % 4];
    unsigned count = 0;

    for (const char *at = words; (at = strchr(at, ' ')); at++)
        count++;
    for (count = draw(draft, count); count > 0; count--)
        words = strchr(words, ' ') + 1;
    snprintf(word, sizeof kept[0], "%.*s", (int)strcspn(words, " "), words);
    return word;
}

void
add(struct draft *draft, int pe, const char *format, ...)
{
    va_list list;

    if (draft->rows[pe] == GEN_ROWS) {
        draft->overflow = true;
        return;
    }
    char operation[GEN_CELL - GEN_GUARD], guard[GEN_GUARD];
    memcpy(guard, draft->guards[pe], sizeof guard);
    va_start(list, format);
    vsnprintf(operation, sizeof operation, format, list);
    va_end(list);
    snprintf(draft->cells[pe][draft->rows[pe]++], GEN_CELL, "%s%s", guard, operation);
}

const char *
context_of(struct draft *draft, int pe)
{
    static char kept[4][4];
    static unsigned turn;
    char *text = kept[turn++ % 4];

    *text = 0;
    if (!draft->ncontexts || draw(draft, 3))
        return text;
    int which = (int)draw(draft, (unsigned)draft->ncontexts);
    if (!(draft->destroyed[pe] >> which & 1))
        snprintf(text, sizeof kept[0], "%c:", draft->contexts[which]);
    return text;
}

int
any_pe(struct draft *draft)
{
    return (int)draw(draft, (unsigned)draft->npes);
}

int
other_pe(struct draft *draft, int pe)
{
    return draw(draft, 7) ? (pe + 1 + (int)draw(draft, (unsigned)draft->npes - 1)) % draft->npes : pe;
}

int
new_reg(struct draft *draft)
{
    return draft->nregs++;
}

/* ---- Atomics ----------------------------------------------------------------------------------------------------- */

static void
add_fetch(struct draft *draft, int pe, const char *c, const char *x, int to, int value)
{
    int r = new_reg(draft);

    switch (draw(draft, 6)) {
    case 0:
        add(draft, pe, "r%d = %safinc(%s@%d)", r, c, x, to);
        break;
    case 1:
        add(draft, pe, "r%d = %safadd(%s@%d, %d)", r, c, x, to, value);
        break;
    case 2:
        add(draft, pe, "r%d = %saswap(%s@%d, %d)", r, c, x, to, value);
        break;
    case 3:
        add(draft, pe, "r%d = %sacas(%s@%d, %d, %d)", r, c, x, to, (int)draw(draft, 2), value);
        break;
    default:
        add(draft, pe, "r%d = %safetch(%s@%d)", r, c, x, to);
        break;
    }
}

/* The value lands in e, which is looked at after a quiet, or too early. */
static void
add_fetch_nbi(struct draft *draft, int pe, const char *c, const char *x, int to, int value)
{
    const char *e = *x == 'b' ? "eb" : "e";

    switch (draw(draft, 4)) {
    case 0:
        add(draft, pe, "%safinc_nbi(%s, %s@%d)", c, e, x, to);
        break;
    case 1:
        add(draft, pe, "%safadd_nbi(%s, %s@%d, %d)", c, e, x, to, value);
        break;
    case 2:
        add(draft, pe, "%saswap_nbi(%s, %s@%d, %d)", c, e, x, to, value);
        break;
    default:
        add(draft, pe, "%safetch_nbi(%s, %s@%d)", c, e, x, to);
        break;
    }
    if (draw(draft, 4))
        add(draft, pe, "%squiet", draw(draft, 8) ? c : "");
    if (draw(draft, 2))
        add(draft, pe, "r%d = ld(%s)", new_reg(draft), e);
}

void
add_atomic(struct draft *draft, int pe)
{
    const char *c = context_of(draft, pe), *x = one_of(draft, "x y z z b ");
    int to = *x == 'z' || *x == 'b' ? (int)draw(draft, 2) : any_pe(draft), value = 1 + (int)draw(draft, 2);

    switch (draw(draft, 8)) {
    case 0:
    case 1:
        if (*x == 'b')
            add(draft, pe, "%s%s(b@%d, %d)", c, one_of(draft, "aand aor axor "), to, value);
        else
            add(draft, pe, "%saset(%s@%d, %d)", c, x, to, value);
        break;
    case 2:
        add(draft, pe, "%sainc(%s@%d)", c, x, to);
        break;
    case 3:
        add(draft, pe, "%saadd(%s@%d, %d)", c, x, to, value);
        break;
    case 4:
        add_fetch_nbi(draft, pe, c, x, to, value);
        break;
    default:
        add_fetch(draft, pe, c, x, to, value);
        break;
    }
}

/* ---- Orders ------------------------------------------------------------------------------------------------------ */

void
add_order(struct draft *draft, int pe)
{
    const char *c = context_of(draft, pe);
    int one = any_pe(draft), two = any_pe(draft);

    switch (draw(draft, 11)) {
    case 0:
    case 1:
    case 2:
    case 3:
        add(draft, pe, "%sfence", c);
        break;
    case 4:
        add(draft, pe, "%spe_quiet(%d)", c, one);
        break;
    case 5:
        add(draft, pe, one == two ? "%spe_quiet(%d)" : "%spe_quiet(%d, %d)", c, one, two);
        break;
    case 6:
        if (*c && !*draft->guards[pe]) {
            for (int i = 0; i < draft->ncontexts; i++)
                draft->destroyed[pe] |= (unsigned)(draft->contexts[i] == *c) << i;
            add(draft, pe, "%sdestroy", c);
            break;
        }
        /* fall through */
    default:
        add(draft, pe, "%squiet", c);
        break;
    }
}

/* ---- Data -------------------------------------------------------------------------------------------------------- */

const char *
data_object(struct draft *draft)
{
    return one_of(draft, "x x x y y i u a ");
}

static void
add_array(struct draft *draft, int pe, const char *c, int home)
{
    if (draw(draft, 2))
        add(draft, pe, "%siput(a@%d, {1, 2}, 2)", c, home);
    else
        add(draft, pe, "%sput(a[%d]@%d, {1, 2})", c, (int)draw(draft, 2), home);
}

bool
add_data(struct draft *draft, int pe, const char *object, int home)
{
    const char *c = context_of(draft, pe), *d = *object == 'i' ? "di" : *object == 'u' ? "du" : "d";

    if (*object == 'a') {
        add_array(draft, pe, c, home);
        return false;
    }
    switch (draw(draft, 7)) {
    case 0:
        add(draft, pe, "%sput(%s@%d, 1)", c, object, home);
        break;
    case 1:
        add(draft, pe, "%sp(%s@%d, 2)", c, object, home);
        break;
    case 2:
        add(draft, pe, "%sput(%s@%d, %s)", c, object, home, d);
        break;
    case 3:
        add(draft, pe, "%sput_nbi(%s@%d, %s)", c, object, home, d);
        return true;
    case 4:
    case 5:
        if (*object == 'u' && draw(draft, 2))
            add(draft, pe, "%sputmem(u@%d, 257)", c, home);
        else
            add(draft, pe, home == pe && draw(draft, 2) ? "st(%s, 1)" : "st(%s@%d, 1)", object, home);
        break;
    default:
        if (*object == 'u')
            add(draft, pe, "%sput(u@%d, 1)", c, home);
        else
            add(draft, pe, "%saset(%s@%d, 1)", c, object, home);
        break;
    }
    return false;
}

static void
add_look_nbi(struct draft *draft, int pe, const char *c, const char *object, const char *e, int home)
{
    if (*object == 'a' || *object == 'u' || draw(draft, 2))
        add(draft, pe, "%sget_nbi(%s, %s@%d)", c, e, object, home);
    else
        add(draft, pe, "%safetch_nbi(%s, %s@%d)", c, e, object, home);
    if (draw(draft, 4))
        add(draft, pe, "%squiet", c);
    add(draft, pe, "r%d = ld(%s)", new_reg(draft), e);
}

void
add_look(struct draft *draft, int pe, const char *object, int home)
{
    const char *c = context_of(draft, pe), *e = *object == 'i' ? "ei" : *object == 'u' ? "eu" : "e";
    char name[GEN_NAME];

    if (*object == 'a')
        snprintf(name, sizeof name, "a[%d]", (int)draw(draft, 3));
    else
        snprintf(name, sizeof name, "%s", object);
    switch (draw(draft, 8)) {
    case 0:
    case 1:
        if (home == pe)
            add(draft, pe, "r%d = ld(%s)", new_reg(draft), name);
        else
            add(draft, pe, "r%d = ld(%s@%d)", new_reg(draft), name, home);
        break;
    case 2:
        add(draft, pe, "r%d = %sget(%s@%d)", new_reg(draft), c, name, home);
        break;
    case 3:
        add(draft, pe, "r%d = %sg(%s@%d)", new_reg(draft), c, name, home);
        break;
    case 4:
        add(draft, pe, "%sget(%s, %s@%d)", c, e, name, home);
        add(draft, pe, "r%d = ld(%s)", new_reg(draft), e);
        break;
    case 5:
        add_look_nbi(draft, pe, c, name, e, home);
        break;
    default:
        if (*object == 'u')
            add(draft, pe, "r%d = %sg(u@%d)", new_reg(draft), c, home);
        else
            add(draft, pe, "r%d = %safetch(%s@%d)", new_reg(draft), c, name, home);
        break;
    }
}
