// Fields as Colyseus' schema sends them: for each changed instance a marker and its reference, for each
// changed field its index and its value. Places are declared int16, angles uint16, the tersest choice.
//
//   255, reference (a number), then for each field: 0x80 | index, value
//   255, 1 (the map), then for each one that goes: 64, slot; that comes: 128, slot, key, reference
//
// A number is a byte below 128, else 0xCC and one or 0xCD and two bytes.
#include "trace.h"

const char *rival_name = "fields, Colyseus-style";

enum { MARKER = 255, REPLACE = 128, DELETE = 64, ROOM = 0, MAP = 1, FIRST = 2 };
enum { FIELD_X, FIELD_Y, FIELD_ANGLE, FIELD_KIND, FIELD_SIZE };

static uint8_t *put_number(uint8_t *p, int v) {
  if (v < 128) { *p++ = v; return p; }
  if (v < 256) { *p++ = 0xCC, *p++ = v; return p; }
  *p++ = 0xCD, *p++ = v & 255, *p++ = v >> 8;
  return p;
}

static const uint8_t *get_number(const uint8_t *p, int *v) {
  if (*p < 128) { *v = *p; return p + 1; }
  if (*p == 0xCC) { *v = p[1]; return p + 2; }
  *v = p[1] | p[2] << 8;
  return p + 3;
}

static uint8_t *put_field(uint8_t *p, int field, int value) {
  if (value < -32768 || value > 32767) fail("a place beyond 16 bits", rival_name);
  *p++ = REPLACE | field, *p++ = value & 255, *p++ = value >> 8 & 255;
  return p;
}

static uint8_t *put_instance(uint8_t *p, int reference) {
  *p++ = MARKER;
  return put_number(p, reference);
}

static uint8_t *put_map(uint8_t *p, const World *old, const World *new) {
  int open = 0;
  for (int i = 0; i < new->count; i++) {
    const Body *from = &old->bodies[i], *to = &new->bodies[i];
    if (from->present == to->present) continue;
    if (!open) p = put_instance(p, MAP), open = 1;
    *p++ = to->present ? REPLACE : DELETE;
    p = put_number(p, i);
    if (!to->present) continue;
    char key[8];
    int length = snprintf(key, sizeof key, "%d", i);
    *p++ = 0xA0 | length;
    memcpy(p, key, length), p += length;
    p = put_number(p, FIRST + i);
  }
  return p;
}

size_t encode(const World *old, const World *new, uint8_t *out) {
  uint8_t *p = out;
  *p++ = 15;  // the room's message: a patch
  if (old->gx != new->gx || old->gy != new->gy) {
    p = put_instance(p, ROOM);
    if (old->gx != new->gx) p = put_field(p, FIELD_X, new->gx);
    if (old->gy != new->gy) p = put_field(p, FIELD_Y, new->gy);
  }
  p = put_map(p, old, new);
  for (int i = 0; i < new->count; i++) {
    const Body *from = &old->bodies[i], *to = &new->bodies[i];
    if (!to->present) continue;
    int fresh = !from->present;
    if (!fresh && from->x == to->x && from->y == to->y && from->angle == to->angle) continue;
    p = put_instance(p, FIRST + i);
    if (fresh || from->x != to->x) p = put_field(p, FIELD_X, to->x);
    if (fresh || from->y != to->y) p = put_field(p, FIELD_Y, to->y);
    if (fresh || from->angle != to->angle) p = put_field(p, FIELD_ANGLE, to->angle);
    if (fresh) *p++ = REPLACE | FIELD_KIND, *p++ = to->kind, *p++ = REPLACE | FIELD_SIZE, *p++ = to->size;
  }
  return p - out;
}

static const uint8_t *get_map(const uint8_t *p, const uint8_t *end, World *world) {
  while (p < end && *p != MARKER) {
    int operation = *p++, slot, reference;
    p = get_number(p, &slot);
    world->bodies[slot].present = operation == REPLACE;
    if (operation == DELETE) continue;
    p += 1 + (*p & 31);
    p = get_number(p, &reference);
  }
  return p;
}

void decode(World *world, const uint8_t *in, size_t size) {
  const uint8_t *p = in + 1, *end = in + size;
  while (p < end) {
    int reference;
    p = get_number(p + 1, &reference);
    if (reference == MAP) { p = get_map(p, end, world); continue; }
    Body *body = &world->bodies[reference - FIRST];
    while (p < end && *p != MARKER) {
      int field = *p++ & 63;
      if (field == FIELD_KIND) { body->kind = *p++; continue; }
      if (field == FIELD_SIZE) { body->size = *p++; continue; }
      int value = (int16_t)(p[0] | p[1] << 8);
      p += 2;
      if (reference == ROOM) *(field == FIELD_X ? &world->gx : &world->gy) = value;
      else *(field == FIELD_X ? &body->x : field == FIELD_Y ? &body->y : &body->angle) = value;
    }
  }
}
