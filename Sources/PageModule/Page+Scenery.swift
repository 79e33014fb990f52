import Simulation
import Wire

extension Page {
  /// Writes the scenery of the last sample where JavaScript reads it.
  func writeScenery() {
    let scenery = self.scenery
    for index in scenery.boundaries.indices {
      let boundary = scenery.boundaries[index]
      write(Float(boundary.id), at: index * 5, of: boundaries)
      write(points(boundary.ax), at: index * 5 + 1, of: boundaries)
      write(points(boundary.ay), at: index * 5 + 2, of: boundaries)
      write(points(boundary.bx), at: index * 5 + 3, of: boundaries)
      write(points(boundary.by), at: index * 5 + 4, of: boundaries)
    }
    scenery.rods.withUnsafeBytes { rods.copy($0, at: 0) }
  }

  /// How worn a boundary is, 0…1. A world that runs here tells; the state stream and the past
  /// don't.
  func wear(ofBoundary id: UInt8) -> Float {
    if past != nil { return 0 }
    if let alone { return alone.playback.pit.wear(ofBoundary: id) }
    return follower?.prediction?.pit.wear(ofBoundary: id) ?? 0
  }

  /// Ticks until the floor opens; nil if it is not about to, or if no world runs here. Nil too
  /// while the line is silent: the predicted world then stands still, perhaps just before the floor
  /// opens, and the picture would shake until something comes.
  var ticksToOpening: UInt32? {
    if past != nil { return nil }
    if let alone { return alone.playback.pit.ticksToOpening }
    guard let lastFrame, now - lastFrame < Page.longestPause else { return nil }
    return follower?.prediction?.pit.ticksToOpening
  }

  /// Milliseconds without news after which the line counts as silent: even the slowest rate brings
  /// records ten times a second.
  private static let longestPause = 250.0

  private func points(_ eighths: Int16) -> Float { Float(eighths) / 8 }

  private func write<Value: BitwiseCopyable>(
    _ value: Value, at index: Int, of buffer: SharedBuffer
  ) {
    withUnsafeBytes(of: value) { buffer.copy($0, at: index * 4) }
  }
}
