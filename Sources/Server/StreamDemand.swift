import Wire

/// What the network thread needs encoded of one stream.
struct StreamDemand: Equatable {
  /// Somebody receives the stream.
  var isWanted = false
  /// Somebody has nothing yet, or too little.
  var wantsKeyframe = false
  /// Where those are who are not in step, without repetition.
  var positions: [StreamPosition] = []

  mutating func clear() {
    isWanted = false
    wantsKeyframe = false
    positions.removeAll(keepingCapacity: true)
  }

  /// Notes that somebody is at `position` and not in step.
  mutating func add(_ position: StreamPosition) {
    if !positions.contains(position) { positions.append(position) }
  }
}
