import Simulation
import Wire

/// What the host decided that network threads act on. The world's part stands in the log instead,
/// bans in the ``Gate``.
struct HostSettings: Sendable, Equatable {
  var isLocked = false
  var announcement = Announcement.none
  /// The most people at a time; nil for as many as there may be connections.
  var people: Int?
  /// Commands a second that are carried out of one person, twice that in a burst; nil for what the
  /// configuration says. Beyond it commands are left out, and nobody's connection ends for them:
  /// their pages know nothing of it.
  var commandsPerSecond: Int?

  /// Commands a second of one person that the host can allow: one that lets things happen slowly,
  /// and one for each tick.
  static let commandRange = 1...60
}

/// What a network thread knows of the world by the last tick that it was told of, for the host.
struct HostView {
  var scene: Scene
  /// Stickers, the most that there may be now, and the most that the world was made for.
  var bodies: Int
  var bodyCap: Int
  var mostBodies: Int
  var isFrozen: Bool
  /// Percent of the scene's.
  var gravityPercent: Int
  /// Whether clients may follow the log of the world instead of its state stream.
  var offersReplicas: Bool
}

/// What a publication says of the host's part in the world.
struct HostedWorld {
  private(set) var isFrozen = false
  private(set) var gravityPercent = 100
  private(set) var capacity: Int
  private(set) var bodyCap: Int

  /// - Parameter bodyCap: of the world that the server began with, before its first tick.
  init(bodyCap: Int) {
    (capacity, self.bodyCap) = (bodyCap, bodyCap)
  }

  mutating func take(_ publication: Publication) {
    isFrozen = publication.isFrozen
    gravityPercent = Int(publication.gravityPercent)
    if publication.capacity > 0 { capacity = publication.capacity }
    if publication.bodyCap > 0 { bodyCap = publication.bodyCap }
  }
}
