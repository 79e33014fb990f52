import Simulation

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
