/// Behaviours as words. Each kind writes and reads its own, in the same order.
extension Behavior {
  func write<Sink: WordSink>(_ sink: inout Sink) {
    sink.put(kindNumber)
    switch self {
    case .gravity(let value): value.write(&sink)
    case .collision(let value): value.write(&sink)
    case .item(let value): value.write(&sink)
    case .push(let value): value.write(&sink)
    case .attachment(let value): value.write(&sink)
    case .snap(let value): value.write(&sink)
    case .field(let value): value.write(&sink)
    // The children are records of their own.
    case .composite: break
    }
  }

  init(_ reader: inout StateReader) throws(DynamicsError) {
    switch try reader.word() {
    case 0: self = .gravity(try GravityBehavior(&reader))
    case 1: self = .collision(try CollisionBehavior(&reader))
    case 2: self = .item(try ItemBehavior(&reader))
    case 3: self = .push(try PushBehavior(&reader))
    case 4: self = .attachment(try AttachmentBehavior(&reader))
    case 5: self = .snap(try SnapBehavior(&reader))
    case 6: self = .field(try FieldBehavior(&reader))
    case 7: self = .composite(CompositeBehavior())
    default: throw .malformedSnapshot
    }
  }
}

extension PolarVector {
  func write<Sink: WordSink>(_ sink: inout Sink) {
    sink.put(vector)
    sink.put(angle)
    sink.put(magnitude)
  }

  init(_ reader: inout StateReader) throws(DynamicsError) {
    let vector = try reader.vector()
    let angle = try reader.number()
    self.init(restoredVector: vector, angle: angle, magnitude: try reader.number())
  }
}

extension GravityBehavior {
  func write<Sink: WordSink>(_ sink: inout Sink) {
    sink.put(items)
    pull.write(&sink)
  }

  init(_ reader: inout StateReader) throws(DynamicsError) {
    self.init(items: try reader.items())
    pull = try PolarVector(&reader)
  }
}

extension ItemBehavior {
  func write<Sink: WordSink>(_ sink: inout Sink) {
    sink.put(items)
    sink.put(UInt32(stated.rawValue))
    sink.put(values.elasticity)
    sink.put(values.friction)
    sink.put(values.density)
    sink.put(values.resistance)
    sink.put(values.angularResistance)
    sink.put(values.charge)
    sink.put(values.isAnchored)
    sink.put(values.allowsRotation)
  }

  init(_ reader: inout StateReader) throws(DynamicsError) {
    self.init(items: try reader.items())
    stated = StatedProperties(rawValue: UInt8(try reader.word(upTo: 255)))
    values.elasticity = try reader.number()
    values.friction = try reader.number()
    values.density = try reader.number()
    values.resistance = try reader.number()
    values.angularResistance = try reader.number()
    values.charge = try reader.number()
    values.isAnchored = try reader.flag()
    values.allowsRotation = try reader.flag()
  }
}

extension PushBehavior {
  func write<Sink: WordSink>(_ sink: inout Sink) {
    sink.put(UInt32(mode.rawValue))
    sink.put(items)
    assert(offsets.count == items.count)
    sink.put(offsets)
    sink.put(isActive)
    force.write(&sink)
  }

  init(_ reader: inout StateReader) throws(DynamicsError) {
    let mode = try reader.choice(Mode.self)
    self.init(items: try reader.items(), mode: mode)
    offsets = try reader.points()
    guard offsets.count == items.count else { throw .malformedSnapshot }
    isActive = try reader.flag()
    force = try PolarVector(&reader)
  }
}

extension SnapBehavior {
  func write<Sink: WordSink>(_ sink: inout Sink) {
    sink.put(items)
    assert(items.count == 1)
    sink.put(snapPoint)
    sink.put(damping)
  }

  init(_ reader: inout StateReader) throws(DynamicsError) {
    let items = try reader.items()
    guard items.count == 1 else { throw .malformedSnapshot }
    let point = try reader.vector()
    self.init(item: items[0], snapTo: point, damping: try reader.number())
  }
}

extension FieldBehavior {
  func write<Sink: WordSink>(_ sink: inout Sink) {
    sink.put(UInt32(kind.rawValue))
    sink.put(items)
    sink.put(falloff)
    sink.put(position)
    region.write(&sink)
    sink.put(strength)
    sink.put(minimumRadius)
    sink.put(direction)
    sink.put(smoothness)
    sink.put(animationSpeed)
    sink.put(seed)
  }

  init(_ reader: inout StateReader) throws(DynamicsError) {
    let kind = try reader.choice(Kind.self)
    let items = try reader.items()
    self.init(restored: kind, items: items, falloff: try reader.number())
    position = try reader.vector()
    region = try Region(&reader)
    strength = try reader.number()
    minimumRadius = try reader.number()
    direction = try reader.vector()
    smoothness = try reader.number()
    animationSpeed = try reader.number()
    seed = try reader.word()
  }
}

extension Region {
  func write<Sink: WordSink>(_ sink: inout Sink) {
    sink.put(program.count)
    for operation in program {
      switch operation {
      case .infinite: sink.put(0 as UInt32)
      case .circle(let radius):
        sink.put(1 as UInt32)
        sink.put(radius)
      case .rectangle(let half):
        sink.put(2 as UInt32)
        sink.put(half)
      case .inverse: sink.put(3 as UInt32)
      case .union: sink.put(4 as UInt32)
      case .difference: sink.put(5 as UInt32)
      case .intersection: sink.put(6 as UInt32)
      }
    }
  }

  init(_ reader: inout StateReader) throws(DynamicsError) {
    program = []
    for _ in 0..<(try reader.count(of: 4)) {
      switch try reader.word() {
      case 0: program.append(.infinite)
      case 1: program.append(.circle(radius: try reader.number()))
      case 2: program.append(.rectangle(half: try reader.vector()))
      case 3: program.append(.inverse)
      case 4: program.append(.union)
      case 5: program.append(.difference)
      case 6: program.append(.intersection)
      default: throw .malformedSnapshot
      }
    }
  }
}
