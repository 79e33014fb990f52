import Foundation

@testable import Wire

/// One message of every kind, for goldens, for PROTOCOL.md and for abuse.
enum Samples {
  static let token = SessionToken(low: 0x0706_0504_0302_0100, high: 0x0F0E_0D0C_0B0A_0908)

  static let client: [(name: String, message: ClientMessage)] = [
    ("hello", .hello(Hello())),
    ("hello again", .hello(Hello(rate: .hz20, resumeToken: token))),
    ("tilt", .tilt(x: 4096, y: -16_384)),
    ("drop", .drop(kind: 3, x: 2880, y: 80)),
    ("throw", .throwSticker(x: 2880, y: 3840, velocityX: 600, velocityY: -1200)),
    ("clock", .clock(stamp: 0x0102_0304)),
  ]

  static func server() throws -> [(name: String, message: ServerMessage)] {
    let people = [
      Person(id: 7, colour: 0xFF8040, name: try Name("Fox")),
      Person(id: 2, colour: 0x2060C0, name: try Name("Büffel")),
    ]
    return [
      (
        "welcome",
        .welcome(
          Welcome(
            clientID: 7, colour: 0xFF8040, name: try Name("Fox"), token: token, tick: 1000,
            worldWidth: 720, worldHeight: 960, scene: 0, bodyCap: 331))
      ),
      ("clock echo", .clockEcho(ClockEcho(stamp: 0x0102_0304, tick: 1002, microseconds: 8300))),
      ("people", .notice(.people(count: 2, listed: people))),
      ("message", .notice(.message(.slowedDown))),
    ]
  }

  /// Three ticks of a small world in which everything happens that a frame can say.
  static let worlds: [LatticeWorld] = [
    LatticeWorld(
      tick: 1000,
      bodies: [
        LatticeBody(slot: 0, generation: 0, kind: 0, size: 40, x: 5760, y: 800, angle: 0),
        LatticeBody(slot: 1, generation: 2, kind: 3, size: 34, x: 1600, y: 14_000, angle: 1000),
        LatticeBody(slot: 4, generation: 0, kind: 15, size: 52, x: 9000, y: 4000, angle: 256),
      ]),
    LatticeWorld(
      tick: 1001, gravity: QuantizedGravity(x: 8192, y: 14_189),
      bodies: [
        LatticeBody(slot: 0, generation: 0, kind: 0, size: 40, x: 5762, y: 811, angle: 1023),
        LatticeBody(slot: 1, generation: 2, kind: 3, size: 34, x: 1600, y: 14_000, angle: 1000),
        LatticeBody(slot: 2, generation: 0, kind: 6, size: 44, x: 160, y: -3, angle: 77),
        LatticeBody(slot: 4, generation: 0, kind: 15, size: 52, x: 8900, y: 4100, angle: 300),
      ]),
    LatticeWorld(
      tick: 1002, gravity: QuantizedGravity(x: 8192, y: 14_189),
      bodies: [
        LatticeBody(slot: 0, generation: 1, kind: 1, size: 36, x: 900, y: 800, angle: 5),
        LatticeBody(slot: 2, generation: 0, kind: 6, size: 44, x: 4000, y: 900, angle: 600),
        LatticeBody(slot: 4, generation: 0, kind: 15, size: 52, x: 8900, y: 4100, angle: 301),
      ]),
  ]

  /// The frames of `worlds`: a keyframe and two deltas.
  static var frames: [(name: String, bytes: [UInt8])] {
    var encoder = StateEncoder()
    let names = ["keyframe", "state", "state 2"]
    return zip(names, worlds).map { name, world in
      var bytes: [UInt8] = []
      encoder.encode(world, into: &bytes)
      return (name, bytes)
    }
  }

  /// The bytes of every sample by name.
  static func all() throws -> [(name: String, bytes: [UInt8])] {
    let clients = client.map { ($0.name, encoded($0.message)) }
    let servers = try server().map { ($0.name, encoded($0.message)) }
    return clients + servers + frames
  }

  static func encoded(_ message: ClientMessage) -> [UInt8] {
    var bytes: [UInt8] = []
    message.encode(into: &bytes)
    return bytes
  }

  static func encoded(_ message: ServerMessage) -> [UInt8] {
    var bytes: [UInt8] = []
    message.encode(into: &bytes)
    return bytes
  }
}

/// Seeded chance for tests: SplitMix64.
struct Chance: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// Files of the repository.
enum Repository {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }
}

extension [UInt8] {
  var hex: String {
    map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
  }
}
