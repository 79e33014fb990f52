import Foundation

@testable import Wire

/// One message of every kind, for goldens, for PROTOCOL.md and for abuse.
enum Samples {
  static let token = SessionToken(low: 0x0706_0504_0302_0100, high: 0x0F0E_0D0C_0B0A_0908)

  static let client: [(name: String, message: ClientMessage)] = [
    ("hello", .hello(Hello())),
    ("hello again", .hello(Hello(rate: .hz20, profile: .visual, resumeToken: token))),
    (
      "hello with a world",
      .hello(Hello(stream: .replica, rate: .hz60, resumeToken: token, knownTick: 1000))
    ),
    ("hello of a watcher", .hello(Hello(stream: .replica, isWatching: true))),
    ("tilt", .tilt(x: 4096, y: -16_384)),
    ("drop", .drop(kind: 3, x: 2880, y: 80)),
    ("throw", .throwSticker(x: 2880, y: 3840, velocityX: 600, velocityY: -1200)),
    ("clock", .clock(stamp: 0x0102_0304)),
    ("grab", .grab(slot: 4, generation: 1, x: 4450, y: 2050)),
    ("move", .move(slot: 4, x: 2880, y: 3840)),
    ("release", .release(slot: 4, velocityX: 600, velocityY: -1200)),
    ("snap", .snap(slot: 4, generation: 1, x: 2880, y: 3840)),
    ("say", .say(words("生日快乐!"))),
    ("stream", .stream(kind: .replica, rate: .hz20, profile: .visual)),
    (
      "aimed",
      .aimed(
        at: 1009, message: .grab(slot: 4, generation: 1, x: 4450, y: 2050))
    ),
    (
      "report",
      .report(ClientReport(rollbacks: 12, replayedTicks: 96, corrections: 3, wrongWorlds: 1))
    ),
  ]

  private static func words(_ text: String) -> Words {
    do throws(WireError) { return try Words(text) } catch { preconditionFailure("short words") }
  }

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
            worldWidth: 720, worldHeight: 960, scene: 0, bodyCap: 331, commandsBefore: 40))
      ),
      (
        "welcome to a set",
        .welcome(
          Welcome(
            clientID: 7, colour: 0xFF8040, name: try Name("Fox"), token: token, tick: 1000,
            worldWidth: 720, worldHeight: 960, scene: 0, bodyCap: 331, commandsBefore: 40,
            stickers: StickerSetName(digest: 0x0123_4567_89AB_CDEF, name: try Name("fruit"))))
      ),
      ("clock echo", .clockEcho(ClockEcho(stamp: 0x0102_0304, tick: 1002, microseconds: 8300))),
      ("people", .notice(.people(count: 2, listed: people))),
      ("message", .notice(.message(.slowedDown))),
      (
        "host",
        .notice(
          .host(
            HostNotice(isFrozen: true, isLocked: true, announcement: try Announcement("Pause ☕"))))
      ),
      ("renamed", .notice(.renamed(people[1]))),
      ("nobody tilts", .notice(.tilt(.nobody))),
      ("a captain", .notice(.tilt(.captain(people[0], ticksLeft: 600)))),
      (
        "two tilts",
        .notice(
          .tilts([PersonTilt(person: 2, x: 64, y: 0), PersonTilt(person: 7, x: -45, y: -45)]))
      ),
      (
        "rain events",
        .events(
          WireEvents(
            tick: 1002,
            events: [
              .rainBegan(keyword: 19, client: 7), .floorWarning, .floorOpened, .floorClosed,
            ]))
      ),
      (
        "contact events",
        .events(
          WireEvents(
            tick: 1002,
            events: [
              .contactBegan(WireContact(slot: 0, other: 0x8001, x: 800, y: 3200)),
              .contactEnded(WireContact(slot: 0, other: 3, x: 2760, y: 480)),
            ]))
      ),
      ("refusal", .events(WireEvents(tick: 1002, events: [.grabRefused(slot: 4, holder: 2)]))),
      (
        "receipt",
        .receipt(
          Receipt(
            tick: 1002,
            commands: [
              ReceivedCommand(number: 1, outcome: .carriedOut),
              ReceivedCommand(number: 2, outcome: .refused),
              ReceivedCommand(number: 259, outcome: .leftOut),
            ]))
      ),
      ("come back", .comeBack(afterMilliseconds: 2500)),
      ("late tilt", .lateTilt(LateTilt(meant: 1009, taken: 1012))),
    ]
  }

  /// Three ticks of a small world: bodies that move, come, go, and change their owner.
  static let worlds: [(gravity: QuantizedGravity, bodies: [StreamBody])] = [
    (
      .down,
      [
        StreamBody(slot: 0, generation: 0, kind: 0, size: 40, x: 360, y: 50, angle: 0),
        StreamBody(slot: 1, generation: 2, kind: 3, size: 34, x: 100, y: 875, angle: -0.147_262),
        StreamBody(slot: 4, generation: 0, kind: 15, size: 52, x: 562.5, y: 250, angle: 1.570_796),
      ]
    ),
    (
      QuantizedGravity(x: 8192, y: 14_189),
      [
        StreamBody(slot: 0, generation: 0, kind: 0, size: 40, x: 360.125, y: 50.6875, angle: 0),
        StreamBody(slot: 1, generation: 2, kind: 3, size: 34, x: 100, y: 875, angle: -0.147_262),
        StreamBody(slot: 2, generation: 0, kind: 17, size: 100, x: 10, y: -0.1875, angle: 0.5),
        StreamBody(slot: 4, generation: 0, kind: 15, size: 52, x: 556.25, y: 256.25, angle: 1.8),
      ]
    ),
    (
      QuantizedGravity(x: 8192, y: 14_189),
      [
        StreamBody(slot: 0, generation: 1, kind: 1, size: 36, x: 56.25, y: 50, angle: 0.03),
        StreamBody(slot: 2, generation: 0, kind: 17, size: 100, x: 250, y: 56.25, angle: 3.6),
        StreamBody(slot: 4, generation: 0, kind: 15, size: 52, x: 556.25, y: 256.25, angle: 1.8),
      ]
    ),
  ]

  /// A ledge and one who holds slot 4 by a rod, in the last of the three ticks.
  static let scenery = Scenery(
    boundaries: [SceneryBoundary(id: 1, ax: 800, ay: 1600, bx: 2400, by: 1680)],
    holders: [SceneryHolder(slot: 4, client: 7)],
    rods: [SceneryRod(slot: 4, x: 4400, y: 1000, attachX: -80, attachY: 40)])

  static let shape = StreamShape(profile: .strict, width: 720, height: 960, slots: 16)

  /// Ticks 1000 to 1002 of a stream, which a client decodes one after the other, and the catch-up
  /// frame for one that has only the first of them.
  static var frames: [(name: String, bytes: [UInt8])] {
    let encoder = StreamEncoder(shape)
    var result = zip(["keyframe", "state", "state 2"], worlds.indices).map { name, index in
      var bytes: [UInt8] = []
      encoder.encode(
        worlds[index].bodies, scenery: index == 2 ? scenery : Scenery(),
        tick: 1000 + UInt32(index), gravity: worlds[index].gravity, into: &bytes)
      return (name: name, bytes: bytes)
    }
    var bytes: [UInt8] = []
    _ = encoder.catchUp(
      from: StreamPosition(tick: 1000, isInStep: false, isCoarse: true), into: &bytes)
    result.append(("catch-up", bytes))
    return result
  }

  /// A stream of one sticker at rest: a keyframe, six frames of one byte, and after five that are
  /// held back the one in which it moves.
  static var restingFrames: [[UInt8]] {
    let encoder = StreamEncoder(shape, holdsCalm: true)
    var body = StreamBody(slot: 0, generation: 0, kind: 0, size: 40, x: 360, y: 940, angle: 0)
    return (0...12).compactMap { index in
      var bytes: [UInt8] = []
      if index == 12 { body.y = 935 }
      encoder.encode([body], tick: 3001 + UInt32(index), gravity: .down, into: &bytes)
      return bytes.isEmpty ? nil : bytes
    }
  }

  /// The bytes of every sample by name.
  static func all() throws -> [(name: String, bytes: [UInt8])] {
    let clients = client.map { ($0.name, encoded($0.message)) }
    let servers = try server().map { ($0.name, encoded($0.message)) }
    return clients + servers + frames + [("held", restingFrames.last!)]
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
