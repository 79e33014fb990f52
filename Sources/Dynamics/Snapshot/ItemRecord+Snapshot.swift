/// Items as words.
extension ItemRecord {
  /// Writes an item where it stands: a method would be handed a copy, whose lists are retained and
  /// released, four atomic operations for each item, which is most of what saving took.
  @inline(__always)
  static func write<Sink: WordSink>(
    _ item: UnsafePointer<ItemRecord>, _ sink: inout Sink, leavesOutOutline: Bool
  ) {
    let exists = item.pointee.exists
    sink.put(UInt32(item.pointee.generation) << 1 | (exists ? 1 : 0))
    guard exists else { return }
    if !leavesOutOutline { item.pointee.outline.write(&sink) }
    sink.put(item.pointee.tag)
    sink.put(item.pointee.members.count)
    if !item.pointee.members.isEmpty { writeMembers(item.pointee.members, &sink) }
    let body = item.pointee.body
    sink.put(body != nil)
    if let body {
      sink.put(UInt32(body.slot) << 16 | UInt32(body.generation))
    } else {
      let rest = item.pointee.rest
      sink.put(rest.center)
      sink.put(rest.rotation)
      sink.put(rest.velocity)
      sink.put(rest.angularVelocity)
    }
  }

  private static func writeMembers<Sink: WordSink>(_ members: [GroupMember], _ sink: inout Sink) {
    for member in members {
      sink.put(member.item)
      sink.put(member.center)
      sink.put(member.rotation)
    }
  }

  static let still = ItemState(
    center: .zero, rotation: .identity, velocity: .zero, angularVelocity: 0)

  /// Becomes an item of the same shape that nothing else is known of.
  mutating func reset(generation: UInt16, exists: Bool) {
    self.exists = exists
    self.generation = generation
    uses = 0
    body = nil
    tag = 0
    rest = ItemRecord.still
    properties = ItemProperties()
    members.removeAll()
    group = -1
    groupPlace = 0
    falls = false
    collisionGroup = 0
    collisionMask = 0
    isStale = false
    force = .zero
    torque = 0
    isForced = false
    isDriven = false
  }

  /// Words of the longest plain item: one that exists, with a body, no path and no members.
  static let plainWords = 9

  /// Becomes the item at an offset of some bytes, of which those of a plain one are there, if it is
  /// plain and has the outline of this one. Returns how many words it has, or 0.
  @inline(__always)
  mutating func readAlike(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int {
    assert(bytes.count - offset >= 4 * Self.plainWords, "whoever reads has asked for it")
    let start = bytes.baseAddress! + offset
    func word(_ place: Int) -> UInt32 { Self.word(place, start) }
    let tail: Int
    let isSame: Bool
    switch outline {
    case .rectangle(let width, let height, let cornerRadius):
      isSame =
        word(1) == 0 && word(2) == width.bitPattern && word(3) == height.bitPattern
        && word(4) == cornerRadius.bitPattern
      tail = 5
    case .ellipse(let width, let height):
      isSame = word(1) == 1 && word(2) == width.bitPattern && word(3) == height.bitPattern
      tail = 4
    case .path, .compound: return 0
    }
    return isSame && readPlain(start, tail) ? tail + 4 : 0
  }

  /// The same of an item whose outline was left out: it has the outline of this one if it has its
  /// tag, too.
  @inline(__always)
  mutating func readTwin(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int {
    assert(bytes.count - offset >= 4 * Self.plainWords, "whoever reads has asked for it")
    let start = bytes.baseAddress! + offset
    guard exists, Self.word(1, start) == tag else { return 0 }
    return readPlain(start, 1) ? 5 : 0
  }

  /// Becomes the plain item whose words begin at `start`, but for the outline; its tag is `tail`
  /// words behind that. Returns whether it is a plain one.
  @inline(__always)
  private mutating func readPlain(_ start: UnsafeRawPointer, _ tail: Int) -> Bool {
    let head = Self.word(0, start)
    guard head & 1 == 1, head < 1 << 17, Self.word(tail + 1, start) == 0,
      Self.word(tail + 2, start) == 1, members.isEmpty
    else { return false }
    exists = true
    generation = UInt16(truncatingIfNeeded: head >> 1)
    uses = 0
    let name = Self.word(tail + 3, start)
    body = BodyID(slot: UInt16(name >> 16), generation: UInt16(truncatingIfNeeded: name))
    tag = Self.word(tail, start)
    group = -1
    collisionGroup = 0
    collisionMask = 0
    falls = false
    isStale = false
    properties = ItemProperties()
    // Of an item with a body nobody asks where it rests, nor of one in no group for its place in
    // it; and these are so between all steps.
    assert(force == .zero && torque == 0 && !isForced && !isDriven)
    return true
  }

  @inline(__always)
  private static func word(_ place: Int, _ start: UnsafeRawPointer) -> UInt32 {
    UInt32(littleEndian: start.loadUnaligned(fromByteOffset: 4 * place, as: UInt32.self))
  }

  /// Reads what comes after the outline.
  mutating func read(_ reader: inout StateReader) throws(DynamicsError) {
    tag = try reader.word()
    for _ in 0..<(try reader.count(of: 20)) {
      let item = try reader.itemID()
      let center = try reader.vector()
      let rotation = try reader.rotation()
      guard center.isInRange, rotation.isDirection else { throw .malformedSnapshot }
      members.append(GroupMember(item: item, center: center, rotation: rotation))
    }
    if try reader.flag() {
      let id = try reader.itemID()
      body = BodyID(slot: id.slot, generation: id.generation)
    } else {
      let center = try reader.vector()
      let rotation = try reader.rotation()
      let velocity = try reader.vector()
      rest = ItemState(
        center: center, rotation: rotation, velocity: velocity,
        angularVelocity: try reader.number())
      // The body that it gets with its first behaviour takes no others.
      guard center.isWithin(MotionLimit.place), velocity.isWithin(MotionLimit.speed),
        rest.angularVelocity.isWithin(MotionLimit.speed), rotation.isDirection
      else { throw .malformedSnapshot }
    }
  }
}

/// What is noted while a snapshot is read, in memory that is kept.
struct RestoreNotes: Sendable {
  var twins = OutlineTwins()
  /// Slots of the items that have members.
  var groups: [UInt16] = []
  /// By slot, the last list or pass that an item or behaviour was met in.
  var marks: [UInt16] = []
  /// By number, in how many pieces the solver has a boundary.
  var pieces: [Int32] = []
  /// By a collision behaviour's slot, the mark of its first boundary.
  var firstBoundaries: [Int32] = []
  /// The names of the solver's bodies by slot.
  var bodyNames: [UInt32] = []

  mutating func clear() {
    twins.clear()
    groups.removeAll(keepingCapacity: true)
  }

  /// So many marks, none of which is set.
  mutating func clearMarks(_ count: Int) {
    marks.resize(to: count, 0)
    marks.withUnsafeMutableBufferPointer { $0.update(repeating: 0) }
  }
}

/// Remembers which of the items before has an outline of the same kind and width: it often has the
/// very same outline.
struct OutlineTwins {
  private var places: [Int16] = []

  mutating func clear() {
    places.removeAll(keepingCapacity: true)
    places.append(contentsOf: repeatElement(-1, count: 64))
  }

  /// The solid shape of the item in a slot, after those that were noted.
  func solid(
    _ outline: ItemShape, _ items: [ItemRecord], _ slot: Int
  ) throws(DynamicsError) -> SolidShape {
    assert(places.count == 64 && outline.bucket >= 0 && outline.bucket < 64)
    let place = Int(places[outline.bucket])
    if place >= 0, place < slot, items[place].outline == outline { return items[place].solid }
    return try SolidShape(outline)
  }

  mutating func note(_ outline: ItemShape, _ slot: Int) {
    places[outline.bucket] = Int16(truncatingIfNeeded: slot)
  }
}

extension ItemShape {
  /// A number that is mostly different for different outlines.
  fileprivate var bucket: Int {
    switch self {
    case .rectangle(let width, _, _): (Int(truncatingIfNeeded: width.bitPattern >> 17) ^ 32) & 63
    case .ellipse(let width, _): Int(truncatingIfNeeded: width.bitPattern >> 17) & 63
    case .path, .compound: 0
    }
  }
}
