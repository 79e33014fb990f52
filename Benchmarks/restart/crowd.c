// A crowd that comes back: clients in one thread that follow the state stream, are told that the
// server ends, and return when they are to, as pages do (`web/connection/waiting.js`). Like
// browsers they take up their TLS sessions. Prints a JSON line about it when it gets SIGTERM.
//
// It looks at nothing but welcomes and farewells, so that clients take little of a machine that the
// server has in part.
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>

#include "../fanout/client.h"
#include "../fanout/clock.h"

#define MILLISECOND 1000000ull
// The wait before the second attempt, doubled four times at most, and shortened by chance to
// between a half and all of it (PROTOCOL.md, "come back").
#define FIRST_WAIT (500 * MILLISECOND)
// Over which those come back who were cut off without having been told.
#define CUT_OFF_WAIT (3000 * MILLISECOND)
// After which an attempt that nothing came of is given up.
#define PATIENCE (20000 * MILLISECOND)
#define MOST_EVENTS 512
#define TYPE_WELCOME 0x81
#define TYPE_COME_BACK 0x8b

enum phase { WAITING, TRYING, HERE, TOLD };

struct visitor {
  enum phase phase;
  uint64_t due;   // when it is to connect, or while it does, when that is given up
  uint64_t told;  // when the server said that it ends; 0 for one that has not heard so
  unsigned failures;
  uint16_t person;
  bool was_here, is_cut_off;  // welcomed before; lost its connection without having been told
};

static struct visitor *visitors;
static uint32_t *return_ms;
static int connected, returned, resumed, lost, retries, cut_off, sessions_resumed;
static unsigned connects = 500;
static volatile sig_atomic_t is_over;

static void stop(int number) {
  (void)number;
  is_over = 1;
}

static struct visitor *visitor_of(const struct client *client) {
  return &visitors[client - crowd.all];
}

// MARK: What the server says

static void welcomed(struct client *client, const uint8_t *bytes, size_t length, uint64_t now) {
  struct visitor *visitor = visitor_of(client);
  size_t token = 9 + (size_t)bytes[8];
  uint16_t person = (uint16_t)(bytes[3] | bytes[4] << 8);
  if (visitor->phase != TRYING || length < token + sizeof client->token)
    return;
  memcpy(client->token, bytes + token, sizeof client->token);
  client->has_token = true;
  connected += !visitor->was_here;
  if (visitor->told && returned < crowd.clients)
    return_ms[returned++] = (uint32_t)((now - visitor->told) / MILLISECOND);
  if (visitor->told || visitor->is_cut_off) {
    (person == visitor->person ? resumed++ : lost++);
    sessions_resumed += client->ssl && SSL_session_reused(client->ssl);
  }
  *visitor = (struct visitor){.phase = HERE, .person = person, .was_here = true};
}

static void take(struct client *client, const uint8_t *bytes, size_t length, uint64_t now) {
  struct visitor *visitor = visitor_of(client);
  if (length > 9 && bytes[0] == TYPE_WELCOME) {
    welcomed(client, bytes, length, now);
  } else if (length == 3 && bytes[0] == TYPE_COME_BACK && visitor->phase == HERE) {
    visitor->phase = TOLD;
    visitor->told = now;
    visitor->due = now + (uint64_t)(bytes[1] | bytes[2] << 8) * MILLISECOND;
  }
}

static uint64_t by_chance(uint64_t most) {
  return (uint64_t)((double)most * rand() / RAND_MAX);
}

static uint64_t wait_after(unsigned failures) {
  uint64_t most = FIRST_WAIT << (failures < 4 ? failures : 4);
  return most / 2 + by_chance(most / 2);
}

static void left(struct client *client, const char *reason) {
  static int said;
  struct visitor *visitor = visitor_of(client);
  if (!visitor->was_here && said++ < 5)
    fprintf(stderr, "crowd: client %d: %s\n", (int)(client - crowd.all), reason);
  if (visitor->phase == TRYING) {
    retries++;
    visitor->due = now_ns() + wait_after(visitor->failures++);
  } else if (visitor->phase == HERE) {
    visitor->is_cut_off = true;
    cut_off++;
    visitor->due = now_ns() + by_chance(CUT_OFF_WAIT);
  }
  visitor->phase = WAITING;
}

// MARK: The course of a run

// Connects those whose time has come, and gives attempts up that have taken too long.
static void dial(uint64_t now) {
  static uint64_t next;
  for (int i = 0; i < crowd.clients; i++) {
    struct visitor *visitor = &visitors[i];
    if (visitor->due > now)
      continue;
    if (visitor->phase == TRYING) {
      leave(&crowd.all[i], "nothing came of an attempt");
    } else if (visitor->phase == WAITING) {
      // Newcomers come at a pace; who comes back has been told when.
      if (!visitor->was_here) {
        if (now < next)
          continue;
        next = (next ? next : now) + 1000 * MILLISECOND / connects;
      }
      visitor->phase = TRYING;
      visitor->due = now + PATIENCE;
      open_client(&crowd.all[i], i);
    }
  }
}

static int ascending(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static void report(void) {
  int count = returned, away = 0;
  for (int i = 0; i < crowd.clients; i++)
    away += visitors[i].told || visitors[i].is_cut_off;
  qsort(return_ms, (size_t)count, sizeof *return_ms, ascending);
  printf(
      "{\"connected\": %d, \"resumed\": %d, \"lost\": %d, \"away\": %d, \"retries\": %d, "
      "\"not_told\": %d, \"tls_sessions_resumed\": %d, \"return_p50_ms\": %u, "
      "\"return_p99_ms\": %u, \"return_max_ms\": %u}\n",
      connected, resumed, lost, away, retries, cut_off, sessions_resumed,
      count ? return_ms[count / 2] : 0, count ? return_ms[count - 1 - count / 100] : 0,
      count ? return_ms[count - 1] : 0);
}

static void run(void) {
  struct epoll_event events[MOST_EVENTS];
  crowd.epoll = epoll_create1(EPOLL_CLOEXEC);
  while (!is_over) {
    dial(now_ns());
    int count = epoll_wait(crowd.epoll, events, MOST_EVENTS, 2);
    for (int i = 0; i < count; i++)
      client_event(events[i].data.ptr, events[i].events);
  }
  report();
}

static void usage(void) {
  fputs("usage: crowd --port P [--clients N] [--hz H] [--connects A_SECOND] [--tls]\n", stderr);
  exit(2);
}

static void read_options(int count, char **words) {
  static const struct option names[] = {
      {"port", 1, 0, 'p'},     {"clients", 1, 0, 'n'}, {"hz", 1, 0, 'h'},
      {"connects", 1, 0, 'c'}, {"tls", 0, 0, 'l'},     {0}};
  for (int name; (name = getopt_long(count, words, "", names, NULL)) >= 0;) {
    switch (name) {
    case 'p': crowd.port = atoi(optarg); break;
    case 'n': crowd.clients = atoi(optarg); break;
    case 'h': crowd.hz = atoi(optarg); break;
    case 'c': connects = (unsigned)atoi(optarg); break;
    case 'l': crowd.tls = SSL_CTX_new(TLS_client_method()); break;
    default: usage();
    }
  }
  if (crowd.port <= 0 || crowd.clients <= 0 || crowd.hz <= 0 || connects == 0)
    usage();
}

int main(int count, char **words) {
  // All behind one address, which is the worst case for the budgets of addresses.
  crowd.per_address = 1 << 24;
  crowd.meter.stream = STREAM_STATE;
  crowd.take = take;
  crowd.left = left;
  read_options(count, words);
  struct rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  if (crowd.tls) {
    SSL_CTX_set_mode(
        crowd.tls, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_session_cache_mode(
        crowd.tls, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
  }
  signal(SIGTERM, stop);
  // OpenSSL writes without MSG_NOSIGNAL.
  signal(SIGPIPE, SIG_IGN);
  crowd.all = calloc((size_t)crowd.clients, sizeof *crowd.all);
  visitors = calloc((size_t)crowd.clients, sizeof *visitors);
  return_ms = calloc((size_t)crowd.clients, sizeof *return_ms);
  uint64_t now = now_ns();
  for (int i = 0; i < crowd.clients; i++)
    visitors[i].due = now;
  run();
  return 0;
}
