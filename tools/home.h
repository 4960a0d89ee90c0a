/* home.h -- where this Fencepost is installed, found from the running tool's own path.
 *
 * The tools are moved and copied together with the libraries, so nothing of the build is compiled in but the way from
 * bin/ to lib/. In the build folder the same layout exists (bin, lib, include/fencepost, share/fencepost).
 */
#ifndef TOOLS_HOME_H
#define TOOLS_HOME_H

#include <stdbool.h>
#include <stddef.h>

#define HOME_PATH_MAX (2 * 4096)

struct home {
    char bin[HOME_PATH_MAX], lib[HOME_PATH_MAX], include[HOME_PATH_MAX],
        share[HOME_PATH_MAX]; /* absolute, no links in them */
};

/* Fills it in; exits with 71 after saying why where the tool's path cannot be found. */
void home_find(struct home *home);
/* Path of libfencepost_<backend>.so; false where that backend is not there. */
bool home_library(const struct home *home, const char *backend, char *path, size_t size);

#endif
