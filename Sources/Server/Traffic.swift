/// What the network thread sent since the start.
struct Traffic {
  var frames = 0
  var keyframes = 0
  /// Frames for clients that were not in step.
  var catchUps = 0
  var skipped = 0
  var bytes = 0
  /// Commands left out because their address had no allowance left.
  var refusedCommands = 0

  mutating func frame(bytes count: Int) {
    frames += 1
    bytes += count
  }

  mutating func keyframe(bytes count: Int) {
    keyframes += 1
    bytes += count
  }

  mutating func catchUp(bytes count: Int) {
    catchUps += 1
    bytes += count
  }
}
