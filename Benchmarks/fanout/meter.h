// Counts the frames of all clients and how late they are. No lists: a histogram of latencies, a ring
// of ticks, and a few numbers for each client.
#ifndef FANOUT_METER_H
#define FANOUT_METER_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum stream {
  STREAM_STATE,    // our frames, which carry their tick
  STREAM_REPLICA,  // our records, which are counted from the snapshot on
  STREAM_STAMP,    // a peer's frames: the first 8 bytes are the time at which it began to send
};

// Microseconds in buckets that are 1/64 wide of their size.
#define HISTOGRAM_BUCKETS 2048
struct histogram {
  uint32_t bucket[HISTOGRAM_BUCKETS];
  uint64_t count;
};
void histogram_add(struct histogram *histogram, uint64_t nanoseconds);
double histogram_ms(const struct histogram *histogram, double share);

// What is known of one client's stream.
struct follower {
  bool has_world;  // it got something to begin with
  bool has_tick;   // replica only: the number of its last record is known
  uint32_t tick;
  uint32_t frames;  // in the window
};

#define METER_TICKS 1024
struct meter {
  enum stream stream;
  bool is_open;  // the window has begun and not ended
  uint64_t frames, payload_bytes, own, catch_ups, keyframes, held, snapshots;
  uint64_t slowed, restored, others, unread;
  uint32_t interval;  // ticks from frame to frame
  uint32_t newest;    // state only
  bool has_newest;
  struct {
    uint64_t key, first;
  } ticks[METER_TICKS];
  // When tick 0 was due, by the clock echo with the least round trip of the last seconds.
  uint64_t zero, round_trip, asked;
  struct histogram since_first, since_due;
};

// A binary message came for a client. `bytes` holds all of it, or its first 16 bytes if it is longer
// than METER_WHOLE.
#define METER_WHOLE 4000
void meter_message(
    struct meter *meter, struct follower *follower, const uint8_t *bytes, size_t length,
    uint64_t now);

// A clock echo came for a question that was asked at a time.
void meter_echo(struct meter *meter, const uint8_t *bytes, uint64_t asked, uint64_t now);
#endif
