/* test_search_random.c -- random programs without hooks: every step of a PE counts as one that writes all of its own
 * memory. */
#define FIRST 1
#define COUNT 24
#include "search_random.h"
