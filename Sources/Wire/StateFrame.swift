/// What `StreamEncoder.encode` gave.
public enum StateFrameKind: Sendable {
  /// A keyframe, because the stream began.
  case keyframe
  /// The stream's next frame, perhaps with those held back before it.
  case state
  /// Nothing: all is calm, and a later frame brings this one along.
  case held
}

/// What a decoder says about a frame that it took.
public struct StateFrameInfo: Equatable, Sendable {
  /// The frame's tick.
  public var tick: UInt32
  /// Whether it was a keyframe.
  public var isKeyframe: Bool
  /// Frames of the stream's rhythm that the server left out before this one. A keyframe or a
  /// catch-up frame announces them; the stream's own frames never leave any out.
  public var skipped: UInt32
  /// Frames before this one in which all was calm, and which came with it.
  public var held: UInt32

  public init(tick: UInt32, isKeyframe: Bool, skipped: UInt32, held: UInt32 = 0) {
    self.tick = tick
    self.isKeyframe = isKeyframe
    self.skipped = skipped
    self.held = held
  }
}
