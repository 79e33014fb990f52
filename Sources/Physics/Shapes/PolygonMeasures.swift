/// What an outline of at least three corners encloses, as triangles about its first corner: its
/// area and the centre of that, whichever way it goes round.
package struct PolygonMeasures {
  /// Twice the area in pt²; negative for an outline that goes round the other way than clockwise on
  /// screen, where y grows down.
  package let signedDouble: Float
  /// The sum of the triangles' centres about the first corner, each times six times its area.
  private let moment: Vector2
  private let origin: Vector2

  /// Measures an outline. One that crosses itself has the difference of what it goes round either
  /// way, one with less than three corners nothing.
  package init(_ corners: [Vector2]) {
    origin = corners.first ?? .zero
    var (double, sum) = (Float(0), Vector2.zero)
    for i in 1..<max(1, corners.count - 1) {
      let (a, b) = (corners[i] - origin, corners[i + 1] - origin)
      let cross = a.cross(b)
      double += cross
      sum += (a + b) * cross
    }
    (signedDouble, moment) = (double, sum)
  }

  /// In pt².
  package var area: Float { magnitude(signedDouble) * 0.5 }

  /// The centre of area; no numbers where there is none.
  package var center: Vector2 { origin + moment / (3 * signedDouble) }

  /// Whether the outline goes round clockwise on screen.
  package var turnsClockwise: Bool { signedDouble > 0 }
}
