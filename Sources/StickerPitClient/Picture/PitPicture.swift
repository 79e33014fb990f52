import Foundation
import Simulation
import Wire

/// Two numbers: a place in points, a velocity in points a second, or a tilt. X goes to the right,
/// y down.
public struct PitVector: Equatable, Sendable {
  /// To the right.
  public var x: Float
  /// Down.
  public var y: Float

  /// The vector with these numbers.
  public init(_ x: Float, _ y: Float) {
    self.x = x
    self.y = y
  }

  /// How long it is.
  public var length: Float { (x * x + y * y).squareRoot() }
}

/// The world as it is to be drawn at one moment.
public struct PitPicture: Equatable, Sendable {
  /// The world; nil before the first one has come.
  public internal(set) var world: PitWorld?
  /// All stickers in the order in which they are drawn: the last one lies on top. At most 16 384.
  public internal(set) var stickers: [Sticker] = []
  /// What stickers bounce off and slide on: the world's sides and a scene's own boundaries.
  public internal(set) var boundaries: [PitLine] = []
  /// Rods, from the fixed end to the sticker's.
  public internal(set) var rods: [PitLine] = []
  /// The last tick, a sixtieth of a second, that is known for certain; the low 32 bits.
  public internal(set) var tick: UInt32 = 0

  init() {}

  /// The topmost sticker under a point of the world; nil for none.
  public func sticker(at point: PitVector) -> Sticker? {
    stickers.last { $0.contains(point) }
  }

  /// The sticker with a number; nil if there is none any more.
  public func sticker(_ id: Sticker.ID) -> Sticker? {
    stickers.first { $0.id == id }
  }
}

/// A world, as the server's welcome tells it.
public struct PitWorld: Equatable, Sendable {
  /// Its width in points, 1…65 535.
  public let width: Float
  /// Its height in points, 1…65 535.
  public let height: Float
  /// Which of the scenes it is; nil for one that this client doesn't know.
  public let scene: Scene?
  /// The most stickers at a time, 1…16 384; beyond, the oldest goes for a new one.
  public let mostStickers: Int
  /// The set that the stickers are of, whose pictures the server has at
  /// `/sets/<digest in 16 hexadecimal digits>/`; nil for the usual sixteen.
  public let stickerSet: StickerSetName?

  init(_ welcome: Welcome) {
    width = Float(welcome.worldWidth)
    height = Float(welcome.worldHeight)
    scene = Scene(rawValue: welcome.scene)
    mostStickers = Int(welcome.bodyCap)
    stickerSet = welcome.stickers
  }
}

/// A straight line in the world.
public struct PitLine: Equatable, Sendable {
  /// Where it begins, in points.
  public var from: PitVector
  /// Where it ends, in points.
  public var to: PitVector

  init(_ boundary: SceneryBoundary) {
    from = PitVector(Float(boundary.ax) / 8, Float(boundary.ay) / 8)
    to = PitVector(Float(boundary.bx) / 8, Float(boundary.by) / 8)
  }

  init(_ rod: PictureScenery.Rod) {
    from = PitVector(rod.anchorX, rod.anchorY)
    to = PitVector(rod.attachX, rod.attachY)
  }
}

/// A sticker as it is to be drawn at one moment.
public struct Sticker: Equatable, Sendable {
  /// What stickers are told apart by: see `id`.
  public typealias ID = Int

  private let instance: StickerInstance

  init(_ instance: StickerInstance) { self.instance = instance }

  /// Its number, 0…16 383. Another sticker may get it when this one is gone.
  public var id: ID { Int(instance.slot) }
  /// Its middle, in points of the world.
  public var center: PitVector { PitVector(instance.x, instance.y) }
  /// How far it is turned, clockwise on screen, in radians from −π to π.
  public var angle: Float { atan2(instance.sine, instance.cosine) }
  /// Its width in points before it is turned.
  public var width: Float { instance.width }
  /// Its height in points before it is turned.
  public var height: Float { instance.height }
  /// Which one it is, 0…31: up to 15 a picture, even ones discs and odd ones boxes with rounded
  /// corners; 16 a card, 17 a square, 18 snow (a disc), 19 cake (a box). In a set (see
  /// `PitWorld.stickerSet`) the place in its list.
  public var kind: Int { Int(instance.kind) }
  /// Whether it is round, in a world without a sticker set.
  public var isDisc: Bool { instance.isDisc }
  /// Seconds since it appeared; large for what was there before this client.
  public var age: Float { instance.age }
  /// The number of the person who holds it; nil for nobody.
  public var holder: UInt16? { instance.holder < 0 ? nil : UInt16(instance.holder) }

  /// Whether a point of the world is on it.
  public func contains(_ point: PitVector) -> Bool { instance.contains(x: point.x, y: point.y) }
}

@available(iOS 13, macOS 10.15, tvOS 13, watchOS 6, *)
extension Sticker: Identifiable {}
