/* elf.c -- the running program's own ELF file, parsed once.
 *
 * All images are copies of one file, so what its headers say (segments, constructors, relocations) is worked out once
 * and applied to every image with its load bias added. The file is read rather than the loader's tables: the loader
 * relocates some entries of the dynamic section in place and not others.
 *
 * The headers of the file and of the program as the kernel mapped it are compared, so that a file that was replaced
 * meanwhile, or a program started through the loader (`ld.so ./prog`), is noticed.
 */
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reference/launch/launch.h"

struct fp_program fp_program = {.fd = -1};

const char *
fp_program_path(void)
{
    static char path[4096];
    if (!path[0]) {
        ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
        if (n <= 0)
            return "/proc/self/exe";
        path[n] = 0;
    }
    return path;
}

struct main_object {
    const Elf64_Phdr *phdr;
    size_t nphdr;
    char *base;
};

/* The first object that the loader reports is the executable. */
static int
main_object_find(struct dl_phdr_info *info, size_t bytes, void *argument)
{
    struct main_object *object = argument;
    object->phdr = info->dlpi_phdr;
    object->nphdr = info->dlpi_phnum;
    object->base = (char *)info->dlpi_addr;
    return 1;
}

int64_t
fp_program_offset(const struct fp_program *program, uint64_t vaddr)
{
    for (size_t i = 0; i < program->ehdr->e_phnum; i++) {
        const Elf64_Phdr *p = &program->phdr[i];
        if (p->p_type == PT_LOAD && vaddr >= p->p_vaddr && vaddr < p->p_vaddr + p->p_filesz)
            return (int64_t)(p->p_offset + (vaddr - p->p_vaddr));
    }
    return -1;
}

static int
file_map(struct fp_program *program)
{
    struct stat status;
    program->fd = open(fp_program_path(), O_RDONLY | O_CLOEXEC);
    if (program->fd < 0)
        program->fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (program->fd < 0 || fstat(program->fd, &status)) {
        fprintf(stderr, "fencepost: cannot read the program %s: %s\n", fp_program_path(), strerror(errno));
        return -1;
    }
    program->file_bytes = (size_t)status.st_size;
    void *map = mmap(NULL, program->file_bytes, PROT_READ, MAP_PRIVATE, program->fd, 0);
    if (map == MAP_FAILED) {
        fprintf(stderr, "fencepost: cannot map the program %s: %s\n", fp_program_path(), strerror(errno));
        return -1;
    }
    program->file = map;
    return 0;
}

/* The file is the program that runs: same program headers at the same place. */
static bool
headers_match(const struct fp_program *program, const struct main_object *object)
{
    const Elf64_Ehdr *ehdr = program->ehdr;
    return program->file_bytes >= sizeof *ehdr && !memcmp(ehdr->e_ident, ELFMAG, SELFMAG) &&
           ehdr->e_ident[EI_CLASS] == ELFCLASS64 && ehdr->e_phentsize == sizeof(Elf64_Phdr) &&
           ehdr->e_phoff + ehdr->e_phnum * sizeof(Elf64_Phdr) <= program->file_bytes &&
           ehdr->e_phnum == object->nphdr && !memcmp(program->phdr, object->phdr, object->nphdr * sizeof(Elf64_Phdr));
}

static void
span_add(struct fp_span *span, const Elf64_Phdr *p)
{
    if (p->p_vaddr < span->lo)
        span->lo = p->p_vaddr;
    if (p->p_vaddr + p->p_memsz > span->hi)
        span->hi = p->p_vaddr + p->p_memsz;
}

static void
segments_read(struct fp_program *program)
{
    program->all.lo = program->writable.lo = UINT64_MAX;
    for (size_t i = 0; i < program->ehdr->e_phnum; i++) {
        const Elf64_Phdr *p = &program->phdr[i];
        if (p->p_type == PT_LOAD) {
            span_add(&program->all, p);
            if (p->p_flags & PF_W)
                span_add(&program->writable, p);
        } else if (p->p_type == PT_TLS) {
            program->tls = p;
        } else if (p->p_type == PT_GNU_RELRO) {
            program->relro = p;
        } else if (p->p_type == PT_DYNAMIC) {
            program->dynamic = p;
        }
    }
    if (program->writable.lo == UINT64_MAX)
        program->writable = (struct fp_span){0, 0};
}

static void
dynamic_read(struct fp_program *program)
{
    char *base = program->base;
    const Elf64_Dyn *d = (const Elf64_Dyn *)(program->file + program->dynamic->p_offset);
    for (; d->d_tag != DT_NULL; d++) {
        uint64_t value = d->d_un.d_val;
        switch (d->d_tag) {
        case DT_SYMTAB:
            program->symtab = (const Elf64_Sym *)(base + value);
            break;
        case DT_STRTAB:
            program->strtab = base + value;
            break;
        case DT_RELA:
            program->rela = (const Elf64_Rela *)(base + value);
            break;
        case DT_RELASZ:
            program->nrela = value / sizeof(Elf64_Rela);
            break;
        case DT_JMPREL:
            program->jmprel = (const Elf64_Rela *)(base + value);
            break;
        case DT_PLTRELSZ:
            program->njmprel = value / sizeof(Elf64_Rela);
            break;
        case DT_INIT:
            program->init = value;
            break;
        case DT_FINI:
            program->fini = value;
            break;
        case DT_PREINIT_ARRAY:
            program->preinit_array = value;
            break;
        case DT_PREINIT_ARRAYSZ:
            program->npreinit = value / sizeof(uint64_t);
            break;
        case DT_INIT_ARRAY:
            program->init_array = value;
            break;
        case DT_INIT_ARRAYSZ:
            program->ninit = value / sizeof(uint64_t);
            break;
        case DT_FINI_ARRAY:
            program->fini_array = value;
            break;
        case DT_FINI_ARRAYSZ:
            program->nfini = value / sizeof(uint64_t);
            break;
        default:
            break;
        }
    }
}

int
fp_program_open(struct fp_program *program)
{
    struct main_object object = {0};
    memset(program, 0, sizeof *program);
    dl_iterate_phdr(main_object_find, &object);
    if (file_map(program))
        return -1;
    program->base = object.base;
    program->ehdr = (const Elf64_Ehdr *)program->file;
    program->phdr = (const Elf64_Phdr *)(program->file + program->ehdr->e_phoff);
    if (!headers_match(program, &object)) {
        fprintf(
            stderr,
            "fencepost: %s is not the program that runs: start it directly, not through the dynamic loader, and do not "
            "replace its file while it starts\n",
            fp_program_path());
        return -1;
    }
    segments_read(program);
    if (!program->dynamic || program->dynamic->p_offset + program->dynamic->p_filesz > program->file_bytes) {
        fprintf(stderr, "fencepost: %s has no dynamic section: link it with oshcc\n", fp_program_path());
        return -1;
    }
    dynamic_read(program);
    return 0;
}

void
fp_program_close(struct fp_program *program)
{
    if (program->file)
        munmap((void *)(uintptr_t)program->file, program->file_bytes);
    if (program->fd >= 0)
        close(program->fd);
    program->file = NULL;
    program->fd = -1;
}

static bool
relocations_name(const struct fp_program *program, const Elf64_Rela *rela, size_t n, const char *symbol)
{
    for (size_t i = 0; i < n; i++) {
        const Elf64_Sym *s = &program->symtab[ELF64_R_SYM(rela[i].r_info)];
        if (ELF64_R_SYM(rela[i].r_info) && s->st_shndx == SHN_UNDEF && !strcmp(program->strtab + s->st_name, symbol))
            return true;
    }
    return false;
}

bool
fp_program_imports(const struct fp_program *program, const char *symbol)
{
    return relocations_name(program, program->rela, program->nrela, symbol) ||
           relocations_name(program, program->jmprel, program->njmprel, symbol);
}
