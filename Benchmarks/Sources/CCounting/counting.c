// Counts what is taken from the heap. These functions stand in place of the C library's, for the whole process and its
// libraries; the C library's own are reached under their other names.
#include "counting.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static atomic_ulong taken;

static void count(void) { atomic_fetch_add_explicit(&taken, 1, memory_order_relaxed); }

void *malloc(size_t size) {
  count();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count();
  return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
  count();
  return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
  void *memory = memalign(alignment, size);
  if (memory == NULL) return ENOMEM;
  *result = memory;
  return 0;
}

unsigned long heap_taken(void) { return atomic_load_explicit(&taken, memory_order_relaxed); }

void waste(void) {
  // Through a pointer that the compiler does not know, so that it leaves the two calls in.
  void *(*volatile take)(size_t) = malloc;
  void (*volatile give)(void *) = free;
  give(take(16));
  syscall(SYS_getppid);
}
