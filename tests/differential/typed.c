/* typed.c -- the calls of each element type of litmus tests. */
#include <string.h>

#include "play.h"

#define TYPE long
#define CTYPE long
#define ATOMIC 1
#define BITWISE 0
#include "typed.h"
#undef TYPE
#undef CTYPE

#define TYPE int
#define CTYPE int
#include "typed.h"
#undef TYPE
#undef CTYPE
#undef BITWISE

#define TYPE uint64
#define CTYPE uint64_t
#define BITWISE 1
#include "typed.h"
#undef TYPE
#undef CTYPE
#undef ATOMIC
#undef BITWISE

#define TYPE short
#define CTYPE short
#define ATOMIC 0
#include "typed.h"
