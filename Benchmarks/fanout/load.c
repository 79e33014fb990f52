// Many WebSocket clients in one thread: each says hello, tilts, reads promptly, and counts. Prints
// JSON lines: when everybody is served, when the window begins, and what came in it.
//
// With --spin it never sleeps, which takes a core of its own. Otherwise whoever sends to it pays for
// waking it, and the more the slower they send, because it falls asleep between two frames: that
// would measure the load, not the server, whose clients are on other machines. For the same reason it
// looks once in a millisecond then: who reads a socket while it is being written to has the writer
// wait for the socket's lock.
#include <getopt.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "client.h"
#include "clock.h"

#define SECOND 1000000000ull

static struct options {
  int tilters;
  double tilt_hz, connects, warmup, seconds, patience;
  bool tls, spins;
} options = {
    .tilters = -1, .tilt_hz = 15, .connects = 1000, .warmup = 2, .seconds = 5, .patience = 60};
static int opened;
static uint64_t tilts, tilts_refused;
// Between two looks, if it spins.
#define PAUSE_NS 1000000ull
// Time of the window in which there was nothing to do, if it spins.
static uint64_t idle;

// MARK: Tilts

// Gravity turns by a quarter within a quarter of a second, every two seconds and for everybody: all
// that lies there falls anew each time. STEPS_A_TURN samples are ready for each turn.
#define TURN_SECONDS 2
#define STEPS_A_TURN 128
static struct message tilt_messages[4 * STEPS_A_TURN];

static void prepare_tilts(void) {
  for (int i = 0; i < 4 * STEPS_A_TURN; i++) {
    double since = (double)(i % STEPS_A_TURN) / (STEPS_A_TURN / (4 * TURN_SECONDS));
    double angle = M_PI / 2 * (i / STEPS_A_TURN + (since < 1 ? since : 1));
    int x = (int)lround(16384 * cos(angle)), y = (int)lround(16384 * sin(angle));
    uint8_t payload[5] = {2, (uint8_t)x, (uint8_t)(x >> 8), (uint8_t)y, (uint8_t)(y >> 8)};
    tilt_messages[i] = masked(2, payload, 5);
  }
}

// MARK: What clients get

static void take(struct client *client, const uint8_t *payload, size_t length, uint64_t now) {
  if (crowd.meter.stream != STREAM_STAMP && length == 13 && payload[0] == 0x86) {
    if (client->asked)
      meter_echo(&crowd.meter, payload, client->asked, now);
    client->asked = 0;
    return;
  }
  bool had_world = client->follower.has_world;
  meter_message(&crowd.meter, &client->follower, payload, length, now);
  crowd.greeted += !had_world && client->follower.has_world;
}

static void left(struct client *client, const char *reason) {
  static int told;
  if (told++ < 5)
    fprintf(stderr, "load: client %d: %s\n", (int)(client - crowd.all), reason);
}

// MARK: The course of a run

static void open_more(uint64_t since_start) {
  double due = (double)since_start / 1e9 * options.connects;
  while (opened < crowd.clients && opened < due) {
    open_client(&crowd.all[opened], opened);
    opened++;
  }
}

// Samples are spread evenly over time, not sent by everybody at once.
static void tilt_more(uint64_t since_start) {
  static uint64_t next;
  double per_second = options.tilt_hz * options.tilters;
  uint64_t due = (uint64_t)((double)since_start / 1e9 * per_second);
  uint64_t step = since_start / (TURN_SECONDS * SECOND / STEPS_A_TURN) % (4 * STEPS_A_TURN);
  const struct message *tilt = &tilt_messages[step];
  if (due - next > (uint64_t)options.tilters)
    next = due - (uint64_t)options.tilters;
  for (; next < due; next++) {
    struct client *client = &crowd.all[next % (uint64_t)options.tilters];
    if (client->state != OPEN)
      continue;
    bool is_said = say(client, tilt->bytes, tilt->count);
    tilts += crowd.meter.is_open && is_said;
    tilts_refused += crowd.meter.is_open && !is_said;
  }
}

// Eight clients ask twice a second each; the best answer of five seconds counts.
static void ask_more(uint64_t now) {
  static uint64_t next, number;
  if (crowd.meter.stream == STREAM_STAMP || now < next)
    return;
  next = now + SECOND / 16;
  struct client *client = &crowd.all[number++ % 8 % (uint64_t)crowd.clients];
  if (client->state == OPEN && client->follower.has_world)
    ask_time(client, now);
}

static double own_seconds(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static int ascending(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static void report(double seconds, double processor) {
  const struct meter *meter = &crowd.meter;
  int count = crowd.clients, behind = 0;
  uint32_t *sorted = malloc((size_t)count * sizeof *sorted);
  for (int i = 0; i < count; i++)
    sorted[i] = crowd.all[i].follower.frames;
  qsort(sorted, (size_t)count, sizeof *sorted, ascending);
  // Whether everybody is left out now and then, or a few often. A window's ends cut off a frame here
  // and there.
  for (int i = 0; i < count; i++)
    behind += sorted[i] + 2 < sorted[count - 1];
  printf(
      "{\"event\": \"end\", \"clients\": %d, \"seconds\": %.3f, \"frames\": %lu, "
      "\"frames_per_second\": %.3f, \"frames_per_second_least\": %.3f, "
      "\"frames_per_second_median\": %.3f, \"frames_per_second_most\": %.3f, "
      "\"clients_behind\": %d, ",
      count, seconds, meter->frames, (double)meter->frames / seconds / count, sorted[0] / seconds,
      sorted[count / 2] / seconds, sorted[count - 1] / seconds, behind);
  printf(
      "\"payload_bytes\": %lu, \"bytes\": %lu, \"own\": %lu, \"catch_ups\": %lu, "
      "\"keyframes\": %lu, \"held\": %lu, \"snapshots\": %lu, \"slowed\": %lu, \"restored\": %lu, "
      "\"others\": %lu, \"unread\": %lu, \"tilts\": %lu, \"tilts_refused\": %lu, ",
      meter->payload_bytes, crowd.received_bytes, meter->own, meter->catch_ups, meter->keyframes,
      meter->held, meter->snapshots, meter->slowed, meter->restored, meter->others, meter->unread,
      tilts, tilts_refused);
  printf(
      "\"spread_p50_ms\": %.3f, \"spread_p99_ms\": %.3f, \"due_p50_ms\": %.3f, "
      "\"due_p99_ms\": %.3f, \"echo_round_trip_us\": %.1f, \"gone\": %d, "
      "\"load_processor\": %.3f}\n",
      histogram_ms(&meter->since_first, 0.5), histogram_ms(&meter->since_first, 0.99),
      histogram_ms(&meter->since_due, 0.5), histogram_ms(&meter->since_due, 0.99),
      (double)meter->round_trip / 1000, crowd.gone, processor / seconds);
  free(sorted);
}

// For which everybody stays after the window, so that whoever looks at the server sees it as it was.
#define LINGER_SECONDS 0.5

static void rest(void) {
  uint64_t began = now_ns(), now = began;
  while (now - began < PAUSE_NS)
    now = now_ns();
  idle += crowd.meter.is_open ? now - began : 0;
}

#define MOST_EVENTS 512

static int run(void) {
  struct epoll_event events[MOST_EVENTS];
  int count = 0;
  uint64_t start = now_ns(), ready = 0, began = 0, ended = 0;
  double processor = 0;
  crowd.epoll = epoll_create1(EPOLL_CLOEXEC);
  for (;;) {
    uint64_t now = now_ns();
    open_more(now - start);
    tilt_more(now - start);
    ask_more(now);
    if (!ready && crowd.greeted == crowd.clients) {
      ready = now;
      printf("{\"event\": \"ready\", \"seconds\": %.3f}\n", (double)(now - start) / 1e9);
      fflush(stdout);
    } else if (!ready && (crowd.gone || (double)(now - start) / 1e9 > options.patience)) {
      fprintf(
          stderr, "load: %d of %d clients are served, %d are gone\n", crowd.greeted, crowd.clients,
          crowd.gone);
      printf("{\"event\": \"refused\", \"served\": %d}\n", crowd.greeted);
      return 1;
    } else if (ready && !began && (double)(now - ready) / 1e9 > options.warmup) {
      puts("{\"event\": \"begin\"}");
      fflush(stdout);
      crowd.meter.is_open = true;
      processor = own_seconds();
      began = now_ns();
    } else if (began && !ended && (double)(now - began) / 1e9 >= options.seconds) {
      crowd.meter.is_open = false;
      double seconds = (double)(now - began) / 1e9;
      report(seconds, options.spins ? seconds - (double)idle / 1e9 : own_seconds() - processor);
      fflush(stdout);
      ended = now;
    } else if (ended && (double)(now - ended) / 1e9 > LINGER_SECONDS) {
      return 0;
    }
    if (options.spins && count < MOST_EVENTS)
      rest();
    count = epoll_wait(crowd.epoll, events, MOST_EVENTS, options.spins ? 0 : 1);
    for (int i = 0; i < count; i++)
      client_event(events[i].data.ptr, events[i].events);
  }
}

static void usage(void) {
  fputs(
      "usage: load --port P [--clients N] [--stream state|replica|stamp] [--hz H] [--profile 0|1]\n"
      "  [--tilt-hz H] [--tilters N] [--connects A_SECOND] [--per-address N] [--warmup S]\n"
      "  [--seconds S] [--patience S] [--tls] [--spin]\n",
      stderr);
  exit(2);
}

static void read_options(int count, char **words) {
  static const struct option names[] = {
      {"port", 1, 0, 'p'},     {"clients", 1, 0, 'n'},     {"stream", 1, 0, 's'},
      {"hz", 1, 0, 'h'},       {"profile", 1, 0, 'f'},     {"tilt-hz", 1, 0, 't'},
      {"tilters", 1, 0, 'k'},  {"connects", 1, 0, 'c'},    {"per-address", 1, 0, 'a'},
      {"warmup", 1, 0, 'w'},   {"seconds", 1, 0, 'd'},     {"patience", 1, 0, 'e'},
      {"tls", 0, 0, 'l'},      {"spin", 0, 0, 'i'},     {0}};
  for (int name; (name = getopt_long(count, words, "", names, NULL)) >= 0;) {
    if (name == '?')
      usage();
    double value = optarg ? atof(optarg) : 0;
    switch (name) {
    case 'p': crowd.port = (int)value; break;
    case 'n': crowd.clients = (int)value; break;
    case 'h': crowd.hz = (int)value; break;
    case 'f': crowd.profile = (int)value; break;
    case 't': options.tilt_hz = value; break;
    case 'k': options.tilters = (int)value; break;
    case 'c': options.connects = value; break;
    case 'a': crowd.per_address = (int)value; break;
    case 'w': options.warmup = value; break;
    case 'd': options.seconds = value; break;
    case 'e': options.patience = value; break;
    case 'l': options.tls = true; break;
    case 'i': options.spins = true; break;
    case 's':
      crowd.meter.stream = !strcmp(optarg, "state")     ? STREAM_STATE
                     : !strcmp(optarg, "replica") ? STREAM_REPLICA
                                                  : STREAM_STAMP;
    }
  }
  if (options.tilters < 0 || options.tilters > crowd.clients)
    options.tilters = crowd.clients;
  if (crowd.port <= 0 || crowd.clients <= 0 || crowd.per_address <= 0 || crowd.hz <= 0 || crowd.hz > 60)
    usage();
  crowd.meter.interval = 60 / (uint32_t)crowd.hz;
}

int main(int count, char **words) {
  read_options(count, words);
  struct rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  prctl(PR_SET_TIMERSLACK, 1000);
  // OpenSSL writes without MSG_NOSIGNAL.
  signal(SIGPIPE, SIG_IGN);
  if (options.tls) {
    crowd.tls = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_mode(crowd.tls, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  }
  prepare_tilts();
  crowd.take = take;
  crowd.left = left;
  crowd.all = calloc((size_t)crowd.clients, sizeof *crowd.all);
  return run();
}
