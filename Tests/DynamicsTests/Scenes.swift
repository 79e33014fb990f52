import Dynamics

/// Animators and items that several tests build.
enum Scenes {
  static func empty(width: Float = 1000, height: Float = 1000) throws -> Animator {
    try Animator(referenceBounds: Rect2(x: 0, y: 0, width: width, height: height))
  }

  /// The item of the facts: 100×100, density 1, mass 1.
  static func square(
    at center: Vector2 = Vector2(500, 500), angle: Float = 0
  ) -> Item {
    Item(.rectangle(width: 100, height: 100), center: center, angle: angle)
  }

  static func ball(at center: Vector2, diameter: Float = 40) -> Item {
    Item(.ellipse(width: diameter, height: diameter), center: center)
  }
}

extension Animator {
  mutating func step(times: Int) {
    for _ in 0..<times { step() }
  }
}

func isClose(_ a: Float, _ b: Float, within share: Float = 0.01) -> Bool {
  let difference = a - b
  let size = abs(b) * share
  return abs(difference) <= size
}
