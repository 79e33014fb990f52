import Foundation

/// Gathers a scene's states, and writes the files.
struct TraceRecorder {
  private var states: [Float] = []
  private var gravity: [Float] = []
  private let bodies: Int
  /// The angle of each slot without the jump at a half turn.
  private var angles: [Float]

  init(bodies: Int, ticks: Int) {
    self.bodies = bodies
    states.reserveCapacity(bodies * ticks * 7)
    gravity.reserveCapacity(ticks * 2)
    angles = Array(repeating: .nan, count: bodies)
  }

  mutating func record(_ scene: TraceScene) {
    gravity += [scene.gravity.x, scene.gravity.y]
    for slot in 0..<bodies {
      guard let body = scene.body(atSlot: slot) else {
        angles[slot] = .nan
        states += [.nan, 0, 0, 0, 0, 0, 1]
        continue
      }
      let turned = body.angle - angles[slot]
      angles[slot] =
        turned.isNaN ? body.angle : angles[slot] + turned - 2 * .pi * (turned / (2 * .pi)).rounded()
      states += [
        body.position.x, body.position.y, angles[slot], body.velocity.x, body.velocity.y,
        body.angularVelocity, body.isAsleep ? 1 : 0,
      ]
    }
  }

  func write(to path: String, scene: TraceScene) throws {
    let ticks = gravity.count / 2
    try NumpyFile.write(states, shape: [ticks, bodies, 7], to: path + ".npy")
    try NumpyFile.write(gravity, shape: [ticks, 2], to: path + ".grav.npy")
    try NumpyFile.write(scene.kinds, shape: [bodies], to: path + ".kind.npy")
    try NumpyFile.write(scene.sizes, shape: [bodies], to: path + ".size.npy")
    let meta = """
      {"mode":"\(scene.kind.rawValue)","N":\(bodies),"T":\(ticks),"W":\(scene.size.x),\
      "H":\(scene.size.y),"seed":\(scene.seed),"hz":60}

      """
    try NumpyFile.write(Data(meta.utf8), to: path + ".meta.json")
  }
}
