/* whatif_main.c -- the program that `fencepost replay TRACE` becomes where no program is named (sim/whatif.h). */
#include "sim/whatif.h"

int
main(int argc, char **argv)
{
    return whatif_main(argc, argv);
}
