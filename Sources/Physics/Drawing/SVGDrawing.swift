/// A world as an SVG picture, the same bytes on every machine:
///
/// ```swift
/// var drawing = SVGDrawing(view: Rect2(x: 0, y: 0, width: 400, height: 300))
/// world.draw(into: &drawing, view: drawing.view)
/// let picture = drawing.svg
/// ```
///
/// A unit is a point. The colours stand in the picture's style sheet, by `DebugStyle`.
public struct SVGDrawing: DebugDrawing, Sendable {
  /// The part of the world that the picture shows, in points.
  public let view: Rect2
  private var text = SVGText()

  /// An empty picture of a part of the world.
  public init(view: Rect2) {
    self.view = view
    text.add("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"")
    text.add(view.x)
    text.add(" ")
    text.add(view.y)
    text.add(" ")
    text.add(view.width)
    text.add(" ")
    text.add(view.height)
    text.add(
      """
      ">
      <style>
      path,circle{fill:none;stroke:#345;vector-effect:non-scaling-stroke}
      .body{fill:#8cf8}
      .sleeping{fill:#ccd8}
      .anchored{fill:#567}
      .sensor{stroke:#999;stroke-dasharray:4}
      .boundary{stroke:#b40;stroke-width:2}
      .joint{stroke:#a0a}
      .motion{stroke:#080}
      .contact{stroke:#f00}
      </style>

      """)
  }

  /// The picture so far.
  public var svg: String {
    var whole = text
    whole.add("</svg>\n")
    return String(decoding: whole.bytes, as: UTF8.self)
  }

  /// Adds an outline.
  public mutating func outline(_ corners: [Vector2], radius: Float, _ style: DebugStyle) {
    guard corners.count > 1 else {
      if let center = corners.first {
        text.circle(style.name, at: center, radius: radius)
      }
      return
    }
    guard radius > 0 else { return text.polygon(style.name, corners, closed: true) }
    text.open("path", style.name)
    text.add(" d=\"")
    for i in corners.indices {
      let (a, b) = (corners[i], corners[i + 1 == corners.count ? 0 : i + 1])
      let d = (b - a).normalized
      let out = Vector2(d.y, -d.x) * radius
      if i == 0 { text.add("M") } else { arc(radius) }
      text.add(a + out)
      text.add("L")
      text.add(b + out)
    }
    let d = (corners[1] - corners[0]).normalized
    arc(radius)
    text.add(corners[0] + Vector2(d.y, -d.x) * radius)
    text.add("Z\"/>\n")
  }

  /// Adds a line.
  public mutating func line(from start: Vector2, to end: Vector2, _ style: DebugStyle) {
    text.line(style.name, from: start, to: end)
  }

  /// Adds a circle of 2 pt.
  public mutating func mark(_ point: Vector2, _ style: DebugStyle) {
    text.circle(style.name, at: point, radius: 2)
  }

  /// Begins the arc round a corner, clockwise on screen.
  private mutating func arc(_ radius: Float) {
    assert(radius > 0)
    text.add("A")
    text.add(radius)
    text.add(",")
    text.add(radius)
    text.add(" 0 0 1 ")
  }
}

extension DebugStyle {
  /// The class in the picture.
  fileprivate var name: StaticString {
    switch self {
    case .body: "body"
    case .sleeping: "sleeping"
    case .anchored: "anchored"
    case .sensor: "sensor"
    case .boundary: "boundary"
    case .joint: "joint"
    case .motion: "motion"
    case .contact: "contact"
    }
  }
}
