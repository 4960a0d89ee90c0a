/* options.h -- the options of a run on a command line, from the rows of include/fencepost_options.h.
 *
 * An option becomes an environment variable, which the library reads when the program starts. Both `--flag value` and
 * `--flag=value` are read, and single-dash spellings of long options are not.
 */
#ifndef TOOLS_OPTIONS_H
#define TOOLS_OPTIONS_H

#include <stdbool.h>

#include "fencepost_options.h"

/* A set of rows: bit i is the i-th row of the table. */
enum option_id {
#define OPTION_ID(id, flag, variable, kind, standard, argument, help) OPTION_##id,
    FENCEPOST_OPTIONS(OPTION_ID)
#undef OPTION_ID
        OPTION_COUNT
};
#define OPTION_BIT(id) (1u << OPTION_##id)

/* Reads options from argv[1] on and sets their variables. Returns the index of the first word that is none (argc where
 * there is none; a `--` is stepped over), or -1 after saying what is wrong. --help and --version set *asked and stop.
 */
struct option_request {
    const char *command; /* for messages */
    unsigned allowed;    /* rows that this command takes */
    bool launcher_words; /* take and ignore what other launchers know: --oversubscribe */
    bool asked_help, asked_version;
    bool stopped_at_dashes;
    /* Options of the command's own, or NULL: how many words this one takes (0: it is none of them, -1: wrong, said
     * why). */
    int (*own)(void *self, const char *word, const char *next);
    void *self;
    const char *const *own_flags; /* their names without the dashes, NULL at the end: for misspelt words */
};
int options_read(struct option_request *request, int argc, char **argv, int first);
void options_print_help(unsigned allowed);
/* Sets the variable of a row, as if the option had been given. */
void options_set(enum option_id id, const char *value);

#endif
