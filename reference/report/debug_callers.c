/* debug_callers.c -- who calls a function, read from the code itself.
 *
 * A template of a library (std::sort) is compiled into the program, and what the compiler did not inline of it has
 * lines of the library's headers only. The user wants his own line. No stack was kept when the access was made, but
 * mostly there is no need for one: where all calls of the function come, through others like it, from one line of the
 * user's, it is that line. Calls are found as the machine finds them, by their displacement: a call (or a jump, where
 * it is the last thing a function does). Calls by a pointer are not seen.
 */
#include <stdlib.h>
#include <string.h>

#include "reference/report/debug.h"

#define FUNCTIONS_MAX 64 /* followed; with more of them nothing is said */
#define CALL 0xe8
#define JUMP 0xe9

struct callers {
    struct fp_debug *debug;
    Dwfl_Module *module;
    uint64_t starts[FUNCTIONS_MAX]; /* of functions to be followed */
    int count;
    bool lost; /* too many, or no function */
    fp_debug_user *user;
    void *arg;
};

static void
follow(struct callers *callers, uint64_t address)
{
    GElf_Off offset = 0;
    GElf_Sym symbol;
    const char *name = dwfl_module_addrinfo(callers->module, address, &offset, &symbol, NULL, NULL, NULL);
    uint64_t start = address - offset;
    for (int i = 0; i < callers->count; i++)
        if (callers->starts[i] == start)
            return;
    if (!name || callers->count == FUNCTIONS_MAX)
        callers->lost = true;
    else
        callers->starts[callers->count++] = start;
}

/* Calls of `start` in the code [code, +bytes) at `address`. */
static void
scan(struct callers *callers, uint64_t start, const unsigned char *code, size_t bytes, uint64_t address)
{
    for (size_t i = 0; i + 5 <= bytes && !callers->lost; i++) {
        int32_t displacement;
        if (code[i] != CALL && code[i] != JUMP)
            continue;
        memcpy(&displacement, code + i + 1, sizeof displacement);
        if (address + i + 5 + (uint64_t)(int64_t)displacement != start)
            continue;
        if (!callers->user(callers->debug, address + i, callers->arg))
            follow(callers, address + i);
    }
}

bool
fp_debug_callers(struct fp_debug *debug, uint64_t address, fp_debug_user *user, void *arg)
{
    GElf_Addr bias;
    struct callers callers = {.debug = debug, .module = fp_debug_module(debug), .user = user, .arg = arg};
    Elf *elf = callers.module ? dwfl_module_getelf(callers.module, &bias) : NULL;
    if (!elf)
        return false;
    follow(&callers, address);
    for (int i = 0; i < callers.count && !callers.lost; i++)
        for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
            GElf_Shdr header;
            Elf_Data *data = gelf_getshdr(section, &header) && header.sh_flags & SHF_EXECINSTR &&
                                     header.sh_type == SHT_PROGBITS
                                 ? elf_getdata(section, NULL)
                                 : NULL;
            if (data && data->d_buf)
                scan(&callers, callers.starts[i], data->d_buf, data->d_size, header.sh_addr);
        }
    return !callers.lost;
}
