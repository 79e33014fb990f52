import Physics
import Testing

/// Debug drawings, through the protocol and as SVG.
@Suite struct DrawingTests {
  /// Writes down what it is asked to draw.
  private struct Notes: DebugDrawing {
    var outlines: [(corners: Int, radius: Float, style: DebugStyle)] = []
    var lines: [(Vector2, Vector2, DebugStyle)] = []
    var marks: [(Vector2, DebugStyle)] = []

    mutating func outline(_ corners: [Vector2], radius: Float, _ style: DebugStyle) {
      outlines.append((corners.count, radius, style))
    }
    mutating func line(from start: Vector2, to end: Vector2, _ style: DebugStyle) {
      lines.append((start, end, style))
    }
    mutating func mark(_ point: Vector2, _ style: DebugStyle) { marks.append((point, style)) }
  }

  private let view = Rect2(x: -100, y: -100, width: 200, height: 200)

  private func world() throws -> PhysicsWorld {
    var world = try Worlds.empty()
    let shapes = [
      try BodyShape.circle(radius: 10), try .capsule(halfLength: 20, radius: 5),
      try .box(width: 30, height: 20, cornerRadius: 4),
      try .polygon([Vector2(0, 0), Vector2(30, 0), Vector2(0, 30)]),
    ]
    for (k, shape) in shapes.enumerated() {
      var definition = BodyDefinition(shape: shape, position: Vector2(Float(k) * 40 - 60, 0))
      if k == 0 { definition.properties.kind = .anchored }
      if k == 1 { definition.properties.isSensor = true }
      if k == 2 { definition.velocity = Vector2(0, 50) }
      try world.addBody(definition)
    }
    try world.addBoundary(.segment(Vector2(-50, 40), Vector2(50, 40)), id: 1)
    try world.addBoundary(.halfPlane(normal: Vector2(0, -1), offset: -90), id: 2)
    try world.addJoint(
      JointDefinition(
        .rope(length: nil), a: world.bodyID(atSlot: 3)!, anchorB: Vector2(60, -50)))
    return world
  }

  @Test func everythingIsDrawnOnce() throws {
    var notes = Notes()
    let world = try world()
    world.draw(into: &notes, view: view)
    #expect(notes.outlines.map(\.corners) == [1, 2, 4, 3])
    #expect(notes.outlines.map(\.radius) == [10, 5, 4, 0])
    #expect(notes.outlines.map(\.style) == [.anchored, .sensor, .body, .body])
    let boundaries = notes.lines.filter { $0.2 == .boundary }
    #expect(boundaries.count == 2)
    #expect(boundaries[0].0 == Vector2(-50, 40) && boundaries[0].1 == Vector2(50, 40))
    // The rim of the floor, right across the view.
    #expect(boundaries[1].0.y == 90 && boundaries[1].1.y == 90)
    #expect(abs(boundaries[1].1.x - boundaries[1].0.x) >= 200)
    #expect(notes.marks.map(\.1) == [.joint, .joint] && notes.marks[1].0 == Vector2(60, -50))
    let motion = notes.lines.filter { $0.2 == .motion }
    #expect(motion.count == 1 && motion[0].1 == Vector2(20, 5))
  }

  @Test func aPictureHasTheSameBytes() throws {
    var drawing = SVGDrawing(view: view)
    try world().draw(into: &drawing, view: view)
    let svg = drawing.svg
    #expect(
      svg.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-100 -100 200 200\">"))
    #expect(svg.hasSuffix("</svg>\n"))
    #expect(svg.contains("<circle class=\"anchored\" cx=\"-60\" cy=\"0\" r=\"10\"/>"))
    // A capsule: two sides and two arcs, clockwise.
    #expect(
      svg.contains(
        "<path class=\"sensor\" d=\"M-40,-5L0,-5A5,5 0 0 1 0,5L-40,5A5,5 0 0 1 -40,-5Z\"/>"))
    #expect(svg.contains("<path class=\"boundary\" d=\"M-50,40L50,40\"/>"))
    var again = SVGDrawing(view: view)
    try world().draw(into: &again, view: view)
    #expect(again.svg == svg)
  }

  @Test func contactsAreDrawnWhereTheyBegan() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    try world.addBoundary(.halfPlane(normal: Vector2(0, -1), offset: -50), id: 1)
    try world.addBody(BodyDefinition(shape: .circle(radius: 10), position: Vector2(0, 30)))
    var marks: [Vector2] = []
    for _ in 0..<30 {
      world.step()
      var notes = Notes()
      world.draw(into: &notes, view: view)
      marks += notes.marks.filter { $0.1 == .contact }.map(\.0)
    }
    #expect(marks.count == 1 && abs(marks[0].y - 50) < 2)
  }
}
