import Wire

/// The last decoded worlds, the oldest first, in memory that is used again.
struct FrameRing: Sendable {
  /// Two thirds of a second at 60 Hz: the longest delay and some more.
  private static let capacity = 40

  private var worlds: [LatticeWorld] = []
  private var first = 0
  private(set) var count = 0

  var newest: LatticeWorld? { count == 0 ? nil : self[count - 1] }
  var oldest: LatticeWorld? { count == 0 ? nil : self[0] }

  /// The `index`-th world, counted from the oldest.
  subscript(index: Int) -> LatticeWorld {
    assert(index >= 0 && index < count)
    return worlds[(first + index) % FrameRing.capacity]
  }

  mutating func append(_ world: LatticeWorld) {
    if worlds.count < FrameRing.capacity { worlds.append(LatticeWorld()) }
    worlds[(first + count) % FrameRing.capacity].assign(world)
    if count < FrameRing.capacity { count += 1 } else { first = (first + 1) % FrameRing.capacity }
    assert(count <= worlds.count && worlds.count <= FrameRing.capacity)
  }

  /// Appends the newest world once more, as it was at a later tick too.
  mutating func repeatNewest(at tick: UInt32) {
    guard count > 0, tick.ticks(since: self[count - 1].tick) > 0 else { return }
    append(self[count - 1])
    worlds[(first + count - 1) % FrameRing.capacity].tick = tick
  }

  mutating func removeAll() {
    first = 0
    count = 0
  }

  /// The last world that is not after `position`, a distance in ticks from the oldest.
  func index(before position: Double) -> Int {
    assert(count > 0)
    var index = count - 1
    while index > 0, Double(self[index].tick.ticks(since: self[0].tick)) > position { index -= 1 }
    return index
  }
}

/// When each sticker appeared, for the pop with which it comes.
struct BirthTicks: Sendable {
  private struct Entry {
    var generation: UInt16
    var tick: UInt32
    var isKnown: Bool
  }

  private var entries: [Entry] = []

  /// Age in seconds of what was there before the client.
  private static let old: Float = 1000

  /// Notes the stickers that are new in `world`; in the first world all are old.
  mutating func note(_ world: LatticeWorld, isFirst: Bool) {
    for body in world.bodies {
      note(body.slot, body.generation, at: world.tick, isOld: isFirst)
    }
  }

  /// Notes a sticker that is there at a tick; an old one has been there for long.
  mutating func note(_ slot: UInt16, _ generation: UInt16, at tick: UInt32, isOld: Bool) {
    assert(slot < WireLimits.bodies)
    let slot = Int(slot)
    while entries.count <= slot {
      entries.append(Entry(generation: 0, tick: 0, isKnown: false))
    }
    if entries[slot].isKnown, entries[slot].generation == generation { return }
    let birth = isOld ? tick &- UInt32(BirthTicks.old * 60) : tick
    entries[slot] = Entry(generation: generation, tick: birth, isKnown: true)
  }

  /// A sticker is known by another name from now on, and as old as it was.
  mutating func rename(_ old: StickerName, to new: StickerName) {
    let slot = Int(old.slot)
    guard slot < entries.count, entries[slot].isKnown, entries[slot].generation == old.generation
    else { return }
    let birth = entries[slot].tick
    note(new.slot, new.generation, at: birth, isOld: false)
    entries[Int(new.slot)].tick = birth
  }

  /// The sticker's age in seconds, `position` ticks after an earlier tick.
  func age(of body: LatticeBody, at position: Double, after earlier: UInt32) -> Float {
    age(ofSlot: body.slot, at: position, after: earlier)
  }

  func age(ofSlot slot: UInt16, at position: Double, after earlier: UInt32) -> Float {
    let slot = Int(slot)
    guard slot < entries.count else { return BirthTicks.old }
    let age = Float((Double(earlier.ticks(since: entries[slot].tick)) + position) / 60)
    return age < 0 ? 0 : age > BirthTicks.old ? BirthTicks.old : age
  }
}
