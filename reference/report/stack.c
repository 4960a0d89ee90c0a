/* stack.c -- the program's part of the calling PE's stack.
 *
 * Frames of Fencepost above the call, of libc between (qsort's comparator) and of the launcher below main say nothing
 * to the program's author and differ between machines: only frames in the program's image are kept. The walk ends at
 * fp_pe_main, below which nothing is the program's; for PE functions inside a unit test that is where the
 * test's own frames are cut off.
 */
#define UNW_LOCAL_ONLY
#include <libunwind.h>

#include "reference/report/state.h"

int
fp_stack_capture(const struct fp_job *job, fp_site_t *sites, int max)
{
    unw_context_t context;
    unw_cursor_t cursor;
    int n = 0, pe = fp_self ? fp_self->rank : 0;
    if (job->given)
        return 0;
    bool was = fp_runtime_enter();
    if (unw_getcontext(&context) == 0 && unw_init_local(&cursor, &context) == 0) {
        for (int depth = 0; depth < 256 && n < max; depth++) {
            unw_word_t ip = 0;
            unw_proc_info_t procedure;
            if (unw_get_reg(&cursor, UNW_REG_IP, &ip) || ip == 0)
                break;
            if (unw_get_proc_info(&cursor, &procedure) == 0 && procedure.start_ip == (unw_word_t)fp_pe_main)
                break;
            /* An interrupted frame's ip is exact, every other's a return address. */
            fp_site_t site = fp_site_of(job, pe, (const void *)(ip + (unw_is_signal_frame(&cursor) > 0)));
            if (!(site & FP_SITE_FOREIGN))
                sites[n++] = site;
            if (unw_step(&cursor) <= 0)
                break;
        }
    }
    fp_runtime_leave(was);
    return n;
}
