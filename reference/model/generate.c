#include "reference/model/litmus.h"
char *
fp_litmus_generate(uint64_t seed, uint64_t index)
{
    return lit_alloc(0, 1);
}
