/* program.c -- is this a program that Fencepost can run?
 *
 * The library that a program is linked with takes control before main; a program without it would run as a single
 * process, see no PEs, and pass. That must be an error here and not a surprise later, so the file is looked at first.
 */
#include "tools/program.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <unistd.h>

/* What the dynamic section says. */
struct dynamic_facts {
    bool pie, fencepost;
    char backend[32]; /* libfencepost_BACKEND.so */
};

static bool
find_in_path(const char *name, char *path, size_t size)
{
    const char *folders = getenv("PATH");
    for (const char *at = folders ? folders : ""; *at;) {
        size_t length = strcspn(at, ":");
        struct stat status;
        snprintf(path, size, "%.*s/%s", (int)length, at, name);
        if (length && !access(path, X_OK) && !stat(path, &status) && S_ISREG(status.st_mode))
            return true;
        at += length + (at[length] == ':');
    }
    return false;
}

static int
locate(const char *command, const char *name, char *path, size_t size)
{
    struct stat status;
    if (!strchr(name, '/')) {
        if (find_in_path(name, path, size))
            return 0;
        fprintf(stderr, "%s: no program '%s' in PATH", command, name);
        fprintf(stderr, access(name, F_OK) ? "\n" : "; for the one in this folder write ./%s\n", name);
        return EX_USAGE;
    }
    if (snprintf(path, size, "%s", name) >= (int)size) {
        fprintf(stderr, "%s: the program's path is too long\n", command);
        return EX_USAGE;
    }
    if (stat(path, &status)) {
        fprintf(stderr, "%s: %s: %s\n", command, path, strerror(errno));
        return EX_USAGE;
    }
    if (!S_ISREG(status.st_mode) || access(path, X_OK)) {
        fprintf(stderr, "%s: %s is not an executable file\n", command, path);
        return EX_USAGE;
    }
    return 0;
}

/* Reads DT_NEEDED and DT_FLAGS_1. */
static struct dynamic_facts
read_dynamic(Elf *elf)
{
    static const char prefix[] = "libfencepost_";
    struct dynamic_facts facts = {0};
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNAMIC || !header.sh_entsize)
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        for (size_t i = 0; data && i < header.sh_size / header.sh_entsize; i++) {
            GElf_Dyn entry;
            if (!gelf_getdyn(data, (int)i, &entry) || entry.d_tag == DT_NULL)
                break;
            const char *name = entry.d_tag == DT_NEEDED ? elf_strptr(elf, header.sh_link, entry.d_un.d_val) : NULL;
            if (name && !strncmp(name, prefix, sizeof prefix - 1)) {
                facts.fencepost = true;
                name += sizeof prefix - 1;
                snprintf(facts.backend, sizeof facts.backend, "%.*s", (int)strcspn(name, "."), name);
            }
            facts.pie |= entry.d_tag == DT_FLAGS_1 && entry.d_un.d_val & DF_1_PIE;
        }
    }
    return facts;
}

/* What is wrong with the file as a program for Fencepost, or NULL. */
static const char *
judge(int fd, char backend[32])
{
    static const char *const foreign =
        "it is not a program for this machine; a script or an interpreter cannot be run on PEs, "
        "only a program compiled with oshcc or oshc++";
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
    GElf_Ehdr header;
    const char *wrong = NULL;
    if (!elf || elf_kind(elf) != ELF_K_ELF || gelf_getclass(elf) != ELFCLASS64 || !gelf_getehdr(elf, &header)) {
        wrong = foreign;
    } else {
        struct dynamic_facts facts = read_dynamic(elf);
        memcpy(backend, facts.backend, sizeof facts.backend);
        if (header.e_type == ET_EXEC)
            wrong = "it is linked at a fixed address (-no-pie or -static); compile and link it with oshcc or oshc++";
        else if (!facts.pie)
            wrong = "it is a shared library or an object file, not a program";
        else if (!facts.fencepost)
            wrong = "it is not linked with a Fencepost library; compile and link it with oshcc or oshc++, or with what "
                    "`pkg-config fencepost-sim` says";
    }
    elf_end(elf);
    return wrong;
}

int
program_check(const char *command, const char *name, char *path, size_t size)
{
    char backend[32];
    return program_check_backend(command, name, path, size, backend);
}

int
program_check_backend(const char *command, const char *name, char *path, size_t size, char backend[32])
{
    backend[0] = '\0';
    int status = locate(command, name, path, size);
    if (status)
        return status;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        fprintf(stderr, "%s: cannot read %s: %s\n", command, path, strerror(errno));
        return EX_USAGE;
    }
    const char *wrong = judge(fd, backend);
    close(fd);
    if (!wrong)
        return 0;
    fprintf(stderr, "%s: cannot run %s: %s\n", command, path, wrong);
    return EX_USAGE;
}

int
program_start(const char *command, const char *path, char **argv)
{
    execv(path, argv);
    fprintf(stderr, "%s: cannot start %s: %s\n", command, path, strerror(errno));
    return EX_OSERR;
}
