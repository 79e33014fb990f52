/// What became of a frame that was given to ``Connection/send(_:)``.
public enum SendStatus: Sendable {
  /// The frame was accepted whole: it is in the socket, or its tail waits directly behind it.
  case sent
  /// The peer reads too slowly. Nothing was written: skip this frame, and let the next one that is
  /// accepted stand on its own (a keyframe or a catch-up).
  case backpressure
  /// The connection is closed or closing. Nothing was written and nothing will be.
  case closed
}
