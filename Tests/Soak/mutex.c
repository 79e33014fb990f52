// Tells the thread sanitizer of Swift's `Mutex`.
//
// A mutex that is free is taken and given back by an atomic operation in our own code, which the
// sanitizer sees. One that is not goes to the kernel, from a library that was not built with the
// sanitizer, so that it sees neither; everything that such a mutex guards would be reported as a race.
// This stands in front of those two functions (LD_PRELOAD) and says what they do. A race that no mutex
// prevents is found as before, which a list of suppressed functions could not promise.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *handle

void __tsan_acquire(void *address);
void __tsan_release(void *address);

typedef SWIFT void Lock(uint32_t thread, SELF);
typedef SWIFT void Unlock(SELF);
static Lock *library_lock;
static Unlock *library_unlock;

// Resolved before any thread starts: to look something up may take a lock.
__attribute__((constructor)) static void resolve(void) {
  library_lock = (Lock *)dlsym(RTLD_NEXT, LOCK);
  library_unlock = (Unlock *)dlsym(RTLD_NEXT, UNLOCK);
  if (!library_lock || !library_unlock) {
    fprintf(stderr, "mutex.c: this Swift has other functions for its Mutex\n");
    abort();
  }
}

SWIFT void lock_slow(uint32_t thread, SELF) __asm__(LOCK);
SWIFT void lock_slow(uint32_t thread, SELF) {
  library_lock(thread, handle);
  __tsan_acquire(handle);
}

SWIFT void unlock_slow(SELF) __asm__(UNLOCK);
SWIFT void unlock_slow(SELF) {
  __tsan_release(handle);
  library_unlock(handle);
}
