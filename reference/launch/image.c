/* image.c -- a private image of the program for each PE.
 *
 * PE 0 lives in the executable. For each other PE the file is copied into a memory file of its own, with three
 * changes, and loaded with dlopen, so that debuggers, unwinders and exceptions know it like any library:
 *
 *   DF_1_PIE is cleared    the loader refuses to load executables
 *   DT_INIT, DT_FINI & co  are retagged: constructors run later, in the PE's own context, with its argv
 *                          (fp_image_init)
 *   PT_TLS becomes PT_NULL code of an executable reaches its thread-locals at a fixed distance from the thread
 *                          pointer, so on every thread the block of the *executable* is the one that is used;
 *                          fp_image_tls_fill fills it from the copy's own (relocated) initial values
 *
 * The loader tells objects apart by name and by inode: the descriptors stay open until all are loaded, which makes
 * the names /proc/PID/fd/N differ (not /proc/self: debuggers read them too).
 *
 * Small programs are copied whole, so that gdb finds symbols. Where that would cost much memory only what the loader
 * reads is copied; the code stays a hole in the memory file and is mapped from the program's own file once the
 * image is there, which makes all images share it.
 */
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "reference/launch/launch.h"

#define KEPT_OPEN_MAX 256                     /* whole copies up to here stay open: gdb reads them when it likes */
#define KEPT_OPEN_FROM 512                    /* beyond the descriptors that programs count on */
#define WHOLE_COPIES_BYTES ((size_t)64 << 20) /* all of them together */
#define DT_UNUSED 0x60000fff                  /* a tag that no loader knows */
#ifndef MFD_EXEC
#define MFD_EXEC 0x10U
#endif

static ptrdiff_t tls_distance; /* from the thread pointer to the program's block of thread-locals */
static struct fp_image **by_address;
static int nby_address;

/* ---- The file that is loaded */

struct copy_plan {
    char *file; /* the changed file */
    bool whole, kept_open;
    struct fp_span ranges[32]; /* parts of it that are written */
    int nranges;
};

static void
range_add(struct copy_plan *plan, uint64_t lo, uint64_t hi)
{
    if (hi > lo && plan->nranges < (int)(sizeof plan->ranges / sizeof *plan->ranges))
        plan->ranges[plan->nranges++] = (struct fp_span){lo, hi};
}

static void
retag(struct copy_plan *plan)
{
    Elf64_Phdr *phdr = (Elf64_Phdr *)(plan->file + fp_program.ehdr->e_phoff);
    for (size_t i = 0; i < fp_program.ehdr->e_phnum; i++)
        if (phdr[i].p_type == PT_TLS)
            phdr[i].p_type = PT_NULL;
    for (Elf64_Dyn *d = (Elf64_Dyn *)(plan->file + fp_program.dynamic->p_offset); d->d_tag != DT_NULL; d++) {
        switch (d->d_tag) {
        case DT_INIT:
        case DT_FINI:
        case DT_PREINIT_ARRAY:
        case DT_PREINIT_ARRAYSZ:
        case DT_INIT_ARRAY:
        case DT_INIT_ARRAYSZ:
        case DT_FINI_ARRAY:
        case DT_FINI_ARRAYSZ:
            d->d_tag = DT_UNUSED;
            break;
        case DT_FLAGS_1:
            d->d_un.d_val &= ~(uint64_t)DF_1_PIE;
            break;
        default:
            break;
        }
    }
}

/* Whether the loader reads the segment: it holds the dynamic section or a table that this points to. */
static bool
segment_has_tables(const Elf64_Phdr *p)
{
    const char *lo = fp_program.base + p->p_vaddr, *hi = lo + p->p_memsz;
    const void *tables[] = {fp_program.symtab, fp_program.strtab, fp_program.rela, fp_program.jmprel};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (tables[i] && (const char *)tables[i] >= lo && (const char *)tables[i] < hi)
            return true;
    return p->p_offset == 0;
}

static void
copy_plan_make(struct copy_plan *plan, int copies)
{
    memset(plan, 0, sizeof *plan);
    plan->whole = fp_program.file_bytes <= WHOLE_COPIES_BYTES / (size_t)(copies > 0 ? copies : 1);
    plan->kept_open = plan->whole && copies <= KEPT_OPEN_MAX;
    plan->file = malloc(fp_program.file_bytes);
    if (!plan->file)
        fp_env_fail("out of memory");
    memcpy(plan->file, fp_program.file, fp_program.file_bytes);
    retag(plan);
    if (plan->whole) {
        range_add(plan, 0, fp_program.file_bytes);
        return;
    }
    Elf64_Ehdr *ehdr = (Elf64_Ehdr *)plan->file;
    ehdr->e_shoff = 0;
    ehdr->e_shnum = ehdr->e_shstrndx = 0;
    for (size_t i = 0; i < fp_program.ehdr->e_phnum; i++) {
        const Elf64_Phdr *p = &fp_program.phdr[i];
        if (p->p_type == PT_LOAD && ((p->p_flags & PF_W) || segment_has_tables(p)))
            range_add(plan, p->p_offset, p->p_offset + p->p_filesz);
    }
}

/* ---- Limits */

/* Each image needs a descriptor while images are being loaded. */
static void
descriptors_raise(int copies)
{
    struct rlimit limit;
    rlim_t want = (rlim_t)copies + 64 + (copies <= KEPT_OPEN_MAX ? KEPT_OPEN_FROM : 0);
    if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur >= want)
        return;
    if (limit.rlim_max < want)
        fp_env_fail("%d PEs need %d open files, the limit is %llu: raise it (ulimit -Hn %llu), or run fewer PEs",
                    copies + 1, (int)want, (unsigned long long)limit.rlim_max, (unsigned long long)want);
    limit.rlim_cur = want;
    setrlimit(RLIMIT_NOFILE, &limit);
}

static _Noreturn void
load_failed(int pe, const char *what, int error)
{
    if (error == EMFILE || error == ENFILE)
        fp_env_fail("cannot load the program for PE %d: too many open files: raise the limit (ulimit -n)", pe);
    if (error == EACCES || error == EPERM)
        fp_env_fail(
            "cannot load the program for PE %d: %s: memory files may not be executed here (sysctl vm.memfd_noexec)", pe,
            what);
    fp_env_fail(
        "cannot load the program for PE %d: %s: if memory maps have run out, raise vm.max_map_count (%d PEs need "
        "about %d), or give the machine more memory, or run fewer PEs",
        pe, what, fp_job_now->npes, 12 * fp_job_now->npes);
}

/* ---- One image */

static int
memory_file_make(const struct copy_plan *plan, int pe)
{
    int fd = memfd_create("fencepost", MFD_CLOEXEC | MFD_EXEC);
    if (fd < 0 && errno == EINVAL)
        fd = memfd_create("fencepost", MFD_CLOEXEC);
    if (fd >= 0 && plan->kept_open) {
        int high = fcntl(fd, F_DUPFD_CLOEXEC, KEPT_OPEN_FROM);
        close(fd);
        fd = high;
    }
    if (fd < 0 || ftruncate(fd, (off_t)fp_program.file_bytes))
        load_failed(pe, strerror(errno), errno);
    for (int i = 0; i < plan->nranges; i++) {
        uint64_t at = plan->ranges[i].lo;
        while (at < plan->ranges[i].hi) {
            ssize_t n = pwrite(fd, plan->file + at, plan->ranges[i].hi - at, (off_t)at);
            if (n < 0 && errno != EINTR)
                load_failed(pe, strerror(errno), errno);
            at += n > 0 ? (uint64_t)n : 0;
        }
    }
    return fd;
}

/* Maps every read-only segment of the image from the program's file instead, and lets the memory file's pages go. */
static void
text_share(const struct fp_image *image)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    for (size_t i = 0; i < fp_program.ehdr->e_phnum; i++) {
        const Elf64_Phdr *p = &fp_program.phdr[i];
        if (p->p_type != PT_LOAD || (p->p_flags & PF_W))
            continue;
        uint64_t lo = p->p_vaddr & ~(page - 1), bytes = p->p_vaddr + p->p_filesz - lo;
        uint64_t offset = p->p_offset & ~(page - 1);
        int protection = PROT_READ | (p->p_flags & PF_X ? PROT_EXEC : 0);
        if (mmap(image->base + lo, bytes, protection, MAP_PRIVATE | MAP_FIXED, fp_program.fd, (off_t)offset) ==
            MAP_FAILED)
            load_failed(image->pe, strerror(errno), errno);
        if (segment_has_tables(p) && bytes >= 16 * page)
            fallocate(image->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset,
                      (off_t)(bytes & ~(page - 1)));
    }
}

static void
image_describe(struct fp_image *image, int (*main0)(int, char **, char **))
{
    image->lo = image->base + fp_program.all.lo;
    image->hi = image->base + fp_program.all.hi;
    image->data_lo = image->base + fp_program.writable.lo;
    image->data_hi = image->base + fp_program.writable.hi;
    if (fp_program.tls) {
        image->tls_image = image->base + fp_program.tls->p_vaddr;
        image->tls_bytes = fp_program.tls->p_memsz;
        image->tls_file_bytes = fp_program.tls->p_filesz;
        image->tls_align = fp_program.tls->p_align;
    }
    image->main = (int (*)(int, char **, char **))(image->base + ((char *)main0 - fp_program.base));
}

static void
image_load(struct fp_image *image, const struct copy_plan *plan)
{
    char name[64];
    image->fd = memory_file_make(plan, image->pe);
    snprintf(name, sizeof name, "/proc/%d/fd/%d", (int)getpid(), image->fd);
    image->handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!image->handle) {
        const char *why = dlerror();
        load_failed(image->pe, why ? why : "dlopen", 0);
    }
    struct link_map *map;
    if (dlinfo(image->handle, RTLD_DI_LINKMAP, &map))
        FP_BUG("no link map for the image of PE %d", image->pe);
    image->base = (char *)map->l_addr;
    if (!plan->whole)
        text_share(image);
}

/* ---- PE 0 */

static void
no_destructors(void)
{
}

/* The loader would run the executable's destructors at exit; ours have run by then. (Constructors: see start.c.) */
static void
first_image_detach(const struct fp_image *image)
{
    fp_image_relro(image, PROT_READ | PROT_WRITE);
    for (Elf64_Dyn *d = (Elf64_Dyn *)(image->base + fp_program.dynamic->p_vaddr); d->d_tag != DT_NULL; d++) {
        if (d->d_tag == DT_FINI_ARRAYSZ)
            d->d_un.d_val = 0;
        if (d->d_tag == DT_FINI)
            d->d_un.d_ptr = (uintptr_t)no_destructors - (uintptr_t)image->base;
    }
    fp_image_relro(image, PROT_READ);
}

/* The executable is always the first module with thread-locals. */
static int
tls_distance_find(struct dl_phdr_info *info, size_t bytes, void *argument)
{
    if (fp_program.tls && info->dlpi_tls_data)
        tls_distance = (char *)info->dlpi_tls_data - (char *)fp_thread_pointer();
    return 1;
}

/* Thread-locals that are found through the loader would be PE 0's. Linkers turn these into fixed distances in
 * executables. */
static void
check_thread_locals(const Elf64_Rela *rela, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned type = ELF64_R_TYPE(rela[i].r_info);
        const Elf64_Sym *symbol = &fp_program.symtab[ELF64_R_SYM(rela[i].r_info)];
        bool tls = type == R_X86_64_DTPMOD64 || type == R_X86_64_TPOFF64 || type == R_X86_64_TLSDESC;
        if (tls && (!ELF64_R_SYM(rela[i].r_info) || symbol->st_shndx != SHN_UNDEF)) {
            fprintf(stderr,
                    "fencepost: the program looks its own thread-locals up through the dynamic loader: link it with "
                    "oshcc, without -Wl,--no-relax\n");
            fp_process_exit(FP_STATUS_USAGE);
        }
    }
}

/* N copies of a sanitizer's runtime in one process are N - 1 too many. */
static void
check_sanitizer(void)
{
    void *symbol = dlsym(RTLD_DEFAULT, "__asan_init");
    Dl_info info;
    if (symbol && dladdr(symbol, &info) && info.dli_fbase == (void *)fp_program.base) {
        fprintf(stderr,
                "fencepost: the program contains the address sanitizer's runtime, which has to be shared by the PEs: "
                "link it with -shared-libasan (clang) or without -static-libasan (gcc)\n");
        fp_process_exit(FP_STATUS_USAGE);
    }
}

/* libstdc++ makes std::cout when the first program asks; it has to exist before it is copied. */
static void
streams_make(void)
{
    void (*init)(void *) = (void (*)(void *))dlsym(RTLD_DEFAULT, "_ZNSt8ios_base4InitC1Ev");
    static char object[16];
    if (init)
        init(object);
}

/* ---- All of them */

static void
images_index(struct fp_job *job)
{
    nby_address = job->npes;
    by_address = calloc((size_t)job->npes, sizeof *by_address);
    if (!by_address)
        fp_env_fail("out of memory");
    for (int i = 0; i < job->npes; i++) {
        /* The loader places images downwards or upwards: insertion from the nearer end. */
        int at = i;
        while (at > 0 && by_address[at - 1]->lo > job->pes[i].image->lo)
            at--;
        memmove(by_address + at + 1, by_address + at, (size_t)(i - at) * sizeof *by_address);
        by_address[at] = job->pes[i].image;
    }
}

const struct fp_image *
fp_image_find(const struct fp_job *job, const void *address)
{
    const char *p = address;
    int lo = 0, hi = nby_address;
    while (lo < hi) {
        int middle = (lo + hi) / 2;
        if (p < by_address[middle]->lo)
            hi = middle;
        else if (p >= by_address[middle]->hi)
            lo = middle + 1;
        else
            return by_address[middle];
    }
    return NULL;
}

static void
images_load_copies(struct fp_job *job, struct fp_image *images)
{
    struct copy_plan plan;
    copy_plan_make(&plan, job->npes - 1);
    descriptors_raise(job->npes - 1);
    for (int i = 1; i < job->npes; i++)
        image_load(&images[i], &plan);
    for (int i = 1; i < job->npes && !plan.kept_open; i++) {
        close(images[i].fd);
        images[i].fd = -1;
    }
    free(plan.file);
}

void
fp_images_load(struct fp_job *job, int (*main0)(int, char **, char **), const struct fp_rebind *const *tables,
               int ntables)
{
    struct fp_image *images = calloc((size_t)job->npes, sizeof *images);
    if (!images)
        fp_env_fail("out of memory");
    if (fp_program.ehdr->e_type != ET_DYN && job->npes > 1) {
        fprintf(stderr,
                "fencepost: %s is not position-independent, so PEs cannot have images of their own: compile and link "
                "it with oshcc, "
                "without -no-pie\n",
                fp_program_path());
        fp_process_exit(FP_STATUS_USAGE);
    }
    if (job->npes > 1) {
        check_sanitizer();
        check_thread_locals(fp_program.rela, fp_program.nrela);
        check_thread_locals(fp_program.jmprel, fp_program.njmprel);
    }
    dl_iterate_phdr(tls_distance_find, NULL);
    streams_make();
    for (int i = 0; i < job->npes; i++) {
        images[i].pe = i;
        images[i].fd = -1;
    }
    images[0].base = fp_program.base;
    images_load_copies(job, images);
    struct fp_got_plan *plan = fp_got_plan_make(&fp_program, tables, ntables);
    for (int i = 0; i < job->npes; i++) {
        image_describe(&images[i], main0);
        job->pes[i].image = &images[i];
        job->pes[i].static_lo = images[i].data_lo;
        job->pes[i].static_hi = images[i].data_hi;
        fp_got_plan_apply(plan, &fp_program, &images[i]);
    }
    fp_got_plan_free(plan);
    first_image_detach(&images[0]);
    images_index(job);
}

/* ---- What libc does with an executable */

void
fp_image_tls_fill(const struct fp_image *image)
{
    if (!image->tls_bytes)
        return;
    char *block = (char *)fp_thread_pointer() + tls_distance;
    memcpy(block, image->tls_image, image->tls_file_bytes);
    memset(block + image->tls_file_bytes, 0, image->tls_bytes - image->tls_file_bytes);
}

typedef void (*constructor)(int, char **, char **);

static void
constructors_run(const struct fp_image *image, uint64_t array, size_t n, int argc, char **argv, char **envp)
{
    const constructor *f = (const constructor *)(image->base + array);
    for (size_t i = 0; i < n; i++)
        f[i](argc, argv, envp);
}

void
fp_image_init(const struct fp_image *image, int argc, char **argv, char **envp)
{
    if (image->pe) /* the loader has run those of the executable */
        constructors_run(image, fp_program.preinit_array, fp_program.npreinit, argc, argv, envp);
    if (fp_program.init)
        ((constructor)(image->base + fp_program.init))(argc, argv, envp);
    constructors_run(image, fp_program.init_array, fp_program.ninit, argc, argv, envp);
}

void
fp_image_fini(const struct fp_image *image)
{
    void (*const *f)(void) = (void (*const *)(void))(image->base + fp_program.fini_array);
    for (size_t i = fp_program.nfini; i-- > 0;)
        f[i]();
    if (fp_program.fini)
        ((void (*)(void))(image->base + fp_program.fini))();
}
