// The least that a fan-out can be: an epoll loop that sends the same frame to everybody with one
// system call each, and leaves out who is not writable. No limits, no protocol beyond the handshake:
// it is what the kernel and, with TLS, OpenSSL cost.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "peer.h"

#define REQUEST 1024

struct client {
  int fd;
  size_t place;  // among those who are served
  SSL *ssl;
  bool is_secure, is_open;
  char *request;  // what has come of it
  size_t requested;
  uint8_t *tail;  // what the socket did not take of its last frame
  size_t tail_count;
};

static int epoll, listening, timer;
static SSL_CTX *tls;
static struct client **served;
static size_t served_count, served_room;
static uint8_t *frame, *payload;
static size_t frame_count;

static void part(struct client *client) {
  if (client->is_open) {
    served[client->place] = served[--served_count];
    served[client->place]->place = client->place;
  }
  SSL_free(client->ssl);
  close(client->fd);
  free(client->request);
  free(client->tail);
  free(client);
}

static void watch(struct client *client, uint32_t events) {
  struct epoll_event event = {.events = events, .data.ptr = client};
  epoll_ctl(epoll, EPOLL_CTL_MOD, client->fd, &event);
}

// How many bytes were taken; -1 for a socket that failed.
static ssize_t give(struct client *client, const uint8_t *bytes, size_t count) {
  if (!client->ssl) {
    ssize_t taken = send(client->fd, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL);
    return taken >= 0 ? taken : errno == EAGAIN || errno == EINTR ? 0 : -1;
  }
  ERR_clear_error();
  int taken = SSL_write(client->ssl, bytes, (int)count);
  if (taken > 0)
    return taken;
  int reason = SSL_get_error(client->ssl, taken);
  return reason == SSL_ERROR_WANT_WRITE || reason == SSL_ERROR_WANT_READ ? 0 : -1;
}

// Bytes that came; 0 for none now, -1 for none any more.
static ssize_t get(struct client *client, void *into, size_t room) {
  if (!client->ssl) {
    ssize_t count = recv(client->fd, into, room, MSG_DONTWAIT);
    return count > 0 ? count : count < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
  }
  ERR_clear_error();
  int count = SSL_read(client->ssl, into, (int)room);
  if (count > 0)
    return count;
  int reason = SSL_get_error(client->ssl, count);
  return reason == SSL_ERROR_WANT_WRITE || reason == SSL_ERROR_WANT_READ ? 0 : -1;
}

// Keeps what a socket has yet to take: half a frame can't be left out.
static void keep(struct client *client, const uint8_t *bytes, size_t count) {
  if (!client->tail)
    client->tail = malloc(frame_count);
  memmove(client->tail, bytes, count);
  client->tail_count = count;
  watch(client, EPOLLIN | EPOLLOUT);
}

static void tick(void) {
  uint64_t missed;
  if (read(timer, &missed, sizeof missed) != sizeof missed)
    return;
  peer_stamp(payload);
  for (size_t i = served_count; i-- > 0;) {
    struct client *client = served[i];
    if (client->tail_count)
      continue;
    ssize_t taken = give(client, frame, frame_count);
    if (taken < 0)
      part(client);
    else if (client->ssl ? (size_t)taken < frame_count : taken && (size_t)taken < frame_count)
      // OpenSSL has made a record of what it did not take, and must be given the same bytes again.
      keep(client, frame + taken, frame_count - (size_t)taken);
  }
}

static void drain(struct client *client) {
  ssize_t taken = give(client, client->tail, client->tail_count);
  if (taken < 0) {
    part(client);
    return;
  }
  client->tail_count -= (size_t)taken;
  memmove(client->tail, client->tail + taken, client->tail_count);
  if (!client->tail_count)
    watch(client, EPOLLIN);
}

// MARK: The handshake

static void serve(struct client *client) {
  if (served_count == served_room) {
    served_room = served_room ? 2 * served_room : 1024;
    served = realloc(served, served_room * sizeof *served);
  }
  client->place = served_count;
  served[served_count++] = client;
  client->is_open = true;
  free(client->request);
  client->request = NULL;
}

static void answer(struct client *client) {
  static const char name[] = "Sec-WebSocket-Key: ", rest[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  const char *key = strstr(client->request, name);
  if (!key || strcspn(key + sizeof name - 1, "\r") != 24) {
    part(client);
    return;
  }
  char accepted[64], text[300];
  uint8_t hash[SHA_DIGEST_LENGTH], encoded[32];
  snprintf(accepted, sizeof accepted, "%.24s%s", key + sizeof name - 1, rest);
  SHA1((uint8_t *)accepted, strlen(accepted), hash);
  EVP_EncodeBlock(encoded, hash, sizeof hash);
  int count = snprintf(
      text, sizeof text,
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      "Sec-WebSocket-Accept: %s\r\nSec-WebSocket-Protocol: stickerpit.v1\r\n\r\n",
      encoded);
  if (give(client, (uint8_t *)text, (size_t)count) != count)
    part(client);
  else
    serve(client);
}

static void request(struct client *client) {
  if (!client->request)
    client->request = calloc(1, REQUEST);
  ssize_t count = get(client, client->request + client->requested, REQUEST - 1 - client->requested);
  if (count < 0 || client->requested + (size_t)count == REQUEST - 1) {
    part(client);
    return;
  }
  client->requested += (size_t)count;
  if (strstr(client->request, "\r\n\r\n"))
    answer(client);
}

static void secure(struct client *client) {
  ERR_clear_error();
  int result = SSL_accept(client->ssl);
  int reason = SSL_get_error(client->ssl, result);
  client->is_secure = result == 1;
  if (client->is_secure)
    request(client);
  else if (reason != SSL_ERROR_WANT_READ && reason != SSL_ERROR_WANT_WRITE)
    part(client);
}

// MARK: The loop

static void accept_all(void) {
  int fd, one = 1;
  while ((fd = accept4(listening, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
    struct client *client = calloc(1, sizeof *client);
    client->fd = fd;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (tls) {
      client->ssl = SSL_new(tls);
      SSL_set_fd(client->ssl, fd);
    }
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = client};
    epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
  }
}

static void readable(struct client *client) {
  static uint8_t dropped[65536];
  if (client->ssl && !client->is_secure) {
    secure(client);
  } else if (!client->is_open) {
    request(client);
  } else {
    ssize_t count;
    // What TLS has decoded already is no event of the socket's any more.
    do
      count = get(client, dropped, sizeof dropped);
    while (count > 0 && client->ssl && SSL_pending(client->ssl));
    if (count < 0)
      part(client);
  }
}

static void open_port(const struct peer *peer) {
  int one = 1;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)peer->port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  listening = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if (bind(listening, (struct sockaddr *)&address, sizeof address) || listen(listening, 4096)) {
    perror("floor: the port");
    exit(1);
  }
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = &listening};
  epoll_ctl(epoll, EPOLL_CTL_ADD, listening, &event);
}

static void open_timer(int hz) {
  struct itimerspec times = {.it_interval.tv_nsec = hz > 1 ? 1000000000 / hz : 0};
  times.it_interval.tv_sec = hz == 1;
  times.it_value = times.it_interval;
  timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  timerfd_settime(timer, 0, &times, NULL);
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = &timer};
  epoll_ctl(epoll, EPOLL_CTL_ADD, timer, &event);
}

static void open_tls(const struct peer *peer) {
  tls = SSL_CTX_new(TLS_server_method());
  SSL_CTX_set_mode(tls, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  if (SSL_CTX_use_certificate_chain_file(tls, peer->certificate) != 1 ||
      SSL_CTX_use_PrivateKey_file(tls, peer->key, SSL_FILETYPE_PEM) != 1) {
    ERR_print_errors_fp(stderr);
    exit(1);
  }
}

static void make_frame(size_t size) {
  size_t header = size < 126 ? 2 : 4;
  frame_count = header + size;
  frame = malloc(frame_count);
  frame[0] = 0x82;
  frame[1] = size < 126 ? (uint8_t)size : 126;
  if (header == 4) {
    frame[2] = (uint8_t)(size >> 8);
    frame[3] = (uint8_t)size;
  }
  payload = frame + header;
  peer_fill(payload, size);
}

int main(int count, char **words) {
  struct peer peer = peer_options(count, words);
  epoll = epoll_create1(EPOLL_CLOEXEC);
  make_frame(peer.size);
  if (peer.certificate)
    open_tls(&peer);
  open_port(&peer);
  open_timer(peer.hz);
  for (struct epoll_event events[512];;) {
    bool is_time = false;
    int ready = epoll_wait(epoll, events, 512, -1);
    for (int i = 0; i < ready; i++) {
      struct client *client = events[i].data.ptr;
      if (events[i].data.ptr == &listening)
        accept_all();
      else if (events[i].data.ptr == &timer)
        is_time = true;
      else if (client->tail_count && events[i].events & EPOLLOUT)
        drain(client);
      else
        readable(client);
    }
    // Last, because it may part with clients that still stood among the events.
    if (is_time)
      tick();
  }
}
