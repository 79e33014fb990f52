// Fan-out as uWebSockets offers it: everybody subscribes to a topic, and a thread that keeps the time
// has the loop publish a frame. Built only where UWEBSOCKETS names a folder with its sources.
#include <App.h>

#include <string>
#include <thread>

extern "C" {
#include "peer.h"
}

struct Nothing {};

template <typename App>
static void serve(App app, const peer &peer) {
  std::string payload(peer.size, '\0');
  peer_fill(reinterpret_cast<uint8_t *>(payload.data()), peer.size);
  typename App::template WebSocketBehavior<Nothing> behavior;
  behavior.compression = uWS::DISABLED;
  behavior.idleTimeout = 0;
  behavior.sendPingsAutomatically = false;
  behavior.open = [](auto *socket) { socket->subscribe("all"); };
  app.template ws<Nothing>("/*", std::move(behavior))
      .listen("127.0.0.1", peer.port, [](auto *socket) {
        if (!socket)
          exit(1);
      });
  uWS::Loop *loop = uWS::Loop::get();
  std::thread([&app, &payload, loop, hz = peer.hz] {
    uint64_t next = now_ns();
    for (;;) {
      next += 1000000000 / hz;
      timespec time = {time_t(next / 1000000000), long(next % 1000000000)};
      clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr);
      loop->defer([&app, &payload] {
        peer_stamp(reinterpret_cast<uint8_t *>(payload.data()));
        app.publish("all", payload, uWS::OpCode::BINARY);
      });
    }
  }).detach();
  app.run();
}

int main(int count, char **words) {
  peer peer = peer_options(count, words);
  if (peer.certificate) {
    uWS::SocketContextOptions options;
    options.cert_file_name = peer.certificate;
    options.key_file_name = peer.key;
    serve(uWS::SSLApp(options), peer);
  } else {
    serve(uWS::App(), peer);
  }
}
