import Foundation
import Simulation

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
