/* site.c -- places in the code as numbers that mean the same in every PE, every run and on every machine.
 *
 * Inside the program a site is the address in the ELF file. Outside (a shared library, Fencepost itself) it is a hash
 * of the library's file name and the offset in it, with the top bit set: no table, so no order of first use. A
 * return address is taken back by one byte, into the call: the line is the call's then, even where the call is the last
 * instruction of its line or, for a noreturn function, of its caller.
 */
#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "reference/launch/image.h"
#include "reference/report/state.h"

enum { OFFSET_BITS = 39 };
#define OFFSET_MASK ((UINT64_C(1) << OFFSET_BITS) - 1)

_Thread_local const void *fp_called_from;

struct span {
    uintptr_t base, lo, hi;
};

static int
first_object(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct span *span = arg;
    span->base = info->dlpi_addr;
    span->lo = UINTPTR_MAX;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
        if (ph->p_type != PT_LOAD)
            continue;
        uintptr_t lo = info->dlpi_addr + ph->p_vaddr, hi = lo + ph->p_memsz;
        span->lo = lo < span->lo ? lo : span->lo;
        span->hi = hi > span->hi ? hi : span->hi;
    }
    return 1; /* the executable comes first */
}

/* The main executable: a fact of the process, found once. */
static struct span executable;
static pthread_once_t executable_once = PTHREAD_ONCE_INIT;

static void
find_executable(void)
{
    dl_iterate_phdr(first_object, &executable);
}

static uint32_t
name_hash(const char *path)
{
    const char *slash = strrchr(path, '/');
    uint32_t h = 2166136261u;
    for (const char *c = slash ? slash + 1 : path; *c; c++)
        h = (h ^ (unsigned char)*c) * 16777619u;
    return (h ^ (h >> 24)) & 0xffffff;
}

static fp_site_t
foreign_site(uintptr_t pc)
{
    struct dl_find_object found;
    if (_dl_find_object((void *)pc, &found))
        return FP_SITE_FOREIGN; /* code that no library owns */
    const struct link_map *map = found.dlfo_link_map;
    return FP_SITE_FOREIGN | (uint64_t)name_hash(map->l_name) << OFFSET_BITS | ((pc - map->l_addr) & OFFSET_MASK);
}

/* The recorder stands between the program and the API: what it calls, its caller called. */
static bool
in_recorder(uintptr_t pc)
{
    struct dl_find_object found;
    return !_dl_find_object((void *)pc, &found) && strstr(found.dlfo_link_map->l_name, "/libfencepost_record.");
}

fp_site_t
fp_site_of(const struct fp_job *job, int pe, const void *return_address)
{
    if (!return_address)
        return 0;
    uintptr_t pc = (uintptr_t)return_address - 1;
    if (fp_called_from && in_recorder(pc))
        pc = (uintptr_t)fp_called_from - 1;
    if (job && job->given)
        return pc;
    if (job && pe >= 0 && pe < job->npes) {
        const struct fp_image *image = job->pes[pe].image;
        if (image && pc - (uintptr_t)image->lo < (uintptr_t)(image->hi - image->lo))
            return pc - (uintptr_t)image->base;
    }
    pthread_once(&executable_once, find_executable);
    if (pc - executable.lo < executable.hi - executable.lo)
        return pc - executable.base;
    /* Another PE's image: a call that it made for all, or a function pointer that travelled. */
    for (int i = 0; job && i < job->npes; i++) {
        const struct fp_image *image = job->pes[i].image;
        if (image && pc - (uintptr_t)image->lo < (uintptr_t)(image->hi - image->lo))
            return pc - (uintptr_t)image->base;
    }
    return foreign_site(pc);
}

struct search {
    uint32_t hash;
    uint64_t offset;
    const char *name;
    const void *address;
};

static int
match_object(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct search *search = arg;
    if (!info->dlpi_name || !*info->dlpi_name || name_hash(info->dlpi_name) != search->hash)
        return 0;
    const char *slash = strrchr(info->dlpi_name, '/');
    search->name = slash ? slash + 1 : info->dlpi_name;
    search->address = (const void *)(info->dlpi_addr + search->offset);
    return 1;
}

static struct fp_line
foreign_line(fp_site_t site)
{
    struct search search = {.hash = (site >> OFFSET_BITS) & 0xffffff, .offset = site & OFFSET_MASK};
    if (site == FP_SITE_FOREIGN || !dl_iterate_phdr(match_object, &search))
        return (struct fp_line){"?", "?", 0};
    Dl_info info;
    const char *function = dladdr(search.address, &info) && info.dli_sname ? info.dli_sname : "?";
    return (struct fp_line){function, search.name, 0};
}

int
fp_site_frames(struct fp_report *report, fp_site_t site, struct fp_line *frames, int max)
{
    const struct fp_debug_line *found;
    if (max < 1)
        return 0;
    frames[0] = (struct fp_line){"?", "?", 0};
    if (site == 0)
        return 1;
    int n = 1;
    const struct fp_given *given = report->job->given;
    if (given) {
        given->line(given->self, site, &frames[0]);
        return 1;
    }
    bool was = fp_runtime_enter();
    if (site & FP_SITE_FOREIGN) {
        frames[0] = foreign_line(site);
    } else {
        n = fp_debug_frames(&report->debug, site, &found);
        n = n < max ? n : max;
        for (int i = 0; i < n; i++)
            frames[i] = (struct fp_line){found[i].function ? found[i].function : "?",
                                         found[i].file ? found[i].file : "?", found[i].line};
    }
    fp_runtime_leave(was);
    return n;
}

struct fp_line
fp_site_line(struct fp_report *report, fp_site_t site)
{
    struct fp_line line;
    fp_site_frames(report, site, &line, 1);
    return line;
}

/* The link-time address of the first byte of the static segment: the same for every image. */
static uint64_t
static_base(const struct fp_job *job)
{
    const struct fp_pe *pe = &job->pes[0];
    pthread_once(&executable_once, find_executable);
    return (uintptr_t)pe->static_lo - (pe->image ? (uintptr_t)pe->image->base : executable.base);
}

bool
fp_static_object(struct fp_report *report, uint64_t offset, const char **name, uint64_t *start, uint64_t *bytes)
{
    const struct fp_given *given = report->job->given;
    if (given)
        return given->object(given->self, offset, name, start, bytes);
    struct fp_debug_object object, before = {0};
    uint64_t base = static_base(report->job);
    bool was = fp_runtime_enter();
    bool inside = fp_debug_object(&report->debug, base + offset, &object, &before);
    fp_runtime_leave(was);
    if (!inside)
        object = before; /* for "n bytes past x" */
    bool known = object.bytes > 0 && object.address >= base;
    *name = known ? object.name : "";
    *start = known ? object.address - base : 0;
    *bytes = known ? object.bytes : 0;
    return inside;
}

void
fp_static_objects(struct fp_report *report, void (*each)(void *self, uint64_t offset, uint64_t bytes, const char *name),
                  void *self)
{
    const struct fp_debug_object *objects;
    const struct fp_pe *pe = &report->job->pes[0];
    uint64_t base = static_base(report->job), end = base + (uint64_t)(pe->static_hi - pe->static_lo);
    bool was = fp_runtime_enter();
    size_t count = fp_debug_objects(&report->debug, &objects);
    for (size_t i = 0; i < count; i++)
        if (objects[i].address >= base && objects[i].address < end)
            each(self, objects[i].address - base, objects[i].bytes, objects[i].name);
    fp_runtime_leave(was);
}
