import Simulation
import Wire

@testable import Server

/// Ways in which a cluster can be wrong that must not stay hidden: each breaks a promise of the
/// log, of claims, of kept worlds or of a member itself. The tests plant one in every run and ask
/// that the simulation's checks find it; without any of them the same checks find nothing.
enum PlantedFault: CaseIterable {
  /// A member shows ticks before the log has them.
  case shownBeforeStored
  /// The log says once that it has a tick, and loses it.
  case tickForgotten
  /// The claim to lead never runs out, so that nobody replaces a dead leader.
  case leaderForEver
  /// Two members get the same client numbers.
  case numbersGivenTwice
  /// What clients of edges did never reaches the leader.
  case inputsLost
  /// What clients did counts again in later messages.
  case inputsCountAgain
  /// A member takes the message after the next one for the next one.
  case messageSkipped
  /// One member reads other records than the others.
  case recordChanged
  /// Kept worlds are other worlds.
  case worldChanged
  /// Kept worlds say that they stand a message later in the log than they do.
  case worldMisplaced
  /// The log takes a message behind any other, whichever its writer named: there is no fence.
  case fenceIgnored
  /// The first world that a member is given is another one. All else is right, and so is the next
  /// world: but for the hashes in the log nobody would know.
  case firstWorldChanged

  /// What the check says that must find it.
  var complaint: String {
    switch self {
    case .shownBeforeStored, .tickForgotten: "is not in the log"
    case .leaderForEver: "0 leaders"
    case .numbersGivenTwice: "numbers were given twice"
    case .inputsLost: "was not heard of"
    case .inputsCountAgain: "twice"
    case .messageSkipped: "is at"
    case .recordChanged: "is another one"
    case .worldChanged, .worldMisplaced: "is at"
    case .fenceIgnored: "the log is broken"
    case .firstWorldChanged: "had another world than the log"
    }
  }

  /// Whether no other check may find it.
  var isForOneCheck: Bool { self == .firstWorldChanged }

  /// From this message of the log on, faults of reading and storing show: in the middle of a run.
  static let begins: UInt64 = 300

  /// What a member reads at a place of the log.
  func read(_ sequence: UInt64, of log: [[UInt8]]) -> [UInt8]? {
    var place = sequence
    if self == .messageSkipped, sequence >= Self.begins { place += 1 }
    guard place >= 1, place <= UInt64(log.count) else { return nil }
    let bytes = log[Int(place) - 1]
    // A record like any other, but of the tick before.
    guard self == .recordChanged, sequence >= Self.begins,
      var message = try? LogMessage(bytes), message.isTick,
      let before = try? LogMessage(log[Int(place) - 2]), before.isTick
    else { return bytes }
    message.record = before.record
    return message.encoded()
  }

  /// Another world in its place, of the same tick.
  static func other(_ bytes: [UInt8]) throws -> [UInt8] {
    var world = try WorldMessage(bytes)
    let coder = try RecordCoder(from: world.world)
    var pit = try WorldStart(PitConfiguration(scene: .pit, bodies: 12, maxBodies: 40, seed: 8)).pit
    while pit.tick < coder.tick { _ = pit.tick(TickInputs()) }
    world.world = SavedWorld(pit, coder).packed()
    return world.encoded()
  }

  /// A world as it is kept.
  func kept(_ bytes: [UInt8]) -> [UInt8] {
    guard var world = try? WorldMessage(bytes) else { return bytes }
    switch self {
    case .worldChanged: world.world[world.world.count / 2] ^= 1
    case .worldMisplaced: world.sequence += 1
    default: return bytes
    }
    return world.encoded()
  }
}
