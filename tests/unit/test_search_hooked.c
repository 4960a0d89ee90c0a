/* test_search_hooked.c -- random programs with hooks: the search sees every load and store. */
#define FIRST 1000
#define COUNT 16
#include "search_random.h"
