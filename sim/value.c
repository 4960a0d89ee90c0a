/* value.c -- what atomics do to bytes, how values are printed. Arithmetic wraps (A31), so ADD and INC need only the
 * width. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "shmem.h"
#include "sim/sim.h"

static uint64_t
load(const void *at, size_t width)
{
    uint64_t value = 0;
    memcpy(&value, at, width);
    return value;
}

bool
sim_amo_apply(shmem_amo_t amo, size_t width, void *at, const void *operand, const void *cond, void *old)
{
    FP_ASSERT(width <= sizeof(uint64_t));
    uint64_t before = load(at, width), value = load(operand, width), after = before;
    memcpy(old, at, width);
    switch (amo) {
    case SHMEM_AMO_SET:
    case SHMEM_AMO_SWAP:
        after = value;
        break;
    case SHMEM_AMO_ADD:
        after = before + value;
        break;
    case SHMEM_AMO_INC:
        after = before + 1;
        break;
    case SHMEM_AMO_AND:
        after = before & value;
        break;
    case SHMEM_AMO_OR:
        after = before | value;
        break;
    case SHMEM_AMO_XOR:
        after = before ^ value;
        break;
    case SHMEM_AMO_CSWAP:
        if (before != load(cond, width))
            return false;
        after = value;
        break;
    case SHMEM_AMO_FETCH:
        return false;
    default:
        FP_BUG("atomic function %d", (int)amo);
    }
    memcpy(at, &after, width);
    return true;
}

enum value_kind { SIGNED, UNSIGNED };

static enum value_kind
kind_of(shmem_type_t type)
{
    switch (type) {
    case SHMEM_TYPE_char:
    case SHMEM_TYPE_schar:
    case SHMEM_TYPE_short:
    case SHMEM_TYPE_int:
    case SHMEM_TYPE_long:
    case SHMEM_TYPE_longlong:
    case SHMEM_TYPE_int8:
    case SHMEM_TYPE_int16:
    case SHMEM_TYPE_int32:
    case SHMEM_TYPE_int64:
    case SHMEM_TYPE_ptrdiff:
        return SIGNED;
    default:
        return UNSIGNED;
    }
}

static int64_t
sign_extend(uint64_t value, size_t width)
{
    unsigned shift = (unsigned)(64 - 8 * width);
    return (int64_t)(value << shift) >> shift;
}

void
sim_value_text(shmem_type_t type, size_t width, const void *value, char *text, size_t size)
{
    uint64_t bits = load(value, width);
    if (kind_of(type) == SIGNED)
        snprintf(text, size, "%" PRId64, sign_extend(bits, width));
    else
        snprintf(text, size, "%" PRIu64, bits);
}

const char *
sim_cmp_text(int cmp)
{
    switch (cmp) {
    case SHMEM_CMP_EQ:
        return "==";
    case SHMEM_CMP_NE:
        return "!=";
    case SHMEM_CMP_GT:
        return ">";
    case SHMEM_CMP_GE:
        return ">=";
    case SHMEM_CMP_LT:
        return "<";
    case SHMEM_CMP_LE:
        return "<=";
    }
    return "?";
}
