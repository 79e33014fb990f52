/// The server's answer to a hello: who its person is and which world there is.
public struct Welcome: Equatable, Sendable {
  /// Protocol version of the server.
  public var version: UInt16
  /// Number of the person, unique among those who are here. Golden files know the field by this
  /// name.
  public var clientID: UInt16
  /// Colour of the person, 0xRRGGBB.
  public var colour: UInt32
  /// Name of the person; the server gives it, nobody types.
  public var name: Name
  /// What a later hello shows to be the same person again.
  public var token: SessionToken
  /// Tick of the world at the time of the welcome.
  public var tick: UInt32
  /// Ticks a second.
  public var tickRate: UInt8
  /// Size of the world in points.
  public var worldWidth: UInt16
  public var worldHeight: UInt16
  /// Number of the scene; 0 is the pit.
  public var scene: UInt8
  /// Most bodies at a time; the oldest one goes for a new one.
  public var bodyCap: UInt16
  /// The number that the world counts as the person's last command before this connection: its
  /// first is one more. Who comes back goes on counting.
  public var commandsBefore: UInt32
  /// The set that the world's stickers are of; nil for those that every page has.
  public var stickers: StickerSetName?

  public init(
    version: UInt16 = WireVersion.current, clientID: UInt16, colour: UInt32, name: Name,
    token: SessionToken, tick: UInt32, tickRate: UInt8 = 60, worldWidth: UInt16,
    worldHeight: UInt16, scene: UInt8, bodyCap: UInt16, commandsBefore: UInt32 = 0,
    stickers: StickerSetName? = nil
  ) {
    self.version = version
    self.clientID = clientID
    self.colour = colour
    self.name = name
    self.token = token
    self.tick = tick
    self.tickRate = tickRate
    self.worldWidth = worldWidth
    self.worldHeight = worldHeight
    self.scene = scene
    self.bodyCap = bodyCap
    self.commandsBefore = commandsBefore
    self.stickers = stickers
  }
}

extension Welcome {
  func write(to writer: inout BitWriter) {
    writer.write(byte: ServerMessageType.welcome.rawValue)
    writer.write(version)
    writer.write(clientID)
    writer.write(colour, bits: 24)
    name.write(to: &writer)
    token.write(to: &writer)
    writer.write(tick, bits: 32)
    writer.write(byte: tickRate)
    writer.write(worldWidth)
    writer.write(worldHeight)
    writer.write(byte: scene)
    writer.write(bodyCap)
    writer.write(commandsBefore, bits: 32)
    stickers?.write(to: &writer)
  }

  init(from reader: inout BitReader) throws(WireError) {
    self.init(
      version: try reader.readUInt16(), clientID: try reader.readUInt16(),
      colour: try reader.read(bits: 24), name: try Name(from: &reader),
      token: try SessionToken(from: &reader), tick: try reader.read(bits: 32),
      tickRate: try reader.readByte(), worldWidth: try reader.readUInt16(),
      worldHeight: try reader.readUInt16(), scene: try reader.readByte(),
      bodyCap: try reader.readUInt16(), commandsBefore: try reader.read(bits: 32),
      stickers: reader.remainingBits > 0 ? try StickerSetName(from: &reader) : nil)
  }
}

/// The unit in which clients name points of a world.
///
/// 1/8 pt, which 16 bits carry as far as 4095 pt. A world that reaches farther, as one with more
/// than about 4500 stickers does, is measured in 1/4 pt: 8191 pt, which no world exceeds.
/// Both ends know the world's size from the welcome.
public struct PointScale: Equatable, Sendable {
  /// Steps in a point: 8 or 4.
  public let stepsPerPoint: Int32

  /// The longest side in points of a world that is measured in 1/8 pt.
  public static let longestFineSide: Int32 = 4095

  /// The longest side in points of any world.
  public static let longestSide: Int32 = 8191

  /// The unit of a world of the given size in points.
  public init(worldWidth: Int32, worldHeight: Int32) {
    let longest = worldWidth > worldHeight ? worldWidth : worldHeight
    stepsPerPoint = longest > PointScale.longestFineSide ? 4 : 8
  }
}
