/// A sticker as the page draws it: eight floats, in the order in which the GPU reads them.
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
  /// The picture, 0…15.
  public var kind: Float
  /// Seconds since it appeared; large for what was there before the client.
  public var age: Float

  /// Floats of an instance.
  public static let floats = 8
}
