import Simulation
import Wire

/// Makes a publication of a tick: the same for a server that runs the world and for one that
/// follows its log.
struct WorldTelling {
  private(set) var desk: StreamDesk
  private let makeDesk: () -> StreamDesk
  private let worlds: RecentWorlds
  /// Worlds that the host began.
  private var worldNumber = 0
  private var bodies: [StreamBody] = []
  private var scenery = Scenery()

  /// - Parameters:
  ///   - checksFrames: whether publications carry what their frames' receivers must have.
  ///   - worlds: keeps the last ticks for whoever asks by HTTP.
  init(limits: Limits, checksFrames: Bool, worlds: RecentWorlds) {
    makeDesk = { StreamDesk(limits: limits, checksFrames: checksFrames) }
    desk = makeDesk()
    self.worlds = worlds
  }

  /// A world that begins anew has other streams; nobody's frames lead on to them.
  mutating func begin() {
    worldNumber += 1
    desk = makeDesk()
  }

  /// Tells which world it is and how it stands.
  /// - Parameters:
  ///   - rule: whose tilt counts.
  ///   - tilt: how people tilt; of a server that follows a log, its own people.
  ///   - begins: whether another world began with this tick.
  mutating func note(
    _ pit: Pit, _ rule: TiltRule, _ tilt: TiltBlend, begins: Bool, into publication: Publication
  ) {
    if begins { begin() }
    publication.description = WorldDescription(pit)
    publication.worldNumber = worldNumber
    publication.isFrozen = pit.isFrozen
    // In a scene that does not tilt nobody is its captain.
    publication.tiltRule = pit.scene.tilts ? rule : .everybody
    if pit.scene.tilts, rule == .everybody {
      tilt.tilts(at: pit.tick, into: &publication.tilts)
    } else {
      publication.tilts.removeAll(keepingCapacity: true)
    }
    publication.gravityPercent = pit.gravityPercent
    publication.bodyCap = pit.bodyCap
    publication.capacity = pit.capacity
  }

  /// Encodes the tick for everybody who waits for it.
  mutating func publish(_ pit: Pit, demand: [StreamDemand], into publication: Publication) {
    pit.bodies(into: &bodies)
    pit.scenery(into: &scenery)
    publication.tick = pit.tick
    publication.events = pit.events
    desk.encode(pit, bodies: bodies, scenery: scenery, demand: demand, into: publication)
    worlds.record(tick: pit.tick, gravity: pit.gravity, bodies: bodies, scenery: scenery)
  }
}

extension [StampedOutcome] {
  /// Appends what became of commands that the world was given, of those whose people are told.
  /// - Parameters:
  ///   - commands: all, in the world's order.
  ///   - carriedOut: those of them that were carried out, in the same order.
  mutating func append(_ commands: [StampedCommand], carriedOut: [StampedCommand]) {
    var done = carriedOut[...]
    for command in commands {
      let isDone = done.first?.person == command.person && done.first?.sequence == command.sequence
      if isDone { done.removeFirst() }
      guard command.hasReceipt else { continue }
      append(
        StampedOutcome(
          person: command.person, sequence: command.sequence,
          outcome: isDone ? .carriedOut : .refused))
    }
  }
}

extension StampedCommand {
  /// Whether its person is told what the world made of it: of moves only the last in a tick counts
  /// anyway.
  var hasReceipt: Bool { if case .move = command { false } else { isSent } }

  /// Whether its person sent it, and not the server itself. Then the person is told if it is left
  /// out.
  var isSent: Bool {
    switch command {
    case .drop, .throwSticker, .grab, .snap, .say, .move: true
    case .release: sequence != HandLimits.stamp
    case .leave: false
    }
  }
}
