// A trace on the strict lattice, and the harness around a rival: encode, decode in a second instance,
// compare, every tick. A rival is one C file that defines the four functions named below.
#pragma once
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct { int32_t x, y, angle; uint8_t present, kind, size, generation; } Body;
typedef struct { int32_t gx, gy; int count; Body *bodies; } World;

// The rival: its name; `encode` appends what leads from `old` to `new` and returns the bytes;
// `decode` applies them to `world`, which is as `old` was.
extern const char *rival_name;
size_t encode(const World *old, const World *new, uint8_t *out);
void decode(World *world, const uint8_t *in, size_t size);

static void fail(const char *what, const char *name) { fprintf(stderr, "%s: %s\n", name, what); exit(1); }

// The payload of a .npy file; `shape` gets up to three lengths.
static void *npy(const char *stem, const char *ending, long shape[3]) {
  char path[4096], header[1024];
  snprintf(path, sizeof path, "%s%s", stem, ending);
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  uint8_t start[10];
  if (fread(start, 1, 10, file) != 10) fail("cannot be read", path);
  int length = start[8] | start[9] << 8;
  if (length >= (int)sizeof header || (int)fread(header, 1, length, file) != length) fail("has an unknown header", path);
  header[length] = 0;
  shape[0] = shape[1] = shape[2] = 1;
  char *open = strchr(header, '(');
  if (!open) fail("names no shape", path);
  sscanf(open, "(%ld, %ld, %ld", &shape[0], &shape[1], &shape[2]);
  size_t size = (strstr(header, "<f4") ? 4 : 1) * (size_t)(shape[0] * shape[1] * shape[2]);
  void *data = malloc(size);
  if (fread(data, 1, size, file) != size) fail("is shorter than its shape", path);
  fclose(file);
  return data;
}

static int64_t nanoseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int differs(const Body *a, const Body *b) {
  if (a->present != b->present) return 1;
  return a->present && (a->x != b->x || a->y != b->y || a->angle != b->angle || a->kind != b->kind || a->size != b->size);
}

int main(int count, char **arguments) {
  if (count < 2) fail("usage: RIVAL TRACE (a path without .npy)", arguments[0]);
  const char *stem = arguments[1], *name = strrchr(stem, '/') ? strrchr(stem, '/') + 1 : stem;
  long shape[3], other[3];
  float *states = npy(stem, ".npy", shape), *gravity = npy(stem, ".grav.npy", other);
  uint8_t *kinds = npy(stem, ".kind.npy", other), *sizes = npy(stem, ".size.npy", other);
  if (!states || !gravity || !kinds) fail("is not there, or its siblings are not", stem);
  int bodies = (int)shape[1];
  World worlds[3];
  for (int w = 0; w < 3; w++) worlds[w] = (World){0, 0, bodies, calloc(bodies, sizeof(Body))};
  World *old = &worlds[0], *new = &worlds[1], *client = &worlds[2];
  uint8_t *buffer = malloc(64 * (size_t)bodies + 4096);
  long total = 0, alive = 0;
  int64_t encoding = 0, decoding = 0;
  for (long tick = 0; tick < shape[0]; tick++) {
    new->gx = (int32_t)lrint(gravity[2 * tick] / 1000.0 * 16384);
    new->gy = (int32_t)lrint(gravity[2 * tick + 1] / 1000.0 * 16384);
    for (int i = 0; i < bodies; i++) {
      const float *s = states + (tick * bodies + i) * 7;
      Body b = {0};
      if (!isnan(s[0])) {
        b.present = 1, b.kind = kinds[i], b.size = sizes ? sizes[i] : 40;
        b.x = (int32_t)floor(s[0] * 16.0 + 0.5), b.y = (int32_t)floor(s[1] * 16.0 + 0.5);
        b.angle = (int32_t)floor(s[2] * (1024 / 6.283185307179586) + 0.5) & 1023;
      }
      new->bodies[i] = b;
    }
    if (tick == 0) {
      memcpy(client->bodies, new->bodies, bodies * sizeof(Body));
      client->gx = new->gx, client->gy = new->gy;
    } else {
      int64_t a = nanoseconds();
      size_t size = encode(old, new, buffer);
      int64_t b = nanoseconds();
      decode(client, buffer, size);
      int64_t c = nanoseconds();
      encoding += b - a, decoding += c - b, total += (long)size + 2;
      for (int i = 0; i < bodies; i++) {
        alive += new->bodies[i].present;
        if (differs(&client->bodies[i], &new->bodies[i])) fail("the decoded world differs", name);
      }
      if (client->gx != new->gx || client->gy != new->gy) fail("the decoded gravity differs", name);
    }
    World *swap = old;
    old = new, new = swap;
  }
  printf("{\"codec\":\"%s\",\"trace\":\"%s\",\"frames\":%ld,\"bytes_per_tick\":%.2f,\"encode_ns_per_body\":%.1f,\"decode_ns_per_body\":%.1f}\n",
    rival_name, name, shape[0] - 1, (double)total / (shape[0] - 1), (double)encoding / alive, (double)decoding / alive);
  return 0;
}
