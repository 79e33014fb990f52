// A bit packer as in Glenn Fiedler's "Snapshot Compression": quantized state, the difference to the
// last frame, a bit or a relative index for each changed body, small and large differences.
//
//   8 sequence; 1 gravity? 16+16; 1 roster? lists; 1 list or mask; for each changed body:
//   2 width of the move (3, 5, 8, 20 bits a coordinate), 2 width of the turn (0, 3, 5, 10 bits)
//
// The widths are those that cost least on the training traces.
#include "trace.h"

const char *rival_name = "bit packer, Gaffer-style";

static const int move_bits[4] = {3, 5, 8, 20}, turn_bits[4] = {0, 3, 5, 10};

typedef struct { uint8_t *bytes; size_t position; } Bits;

static void put(Bits *b, uint32_t value, int count) {
  for (int i = 0; i < count;) {
    int room = 8 - (b->position & 7), take = count - i < room ? count - i : room;
    uint32_t part = value >> i & ((1u << take) - 1);
    uint8_t *byte = b->bytes + (b->position >> 3);
    if (!(b->position & 7)) *byte = 0;
    *byte |= (uint8_t)(part << (b->position & 7));
    b->position += take, i += take;
  }
}

static uint32_t get(Bits *b, int count) {
  uint32_t value = 0;
  for (int i = 0; i < count;) {
    int room = 8 - (b->position & 7), take = count - i < room ? count - i : room;
    value |= (uint32_t)(b->bytes[b->position >> 3] >> (b->position & 7) & ((1u << take) - 1)) << i;
    b->position += take, i += take;
  }
  return value;
}

static int32_t get_signed(Bits *b, int count) {
  if (!count) return 0;
  int shift = 32 - count;
  return (int32_t)(get(b, count) << shift) >> shift;
}

static int fits(int32_t v, int bits) { return bits ? v >= -(1 << (bits - 1)) && v < 1 << (bits - 1) : v == 0; }

static int width(const int *widths, int32_t a, int32_t b) {
  for (int i = 0; i < 3; i++) if (fits(a, widths[i]) && fits(b, widths[i])) return i;
  return 3;
}

// A distance to the next index in buckets, as the article has them.
static const int bucket_bits[6] = {0, 2, 3, 4, 6, 8}, bucket_start[6] = {1, 2, 6, 14, 30, 94};

static int distance_cost(int distance) {
  for (int i = 0; i < 6; i++) if (distance < bucket_start[i] + (1 << bucket_bits[i])) return i + 1 + bucket_bits[i];
  return 6 + 14;
}

static void put_distance(Bits *b, int distance) {
  for (int i = 0; i < 6; i++) {
    int here = distance < bucket_start[i] + (1 << bucket_bits[i]);
    put(b, here, 1);
    if (here) { put(b, distance - bucket_start[i], bucket_bits[i]); return; }
  }
  put(b, distance, 14);
}

static int get_distance(Bits *b) {
  for (int i = 0; i < 6; i++) if (get(b, 1)) return bucket_start[i] + (int)get(b, bucket_bits[i]);
  return (int)get(b, 14);
}

static int same_place(const Body *a, const Body *b) { return a->x == b->x && a->y == b->y && a->angle == b->angle; }
static int stays(const Body *a, const Body *b) { return a->present && b->present; }

static void put_roster(Bits *b, const World *old, const World *new) {
  int gone = 0, come = 0;
  for (int i = 0; i < new->count; i++) {
    gone += old->bodies[i].present && !new->bodies[i].present;
    come += !old->bodies[i].present && new->bodies[i].present;
  }
  put(b, gone || come, 1);
  if (!gone && !come) return;
  put(b, gone, 12);
  for (int i = 0, last = -1; i < new->count; i++)
    if (old->bodies[i].present && !new->bodies[i].present) put_distance(b, i - last), last = i;
  put(b, come, 12);
  for (int i = 0, last = -1; i < new->count; i++) {
    const Body *body = &new->bodies[i];
    if (old->bodies[i].present || !body->present) continue;
    put_distance(b, i - last), last = i;
    put(b, body->kind, 5), put(b, body->size, 8);
    put(b, (uint32_t)body->x, 20), put(b, (uint32_t)body->y, 20), put(b, body->angle, 10);
  }
}

static void get_roster(Bits *b, World *world, uint8_t *fresh) {
  if (!get(b, 1)) return;
  for (int left = get(b, 12), i = -1; left > 0; left--) i += get_distance(b), world->bodies[i].present = 0;
  for (int left = get(b, 12), i = -1; left > 0; left--) {
    i += get_distance(b);
    Body *body = &world->bodies[i];
    body->present = 1, fresh[i] = 1, body->kind = get(b, 5), body->size = get(b, 8);
    body->x = get_signed(b, 20), body->y = get_signed(b, 20), body->angle = get(b, 10);
  }
}

size_t encode(const World *old, const World *new, uint8_t *out) {
  Bits b = {out, 0};
  static uint8_t sequence;
  put(&b, sequence++, 8);
  int gravity = old->gx != new->gx || old->gy != new->gy;
  put(&b, gravity, 1);
  if (gravity) put(&b, (uint32_t)new->gx, 16), put(&b, (uint32_t)new->gy, 16);
  put_roster(&b, old, new);
  int mask = 0, list = 12, changed = 0;
  for (int i = 0, last = -1; i < new->count; i++) {
    if (!stays(&old->bodies[i], &new->bodies[i])) continue;
    mask++;
    if (!same_place(&old->bodies[i], &new->bodies[i])) list += distance_cost(i - last), last = i, changed++;
  }
  int is_list = list < mask;
  put(&b, is_list, 1);
  if (is_list) put(&b, changed, 12);
  for (int i = 0, last = -1; i < new->count; i++) {
    const Body *from = &old->bodies[i], *to = &new->bodies[i];
    if (!stays(from, to)) continue;
    int moved = !same_place(from, to);
    if (!is_list) put(&b, moved, 1);
    if (!moved) continue;
    if (is_list) put_distance(&b, i - last), last = i;
    int32_t dx = to->x - from->x, dy = to->y - from->y, turn = (int32_t)((uint32_t)(to->angle - from->angle) << 22) >> 22;
    int move = width(move_bits, dx, dy), spin = width(turn_bits, turn, 0);
    put(&b, move, 2), put(&b, (uint32_t)dx, move_bits[move]), put(&b, (uint32_t)dy, move_bits[move]);
    put(&b, spin, 2), put(&b, (uint32_t)turn, turn_bits[spin]);
  }
  return (b.position + 7) / 8;
}

static void get_move(Bits *b, Body *body) {
  int move = move_bits[get(b, 2)];
  body->x += get_signed(b, move), body->y += get_signed(b, move);
  body->angle = (body->angle + get_signed(b, turn_bits[get(b, 2)])) & 1023;
}

void decode(World *world, const uint8_t *in, size_t size) {
  (void)size;
  static uint8_t fresh[1 << 16];
  memset(fresh, 0, world->count);
  Bits b = {(uint8_t *)in, 8};
  if (get(&b, 1)) world->gx = get_signed(&b, 16), world->gy = get_signed(&b, 16);
  get_roster(&b, world, fresh);
  if (get(&b, 1)) {
    for (int left = get(&b, 12), i = -1; left > 0; left--) i += get_distance(&b), get_move(&b, &world->bodies[i]);
    return;
  }
  for (int i = 0; i < world->count; i++)
    if (world->bodies[i].present && !fresh[i] && get(&b, 1)) get_move(&b, &world->bodies[i]);
}
