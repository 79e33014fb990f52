import Physics
import Simulation
import Wire

/// Playing alone: while it reaches no server, the page has a world of its own.
extension Page {
  /// Begins to play alone: in the world that was shown last, or where none is known in a new one of
  /// the same scene. It ends with the next welcome.
  /// - Parameter seed: what a new world's chance is made of.
  /// - Returns: whether it plays alone now.
  func playAlone(seed: UInt64) -> Bool {
    if alone != nil { return true }
    guard let pit = follower?.prediction?.pit ?? lastPit ?? newPit(seed: seed),
      var person = welcome ?? lastWelcome ?? Page.nobodyYet
    else { return false }
    person.tick = pit.tick
    person.scene = pit.scene.rawValue
    person.worldWidth = UInt16(clamping: Fixed.nearest(pit.worldSize.x))
    person.worldHeight = UInt16(clamping: Fixed.nearest(pit.worldSize.y))
    person.bodyCap = UInt16(clamping: pit.bodyCap)
    // A new world has our own stickers.
    if pit.scene != .pit || pit.stickers == nil { person.stickers = nil }
    alone = WorldAlone(
      welcome: person,
      playback: AlonePlayback(pit, person: person.clientID, after: lastCommand))
    lastPit = nil
    hostNotice = HostNotice()
    tiltNotice = .everybody
    tilts.removeAll()
    events.removeAll()
    write(person.name, at: 0)
    return true
  }

  /// Makes it rain stickers of a kind, as words do that a server hears.
  /// - Returns: whether it does: where the page plays alone in the rain, and such stickers fall.
  func rainAlone(kind: Int32) -> Bool {
    guard let alone, alone.playback.pit.scene == .rain, let kind = UInt8(exactly: kind),
      Sticker.falls(kind: kind)
    else { return false }
    alone.playback.act(.say(keyword: kind))
    return true
  }

  private func newPit(seed: UInt64) -> Pit? {
    let known = welcome ?? lastWelcome
    let scene = known.flatMap { Scene(rawValue: $0.scene) } ?? .pit
    let shape = known.flatMap {
      WorldShape(width: Int($0.worldWidth), height: Int($0.worldHeight))
    }
    guard
      let configuration = try? PitConfiguration(
        scene: scene, shape: scene == .pit ? shape ?? .upright : .upright, seed: seed)
    else { return nil }
    return try? Pit(configuration)
  }

  /// Who plays alone without ever having been welcomed.
  private static var nobodyYet: Welcome? {
    guard let name = try? Name(utf8: Array("Solo".utf8)) else { return nil }
    return Welcome(
      clientID: 1, colour: Person.colour(of: 1), name: name, token: SessionToken(low: 0, high: 0),
      tick: 0, worldWidth: 0, worldHeight: 0, scene: 0, bodyCap: 0)
  }
}

/// The world of a page that plays alone.
struct WorldAlone {
  /// Who plays, and in what kind of world, as a server would have said it.
  let welcome: Welcome
  let playback: AlonePlayback
}
