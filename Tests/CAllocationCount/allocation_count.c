// Stands in front of glibc's allocator: the test's executable defines these names, so every library
// in the process comes here first.
#include "allocation_count.h"

#include <errno.h>
#include <stdint.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static __thread int counting;
static __thread size_t count;
static __thread size_t bytes;

static void note(size_t size) {
  count += counting;
  bytes += counting ? size : 0;
}

void allocation_count_begin(void) {
  count = 0;
  bytes = 0;
  counting = 1;
}

size_t allocation_count_end(void) {
  counting = 0;
  return count;
}

size_t allocation_byte_count(void) { return bytes; }

void *malloc(size_t size) {
  note(size);
  return __libc_malloc(size);
}

void *calloc(size_t n, size_t size) {
  note(n * size);
  return __libc_calloc(n, size);
}

void *realloc(void *old, size_t size) {
  note(size);
  return __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  note(size);
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size) {
  note(size);
  *out = __libc_memalign(alignment, size);
  return *out ? 0 : ENOMEM;
}
