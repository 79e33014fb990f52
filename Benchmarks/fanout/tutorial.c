// Fan-out as the minimal examples of libwebsockets show it: a protocol's callback, its own poll loop,
// a timer that asks for a writable callback of every client, and lws_write() in that callback.
#include <libwebsockets.h>

#include "peer.h"

// What each client has had: the number of the newest frame.
struct session {
  uint64_t seen;
};

static struct lws_context *context;
static struct lws_vhost *host;
static lws_sorted_usec_list_t timer;
static uint8_t *buffer;
static size_t size;
static uint64_t number, next, interval;

static int fan(
    struct lws *client, enum lws_callback_reasons reason, void *user, void *input, size_t length) {
  struct session *session = user;
  (void)input;
  (void)length;
  switch (reason) {
  case LWS_CALLBACK_ESTABLISHED:
    session->seen = number;
    break;
  case LWS_CALLBACK_SERVER_WRITEABLE:
    if (session->seen == number)
      break;
    session->seen = number;
    if (lws_write(client, buffer + LWS_PRE, size, LWS_WRITE_BINARY) < (int)size)
      return -1;
    break;
  default:
    break;
  }
  return 0;
}

static const struct lws_protocols protocols[] = {
    {"http", lws_callback_http_dummy, 0, 0, 0, NULL, 0},
    {"stickerpit.v1", fan, sizeof(struct session), 128, 0, NULL, 0},
    {0},
};

static void tick(lws_sorted_usec_list_t *list) {
  (void)list;
  peer_stamp(buffer + LWS_PRE);
  number++;
  lws_callback_on_writable_all_protocol_vhost(
      host, lws_vhost_name_to_protocol(host, protocols[1].name));
  // The next multiple of the interval that is still to come, so that being late adds up to nothing.
  uint64_t now = now_ns() / 1000;
  while (next <= now)
    next += interval;
  lws_sul_schedule(context, 0, &timer, tick, (lws_usec_t)(next - now));
}

int main(int count, char **words) {
  struct peer peer = peer_options(count, words);
  struct lws_context_creation_info info = {0};
  size = peer.size;
  buffer = malloc(LWS_PRE + size);
  peer_fill(buffer + LWS_PRE, size);
  interval = 1000000 / (uint64_t)peer.hz;
  lws_set_log_level(LLL_ERR, NULL);
  info.port = peer.port;
  info.iface = "127.0.0.1";
  info.protocols = protocols;
  if (peer.certificate) {
    info.options = LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
    info.ssl_cert_filepath = peer.certificate;
    info.ssl_private_key_filepath = peer.key;
  }
  context = lws_create_context(&info);
  if (!context)
    return 1;
  host = lws_get_vhost_by_name(context, "default");
  next = now_ns() / 1000;
  tick(&timer);
  while (lws_service(context, 0) >= 0)
    continue;
  lws_context_destroy(context);
  return 0;
}
