/// Attachments and boundaries as words.
extension AttachmentBehavior {
  func write<Sink: WordSink>(_ sink: inout Sink) {
    sink.put(UInt32(kind.rawValue))
    sink.put(items)
    sink.put(offset)
    sink.put(otherOffset)
    sink.put(axis)
    sink.put(anchorPoint)
    sink.put(length ?? -1)
    sink.put(frequency)
    sink.put(damping)
    sink.put(frictionTorque)
    sink.put(attachmentRange != nil)
    sink.put(Vector2(attachmentRange?.lowerBound ?? 0, attachmentRange?.upperBound ?? 0))
    joint?.write(&sink)
  }

  /// Reads one that was added: it has a joint, and a length if its kind keeps one.
  init(_ reader: inout StateReader) throws(DynamicsError) {
    let kind = try reader.choice(Kind.self)
    let items = try reader.items()
    guard items.count == 1 || items.count == 2 else { throw .malformedSnapshot }
    let offset = try reader.vector()
    let otherOffset = try reader.vector()
    self.init(
      restored: kind, items: items, offset: offset, otherOffset: otherOffset,
      axis: try reader.vector())
    anchorPoint = try reader.vector()
    let length = try reader.number()
    guard length <= MotionLimit.length else { throw .malformedSnapshot }
    self.length = length < 0 ? nil : length
    frequency = try reader.number()
    damping = try reader.number()
    frictionTorque = try reader.number()
    let hasRange = try reader.flag()
    let range = try reader.vector()
    if hasRange {
      guard range.x <= range.y else { throw .malformedSnapshot }
      attachmentRange = range.x...range.y
    }
    joint = try AttachmentJoint(&reader)
  }
}

extension AttachmentJoint {
  func write<Sink: WordSink>(_ sink: inout Sink) {
    sink.put(UInt32(id.slot) << 16 | UInt32(id.generation))
    sink.put(anchor)
    sink.put(jumps)
  }

  init(_ reader: inout StateReader) throws(DynamicsError) {
    let name = try reader.word()
    id = JointID(slot: UInt16(name >> 16), generation: UInt16(truncatingIfNeeded: name))
    anchor = try reader.vector()
    jumps = try reader.flag()
    guard anchor.isInRange else { throw .malformedSnapshot }
  }
}

extension CollisionBehavior {
  func write<Sink: WordSink>(_ sink: inout Sink) {
    sink.put(UInt32(mode.rawValue))
    sink.put(items)
    sink.put(referenceInsets != nil)
    let insets = referenceInsets ?? .zero
    sink.put(Vector2(insets.top, insets.left))
    sink.put(Vector2(insets.bottom, insets.right))
    sink.put(entries.count)
    for entry in entries {
      sink.put(entry.id.value)
      entry.path.write(&sink)
    }
  }

  init(_ reader: inout StateReader) throws(DynamicsError) {
    let mode = try reader.choice(Mode.self)
    self.init(items: try reader.items())
    self.mode = mode
    let hasInsets = try reader.flag()
    let (upper, lower) = (try reader.vector(), try reader.vector())
    if hasInsets {
      try setTranslatesReferenceBoundsIntoBoundary(
        with: Insets(top: upper.x, left: upper.y, bottom: lower.x, right: lower.y))
    }
    for _ in 0..<(try reader.count(of: 8)) {
      let id = BoundaryID(Int32(bitPattern: try reader.word()))
      try addBoundary(try BoundaryPath(&reader), id: id)
    }
  }
}

extension BoundaryPath {
  func write<Sink: WordSink>(_ sink: inout Sink) {
    switch self {
    case .segment(let a, let b):
      sink.put(0 as UInt32)
      sink.put(a)
      sink.put(b)
    case .path(let points, let closed):
      sink.put(1 as UInt32)
      sink.put(points)
      sink.put(closed)
    case .rectangle(let r):
      sink.put(2 as UInt32)
      sink.put(r)
    }
  }

  init(_ reader: inout StateReader) throws(DynamicsError) {
    switch try reader.word() {
    case 0:
      let a = try reader.vector()
      self = .segment(a, try reader.vector())
    case 1:
      let points = try reader.points()
      self = .path(points, closed: try reader.flag())
    case 2:
      self = .rectangle(try reader.rectangle())
    default:
      throw .malformedSnapshot
    }
  }
}

extension ItemShape {
  @inline(__always)
  func write<Sink: WordSink>(_ sink: inout Sink) {
    switch self {
    case .rectangle(let width, let height, let cornerRadius):
      sink.put(0 as UInt32)
      sink.put(Vector2(width, height))
      sink.put(cornerRadius)
    case .ellipse(let width, let height):
      sink.put(1 as UInt32)
      sink.put(Vector2(width, height))
    case .path(let corners, let growth):
      sink.put(2 as UInt32)
      sink.put(corners)
      sink.put(growth)
    case .compound(let parts):
      sink.put(3 as UInt32)
      sink.put(parts.count)
      for part in parts {
        part.shape.write(&sink)
        sink.put(part.center)
        sink.put(part.rotation)
      }
    }
  }

  init(_ reader: inout StateReader) throws(DynamicsError) {
    let kind = try reader.word()
    guard kind == 3 else {
      try self.init(plain: kind, &reader)
      return
    }
    var parts: [Part] = []
    // The least that a part takes: an ellipse, a place and a rotation.
    for _ in 0..<(try reader.count(of: 28)) {
      let shape = try ItemShape(plain: try reader.word(), &reader)
      let center = try reader.vector()
      parts.append(Part(shape, center: center, rotation: try reader.rotation()))
    }
    self = .compound(parts)
  }

  private init(plain kind: UInt32, _ reader: inout StateReader) throws(DynamicsError) {
    switch kind {
    case 0:
      let size = try reader.vector()
      self = .rectangle(width: size.x, height: size.y, cornerRadius: try reader.number())
    case 1:
      let size = try reader.vector()
      self = .ellipse(width: size.x, height: size.y)
    case 2:
      let corners = try reader.points()
      self = .path(corners, growth: try reader.number())
    default:
      throw .malformedSnapshot
    }
  }
}
