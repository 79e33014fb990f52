/// Limits beside ``TrafficLimits`` that no configuration sets: they follow from what the listener's
/// own work costs, or from what its protocols need, whatever visitors there are.
enum FixedLimits {
  // MARK: One turn of a network thread's loop

  /// Connections accepted between two looks at everything else. Each costs about 20 µs, so these
  /// are a millisecond's work: frames wait no longer for them.
  static let acceptsPerTurn = 64
  /// TLS handshakes begun between two looks at everything else. Each costs a millisecond, so these
  /// are an eighth of a tick.
  static let handshakesPerTurn = 2

  // MARK: The first bytes

  /// How often the first bytes of a TLS connection are looked at until its ClientHello is whole.
  /// One comes in a few segments, and the longest that makes sense (16 kB) in a dozen. Who sends it
  /// byte by byte is not looked at for ever.
  static let looksAtClientHello = 64
  /// How often the first bytes of a trusted proxy's connection are looked at until they say for
  /// whom it comes. A header comes in one piece as a rule, and the longest of version 1 has 107
  /// bytes. Who sends more of them byte by byte is not looked at for ever.
  static let looksAtProxyHeader = 128

  // MARK: Parting

  /// Seconds that a visitor has for reading the last answer and hanging up: the kernel still holds
  /// some of it, which a bad mobile network takes several round trips of a second for.
  static let visitorPartingSeconds = 5
  /// Seconds that the close of a WebSocket may wait until the frame before it is written. A
  /// keyframe of a thousand stickers has 7 kB, for which 4 kB a second, the least that is asked of
  /// a visitor, take two. A reader that has stopped keeps its socket no longer than this.
  static let closeSeconds: Int32 = 5
  /// Seconds that a client has for hanging up, after both sides have said that they close: a round
  /// trip of a bad mobile network, and as much again.
  static let afterCloseSeconds: Int32 = 2
  /// Bytes that a visitor or a client may still send after all is said. Unless they are read, the
  /// kernel resets the connection, and the last answer or the close frame might get lost. It is
  /// about what a kernel sends without being told that there is more room.
  static let restBytes = 65_536
}
