#define _GNU_SOURCE
#include "client.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"

#define STASH 4096
#define BUFFER (256 * 1024)

struct crowd crowd = {.clients = 100, .per_address = 250, .hz = 60};
static uint8_t buffer[BUFFER];

// MARK: What clients say

struct message masked(uint8_t opcode, const uint8_t *payload, size_t count) {
  static const uint8_t mask[4] = {0x5a, 0x17, 0xc4, 0x83};
  struct message message = {{(uint8_t)(0x80 | opcode), (uint8_t)(0x80 | count)}, 6 + count};
  memcpy(message.bytes + 2, mask, 4);
  for (size_t i = 0; i < count; i++)
    message.bytes[6 + i] = payload[i] ^ mask[i % 4];
  return message;
}

void leave(struct client *client, const char *reason) {
  if (client->state == GONE)
    return;
  if (client->ssl) {
    // A session that was not shut down could not be taken up again.
    SSL_set_shutdown(client->ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
    SSL_SESSION_free(client->session);
    client->session = SSL_get1_session(client->ssl);
    SSL_free(client->ssl);
  }
  close(client->fd);
  client->ssl = NULL;
  client->state = GONE;
  crowd.gone++;
  crowd.left(client, reason);
}

bool say(struct client *client, const void *bytes, size_t count) {
  if (client->ssl) {
    ERR_clear_error();
    return SSL_write(client->ssl, bytes, (int)count) == (int)count;
  }
  return send(client->fd, bytes, count, MSG_NOSIGNAL) == (ssize_t)count;
}

static void say_hello(struct client *client) {
  uint8_t hello[6 + sizeof client->token] = {
      1, PROTOCOL_VERSION, 0, crowd.meter.stream == STREAM_REPLICA, (uint8_t)crowd.hz,
      (uint8_t)crowd.profile};
  memcpy(hello + 6, client->token, sizeof client->token);
  struct message message = masked(2, hello, client->has_token ? sizeof hello : 6);
  if (crowd.meter.stream != STREAM_STAMP && !say(client, message.bytes, message.count))
    leave(client, "could not say hello");
}

void ask_time(struct client *client, uint64_t now) {
  uint8_t question[5] = {5};
  struct message message = masked(2, question, sizeof question);
  client->asked = now;
  if (!say(client, message.bytes, message.count))
    client->asked = 0;
}

// MARK: Connecting

void open_client(struct client *client, int number) {
  struct sockaddr_in from = {.sin_family = AF_INET}, to = {.sin_family = AF_INET};
  int one = 1;
  from.sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1 + (uint32_t)(number / crowd.per_address));
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  to.sin_port = htons((uint16_t)crowd.port);
  client->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (client->fd < 0) {
    perror("load: socket");
    exit(1);
  }
  setsockopt(client->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  // The port is chosen with the destination, so that many addresses do not use each other's up.
  setsockopt(client->fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &one, sizeof one);
  client->state = CONNECTING;
  client->stashed = 0;
  client->skip = client->asked = 0;
  if (bind(client->fd, (struct sockaddr *)&from, sizeof from) ||
      (connect(client->fd, (struct sockaddr *)&to, sizeof to) && errno != EINPROGRESS)) {
    leave(client, strerror(errno));
    return;
  }
  struct epoll_event event = {.events = EPOLLIN | EPOLLOUT, .data.ptr = client};
  epoll_ctl(crowd.epoll, EPOLL_CTL_ADD, client->fd, &event);
}

static void watch(struct client *client, uint32_t events) {
  struct epoll_event event = {.events = events, .data.ptr = client};
  epoll_ctl(crowd.epoll, EPOLL_CTL_MOD, client->fd, &event);
}

static void upgrade(struct client *client) {
  char request[256];
  int count = snprintf(
      request, sizeof request,
      "GET /ws HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: stickerpit.v1\r\n"
      "Sec-WebSocket-Key: AAECAwQFBgcICQoLDA0ODw==\r\n\r\n",
      crowd.port);
  watch(client, EPOLLIN);
  client->state = UPGRADING;
  if (!say(client, request, (size_t)count))
    leave(client, "could not ask for the WebSocket");
}

static void secure(struct client *client) {
  ERR_clear_error();
  int result = SSL_connect(client->ssl);
  if (result == 1) {
    upgrade(client);
    return;
  }
  int reason = SSL_get_error(client->ssl, result);
  if (reason == SSL_ERROR_WANT_READ)
    watch(client, EPOLLIN);
  else if (reason == SSL_ERROR_WANT_WRITE)
    watch(client, EPOLLIN | EPOLLOUT);
  else
    leave(client, "TLS failed");
}

static void connected(struct client *client) {
  int error = 0;
  socklen_t size = sizeof error;
  getsockopt(client->fd, SOL_SOCKET, SO_ERROR, &error, &size);
  if (error) {
    leave(client, strerror(error));
  } else if (crowd.tls) {
    client->ssl = SSL_new(crowd.tls);
    SSL_set_fd(client->ssl, client->fd);
    if (client->session && SSL_SESSION_is_resumable(client->session))
      SSL_set_session(client->ssl, client->session);
    client->state = SECURING;
    secure(client);
  } else {
    upgrade(client);
  }
}

// MARK: Reading

static void control(struct client *client, uint8_t opcode, const uint8_t *payload, size_t length) {
  if (opcode == 9) {
    struct message pong = masked(10, payload, length <= 16 ? length : 0);
    say(client, pong.bytes, pong.count);
  } else if (opcode == 8) {
    char text[160];
    int code = length >= 2 ? payload[0] << 8 | payload[1] : 0, words = length > 2 ? (int)length - 2 : 0;
    snprintf(text, sizeof text, "closed with %d %.*s", code, words, (const char *)payload + 2);
    leave(client, text);
  }
}

// Has the kernel acknowledge every second frame, as it does for whoever also sends. Otherwise an
// acknowledgement goes with each read, and the sender's part of that work is done by the load's core,
// which no other machine would do for it. The kernel forgets it whenever it had to wait for a frame.
static void delay_acknowledgements(const struct client *client) {
  int zero = 0;
  setsockopt(client->fd, IPPROTO_TCP, TCP_QUICKACK, &zero, sizeof zero);
}

// Takes apart what has come, and tells how much of it is done with.
static size_t frames(struct client *client, const uint8_t *bytes, size_t count, uint64_t now) {
  size_t at = 0;
  while (client->state == OPEN && at < count) {
    const uint8_t *frame = bytes + at;
    size_t left = count - at, header = 2;
    if (client->skip) {
      size_t part = client->skip < left ? client->skip : left;
      client->skip -= part;
      at += part;
      continue;
    }
    if (left < header)
      break;
    uint64_t length = frame[1] & 127;
    header = length == 126 ? 4 : length == 127 ? 10 : 2;
    if (left < header)
      break;
    if (header > 2) {
      length = 0;
      for (size_t i = 2; i < header; i++)
        length = length << 8 | frame[i];
    }
    bool is_long = length > METER_WHOLE;
    if (left < header + (is_long ? 16 : length))
      break;
    if (frame[0] == 0x82)
      crowd.take(client, frame + header, length, now);
    else if (frame[0] == 0x88 || frame[0] == 0x89 || frame[0] == 0x8a)
      control(client, frame[0] & 15, frame + header, length);
    else
      leave(client, "sent a frame that is no whole binary message");
    if (is_long)
      client->skip = header + length;
    else
      at += header + length;
  }
  return at;
}

// The answer to the handshake, if it is whole.
static size_t answer(struct client *client, const uint8_t *bytes, size_t count) {
  const uint8_t *end = memmem(bytes, count, "\r\n\r\n", 4);
  if (!end)
    return 0;
  if (count < 12 || memcmp(bytes, "HTTP/1.1 101", 12)) {
    char text[80];
    snprintf(text, sizeof text, "refused: %.*s", (int)strcspn((const char *)bytes, "\r"), bytes);
    leave(client, text);
    return count;
  }
  client->state = OPEN;
  say_hello(client);
  return (size_t)(end + 4 - bytes);
}

// Bytes that have come, behind those that were there; -1 for none any more.
static ssize_t receive(struct client *client, uint8_t *into, size_t room) {
  if (!client->ssl) {
    ssize_t count = recv(client->fd, into, room, 0);
    return count > 0 ? count : count < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
  }
  // TLS comes in records; all that are there are taken.
  size_t sum = 0;
  while (sum < room) {
    ERR_clear_error();
    int count = SSL_read(client->ssl, into + sum, (int)(room - sum));
    if (count > 0) {
      sum += (size_t)count;
      continue;
    }
    int reason = SSL_get_error(client->ssl, count);
    return reason == SSL_ERROR_WANT_READ || sum ? (ssize_t)sum : -1;
  }
  return (ssize_t)sum;
}

static void readable(struct client *client) {
  size_t before = client->stashed;
  if (before)
    memcpy(buffer, client->stash, before);
  ssize_t more = receive(client, buffer + before, BUFFER - before);
  uint64_t now = now_ns();
  if (more < 0) {
    leave(client, "the server hung up");
    return;
  }
  crowd.received_bytes += crowd.meter.is_open ? (uint64_t)more : 0;
  size_t count = before + (size_t)more, at = 0;
  if (client->state == UPGRADING)
    at = answer(client, buffer, count);
  if (client->state == OPEN) {
    at += frames(client, buffer + at, count - at, now);
    delay_acknowledgements(client);
  }
  if (client->state == GONE)
    return;
  client->stashed = (uint32_t)(count - at);
  if (client->stashed > STASH)
    leave(client, "sent an answer that is too long");
  else if (client->stashed) {
    if (!client->stash)
      client->stash = malloc(STASH);
    memcpy(client->stash, buffer + at, client->stashed);
  }
}

void client_event(struct client *client, uint32_t events) {
  if (client->state == CONNECTING && events & (EPOLLOUT | EPOLLERR | EPOLLHUP))
    connected(client);
  else if (client->state == SECURING)
    secure(client);
  else if (client->state == UPGRADING || client->state == OPEN)
    readable(client);
}
