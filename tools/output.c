/* output.c -- see output.h. */
#include "tools/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <unistd.h>

#include "tools/text.h"

FILE *
output_open(struct output *output, const char *path)
{
    struct stat status;
    bool special = !stat(path, &status) && !S_ISREG(status.st_mode);
    *output = (struct output){.path = path};
    if (!special && asprintf(&output->beside, "%s.%d.tmp", path, (int)getpid()) < 0) {
        output->beside = NULL;
        errno = ENOMEM;
        return NULL;
    }
    return output->file = fopen(special ? path : output->beside, "we");
}

bool
output_close(struct output *output)
{
    bool good = output->file && !ferror(output->file) && fflush(output->file) == 0 &&
                (!output->beside || fsync(fileno(output->file)) == 0 || errno == EINVAL);
    int error = errno;
    if (output->file && fclose(output->file) && good) {
        good = false;
        error = errno;
    }
    if (good && output->beside && rename(output->beside, output->path)) {
        good = false;
        error = errno;
    }
    if (!good && output->file && output->beside)
        unlink(output->beside);
    free(output->beside);
    errno = error;
    return good;
}

/* Bytes of the character at `text`, 0 where it is none that JSON and XML may hold: U+FFFE and U+FFFF are none. */
static size_t
character(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    size_t bytes = text_character(at, strnlen(text, 4));
    return bytes == 3 && at[0] == 0xef && at[1] == 0xbf && at[2] >= 0xbe ? 0 : bytes;
}

int
file_write(const char *command, const char *path, const char *text)
{
    struct output output;
    FILE *file = output_open(&output, path);
    for (size_t bytes; file && *text; text += bytes ? bytes : 1) {
        bytes = character(text);
        if (fwrite(bytes ? text : "?", 1, bytes ? bytes : 1, file) == 0)
            break;
    }
    if (output_close(&output))
        return 0;
    fprintf(stderr, "%s: cannot write %s: %s\n", command, path, strerror(errno));
    return EX_OSERR;
}
