#include "meter.h"

#include <string.h>

// MARK: Histogram

static unsigned bucket_of(uint64_t microseconds) {
  if (microseconds < 64)
    return (unsigned)microseconds;
  unsigned power = 63u - (unsigned)__builtin_clzll(microseconds) - 6u;
  unsigned bucket = 64u + power * 64u + (unsigned)((microseconds >> power) - 64u);
  return bucket < HISTOGRAM_BUCKETS ? bucket : HISTOGRAM_BUCKETS - 1;
}

static double middle_of(unsigned bucket) {
  if (bucket < 64)
    return bucket + 0.5;
  unsigned power = (bucket - 64) / 64, part = (bucket - 64) % 64;
  return ((double)(64 + part) + 0.5) * (double)(1ull << power);
}

void histogram_add(struct histogram *histogram, uint64_t nanoseconds) {
  histogram->bucket[bucket_of(nanoseconds / 1000)]++;
  histogram->count++;
}

double histogram_ms(const struct histogram *histogram, double share) {
  uint64_t wanted = (uint64_t)(share * (double)histogram->count), seen = 0;
  if (!histogram->count)
    return -1;
  for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++) {
    seen += histogram->bucket[i];
    if (seen > wanted)
      return middle_of(i) / 1000;
  }
  return middle_of(HISTOGRAM_BUCKETS - 1) / 1000;
}

// MARK: Records

static uint32_t u32(const uint8_t *bytes) {
  return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

struct bits {
  const uint8_t *bytes;
  size_t at, end;  // in bits
};

static uint32_t take(struct bits *bits, unsigned count) {
  uint32_t value = 0;
  for (unsigned i = 0; i < count; i++, bits->at++)
    if (bits->at < bits->end && bits->bytes[bits->at / 8] >> (bits->at % 8) & 1)
      value |= 1u << i;
  return value;
}

static uint32_t take_varying(struct bits *bits) {
  uint32_t value = 0;
  for (unsigned shift = 0; shift < 32; shift += 4) {
    uint32_t group = take(bits, 5);
    value |= (group & 15) << shift;
    if (group < 16)
      break;
  }
  return value;
}

// Bits of a command's fields in a record, by what it is; see PROTOCOL.md.
static const unsigned command_bits[16] = {40, 64, 64, 48, 48, 64, 8, 0};

// How many records a message holds; -1 if it is not what PROTOCOL.md says. Their content does not
// matter here, but a record tells its length by nothing else.
static int count_records(const uint8_t *bytes, size_t length) {
  static const unsigned widths[] = {3, 7, 11, 16};
  struct bits bits = {bytes, 0, length * 8};
  int count = 0;
  while (bits.at < bits.end) {
    uint32_t flags = take(&bits, 4);
    if (take(&bits, 4) != 9)
      return -1;
    uint32_t rare = flags & 8 ? take(&bits, 8) : 0;
    if (flags & 1)
      bits.at += 2 * widths[take(&bits, 2)];
    if (rare & 1)
      take_varying(&bits);
    if (flags & 2) {
      uint32_t commands = take_varying(&bits);
      for (uint32_t i = 0; i < commands && bits.at < bits.end; i++) {
        take_varying(&bits);
        take_varying(&bits);
        bits.at += command_bits[take(&bits, 4)];
      }
    }
    if (flags & 4)
      bits.at += 64;
    bits.at = (bits.at + 7) / 8 * 8;
    count++;
  }
  return bits.at == bits.end ? count : -1;
}

// MARK: Ticks

// A frame of a tick came to somebody. `key` names the tick; `due` is 0 if unknown.
static void arrived(struct meter *meter, uint64_t key, uint64_t place, uint64_t due, uint64_t now) {
  if (meter->ticks[place % METER_TICKS].key != key || !meter->ticks[place % METER_TICKS].first) {
    meter->ticks[place % METER_TICKS].key = key;
    meter->ticks[place % METER_TICKS].first = now;
  }
  if (!meter->is_open)
    return;
  histogram_add(&meter->since_first, now - meter->ticks[place % METER_TICKS].first);
  if (due)
    histogram_add(&meter->since_due, now > due ? now - due : 0);
}

static void arrived_tick(struct meter *meter, uint32_t tick, uint64_t now) {
  uint64_t due = meter->zero ? meter->zero + (uint64_t)tick * 1000000000u / 60 : 0;
  arrived(meter, tick, tick, due, now);
}

// The tick of an own frame. Counted in ticks from frame to frame, it tells the low six bits.
static uint32_t tick_near(const struct meter *meter, uint8_t low) {
  uint32_t ahead = (low - meter->newest / meter->interval) & 63;
  return meter->newest + (ahead - (ahead >= 32 ? 64 : 0)) * meter->interval;
}

static void state_frame(
    struct meter *meter, struct follower *follower, const uint8_t *bytes, size_t length,
    uint64_t now) {
  uint32_t tick;
  uint8_t type = bytes[0];
  if ((type == 0x82 || type == 0x83) && length >= 5)
    tick = u32(bytes + 1);
  else if (type >= 0xc0 && meter->has_newest)
    tick = tick_near(meter, type & 63);
  else if (type == 0x88 && length >= 3 && meter->has_newest)
    tick = tick_near(meter, bytes[2] & 63);
  else
    return;
  if (!meter->has_newest || (int32_t)(tick - meter->newest) > 0)
    meter->newest = tick;
  meter->has_newest = true;
  follower->has_world = true;
  arrived_tick(meter, tick, now);
}

static void records(
    struct meter *meter, struct follower *follower, const uint8_t *bytes, size_t length,
    uint64_t now) {
  int count = length <= METER_WHOLE ? count_records(bytes, length) : -1;
  if (count < 0) {
    meter->unread++;
    follower->has_tick = false;
  }
  if (!follower->has_tick)
    return;
  follower->tick += (uint32_t)count;
  follower->has_world = true;
  arrived_tick(meter, follower->tick, now);
}

static void stamped(
    struct meter *meter, struct follower *follower, const uint8_t *bytes, size_t length,
    uint64_t now) {
  uint64_t stamp;
  if (length < 8)
    return;
  memcpy(&stamp, bytes, 8);
  follower->has_world = true;
  // Two ticks are never within a millisecond.
  arrived(meter, stamp, stamp / 1000000, stamp, now);
}

void meter_message(
    struct meter *meter, struct follower *follower, const uint8_t *bytes, size_t length,
    uint64_t now) {
  uint8_t type = length ? bytes[0] : 0;
  bool is_frame = true;
  if (meter->stream == STREAM_STAMP) {
    stamped(meter, follower, bytes, length, now);
  } else if (type == 0x82 || type == 0x83 || type == 0x88 || type >= 0xc0) {
    state_frame(meter, follower, bytes, length, now);
  } else if (type >= 0x90 && type <= 0x9f) {
    records(meter, follower, bytes, length, now);
  } else {
    is_frame = false;
    if (type == 0x8a && length >= 5) {
      follower->tick = u32(bytes + 1);
      follower->has_tick = true;
      if (meter->is_open)
        meter->snapshots++;
    } else if (type == 0x87 && length >= 3 && bytes[1] == 1) {
      meter->slowed += bytes[2] == 1;
      meter->restored += bytes[2] == 2;
    } else {
      meter->others++;
    }
  }
  if (!is_frame || !meter->is_open)
    return;
  meter->frames++;
  follower->frames++;
  meter->payload_bytes += length;
  if (meter->stream != STREAM_STATE)
    return;
  meter->keyframes += type == 0x82;
  meter->catch_ups += type == 0x83;
  meter->held += type == 0x88;
  meter->own += type >= 0xc0;
}

void meter_echo(struct meter *meter, const uint8_t *bytes, uint64_t asked, uint64_t now) {
  uint64_t trip = now - asked;
  bool is_old = now - meter->asked > 5000000000u;
  if (meter->zero && !is_old && trip > meter->round_trip)
    return;
  uint64_t since_zero = (uint64_t)u32(bytes + 5) * 1000000000u / 60 + (uint64_t)u32(bytes + 9) * 1000;
  meter->zero = asked + trip / 2 - since_zero;
  meter->round_trip = trip;
  meter->asked = now;
}
