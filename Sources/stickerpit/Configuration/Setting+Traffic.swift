import Transport

extension Setting {
  /// How much traffic of sockets and HTTP is taken (`TrafficLimits`). Left out are what a request
  /// and a connection cost, which was measured, and how requests are dealt out to the turns of the
  /// network thread: whoever changes those changes the program.
  static let traffic = [
    traffic(
      "connections-per-second", \.connectionsPerSecond, "a second",
      "Connections that a network thread accepts, a twenty-fifth of its time; what is more waits."),
    traffic(
      "connections-burst", \.connectionsBurst, "connections", "The same at once: all phones."),
    traffic(
      "refusals-per-second", \.refusalsPerSecond, "a second",
      "Connections that a thread closes at once: their address has too many. A tenth of its time."),
    traffic("refusals-burst", \.refusalsBurst, "connections", "The same in one moment."),
    traffic(
      "connections-per-second-per-address", \.connectionsPerSecondPerAddress, "a second",
      "Connections from an address; what is more is closed at once."),
    traffic(
      "connections-burst-per-address", \.connectionsBurstPerAddress, "connections",
      "The same at once: 500 phones with six sockets, and those that try again."),
    traffic(
      "handshakes-per-second", \.handshakesPerSecond, "a second",
      "TLS handshakes of a network thread, which also fans out: at 1 ms each a quarter of it."),
    traffic(
      "handshakes-burst", \.handshakesBurst, "handshakes", "The same at once: two ticks' time."),
    traffic(
      "repeated-helloes-per-second", \.repeatedHelloesPerSecond, "a second",
      "Handshakes of a thread with clients that must be asked for another key share: no browsers."),
    traffic(
      "repeated-helloes-burst", \.repeatedHelloesBurst, "handshakes", "The same at once."),
    traffic(
      "handshakes-at-once", \.handshakesAtOnce, "connections",
      "TLS connections of a network thread from the start of the handshake to the first request."),
    traffic(
      "visitors", \.visitors, "sockets",
      "Sockets that are no WebSocket, or not yet; the idlest makes room when there are more."),
    traffic(
      "visitors-per-address", \.visitorsPerAddress, "sockets",
      "The same of an address: 500 phones with six sockets, and some more."),
    traffic(
      "first-request-seconds", \.firstRequestSeconds, "seconds",
      "Until the first request is complete, a TLS handshake included."),
    traffic(
      "request-seconds", \.requestSeconds, "seconds",
      "For the head of every further request, from its first byte."),
    traffic("idle-seconds", \.idleSeconds, "seconds", "Between two requests."),
    traffic(
      "visit-seconds", \.visitSeconds, "seconds",
      "For which a visitor may stay in all; what is being sent then is sent to its end."),
    traffic(
      "slowness-seconds", \.slownessSeconds, "seconds",
      "In which a visitor must have taken least-bytes-per-second on average."),
    traffic(
      "least-bytes-per-second", \.leastBytesPerSecond, "bytes a second",
      "That a visitor must take of an answer; the slowest phones take several times that."),
    traffic(
      "answer-seconds", \.answerSeconds, "seconds", "For an answer that is made elsewhere."),
    traffic(
      "requests-per-second-per-address", \.requestsPerSecondPerAddress, "a second",
      "Requests from an address."),
    traffic(
      "requests-burst-per-address", \.requestsBurstPerAddress, "requests",
      "The same at once: the page, about 70 small files, for 500 phones."),
    traffic(
      "answer-bytes-per-second-per-address", \.answerBytesPerSecondPerAddress, "bytes a second",
      "Answers to an address: a gigabit line."),
    traffic(
      "answer-bytes-burst-per-address", \.answerBytesBurstPerAddress, "bytes",
      "The same at once: the page, about 1 MB, for 500 phones and then some."),
    traffic(
      "answer-microseconds-per-second-per-address", \.answerMicrosecondsPerSecondPerAddress,
      "µs a second",
      "Time of network threads for the requests of an address: a tenth of one."),
    traffic(
      "answer-microseconds-burst-per-address", \.answerMicrosecondsBurstPerAddress, "µs",
      "The same at once: the page for 500 phones takes 1.8 s."),
    traffic(
      "answer-microseconds-per-second", \.answerMicrosecondsPerSecond, "µs a second",
      "Time of a network thread for all requests; what is more waits."),
    traffic(
      "answer-microseconds-burst", \.answerMicrosecondsBurst, "µs", "The same at once."),
    traffic(
      "remembered-addresses", \.rememberedAddresses, "addresses",
      "Remembered with what they used; who is active stays remembered."),
    traffic(
      "bytes-per-second", \.bytesPerSecond, "bytes a second",
      "From one WebSocket: twice what a phone with three moving fingers sends."),
    traffic(
      "bytes-burst", \.bytesBurst, "bytes",
      "The same at once: phones' radios deliver several seconds in a lump."),
    traffic(
      "frames-per-second", \.framesPerSecond, "a second",
      "Frames from one WebSocket, pings, pongs and empty fragments too: twice what a phone sends."),
    traffic("frames-burst", \.framesBurst, "frames", "The same at once."),
    traffic(
      "controls-per-second", \.controlsPerSecond, "a second",
      "Pings and pongs from one WebSocket: twice what the server asks for."),
    traffic("controls-burst", \.controlsBurst, "frames", "The same at once."),
  ]

  private static func traffic(
    _ name: String, _ path: WritableKeyPath<TrafficLimits, Int> & Sendable, _ unit: String,
    _ meaning: String
  ) -> Setting {
    Setting(limitPrefix + "traffic." + name, .traffic(path), unit, meaning)
  }
}
