// What the peers in C share: PORT SIZE HZ [CERTIFICATE KEY] on the command line, and the frame that
// they send, whose first 8 payload bytes are the time at which the fan-out began.
#ifndef FANOUT_PEER_H
#define FANOUT_PEER_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "clock.h"

struct peer {
  int port;
  size_t size;
  int hz;
  const char *certificate, *key;
};

static inline struct peer peer_options(int count, char **words) {
  if (count != 4 && count != 6) {
    fprintf(stderr, "usage: %s PORT SIZE HZ [CERTIFICATE KEY]\n", words[0]);
    exit(2);
  }
  struct peer peer = {
      atoi(words[1]), (size_t)atoi(words[2]), atoi(words[3]), count == 6 ? words[4] : NULL,
      count == 6 ? words[5] : NULL};
  if (peer.size < 8 || peer.size > 65535 || peer.hz < 1 || peer.hz > 1000) {
    fprintf(stderr, "%s: a size of 8 to 65535 bytes and 1 to 1000 Hz\n", words[0]);
    exit(2);
  }
  struct rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max < 65536 ? files.rlim_max : 65536;
  setrlimit(RLIMIT_NOFILE, &files);
  return peer;
}

// Content that nothing could take to be empty; no engine looks at it.
static inline void peer_fill(uint8_t *payload, size_t size) {
  for (size_t i = 0; i < size; i++)
    payload[i] = (uint8_t)(i * 37 + 11);
}

static inline void peer_stamp(uint8_t *payload) {
  uint64_t now = now_ns();
  memcpy(payload, &now, sizeof now);
}
#endif
