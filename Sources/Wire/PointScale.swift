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
