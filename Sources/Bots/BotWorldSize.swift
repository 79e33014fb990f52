import Wire

/// A world's size in the steps in which commands name points.
struct BotWorldSize {
  let right: Int
  let bottom: Int
  private let stepsPerPoint: Int32

  /// Width and height in points, as the welcome tells.
  init(width: Int, height: Int) {
    let scale = PointScale(worldWidth: Int32(width), worldHeight: Int32(height))
    stepsPerPoint = scale.stepsPerPoint
    right = width * Int(stepsPerPoint)
    bottom = height * Int(stepsPerPoint)
  }

  /// Where a body is, in those steps.
  func place(of body: LatticeBody, in world: LatticeWorld) -> (x: Int, y: Int) {
    let steps = Double(stepsPerPoint) / world.profile.stepsPerPoint
    return (Int(Double(body.x) * steps), Int(Double(body.y) * steps))
  }
}
