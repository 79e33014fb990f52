import Wire

/// A sticker as the page draws it: ten floats, in the order in which the GPU reads them.
@frozen
public struct StickerInstance: Equatable, Sendable, BitwiseCopyable {
  /// Centre in points.
  public var x: Float
  public var y: Float
  /// The rotation, clockwise on screen.
  public var cosine: Float
  public var sine: Float
  /// Size in points.
  public var width: Float
  public var height: Float
  /// 0…31: up to 15 a picture, even ones circles, odd ones rounded boxes; 16 the card, 17 the
  /// square.
  public var kind: Float
  /// Seconds since it appeared; large for what was there before the client.
  public var age: Float
  /// The body's slot.
  public var slot: Float
  /// The number of the person who holds it, or −1.
  public var holder: Float

  /// Floats of an instance.
  public static let floats = 10
}

extension StickerInstance {
  /// The kind that is 254 pt wide and 172 high at size 254.
  private static let card: Float = 16
  private static let square: Float = 17

  /// The height of a kind of which `size` is the width.
  static func height(ofKind kind: UInt8, size: Float) -> Float {
    Float(kind) == card ? size * (172.0 / 254.0) : size
  }

  /// Whether a point, in points of the world, is on the sticker.
  public func contains(x pointX: Float, y pointY: Float) -> Bool {
    let dx = pointX - x
    let dy = pointY - y
    // In the sticker's own axes, and all corners folded into one.
    let across = StickerInstance.size(dx * cosine + dy * sine)
    let down = StickerInstance.size(dy * cosine - dx * sine)
    let beyondX = across - (width / 2 - corner)
    let beyondY = down - (height / 2 - corner)
    guard beyondX > 0, beyondY > 0 else { return beyondX <= corner && beyondY <= corner }
    return beyondX * beyondX + beyondY * beyondY <= corner * corner
  }

  /// The radius of the corners; half of the size makes a circle.
  private var corner: Float {
    if kind == StickerInstance.square { return 0 }
    if kind == StickerInstance.card { return width * (12.0 / 254.0) }
    return Int32(kind) & 1 == 0 ? width / 2 : width / 10
  }

  private static func size(_ value: Float) -> Float { value < 0 ? -value : value }
}
