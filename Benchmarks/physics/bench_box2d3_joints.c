// The mechanisms of `stickerpit bench physics` (PhysicsScene+Mechanisms.swift) for Box2D v3: the
// same bodies and joints, in points; a hundred of them are a metre. Without multithreading and
// without sleep. usage: SCENE BODIES [warm-up steps]
#include "box2d/box2d.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#define S 0.01f
#define LINKS 10
typedef struct {
  b2JointId id;
  double length;
} Hold;
static b2WorldId world;
static b2BodyId ground, *ids;
static Hold *holds;
static int holdCount;

static b2Vec2 at(double x, double y) { return (b2Vec2){(float)x * S, (float)y * S}; }
static double now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}
static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static b2BodyDef dynamic(double x, double y) {
  b2BodyDef body = b2DefaultBodyDef();
  body.type = b2_dynamicBody;
  body.position = at(x, y);
  return body;
}
static void hinge(b2BodyId a, b2Vec2 anchorA, b2BodyId b, b2Vec2 anchorB, float limit) {
  b2RevoluteJointDef joint = b2DefaultRevoluteJointDef();
  joint.base.bodyIdA = a;
  joint.base.bodyIdB = b;
  joint.base.localFrameA.p = anchorA;
  joint.base.localFrameB.p = anchorB;
  joint.base.collideConnected = false;
  if (limit > 0) {
    joint.enableLimit = true;
    joint.lowerAngle = -limit;
    joint.upperAngle = limit;
  }
  holds[holdCount++] = (Hold){b2CreateRevoluteJoint(world, &joint), 0};
}

static void grid(int n) {
  int columns = 1;
  while (columns * columns < n) columns++;
  b2Circle disc = {{0, 0}, 20 * S};
  b2ShapeDef shape = b2DefaultShapeDef();
  shape.filter.maskBits = 0;
  for (int i = 0; i < n; i++) {
    int x = i / columns, y = i % columns;
    b2BodyDef body = dynamic(x * 50, y * 50);
    if (y == 0 && x >= columns / 2 - 3 && x <= columns / 2 + 3) body.type = b2_staticBody;
    ids[i] = b2CreateBody(world, &body);
    b2CreateCircleShape(ids[i], &shape, &disc);
    if (y > 0) hinge(ids[i - 1], at(0, 25), ids[i], at(0, -25), 0);
    if (x > 0) hinge(ids[i - columns], at(25, 0), ids[i], at(-25, 0), 0);
  }
}

static void bridge(int n) {
  b2Polygon plank = b2MakeBox(25 * S, 6 * S);
  b2ShapeDef shape = b2DefaultShapeDef();
  shape.material.friction = 0;
  double x = 0, y = 0;
  for (int i = 0; i < n; i++) {
    double angle = 0.5 - (i + 0.5) / n, dx = 25 * cos(angle), dy = 25 * sin(angle);
    b2BodyDef body = dynamic(x + dx, y + dy);
    body.rotation = b2MakeRot((float)angle);
    ids[i] = b2CreateBody(world, &body);
    b2CreatePolygonShape(ids[i], &shape, &plank);
    hinge(i ? ids[i - 1] : ground, i ? at(25, 0) : at(0, 0), ids[i], at(-25, 0), 0);
    x += 2 * dx;
    y += 2 * dy;
  }
  hinge(ids[n - 1], at(25, 0), ground, at(x, y), 0);
}

static void ragdolls(int n) {
  b2Capsule link = {{-10 * S, 0}, {10 * S, 0}, 5 * S};
  b2ShapeDef shape = b2DefaultShapeDef();
  shape.material.friction = 0.6f;
  double side = 2600, t = 200;
  double walls[4][4] = {{side / 2, -t / 2, side / 2 + t, t / 2}, {side / 2, side + t / 2, side / 2 + t, t / 2},
                        {-t / 2, side / 2, t / 2, side / 2 + t}, {side + t / 2, side / 2, t / 2, side / 2 + t}};
  for (int k = 0; k < 4; k++) {
    b2Polygon box = b2MakeOffsetBox(walls[k][2] * S, walls[k][3] * S, at(walls[k][0], walls[k][1]), b2Rot_identity);
    b2CreatePolygonShape(ground, &shape, &box);
  }
  for (int i = 0; i < n; i++) {
    int chain = i / LINKS, k = i % LINKS;
    b2BodyDef body = dynamic(chain % 40 * 60 + 130, 2400 - chain / 40 * 240 - LINKS * 20 + k * 20);
    body.rotation = b2MakeRot(0.5f * B2_PI);
    body.linearVelocity = at((chain % 7 - 3) * 30, 0);
    ids[i] = b2CreateBody(world, &body);
    b2CreateCapsuleShape(ids[i], &shape, &link);
    if (k > 0) hinge(ids[i - 1], at(10, 0), ids[i], at(-10, 0), 0.8f);
  }
}

static void cradle(int n) {
  b2Circle disc = {{0, 0}, 20 * S};
  b2ShapeDef shape = b2DefaultShapeDef();
  shape.material.friction = 0;
  shape.material.restitution = 1;
  for (int i = 0; i < n; i++) {
    double hangs = 200 * sqrt(0.5);
    b2BodyDef body = dynamic(i * 40 + (i ? 0 : -hangs), i ? 200 : hangs);
    ids[i] = b2CreateBody(world, &body);
    b2CreateCircleShape(ids[i], &shape, &disc);
    b2DistanceJointDef joint = b2DefaultDistanceJointDef();
    joint.base.bodyIdA = ground;
    joint.base.bodyIdB = ids[i];
    joint.base.localFrameA.p = at(i * 40, 0);
    joint.length = 200 * S;
    holds[holdCount++] = (Hold){b2CreateDistanceJoint(world, &joint), 200};
  }
}

// The largest distance of a joint's anchors from where they belong, in points.
static double anchorError(void) {
  double worst = 0;
  for (int k = 0; k < holdCount; k++) {
    b2JointId joint = holds[k].id;
    b2Vec2 a = b2Body_GetWorldPoint(b2Joint_GetBodyA(joint), b2Joint_GetLocalFrameA(joint).p);
    b2Vec2 b = b2Body_GetWorldPoint(b2Joint_GetBodyB(joint), b2Joint_GetLocalFrameB(joint).p);
    double off = fabs(hypot(b.x - a.x, b.y - a.y) / S - holds[k].length);
    if (off > worst) worst = off;
  }
  return worst;
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: %s grid|bridge|ragdolls|cradle BODIES [warm-up steps]\n", argv[0]);
    return 2;
  }
  const char *scene = argv[1];
  int n = atoi(argv[2]), warmup = argc > 4 ? atoi(argv[3]) : 120, steps = argc > 4 ? atoi(argv[4]) : 600;
  int substeps = getenv("SUBSTEPS") ? atoi(getenv("SUBSTEPS")) : 4;
  if (n < 1 || warmup < 0 || steps < 1) return 2;
  b2WorldDef definition = b2DefaultWorldDef();
  definition.gravity = (b2Vec2){0, 10};
  definition.enableSleep = false;
  world = b2CreateWorld(&definition);
  b2BodyDef still = b2DefaultBodyDef();
  ground = b2CreateBody(world, &still);
  ids = malloc(sizeof(b2BodyId) * n);
  holds = malloc(sizeof(Hold) * (2 * n + 1));
  if (!strcmp(scene, "grid")) grid(n);
  else if (!strcmp(scene, "bridge")) bridge(n);
  else if (!strcmp(scene, "ragdolls")) ragdolls(n);
  else if (!strcmp(scene, "cradle")) cradle(n);
  else return 2;
  double *times = calloc(steps, sizeof(double)), cpu = 0, sum = 0, largest = 0, errors = 0;
  for (int k = 0; k < warmup + steps; k++) {
    double c0 = now(CLOCK_THREAD_CPUTIME_ID), t0 = now(CLOCK_MONOTONIC);
    b2World_Step(world, 1.0f / 60, substeps);
    double t1 = now(CLOCK_MONOTONIC), c1 = now(CLOCK_THREAD_CPUTIME_ID);
    if (k < warmup) continue;
    times[k - warmup] = (t1 - t0) * 1e3;
    sum += (t1 - t0) * 1e3;
    cpu += (c1 - c0) * 1e3;
    double error = anchorError();
    errors += error;
    if (error > largest) largest = error;
  }
  qsort(times, steps, sizeof(double), ascending);
  printf("{\"engine\":\"box2d3\",\"scene\":\"%s\",\"bodies\":%d,\"joints\":%d,\"steps\":%d,\"mean_ms\":%.4f,"
         "\"cpu_ms\":%.4f,\"p50_ms\":%.4f,\"p99_ms\":%.4f,\"anchor_error_pt\":%.4f,\"mean_anchor_error_pt\":%.4f}\n",
         scene, n, holdCount, steps, sum / steps, cpu / steps, times[steps / 2], times[(int)(steps * 0.99)], largest,
         errors / steps);
  return 0;
}
