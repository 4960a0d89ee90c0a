/* race_rows.h -- the litmus rows of semantics section 5 and the cases of the field, as scripts (fake_net.h), and the
 * verdict of each: clean, or the class of error that must be reported, under `strict` and under `common`. Names are
 * those of the tables.
 */
#ifndef RACE_ROWS_H
#define RACE_ROWS_H

#include "fake_net.h"

#define ROW(name) static void name(void)
#define T0 (&privates[0][0])
#define T1 (&privates[1][0])

/* Nobody waits for a lock of the program's own making: its release arrives now. */
static void
deliver_lock(void)
{
    for (int i = net_first; i < nnet; i++)
        if (net[i].var == LOCK)
            deliver(&net[i]);
}

/* Fetches until the flag is there; somebody delivers meanwhile. */
static void
poll_flag(int pe, int var)
{
    while (*word(pe, var) == 0) {
        afetch(pe, pe, var);
        for (int i = net_first; i < nnet; i++)
            if (net[i].var == var)
                deliver(&net[i]);
    }
    afetch(pe, pe, var);
}

/* 5.1 Message passing */
ROW(L01) { put(0, 1, X, 1); aset(0, 1, F, 1); W(1, F, 1); ld(1, X); }
ROW(L02) { put(0, 1, X, 1); fence(0); aset(0, 1, F, 1); W(1, F, 1); ld(1, X); }
ROW(L03) { put(0, 1, X, 1); quiet(0); aset(0, 1, F, 1); W(1, F, 1); ld(1, X); }
ROW(L04) { put(0, 1, X, 1); put(0, 1, F, 1); W(1, F, 1); ld(1, X); }
ROW(L05) { put(0, 1, X, 1); fence(0); put(0, 1, F, 1); W(1, F, 1); ld(1, X); }
ROW(L06) { put(0, 1, X, 1); fence(0); aset(0, 1, F, 1); ld(1, F); ld(1, F); ld(1, X); }
ROW(L07)
{
    put(0, 1, X, 1);
    fence(0);
    aset(0, 1, F, 1);
    poll_flag(1, F);
    ld(1, X);
}
ROW(L09) { put(0, 1, X, 1); fence(0); aset(0, 1, F, 1); ld(1, X); W(1, F, 1); }
ROW(L10) { aset(0, 1, F, 1); fence(0); put(0, 1, X, 1); W(1, F, 1); ld(1, X); }
ROW(L11) { put_nbi(0, 1, X, T0); fence(0); aset(0, 1, F, 1); W(1, F, 1); ld(1, X); }
ROW(L12) { put(0, 1, X, 1); afadd(0, 1, F, 1); W(1, F, 1); ld(1, X); }
ROW(L13) { putn(0, 1, X, 1, 4); fence(0); aset(0, 1, F, 1); W(1, F, 1); ld(1, X); }
ROW(L14) { put(0, 1, X, 1); quiet(0); aset(0, 2, F, 1); W(2, F, 1); get(2, 1, X); }
ROW(L15) { put(0, 1, X, 1); fence(0); aset(0, 2, F, 1); W(2, F, 1); get(2, 1, X); }
ROW(L16) { put(0, 1, X, 1); fence(0); aset(0, 1, F, 1); W(1, F, 1); aset(1, 2, G, 1); W(2, G, 1); get(2, 1, X); }
ROW(L17) { put(0, 2, X, 1); fence(0); aset(0, 1, F, 1); W(1, F, 1); aset(1, 2, G, 1); W(2, G, 1); ld(2, X); }
ROW(L18) { put(0, 2, X, 1); quiet(0); aset(0, 1, F, 1); W(1, F, 1); aset(1, 2, G, 1); W(2, G, 1); ld(2, X); }
ROW(L19) { put(0, 1, X, 1); quiet(0); ld(1, X); }
ROW(L20) { stp(0, 1, X, 1); aset(0, 1, F, 1); W(1, F, 1); ld(1, X); }
ROW(L21) { stp(0, 1, X, 1); fence(0); aset(0, 1, F, 1); W(1, F, 1); ld(1, X); }
ROW(L22) { st(0, X, 1); aset(0, 1, F, 1); W(1, F, 1); get(1, 0, X); }
ROW(L23) { st(0, X, 1); fence(0); aset(0, 1, F, 1); W(1, F, 1); get(1, 0, X); }
ROW(L24) { st(0, X, 1); quiet(0); aset(0, 1, F, 1); W(1, F, 1); get(1, 0, X); }

/* 5.2 One PE against itself */
ROW(L30) { put(0, 1, X, 1); get(0, 1, X); }
ROW(L31) { put(0, 1, X, 1); fence(0); get(0, 1, X); }
ROW(L32) { put(0, 1, X, 1); quiet(0); get(0, 1, X); }
ROW(L33) { put(0, 1, X, 1); put(0, 1, X, 2); }
ROW(L34) { put(0, 1, X, 1); fence(0); put(0, 1, X, 2); }
ROW(L35) { get(0, 1, X); put(0, 1, X, 5); }
ROW(L36) { put(0, 0, X, 1); ld(0, X); }
ROW(L37) { put(0, 0, X, 1); quiet(0); ld(0, X); }
ROW(L38) { put(0, 1, X, 1); ainc(0, 1, X); }
ROW(L39) { put(0, 1, X, 1); fence(0); ainc(0, 1, X); }

/* 5.3 Nonblocking buffers */
ROW(L50) { put_nbi(0, 1, X, T0); stv(0, T0, 9); quiet(0); B; ld(1, X); }
ROW(L51) { put_nbi(0, 1, X, T0); fence(0); stv(0, T0, 9); quiet(0); B; ld(1, X); }
ROW(L52) { put_nbi(0, 1, X, T0); quiet(0); stv(0, T0, 9); B; ld(1, X); }
ROW(L53) { put(0, 1, X, 1); stv(0, T0, 9); B; ld(1, X); }
ROW(L54) { put_nbi(0, 1, X, T0); ldv(0, T0); quiet(0); }
ROW(L55) { put_nbi(0, 1, X, T0); put_nbi(0, 2, X, T0); quiet(0); }
ROW(L56)
{
    /* the source is symmetric here: PE 2 writes into it */
    step();
    struct net_op *n = issue(__LINE__, "shmem_long_put_nbi", 0, 1, SHMEM_OP_PUT, SHMEM_OPF_NBI, X, 0);
    n->local = word(0, S);
    n->data_left = true;
    emit((struct sim_event){.kind = SIM_EV_ISSUE,
                            .pe = 0,
                            .op = &n->op,
                            .address = word(0, S),
                            .place = place_of(0, S),
                            .bytes = 8,
                            .name = n->op.call.name,
                            .site = n->op.site});
    put(2, 0, S, 9);
    B;
}
ROW(L57) { get_nbi(0, 1, X, T0); ldv(0, T0); quiet(0); }
ROW(L58) { get_nbi(0, 1, X, T0); fence(0); ldv(0, T0); quiet(0); }
ROW(L59) { get_nbi(0, 1, X, T0); quiet(0); ldv(0, T0); }
ROW(L60) { get_nbi(0, 1, X, T0); fence(0); put(0, 1, X, 7); quiet(0); }
ROW(L61) { get_nbi(0, 1, X, T0); quiet(0); put(0, 1, X, 7); }
ROW(L62) { get_nbi(0, 1, X, T0); get_nbi(0, 1, Y, T0); quiet(0); }
ROW(L63) { afadd_nbi(0, 1, X, 1, T0); ldv(0, T0); quiet(0); }
ROW(L64)
{
    put_nbi(0, 1, X, T0);
    fence(0);
    aset(0, 1, F, 1);
    W(1, F, 1);
    aset(1, 0, A, 1);
    W(0, A, 1);
    stv(0, T0, 9);
    quiet(0);
    ld(1, X);
}
ROW(L66) { get_nbi(0, 1, X, T0); stv(0, T0, 3); quiet(0); }

/* 5.4 Atomics */
ROW(L70) { ainc(0, 1, X); get(0, 1, X); }
ROW(L71) { ainc(0, 1, X); quiet(0); get(0, 1, X); }
ROW(L72) { ainc(0, 1, X); afetch(0, 1, X); }
ROW(L72b) { ainc(0, 1, X); fence(0); afetch(0, 1, X); get(0, 1, X); }
ROW(L83) { aset(0, 4, X, 1); aset(1, 4, Y, 1); afetch(2, 4, X); afetch(2, 4, Y); afetch(3, 4, Y); afetch(3, 4, X); }
ROW(L84) { put(0, 4, X, 1); put(1, 4, Y, 1); get(2, 4, X); get(2, 4, Y); get(3, 4, Y); get(3, 4, X); }
ROW(L90) { for (int i = 0; i < 4; i++) afadd(i, 0, X, 1); }
ROW(L91) { for (int i = 0; i < 4; i++) ainc(i, 1, X); B; ld(1, X); }
ROW(L92) { ainc(0, 1, X); SYNC; ld(1, X); }
ROW(L93) { type_next = SHMEM_TYPE_int; ainc(0, 1, X); aadd(1, 1, X, 1); }
ROW(L93b) { type_next = SHMEM_TYPE_ulong; ainc(0, 1, X); aadd(1, 1, X, 1); }
ROW(L95)
{
    ainc(0, 1, X);
    coll_start(SHMEM_COLL_REDUCE);
    enter(0);
    enter(1);
    pull(0, 0, X);
    pull(0, 1, X);
    push(0, 0, D);
    push(0, 1, D);
    leave(0);
    leave(1);
}
ROW(L96) { ainc(0, 1, X); ld(1, X); st(1, X, 1); }
ROW(L97) { afetch(0, 1, X); ld(1, X); }
ROW(L98)
{
    aswap(0, 0, LOCK, 1);
    put(0, 1, X, 1);
    aset(0, 0, LOCK, 0);
    deliver_lock();
    aswap(1, 0, LOCK, 1);
    get(1, 1, X);
}
ROW(L99)
{
    aswap(0, 0, LOCK, 1);
    put(0, 1, X, 1);
    quiet(0);
    aset(0, 0, LOCK, 0);
    deliver_lock();
    aswap(1, 0, LOCK, 1);
    get(1, 1, X);
}
ROW(L100) { afadd(0, 1, X, 1); aset(0, 2, F, 1); W(2, F, 1); get(2, 1, X); }
ROW(L101) { aadd(0, 1, X, 1); aset(0, 2, F, 1); W(2, F, 1); afetch(2, 1, X); }
/* A chain of updates passes on what each released; a plain set hides what was before it. */
ROW(chain_add)
{
    put(0, 2, X, 1);
    fence(0);
    ainc(0, 2, F);
    put(1, 2, Y, 1);
    fence(1);
    ainc(1, 2, F);
    W(2, F, 2);
    ld(2, X);
    ld(2, Y);
    ld(2, F);
}
/* A fetch behind a fence returns after what the fence held back: own stores too. */
ROW(own_store_fetched) { stp(0, 1, X, 1); fence(0); afadd(0, 1, G, 1); get(0, 1, X); }
ROW(fetch_ordered)
{
    put(0, 1, X, 1);
    fence(0);
    afetch(0, 1, F);
    get(0, 1, X);
    aset(0, 2, G, 1);
    W(2, G, 1);
    get(2, 1, X);
}

/* 5.5 Signals */
ROW(L110) { sig_set(0, 1, X, 1, S, 1); SW(1, S, 1); ld(1, X); ld(1, S); }
ROW(L111) { put(0, 1, Y, 1); sig_set(0, 1, X, 1, S, 1); SW(1, S, 1); ld(1, Y); }
ROW(L112) { put(0, 1, Y, 1); fence(0); sig_set(0, 1, X, 1, S, 1); SW(1, S, 1); ld(1, Y); }
ROW(L113) { sig_add(0, 2, X, 1, S, 1); sig_add(1, 2, Y, 1, S, 1); SW(2, S, 2); ld(2, X); ld(2, Y); }
ROW(L114) { sig_set(0, 2, X, 1, S, 1); SW(2, S, 1); sig_set(1, 2, Y, 1, S, 1); ld(2, Y); }
ROW(L115) { sig_set(0, 2, X, 1, S, 5); sig_add(1, 2, Y, 1, S, 1); }
ROW(L116) { sig_nbi(0, 1, X, T0, S, 1); stv(0, T0, 9); quiet(0); SW(1, S, 1); ld(1, X); }
ROW(L118) { sig_set(0, 1, X, 1, S, 1); ld(1, S); ld(1, S); }
ROW(L119) { sig_set(0, 1, X, 1, S, 1); deliver(&net[net_first]); SW_GE(1, S, 0); ld(1, X); }
ROW(L120)
{
    sig_add(0, 1, X, 1, S, 1);
    sig_add(0, 1, Y, 1, S, 1);
    deliver(&net[nnet - 1]);
    wait_(__LINE__, 1, S, SHMEM_CMP_GE, 1, true, false, SHMEM_TYPE_long);
    ld(1, X);
    ld(1, Y);
}
ROW(L121) { sig_add(0, 1, X, 1, S, 1); fence(0); sig_add(0, 1, Y, 1, S, 1); SW_GE(1, S, 1); ld(1, X); }
ROW(L122) { put(0, 1, X, 1); signal_set(0, 1, S, 1); SW(1, S, 1); ld(1, X); }
ROW(L123) { put(0, 1, X, 1); fence(0); signal_set(0, 1, S, 1); SW(1, S, 1); ld(1, X); }
ROW(L124) { sig_set(0, 1, X, 1, S, 1); type_next = SHMEM_TYPE_uint64; aset(2, 1, S, 1); }

/* 5.6 Contexts, pe_quiet */
ROW(L130) { ctx_next = 2; put(0, 1, X, 1); quiet(0); aset(0, 1, F, 1); W(1, F, 1); ld(1, X); }
ROW(L131) { ctx_next = 2; put(0, 1, X, 1); ctx_quiet(0, 2); aset(0, 1, F, 1); W(1, F, 1); ld(1, X); }
ROW(L132) { ctx_next = 2; put(0, 1, X, 1); ctx_fence(0, 2); aset(0, 1, F, 1); W(1, F, 1); ld(1, X); }
ROW(L133) { ctx_next = 2; put(0, 1, X, 1); ctx_fence(0, 2); ctx_next = 2; aset(0, 1, F, 1); W(1, F, 1); ld(1, X); }
ROW(L134) { ctx_next = 2; put(0, 1, X, 1); B; ld(1, X); }
ROW(L135) { ctx_next = 2; put(0, 1, X, 1); ctx_quiet(0, 2); B; ld(1, X); }
ROW(L136) { ctx_next = 2; put(0, 1, X, 1); ctx_next = 3; put(0, 1, X, 2); ctx_quiet(0, 2); ctx_quiet(0, 3); }
ROW(L137) { ctx_next = 2; put(0, 1, X, 1); ctx_quiet(0, 2); ctx_next = 3; put(0, 1, X, 2); ctx_quiet(0, 3); }
ROW(L138) { stp(0, 1, X, 1); ctx_fence(0, 7); ctx_next = 7; aset(0, 1, F, 1); W(1, F, 1); ld(1, X); }
ROW(L140r)
{
    put(0, 1, X, 1);
    put(0, 2, Y, 1);
    pe_quiet(0, 1);
    aset(0, 1, F, 1);
    aset(0, 2, G, 1);
    W(1, F, 1);
    ld(1, X);
}
ROW(L140q)
{
    put(0, 1, X, 1);
    put(0, 2, Y, 1);
    pe_quiet(0, 1);
    aset(0, 1, F, 1);
    aset(0, 2, G, 1);
    W(2, G, 1);
    ld(2, Y);
}

/* 5.7 Barriers, sync, collectives */
ROW(L150) { put(0, 1, X, 1); B; ld(1, X); }
ROW(L151) { put(0, 1, X, 1); SYNC; ld(1, X); }
ROW(L152) { put(0, 1, X, 1); quiet(0); SYNC; ld(1, X); }
ROW(L153) { st(0, X, 1); SYNC; get(1, 0, X); }
ROW(L154r) { put(0, 2, X, 1); quiet(0); TS(3u); get(1, 2, X); }
ROW(L154q) { put(0, 2, X, 1); quiet(0); TS(3u); ld(2, X); }
ROW(L155) { stp(0, 1, X, 1); SYNC; ld(1, X); }
ROW(L156) { get_nbi(0, 1, X, T0); SYNC; ldv(0, T0); }
ROW(L157) { get_nbi(0, 1, X, T0); B; ldv(0, T0); }
ROW(bcast)
{
    coll_start(SHMEM_COLL_BROADCAST);
    enter(0);
    pull(0, 0, Z);
    push(0, 0, D);
    push(0, 1, D);
    leave(0);
    enter(1);
    leave(1);
    ld(1, D);
    ld(0, D);
}
ROW(L160a) { ld(1, D); bcast(); }
ROW(L160b)
{
    coll_start(SHMEM_COLL_BROADCAST);
    enter(0);
    pull(0, 0, Z);
    push(0, 0, D);
    push(0, 1, D);
    leave(0);
    ld(1, D);
    enter(1);
    leave(1);
}
ROW(bcast_twice)
{
    coll_start(SHMEM_COLL_BROADCAST);
    enter(0);
    enter(1);
    push(0, 0, D);
    push(0, 1, D);
    leave(0);
    leave(1);
    coll_start(SHMEM_COLL_BROADCAST);
    enter(0);
    push(0, 0, D);
    push(0, 1, D);
    leave(0);
    enter(1);
    leave(1);
}
ROW(L161) { bcast(); st(0, Z, 2); bcast(); }
ROW(L162) { bcast(); st(0, Z, 2); SYNC; bcast(); }
ROW(reduce)
{
    coll_start(SHMEM_COLL_REDUCE);
    enter(0);
    enter(1);
    pull(0, 0, Z);
    pull(0, 1, Z);
    push(0, 0, D);
    push(0, 1, D);
    leave(0);
    leave(1);
}
ROW(L163) { st(0, Z, 1); st(1, Z, 1); reduce(); st(0, Z, 0); ld(1, D); }
ROW(L164a) { reduce(); get(0, 1, D); }
ROW(L164b)
{
    coll_start(SHMEM_COLL_REDUCE);
    enter(0);
    enter(1);
    pull(0, 0, Z);
    pull(0, 1, Z);
    push(0, 0, D);
    leave(0);
    get(0, 1, D);
    push(0, 1, D);
    leave(1);
}
ROW(L165) { put(0, 1, X, 1); quiet(0); reduce(); ld(1, X); }
ROW(L166) { put(0, 1, X, 1); bcast(); ld(1, X); }

/* 5.8 Blocks, locks */
ROW(L183) { put(0, 1, X, 1); B; died(1, X); }
ROW(L184) { ctx_next = 2; put(0, 1, X, 1); deliver(&net[net_first]); B; died(1, X); }
ROW(reborn) { put(0, 1, X, 1); B; died(1, X); B; born(1, X); B; put(1, 1, X, 1); quiet(1); ld(1, X); }
ROW(L191) { for (int i = 0; i < 2; i++) { lock_set(i); get(i, 1, X); put(i, 1, X, 1); lock_clear(i); } }
ROW(L192) { for (int i = 0; i < 2; i++) { lock_set(i); get(i, 1, X); ctx_next = 2; put(i, 1, X, 1); lock_clear(i); } }
ROW(L195)
{
    lock_set(0);
    put_nbi(0, 1, X, T0);
    lock_clear(0);
    stv(0, T0, 9);
    lock_set(2);
    get(2, 1, X);
    lock_clear(2);
}
ROW(L203) { aset(0, 1, F, 1); fence(0); aset(0, 1, G, 1); W(1, G, 1); ld(1, F); ld(1, G); }

/* Cases of the field */
ROW(H01) { put(0, 1, X, 7); put(1, 0, X, 17); B; ld(0, X); ld(1, X); }
ROW(H01w) { put(0, 1, X, 7); put(1, 0, X, 17); ld(0, X); ld(1, X); }
ROW(H02) { st(0, S, 0); st(1, S, 0); signal_set(0, 1, S, 1); SW(1, S, 1); }
ROW(H02c) { st(0, S, 0); st(1, S, 0); B; signal_set(0, 1, S, 1); SW(1, S, 1); }
ROW(H03) { putn(0, 2, X, 5, 4); aset(0, 2, F, 1); W(2, F, 1); ld(2, X); }
ROW(H03c) { putn(0, 2, X, 5, 4); fence(0); aset(0, 2, F, 1); W(2, F, 1); ld(2, X); }
ROW(H04) { put(0, 1, X, 5); fence(0); aset(0, 2, F, 1); W(2, F, 1); get(2, 1, X); }
ROW(H04c) { put(0, 1, X, 5); quiet(0); aset(0, 2, F, 1); W(2, F, 1); get(2, 1, X); }
ROW(H12) { for (int i = 1; i < 4; i++) ainc(i, 0, X); ld(0, X); st(0, X, 1); B; ld(0, X); }
ROW(H12c) { for (int i = 0; i < 4; i++) ainc(i, 0, X); B; ld(0, X); }
ROW(H13)
{
    for (int k = 1; k <= 3; k++) {
        put(0, 1, X, (uint64_t)k);
        fence(0);
        aset(0, 1, F, (uint64_t)k);
        if (k > 1) {
            W_GE(1, F, (uint64_t)k - 1);
            ld(1, X);
        }
    }
    W_GE(1, F, 3);
    ld(1, X);
}
ROW(H13late)
{
    for (int k = 1; k <= 3; k++) {
        put(0, 1, X, (uint64_t)k);
        fence(0);
        aset(0, 1, F, (uint64_t)k);
    }
    for (int k = 1; k <= 3; k++) {
        W_GE(1, F, (uint64_t)k);
        ld(1, X);
    }
}
ROW(H13put)
{
    for (int k = 1; k <= 3; k++) {
        put(0, 1, X, (uint64_t)k);
        fence(0);
        put(0, 1, F, (uint64_t)k);
        fence(0);
    }
    for (int k = 1; k <= 3; k++) {
        W_GE(1, F, (uint64_t)k);
        ld(1, X);
    }
}
ROW(H13c)
{
    for (int k = 1; k <= 3; k++) {
        put(0, 1, X, (uint64_t)k);
        fence(0);
        aset(0, 1, F, (uint64_t)k);
        W_GE(1, F, (uint64_t)k);
        ld(1, X);
        aset(1, 0, A, (uint64_t)k);
        W_GE(0, A, (uint64_t)k);
    }
}
/* A flag that its owner resets by a store that nobody sees (no hooks) or sees (hooks). */
ROW(reset_unseen)
{
    for (int k = 0; k < 3; k++) {
        put(0, 1, X, 1);
        fence(0);
        aset(0, 1, F, 1);
        W(1, F, 1);
        *word(1, F) = 0;
        ld(1, X);
        aset(1, 0, A, 1);
        W(0, A, 1);
        *word(0, A) = 0;
    }
}
ROW(reset_seen)
{
    for (int k = 0; k < 3; k++) {
        put(0, 1, X, 1);
        fence(0);
        aset(0, 1, F, 1);
        W(1, F, 1);
        st(1, F, 0);
        ld(1, X);
        fence(1);
        aset(1, 0, A, 1);
        W(0, A, 1);
        st(0, A, 0);
        fence(0);
    }
}
ROW(ring)
{
    for (int k = 0; k < 20; k++) {
        int a = k % 5, b = (k + 1) % 5;
        put(a, b, X, 1);
        fence(a);
        aset(a, b, F, (uint64_t)k + 1);
        W(b, F, (uint64_t)k + 1);
        ld(b, X);
    }
}
ROW(ping_put)
{
    for (int k = 1; k < 60; k++) {
        put(0, 1, X, 1);
        fence(0);
        put(0, 1, F, (uint64_t)k);
        W(1, F, (uint64_t)k);
        ld(1, X);
        put(1, 0, Y, 1);
        fence(1);
        put(1, 0, G, (uint64_t)k);
        W(0, G, (uint64_t)k);
        ld(0, Y);
    }
}

#define OK NULL
static const struct row {
    const char *name;
    void (*script)(void);
    const char *strict, *common;
    bool unhooked;
} rows[] = {
#define R(name, strict, common) {#name, name, strict, common, false}
    R(L01, "E065", "E065"), R(L02, OK, OK), R(L03, OK, OK), R(L04, "E078", "E065"), R(L05, "E078", OK),
        R(L06, "E071", "E071"),
    R(L07, OK, OK), R(L09, "E061", "E061"), R(L10, "E061", "E061"), R(L11, OK, OK), R(L12, "E065", "E065"),
        R(L13, OK, OK),
    R(L14, OK, OK), R(L15, "E066", "E066"), R(L16, OK, OK), R(L17, "E066", "E066"), R(L18, OK, OK),
        R(L19, "E072", "E072"),
    R(L20, "E065", "E065"), R(L21, OK, OK), R(L22, "E093", "E093"), R(L23, "E066", OK), R(L24, OK, OK),
    R(L30, "E061", "E061"), R(L31, "E066", OK), R(L32, OK, OK), R(L33, "E060", "E060"), R(L34, OK, OK), R(L35, OK, OK),
    R(L36, "E061", "E061"), R(L37, OK, OK), R(L38, "E073", "E073"), R(L39, OK, OK),
    R(L50, "E063", "E063"), R(L51, "E063", "E063"), R(L52, OK, OK), R(L53, OK, OK), R(L54, OK, OK), R(L55, OK, OK),
    R(L56, "E063", "E063"), R(L57, "E064", "E064"), R(L58, "E064", "E064"), R(L59, OK, OK), R(L60, "E062", "E062"),
        R(L61, OK, OK),
    R(L62, "E064", "E064"), R(L63, "E064", "E064"), R(L64, "E063", OK), R(L66, "E064", "E064"),
    R(L70, "E073", "E073"), R(L71, OK, OK), R(L72, OK, OK), R(L72b, OK, OK), R(L83, OK, OK), R(L84, "E061", "E061"),
    R(L90, OK, OK), R(L91, OK, OK), R(L92, "E070", "E070"), R(L93, "E075", "E075"), R(L93b, "E075", OK),
        R(L95, "E073", "E073"),
    R(L96, "E074", "E074"), R(L97, OK, OK), R(L98, "E065", "E065"), R(L99, OK, OK), R(L100, OK, OK), R(L101, OK, OK),
    R(chain_add, OK, OK), R(own_store_fetched, OK, OK), R(fetch_ordered, OK, OK),
    R(L110, OK, OK), R(L111, "E081", "E081"), R(L112, OK, OK), R(L113, OK, OK), R(L114, "E081", "E081"),
        R(L115, "E080", OK),
    R(L116, "E063", "E063"), R(L118, "E071", "E071"), R(L119, OK, OK), R(L120, "E081", "E081"), R(L121, OK, OK),
    R(L122, "E065", "E065"), R(L123, OK, OK), R(L124, "E079", OK),
    R(L130, "E067", "E067"), R(L131, OK, OK), R(L132, "E067", "E067"), R(L133, OK, OK), R(L134, "E069", "E069"),
        R(L135, OK, OK),
    R(L136, "E060", "E060"), R(L137, OK, OK), R(L138, "E068", "E068"), R(L140r, OK, OK), R(L140q, "E066", "E066"),
    R(L150, OK, OK), R(L151, "E070", "E070"), R(L152, OK, OK), R(L153, OK, OK), R(L154r, OK, OK),
        R(L154q, "E072", "E072"),
    R(L155, OK, OK), R(L156, "E064", "E064"), R(L157, OK, OK), R(bcast, OK, OK), R(bcast_twice, OK, OK),
        R(L160a, "E090", "E090"),
    R(L160b, "E090", "E090"), R(L161, "E090", "E090"), R(L162, OK, OK), R(L163, OK, OK), R(L164a, "E091", "E091"),
    R(L164b, "E091", "E091"), R(L165, "E072", OK), R(L166, "E061", "E061"),
    R(L183, OK, OK), R(L184, "E083", "E083"), R(reborn, OK, OK), R(L191, OK, OK), R(L192, "E085", "E085"),
        R(L195, OK, OK),
    R(L203, OK, OK),
    R(H01, OK, OK), R(H01w, "E061", "E061"), R(H02, "E074", "E074"), R(H02c, OK, OK), R(H03, "E065", "E065"),
        R(H03c, OK, OK),
    R(H04, "E066", "E066"), R(H04c, OK, OK), R(H12, "E074", "E074"), R(H12c, OK, OK), R(H13, "E061", "E061"),
    R(H13late, "E061", "E061"), R(H13put, "E078", "E061"), R(H13c, OK, OK), R(reset_seen, "E066", OK), R(ring, OK, OK),
    R(ping_put, "E078", OK), {"reset_unseen", reset_unseen, OK, OK, true},
#undef R
};

#endif
