// One WebSocket client of a benchmark: its socket, TLS, the handshake, and frames in both directions.
#ifndef FANOUT_CLIENT_H
#define FANOUT_CLIENT_H
#include <openssl/ssl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "meter.h"

// The protocol's version, as in `WireVersion.current`: a server refuses any other.
#define PROTOCOL_VERSION 9

enum state { UNUSED, CONNECTING, SECURING, UPGRADING, OPEN, GONE };

struct client {
  int fd;
  enum state state;
  SSL *ssl;
  SSL_SESSION *session;  // of its last connection: what makes the next handshake shorter
  uint8_t *stash;  // the beginning of what has not come whole
  uint32_t stashed;
  uint64_t skip;   // bytes of a long message that nobody looks at
  uint64_t asked;  // when it asked for the time
  struct follower follower;
  uint8_t token[16];  // of its last welcome, with which it is the same person again
  bool has_token;
};

// What all clients have in common.
extern struct crowd {
  int port, clients, per_address, hz, profile;
  SSL_CTX *tls;  // NULL for plain text
  int epoll;
  struct client *all;
  int greeted;  // how many have something of their stream
  int gone;     // how many connections have ended
  uint64_t received_bytes;
  struct meter meter;
  // A binary message came. `bytes` holds all of it, or its first 16 bytes if it is longer than
  // METER_WHOLE.
  void (*take)(struct client *client, const uint8_t *bytes, size_t length, uint64_t now);
  // A client's connection has ended.
  void (*left)(struct client *client, const char *reason);
} crowd;

// Connects. The clients have addresses of their own in lots of `per_address`, of which the loopback
// has 2^24, because the server limits what one of them may do.
void open_client(struct client *client, int number);

// Ends its connection.
void leave(struct client *client, const char *reason);

// Something happened on its socket.
void client_event(struct client *client, uint32_t events);

// A masked message, as clients must send them.
struct message {
  uint8_t bytes[32];
  size_t count;
};
struct message masked(uint8_t opcode, const uint8_t *payload, size_t count);

// Whether all of it was taken. What a full socket does not take is not said.
bool say(struct client *client, const void *bytes, size_t count);

// Asks our server for its clock.
void ask_time(struct client *client, uint64_t now);
#endif
