/* image.h -- a private image of the program for each PE (design 5).
 *
 * PE 0 lives in the executable as the kernel loaded it. The others live in copies of the file (memory files,
 * DF_1_PIE cleared), loaded with dlopen, whose constructors and destructors we run ourselves in the PE's own context.
 */
#ifndef FP_IMAGE_H
#define FP_IMAGE_H

#include "reference/job.h"

/* The variables of getopt, one set a PE. An image reaches them through its GOT, or has copies of its own in its bss. */
struct fp_getopt_vars {
    char *optarg;
    int optind, opterr, optopt;
};

struct fp_image {
    int pe;
    char *base;              /* load bias: run-time address - base = address in the ELF file */
    char *lo, *hi;           /* all of it */
    char *data_lo, *data_hi; /* writable segments (data, bss): where static symmetric objects live */
    const char *tls_image;   /* relocated initial thread-locals of this copy */
    size_t tls_bytes, tls_file_bytes, tls_align;
    int (*main)(int, char **, char **);
    void *handle; /* dlopen's; NULL for PE 0 */
    int fd;       /* of the memory file while it is open, else -1 */
    struct fp_getopt_vars getopt_own;
    char **optarg; /* where this image looks for them: in getopt_own or in its bss */
    int *optind, *opterr, *optopt;
};

/* The image whose code or data contains `address`, or NULL (a library, the heap, a stack). Async-signal-safe. */
const struct fp_image *fp_image_find(const struct fp_job *job, const void *address);

/* The program's path (readlink /proc/self/exe, once). */
const char *fp_program_path(void);

/* Functions whose calls from the program's own images (not from libraries) go elsewhere: GOT slots (JUMP_SLOT,
 * GLOB_DAT) of the images are patched when they are loaded. Ends with a NULL symbol. reference/check/libc_calls.c
 * has the accesses that libc makes on the program's behalf. */
struct fp_rebind {
    const char *symbol;
    void *replacement;
};
extern const struct fp_rebind fp_rebind_accesses[];

#endif
