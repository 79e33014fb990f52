/// How many frames were encoded since the start. Only time and the streams that are wanted make
/// them more, and who is not in step; not how many clients there are.
public struct EncodedFrames: Equatable, Encodable, Sendable {
  /// For everybody in step: one a stream and its frame, whether it was sent or held back.
  public var own = 0
  /// For everybody who joined, or came back, at a tick.
  public var keyframes = 0
  /// For everybody at a tick and at one place that is not in step.
  public var catchUps = 0
}
