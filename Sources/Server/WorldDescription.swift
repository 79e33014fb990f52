import Wire

/// What a welcome tells of the world: the same for everybody, for as long as the server runs.
struct WorldDescription {
  /// Points.
  let width: Int
  let height: Int
  /// The scene's number in the protocol.
  let scene: UInt8
  let bodyCap: Int

  func welcome(for participant: Participant, tick: UInt32) -> Welcome {
    Welcome(
      clientID: participant.person.id, colour: participant.person.colour,
      name: participant.person.name, token: participant.token, tick: tick,
      worldWidth: UInt16(clamping: width), worldHeight: UInt16(clamping: height), scene: scene,
      bodyCap: UInt16(clamping: bodyCap))
  }
}
