import Dynamics
import Foundation
import Play
import Testing
import Wire

@testable import Physics
@testable import Simulation

/// Heavy mode: where most stickers touch, the world is saved, restored and stepped, copied and
/// stepped, sent to somebody who joins and stepped, always beside the world that just goes on, and
/// every byte that they save is compared. Under node the same ticks of the same runs are compared
/// in WebAssembly, and the bytes of both by their SHA-256 (`Tests/Node/heavy.test.mjs` reads the
/// same file, and the people's doings from `Golden/scenes.json`).
///
/// Whoever changes the physics, a scene's rules or a snapshot's layout on purpose writes the file
/// anew: `STICKERPIT_WRITE_GOLDEN=1 swift test --filter Golden`.
@Suite struct GoldenHeavyTests {
  struct Run: Codable, Equatable {
    var scene: UInt8
    var bodies: Int
    /// Ticks for which a restored world runs beside the one that goes on.
    var ahead: Int
    var moments: [Moment]
  }

  /// A tick at which the world is saved and restored.
  struct Moment: Codable, Equatable {
    var tick: Int
    /// What touched, or nearly did.
    var contacts: Int
    /// SHA-256 of what is saved at the tick, and `ahead` ticks later.
    var saved: String
    var later: String
  }

  private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Golden/heavy.json")
  private static let ahead = 8
  private static let moments = 40
  /// Debug builds take thirty times as long.
  #if DEBUG
    private static let measured = 6
  #else
    private static let measured = moments
  #endif

  @Test func restoredWorldsAreTheLiveOneToTheByte() throws {
    if ProcessInfo.processInfo.environment["STICKERPIT_WRITE_GOLDEN"] != nil {
      try write(Scene.allCases.map { try measure(try chosen($0)) })
    }
    let golden = try JSONDecoder().decode([Run].self, from: Data(contentsOf: Self.file))
    #expect(golden.map(\.scene) == Scene.allCases.map(\.rawValue))
    for run in golden {
      #expect(run.moments.count == Self.moments && run.ahead == Self.ahead)
      var some = run
      some.moments = Array(run.moments.prefix(Self.measured))
      #expect(try measure(some) == some)
    }
  }

  @Test func hashesAreTheStandardsOwn() {
    #expect(
      SHA256.hex(Array("abc".utf8))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      SHA256.hex(Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8))
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
  }

  /// The ticks of a scene with the most contacts, and of those the ones with the most hands and
  /// flights, because nothing touches in the toss. They are far enough from each other for every
  /// restored world to run its time.
  private func chosen(_ scene: Scene) throws -> Run {
    let bodies = scene == .pit ? 240 : scene.defaultBodies
    var stage = try ScriptedStage(scene, bodies: bodies)
    var counts: [(tick: Int, contacts: Int, hands: Int)] = []
    for tick in 1...(stage.script.ticks - Self.ahead) {
      stage.tick()
      let ground = stage.pit.playground
      let hands = ground.grips.count + ground.flights.count
      counts.append((tick, Self.contacts(of: stage.pit), hands))
    }
    counts.sort { ($1.contacts, $1.hands, $0.tick) < ($0.contacts, $0.hands, $1.tick) }
    var moments: [Moment] = []
    for (tick, contacts, _) in counts where moments.count < Self.moments {
      guard moments.allSatisfy({ abs($0.tick - tick) > Self.ahead }) else { continue }
      moments.append(Moment(tick: tick, contacts: contacts, saved: "", later: ""))
    }
    return Run(
      scene: scene.rawValue, bodies: bodies, ahead: Self.ahead,
      moments: moments.sorted { $0.tick < $1.tick })
  }

  private static func contacts(of pit: Pit) -> Int {
    let world = pit.playground.animator.world.storage
    return world.contacts.onePoint.count + world.contacts.twoPoint.count
      + world.contacts.edges.count
  }

  private func measure(_ run: Run) throws -> Run {
    let scene = try #require(Scene(rawValue: run.scene))
    var (stage, measured) = (try ScriptedStage(scene, bodies: run.bodies), run)
    // They keep their memory from one moment to the next, as the page's worlds do.
    var copies = PitCopies(of: stage.pit)
    for index in run.moments.indices {
      while stage.tick() < run.moments[index].tick {}
      measured.moments[index].contacts = Self.contacts(of: stage.pit)
      let saved = PitCopies.saved(stage.pit)
      measured.moments[index].saved = SHA256.hex(saved)
      try copies.begin(stage.pit)
      for _ in 0..<run.ahead {
        #expect(copies.different(from: stage.pit).isEmpty, "\(scene) at \(stage.pit.tick)")
        let outcome = stage.step()
        #expect(copies.tick(stage.inputs).allSatisfy { $0 == outcome })
      }
      #expect(copies.different(from: stage.pit).isEmpty, "\(scene) at \(stage.pit.tick)")
      measured.moments[index].later = SHA256.hex(PitCopies.saved(stage.pit))
    }
    return measured
  }

  /// One moment a line.
  private func write(_ runs: [Run]) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(runs), as: UTF8.self)
    try Data((text.replacingOccurrences(of: "},{", with: "},\n{") + "\n").utf8).write(
      to: Self.file)
  }
}

/// A scene in which people do what `SceneScript` says.
private struct ScriptedStage {
  let script: SceneScript
  private(set) var pit: Pit
  /// What the last tick was given.
  private(set) var inputs = TickInputs()
  private var blend = TiltBlend()
  private var next = 0

  init(_ scene: Scene, bodies: Int) throws {
    script = SceneScript.random(scene)
    pit = try Pit(PitConfiguration(scene: scene, bodies: bodies, seed: UInt64(script.seed)))
  }

  /// Runs one tick, and returns its number.
  @discardableResult
  mutating func tick() -> Int {
    step()
    return Int(pit.tick)
  }

  @discardableResult
  mutating func step() -> TickOutcome {
    let tick = pit.tick.nextTick
    inputs = TickInputs()
    while next < script.rows.count, script.rows[next][0] == Int(tick) {
      let row = script.rows[next]
      next += 1
      let person = UInt16(row[2])
      if let command = SceneScript.command(row) {
        inputs.commands.append(
          StampedCommand(person: person, sequence: UInt32(row[3]), command: command))
      } else {
        blend.add(person: person, x: Int16(row[3]), y: Int16(row[4]), tick: tick)
      }
    }
    inputs.gravity = blend.gravity(at: tick)
    return pit.tick(inputs)
  }
}
