/* whatif_main.c -- the program that `fencepost replay TRACE` becomes where no program is named (sim/whatif.h), and
 * `fencepost trace merge` (sim/merge.h): both need the inside of the library. */
#include <string.h>

#include "sim/merge.h"
#include "sim/whatif.h"

int
main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "--merge"))
        return merge_main(argc - 1, argv + 1);
    return whatif_main(argc, argv);
}
