// What Swift cannot import by itself: macros that are expressions, and a few calls of the kernel
// that its C library module leaves out.
#ifndef STICKERPIT_CLIBWEBSOCKETS_SHIM_H
#define STICKERPIT_CLIBWEBSOCKETS_SHIM_H
#include <errno.h>
#include <fcntl.h>
#include <libwebsockets.h>
#include <netinet/in.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/hmac.h>
#include <openssl/ssl.h>
#include "certificate.h"
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

// Bytes that lws_write() may use in front of the payload.
static inline int stickerpit_lws_pre(void) { return LWS_PRE; }

// Gives bytes to a raw socket, through TLS if it has it: how many it took, 0 when it is full, or -1
// when it failed. Not by lws_write(), because libwebsockets reads nothing of a raw socket, and calls
// for it without end, while it keeps bytes that the socket did not take.
static inline ssize_t stickerpit_send(
    int socket, SSL *ssl, const uint8_t *bytes, size_t count) {
  if (!ssl) {
    // The C library's send() may be cancelled by another thread, which costs two atomic exchanges
    // each time: a two-hundredth of what sending a frame does.
    ssize_t taken = syscall(SYS_sendto, socket, bytes, count, MSG_NOSIGNAL, NULL, 0);
    return taken >= 0 ? taken : errno == EAGAIN || errno == EINTR ? 0 : -1;
  }
  size_t taken = 0;
  SSL_set_mode(ssl, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  while (taken < count) {
    ERR_clear_error();
    int more = SSL_write(ssl, bytes + taken, (int)(count - taken));
    if (more <= 0) {
      int reason = SSL_get_error(ssl, more);
      return reason == SSL_ERROR_WANT_WRITE || reason == SSL_ERROR_WANT_READ ? (ssize_t)taken : -1;
    }
    taken += (size_t)more;
  }
  return (ssize_t)taken;
}

// Has the processor fetch what will be read and written soon.
static inline void stickerpit_prefetch(const void *place) { __builtin_prefetch(place, 1); }

// How far a socket's bytes have come, as the kernel knows it.
struct stickerpit_progress {
  // Bytes handed to the kernel, and those of them that the peer's kernel has acknowledged.
  uint64_t written, acknowledged;
  // The shortest round trip that was measured, in microseconds.
  uint32_t round_trip;
};

// Asks the kernel (TCP_INFO). The C library's struct tcp_info ends before what is needed here, and
// the kernel's own header can't be included beside it; this is the layout of <linux/tcp.h>, which
// never changes but at its end. Returns 0 where the kernel is older than 4.19 and says less.
static inline int stickerpit_read_progress(int socket, struct stickerpit_progress *progress) {
  struct {
    uint8_t flags[8];
    uint32_t figures[24];
    uint64_t pacing_rate, max_pacing_rate, bytes_acked, bytes_received;
    uint32_t segs_out, segs_in, notsent_bytes, min_rtt, data_segs_in, data_segs_out;
    uint64_t delivery_rate, busy_time, rwnd_limited, sndbuf_limited;
    uint32_t delivered, delivered_ce;
    uint64_t bytes_sent, bytes_retrans;
  } info;
  enum { tcp_info_option = 11 };
  socklen_t length = sizeof info;
  if (getsockopt(socket, IPPROTO_TCP, tcp_info_option, &info, &length) != 0 || length < sizeof info)
    return 0;
  progress->written = info.bytes_sent - info.bytes_retrans + info.notsent_bytes;
  progress->acknowledged =
      info.bytes_acked < progress->written ? info.bytes_acked : progress->written;
  progress->round_trip = info.min_rtt;
  return 1;
}

// A TLS context that lets plain text in, which is then redirected.
static inline uint64_t stickerpit_lws_tls_options(void) {
  return LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT | LWS_SERVER_OPTION_ALLOW_NON_SSL_ON_SSL_PORT |
         LWS_SERVER_OPTION_ALLOW_HTTP_ON_HTTPS_LISTENER;
}

static inline void stickerpit_set_groups(SSL_CTX *context, const char *groups) {
  SSL_CTX_set1_groups_list(context, groups);
}

// Binds tickets to a context's certificate: a session that is taken up shows none, so whoever saw
// the old one is to see the new one first.
static inline void stickerpit_bind_tickets(SSL_CTX *context) {
  unsigned char sum[EVP_MAX_MD_SIZE];
  unsigned int length = 0;
  X509 *certificate = SSL_CTX_get0_certificate(context);
  // OpenSSL takes 32 bytes at most, as many as SHA-256 has.
  if (certificate && X509_digest(certificate, EVP_sha256(), sum, &length))
    SSL_CTX_set_session_id_context(context, sum, length);
}

// Sets up a server's TLS context. Key exchange is by the two curves that browsers bring a share of
// and that cost little; libwebsockets would allow P-256 only, for which browsers must be asked
// again, one round trip more. `on_hello` is asked whether a ClientHello is answered. Sessions are
// kept by the clients, in tickets, and never here.
static inline void stickerpit_set_up_tls(
    SSL_CTX *context, SSL_client_hello_cb_fn on_hello, void *owner, void *ticket_keys,
    int ticket_keys_length) {
  stickerpit_set_groups(context, "X25519:P-256");
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_client_hello_cb(context, on_hello, owner);
  SSL_CTX_set_tlsext_ticket_keys(context, ticket_keys, ticket_keys_length);
  stickerpit_bind_tickets(context);
}

// What is kept of a session until its handshake is done: since when it runs, in nanoseconds, on a
// counter of the one who counts it. OpenSSL calls `on_end` when a session is freed.
static inline int stickerpit_handshake_index(CRYPTO_EX_free *on_end) {
  return SSL_get_ex_new_index(0, 0, 0, 0, on_end);
}

static inline void stickerpit_set_info_callback(
    SSL_CTX *context, void (*on_info)(const SSL *, int, int)) {
  SSL_CTX_set_info_callback(context, on_info);
}

// Has a running context present another context's certificate, with its key and chain, from the
// next handshake on; 1 if it does. Sessions that have begun keep theirs.
static inline int stickerpit_take_certificate(SSL_CTX *running, SSL_CTX *fresh) {
  STACK_OF(X509) *chain = 0;
  SSL_CTX_get0_chain_certs(fresh, &chain);
  int is_taken = SSL_CTX_use_cert_and_key(
      running, SSL_CTX_get0_certificate(fresh), SSL_CTX_get0_privatekey(fresh), chain, 1);
  if (is_taken == 1) stickerpit_bind_tickets(running);
  return is_taken;
}

// What kind of key a context has. A context keeps one certificate for each kind.
static inline int stickerpit_key_kind(SSL_CTX *context) {
  EVP_PKEY *key = SSL_CTX_get0_privatekey(context);
  return key ? EVP_PKEY_base_id(key) : 0;
}

static inline int stickerpit_same_certificate(SSL_CTX *one, SSL_CTX *other) {
  return X509_cmp(SSL_CTX_get0_certificate(one), SSL_CTX_get0_certificate(other)) == 0;
}

// Whether a ClientHello offers TLS 1.3, by the list of its versions, which begins with a byte that
// tells its length (RFC 8446, 4.2.1).
static inline int stickerpit_offers_tls13(SSL *session) {
  const unsigned char *list;
  size_t length;
  if (!SSL_client_hello_get0_ext(session, TLSEXT_TYPE_supported_versions, &list, &length)) return 0;
  for (size_t at = 1; at + 1 < length; at += 2)
    if (list[at] == TLS1_3_VERSION >> 8 && list[at + 1] == (TLS1_3_VERSION & 255)) return 1;
  return 0;
}

// Gives a session that will not be one of TLS 1.3 no ticket: in TLS 1.2 it holds what the whole
// session was encrypted with, so that whoever got the key of the tickets later could read what was
// recorded. In TLS 1.3 each session has a key exchange of its own (RFC 8446, 2.2 and appendix E.1).
static inline void stickerpit_refuse_old_tickets(SSL *session) {
  long newest = SSL_get_max_proto_version(session);
  if (!stickerpit_offers_tls13(session) || (newest != 0 && newest < TLS1_3_VERSION))
    SSL_set_options(session, SSL_OP_NO_TICKET);
}

// Whether a session's ClientHello is its second one. Its application data, which libwebsockets
// leaves alone, remembers the first.
static inline int stickerpit_is_repeated_hello(SSL *session) {
  int is_repeated = SSL_get_app_data(session) != 0;
  SSL_set_app_data(session, session);
  return is_repeated;
}

// A TCP socket that neither blocks nor is inherited by other programs.
static inline int stickerpit_tcp_socket(int family) {
  return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

// The next waiting connection, non-blocking and closed on exec, or -1 with errno.
extern int accept4(int, struct sockaddr *, socklen_t *, int);
static inline int stickerpit_accept(int listening, struct sockaddr_storage *address) {
  socklen_t length = sizeof *address;
  return accept4(listening, (struct sockaddr *)address, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

// A counter that any thread can raise to wake the loop that watches it.
static inline int stickerpit_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

// Readable every `nanoseconds`, from one interval after now, on absolute deadlines.
static inline int stickerpit_interval_timer(uint64_t nanoseconds) {
  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  struct timespec interval = {(time_t)(nanoseconds / 1000000000), (long)(nanoseconds % 1000000000)};
  struct itimerspec setting = {interval, interval};
  if (timer >= 0)
    timerfd_settime(timer, 0, &setting, 0);
  return timer;
}

// Has an epoll descriptor report a socket's number each time that bytes arrive on it, or its end,
// until it is closed or no longer watched.
static inline int stickerpit_watch_arrivals(int epoll, int socket) {
  struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP | EPOLLET, .data = {.fd = socket}};
  return epoll_ctl(epoll, EPOLL_CTL_ADD, socket, &event);
}

static inline void stickerpit_stop_watching(int epoll, int socket) {
  epoll_ctl(epoll, EPOLL_CTL_DEL, socket, 0);
}

// The sockets on which something has arrived, 64 at most: how many, or -1 with errno.
static inline int stickerpit_arrivals(int epoll, int sockets[64]) {
  struct epoll_event events[64];
  int count = epoll_wait(epoll, events, 64, 0);
  for (int i = 0; i < count; i++)
    sockets[i] = events[i].data.fd;
  return count;
}

// Whether the other side of a socket has closed it, or nothing more can come of it.
static inline int stickerpit_has_left(int socket) {
  // POLLRDHUP has the same value, but is only declared for GNU programs.
  struct pollfd entry = {socket, EPOLLRDHUP, 0};
  return poll(&entry, 1, 0) > 0;
}

// Names a thread for top and the debugger.
extern int pthread_setname_np(pthread_t, const char *);
static inline void stickerpit_name_thread(pthread_t thread, const char *name) {
  pthread_setname_np(thread, name);
}

#endif
