import Simulation
import TickLog
import Wire

/// Where and how a server keeps its journal.
public struct JournalSettings: Equatable, Sendable {
  /// The data folder.
  public var folder: String
  public var durability: Durability
  /// How much of the past is kept.
  public var limits: JournalLimits
  /// Whether the server ends when the journal can't be written, instead of going on without.
  public var stopsOnFailure: Bool

  public init(
    folder: String, durability: Durability = .full, limits: JournalLimits,
    stopsOnFailure: Bool = false
  ) {
    self.folder = folder
    self.durability = durability
    self.limits = limits
    self.stopsOnFailure = stopsOnFailure
  }
}

/// The journal as it is at the start: open, read to its end, and ready to be gone on with.
struct JournalStart {
  let settings: JournalSettings
  private let journal: Journal
  /// Where the log is written from now on.
  var home: any LogHome { journal }
  let desk: JournalDesk
  /// The world to go on with; nil for a new one.
  let recovery: Recovery?
  /// What this process writes into the log.
  let identity: LogOrigin
  /// The people who may come back, and until when, in milliseconds from now.
  private(set) var absentees: [Absentee] = []

  /// Somebody who was there before.
  struct Absentee {
    let person: LoggedPerson
    let milliseconds: UInt64
  }

  /// - Parameters:
  ///   - pit: the world that was asked for.
  ///   - resumeSeconds: how long a place is kept.
  ///   - now: milliseconds since 1970.
  ///   - say: told at once what was lost, whatever becomes of the start, and how the world differs
  ///     from the one that was asked for.
  init(
    _ settings: JournalSettings, _ folder: JournalFolder, pit: PitConfiguration,
    resumeSeconds: Int, now: UInt64, say: (String) -> Void
  ) throws(JournalError) {
    self.settings = settings
    journal = try Journal(folder, durability: settings.durability)
    if let note = journal.openingNote { say(note) }
    let made = try journal.origins().last?.world ?? WorldSettings(pit)
    // Who is refused finds the journal as it was.
    recovery = try journal.recover(cutsTail: false)
    // The host may have begun another scene than the world was made with. Then both may be named: a
    // service whose settings nobody has changed comes back after a crash.
    let scene = recovery?.replica.pit.scene ?? pit.scene
    guard scene == pit.scene || made.scene == pit.scene.name else {
      throw .otherScene(settings.folder, has: scene.name, wanted: pit.scene.name)
    }
    guard recovery == nil || recovery?.replica.pit.stickers == pit.stickers else {
      throw .otherStickers(settings.folder)
    }
    for note in recovery?.notes ?? [] { say(note) }
    if let end = recovery?.position, end < journal.last { try journal.prune(after: end) }
    let position = recovery?.position ?? 0
    identity = LogOrigin(
      position: position, beginning: recovery == nil ? .world : .continued, time: now,
      version: ServerVersion.text, world: made)
    desk = JournalDesk(position: position, snapshot: recovery?.snapshot ?? 0)
    guard let recovery else { return }
    if let difference = Self.difference(made, scene, pit) {
      say("the world in \(settings.folder) \(difference)")
    }
    absentees = Self.absentees(recovery, resumeSeconds)
  }

  /// How a world that is gone on with differs from the one that was asked for; nil if it doesn't,
  /// as far as the log's origin knows: of a world that the host began it has no numbers.
  private static func difference(
    _ made: WorldSettings, _ scene: Scene, _ wanted: PitConfiguration
  ) -> String? {
    guard scene == wanted.scene else { return "goes on in its scene, \(scene.name)" }
    guard made.scene == scene.name, made != WorldSettings(wanted) else { return nil }
    return "was made with other settings (\(made.bodies) bodies of \(made.maxBodies) at most, "
      + "\(made.shape.map { "\($0), " } ?? "")seed \(made.seed)) and keeps them"
  }

  /// The time for which nobody could come back doesn't count.
  private static func absentees(_ recovery: Recovery, _ resumeSeconds: Int) -> [Absentee] {
    let whole = UInt64(resumeSeconds) * 1000
    return recovery.people.compactMap { person in
      let away = person.leftAt.map { recovery.time - min($0, recovery.time) } ?? 0
      return away < whole ? Absentee(person: person, milliseconds: whole - away) : nil
    }.sorted { $0.milliseconds < $1.milliseconds }
  }

  /// How long somebody had been away when the server ended, in milliseconds.
  private func away(_ person: LoggedPerson) -> UInt64 {
    guard let left = person.leftAt, let end = recovery?.time else { return 0 }
    return end - min(left, end)
  }

  /// Writes what begins: an origin, for a new world its snapshot, and that everybody is away now.
  func begin(_ world: SavedWorld, at now: UInt64) throws(JournalError) {
    var entry = LogEntry()
    entry.origin = identity
    if recovery == nil {
      entry.snapshot = LogSnapshot(position: 0, time: now, bytes: world.packed())
    }
    entry.people = absentees.map { absentee in
      var person = absentee.person
      person.leftAt = now - min(away(person), now)
      return person
    }
    try journal.keepPeople(absentees.map(\.person.number))
    try journal.append(entry)
  }
}
