// Makes the n-th allocation fail. A test that includes this is linked with --wrap for the functions
// below, which the build finds out from their names.
#ifndef TN_BASE_FAIL_ALLOC_H_
#define TN_BASE_FAIL_ALLOC_H_

#include <stdlib.h>
#include <string.h>

static long tn_allocations_left = -1;  // -1: no limit
static long tn_allocations_made;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
char *__wrap_strdup(const char *text);

/// True if this allocation may happen.
static int tn_allocation_allowed(void)
{
    tn_allocations_made++;
    if (tn_allocations_left == 0) return 0;
    if (tn_allocations_left > 0) tn_allocations_left--;
    return 1;
}

void *__wrap_malloc(size_t size)
{
    return tn_allocation_allowed() ? __real_malloc(size) : NULL;
}

void *__wrap_calloc(size_t count, size_t size)
{
    return tn_allocation_allowed() ? __real_calloc(count, size) : NULL;
}

void *__wrap_realloc(void *old, size_t size)
{
    return tn_allocation_allowed() ? __real_realloc(old, size) : NULL;
}

char *__wrap_strdup(const char *text)
{
    return tn_allocation_allowed() ? __real_strdup(text) : NULL;
}

#endif  // TN_BASE_FAIL_ALLOC_H_
