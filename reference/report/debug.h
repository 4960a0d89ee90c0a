/* debug.h -- what the program's own file says about its code and its static objects.
 *
 * Addresses here are addresses in the ELF file (run-time address minus load bias): the same for every PE's image and in
 * every run. Nothing is read before the first question, so a clean run of a program without static symmetric objects
 * never opens the file. Every function may be called from any thread.
 */
#ifndef FP_DEBUG_H
#define FP_DEBUG_H

#include <elfutils/libdwfl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct fp_debug_line {
    const char *function, *file; /* NULL where unknown; file as shown to a person */
    const char *path;            /* of the source, absolute; NULL where unknown */
    int line;
};

/* A static object: [address, address + bytes). */
struct fp_debug_object {
    uint64_t address, bytes;
    const char *name;
    unsigned char rank; /* of several names for one object the lowest is shown */
};

struct fp_debug {
    char *program, *cwd;
    pthread_mutex_t lock;
    bool opened;
    Dwfl *dwfl;
    Dwfl_Module *module;         /* NULL: the file could not be read */
    struct fp_debug_slot *slots; /* lines already looked up, by address */
    size_t nslots, used;
    struct fp_debug_object *objects; /* by address, disjoint */
    size_t nobjects;
    bool objects_read, dwarf_read;
    char **strings; /* owned: names and paths handed out */
    size_t nstrings, cap_strings;
};

void fp_debug_open(struct fp_debug *debug, const char *program, const char *cwd);
void fp_debug_close(struct fp_debug *debug);
/* The functions at `address`: the innermost of the user's first, then those into which it was inlined. At least one;
 * up to FP_DEBUG_FRAMES. They live as long as `debug`. */
#define FP_DEBUG_FRAMES 16
int fp_debug_frames(struct fp_debug *debug, uint64_t address, const struct fp_debug_line **frames);
/* The object that contains `address`. If none does, *before is the nearest one that ends at or before it (bytes 0:
 * none). */
bool fp_debug_object(struct fp_debug *debug, uint64_t address, struct fp_debug_object *object,
                     struct fp_debug_object *before);

/* All of them, by address; as long as `debug`, and until fp_debug_object is asked again. */
size_t fp_debug_objects(struct fp_debug *debug, const struct fp_debug_object **objects);

/* debug_callers.c: the places from which the function at `address` is called, through functions for which user() says
 * false. False: not all were found. For debug_lines.c (lock held). */
typedef bool fp_debug_user(struct fp_debug *debug, uint64_t call, void *arg);
bool fp_debug_callers(struct fp_debug *debug, uint64_t address, fp_debug_user *user, void *arg);
/* For debug_*.c: the module, opened at the first call (lock held); a string that lives as long as `debug`. */
Dwfl_Module *fp_debug_module(struct fp_debug *debug);
const char *fp_debug_keep(struct fp_debug *debug, char *owned);

#endif
