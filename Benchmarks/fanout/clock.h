// The monotonic clock, which the load, the peers and our server read alike: they share a machine, so
// a time that one of them writes into a frame means the same to the other.
#ifndef FANOUT_CLOCK_H
#define FANOUT_CLOCK_H
#include <stdint.h>
#include <time.h>

static inline uint64_t now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}
#endif
