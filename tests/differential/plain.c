/* plain.c -- plain loads and stores, compiled with hooks. */
#include "play.h"

int64_t
plain_load(enum lit_type type, const void *address)
{
    switch (type) {
    case LIT_TYPE_long:
        return *(const volatile long *)address;
    case LIT_TYPE_int:
        return *(const volatile int *)address;
    case LIT_TYPE_short:
        return *(const volatile short *)address;
    case LIT_TYPE_uint64:
        return (int64_t) * (const volatile uint64_t *)address;
    case LIT_TYPES:
        break;
    }
    LIT_BUG("a load of unknown type");
}

void
plain_store(enum lit_type type, void *address, int64_t value)
{
    switch (type) {
    case LIT_TYPE_long:
        *(volatile long *)address = value;
        return;
    case LIT_TYPE_int:
        *(volatile int *)address = (int)value;
        return;
    case LIT_TYPE_short:
        *(volatile short *)address = (short)value;
        return;
    case LIT_TYPE_uint64:
        *(volatile uint64_t *)address = (uint64_t)value;
        return;
    case LIT_TYPES:
        break;
    }
    LIT_BUG("a store of unknown type");
}
