/* merge.h -- the traces that the recorder for other implementations wrote, one a PE, become one. */
#ifndef SIM_MERGE_H
#define SIM_MERGE_H

/* argv[1]: the file to be written; argv[2] ...: one trace a PE, in any order. Returns an exit status. */
int merge_main(int argc, char **argv);

#endif
