import ArgumentParser
import Foundation

/// Records a run of our own solver for `bench codec` and its rivals.
struct BenchTrace: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trace",
    abstract: "Record a run of the solver as a trace for `bench codec`.",
    discussion: """
      Writes OUT.npy (ticks × bodies × 7 float32: x, y, angle, velocity, spin, asleep; x is NaN
      while a body is not there), OUT.grav.npy (pt/s²), OUT.kind.npy, OUT.size.npy (pt) and
      OUT.meta.json.
      Equal options give equal files.
      """)

  @Option(help: "storm, party, rain, settled, calm or churn (bodies go, others take their slots).")
  var scene = TraceScene.Kind.storm

  @Option(help: "Bodies, 1 to 4096.")
  var bodies = 1000

  @Option(help: "Ticks of 1/60 s, 2 to 100000.")
  var ticks = 3600

  @Option(help: "Seed of everything that is left to chance.")
  var seed: UInt64 = 1

  @Option(help: "Path of the files, without their endings.")
  var out: String

  func validate() throws {
    guard (1...4096).contains(bodies) else {
      throw ValidationError("--bodies must be 1 to 4096, not \(bodies)")
    }
    guard (2...100_000).contains(ticks) else {
      throw ValidationError("--ticks must be 2 to 100000, not \(ticks)")
    }
  }

  func run() throws {
    var scene = try TraceScene(scene, bodies: bodies, ticks: ticks, seed: seed)
    var recorder = TraceRecorder(bodies: bodies, ticks: ticks)
    for _ in 0..<ticks {
      try scene.advance()
      recorder.record(scene)
    }
    try recorder.write(to: out, scene: scene)
  }
}

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

/// Files of numpy's format, version 1.0.
enum NumpyFile {
  static func write(_ values: [Float], shape: [Int], to path: String) throws {
    let data = values.withUnsafeBytes { Data($0) }
    try write(header("<f4", shape) + data, to: path)
  }

  static func write(_ values: [UInt8], shape: [Int], to path: String) throws {
    try write(header("|u1", shape) + Data(values), to: path)
  }

  static func write(_ data: Data, to path: String) throws {
    do {
      try data.write(to: URL(fileURLWithPath: path))
    } catch {
      throw Failure("cannot write \(path)")
    }
  }

  /// Padded so that the numbers begin at a multiple of 64 bytes.
  private static func header(_ type: String, _ shape: [Int]) -> Data {
    let lengths = shape.map { String($0) }.joined(separator: ", ") + (shape.count == 1 ? "," : "")
    var text = "{'descr': '\(type)', 'fortran_order': False, 'shape': (\(lengths)), }"
    text += String(repeating: " ", count: 63 - (10 + text.utf8.count) % 64) + "\n"
    let length = UInt16(text.utf8.count)
    return Data([0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(length & 255), UInt8(length >> 8)])
      + Data(text.utf8)
  }
}
