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
    for index in scenery.holders.indices {
      let holder = scenery.holders[index]
      write(Int32(holder.slot), at: index * 2, of: holders)
      write(Int32(holder.client), at: index * 2 + 1, of: holders)
    }
    scenery.rods.withUnsafeBytes { rods.copy($0, at: 0) }
  }

  /// The slot of the topmost sticker of the last sample under a point; −1 for none.
  func body(atX x: Float, y: Float) -> Int32 {
    var index = instances.count - 1
    while index >= 0 {
      if instances[index].contains(x: x, y: y) { return Int32(instances[index].slot) }
      index -= 1
    }
    return -1
  }

  private func points(_ eighths: Int16) -> Float { Float(eighths) / 8 }

  private func write<Value: BitwiseCopyable>(
    _ value: Value, at index: Int, of buffer: SharedBuffer
  ) {
    withUnsafeBytes(of: value) { buffer.copy($0, at: index * 4) }
  }
}
