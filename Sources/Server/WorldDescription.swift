import Wire

/// What a welcome tells of the world: the same for everybody, for as long as the server runs.
struct WorldDescription {
  /// Points.
  let width: Int
  let height: Int
  /// The scene's number in the protocol.
  let scene: UInt8
  let bodyCap: Int

  func welcome(for person: Person, tick: UInt32) -> Welcome {
    Welcome(
      version: Protocol.version, client: person.id, colour: person.colour,
      name: Array(person.name.utf8), token: person.token, tick: tick, tickRate: 60,
      width: UInt16(clamping: width), height: UInt16(clamping: height), scene: scene,
      bodyCap: UInt16(clamping: bodyCap))
  }
}
