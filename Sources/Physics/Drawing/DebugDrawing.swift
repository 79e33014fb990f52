/// What a line or an outline of a world stands for, so that a drawing can choose its colour.
public enum DebugStyle: UInt8, Equatable, Sendable, CaseIterable, BitwiseCopyable {
  /// A body that moves, the outlines of its shapes and a line from the centre to its right.
  case body
  /// A body that is asleep.
  case sleeping
  /// An anchored or kinematic body.
  case anchored
  /// A sensor.
  case sensor
  /// A boundary.
  case boundary
  /// A joint: its anchors and a line between them.
  case joint
  /// The way of the next tenth of a second.
  case motion
  /// Where a contact began in the last step, and its normal, 10 pt long.
  case contact
}

/// Takes a world's lines and outlines: a canvas, a picture, a list for a test. Places in points, y
/// down.
public protocol DebugDrawing {
  /// An outline: the corners of a convex core, clockwise on screen, grown by `radius` points. One
  /// corner makes a disc, two a capsule.
  mutating func outline(_ corners: [Vector2], radius: Float, _ style: DebugStyle)

  /// A straight line.
  mutating func line(from start: Vector2, to end: Vector2, _ style: DebugStyle)

  /// A point to be marked.
  mutating func mark(_ point: Vector2, _ style: DebugStyle)
}

extension PhysicsWorld {
  /// Draws the world as it is, and where contacts began in the last step: boundaries first, then
  /// bodies in the order of their slots, joints, motion, contacts. Half-planes have no end; their
  /// rims are drawn as far as they could be seen in `view`.
  public func draw<Drawing: DebugDrawing>(into drawing: inout Drawing, view: Rect2) {
    for e in 0..<storage.edges.count where storage.edges[e].exists {
      let (start, end) = storage.edges[e].ends(seenIn: view)
      drawing.line(from: start, to: end, .boundary)
    }
    for slot in 0..<slotCount where storage.slots[slot].exists { drawBody(slot, &drawing) }
    forEachJoint { id in
      guard let joint = joint(id) else { return }
      drawing.mark(joint.anchorA, .joint)
      drawing.mark(joint.anchorB, .joint)
      drawing.line(from: joint.anchorA, to: joint.anchorB, .joint)
    }
    forEachBody { _, state in
      guard !state.isAsleep, state.velocity != .zero else { return }
      drawing.line(from: state.position, to: state.position + state.velocity * 0.1, .motion)
    }
    for event in contactEvents.began {
      drawing.mark(event.point, .contact)
      drawing.line(from: event.point, to: event.point - event.normal * 10, .contact)
    }
  }

  private func drawBody<Drawing: DebugDrawing>(_ slot: Int, _ drawing: inout Drawing) {
    let properties = storage.properties(ofSlot: slot)
    let state = storage.state(ofSlot: slot)
    let style: DebugStyle =
      properties.isSensor
      ? .sensor
      : properties.kind != .dynamic ? .anchored : state.isAsleep ? .sleeping : .body
    let (shape, core) = (
      storage.shape(ofSlot: slot), storage.placedCore(row: Int(storage.slots[slot].row))
    )
    var corners: [Vector2] = []
    for i in 0..<core.count { corners.append(core[i]) }
    drawing.outline(corners, radius: shape.radius, style)
    guard storage.isBody(slot) else { return }
    let right = Vector2(0.5 * shape.size.x, 0).rotated(by: state.rotation)
    drawing.line(from: state.position, to: state.position + right, style)
  }
}

extension EdgeRecord {
  /// Where a piece is drawn from and to. Of a half-plane, as much of its rim as lies about a view.
  fileprivate func ends(seenIn view: Rect2) -> (Vector2, Vector2) {
    guard isHalfPlane else { return (a, b) }
    let middle = Vector2(view.x + 0.5 * view.width, view.y + 0.5 * view.height)
    let foot = middle - normal * (middle - a).dot(normal)
    let reach = Vector2(view.width, view.height).length * 0.5
    return (foot - tangent * reach, foot + tangent * reach)
  }
}
