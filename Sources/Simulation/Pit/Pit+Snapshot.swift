import Dynamics
import Physics
import Wire

extension Pit {
  /// A hash of everything that the next tick depends on: all that `save(into:)` writes. Two pits
  /// that differ in anything have different hashes (but for one chance in 2⁶⁴), even where nobody
  /// sees it yet: in the impulses that contacts remember, in ticks at rest, in the order of rows.
  public func stateHash() -> UInt64 {
    var hash = StateHash()
    writeHead(&hash)
    writeRest(&hash)
    hash.put(playground.animator.stateHash())
    return hash.value
  }

  /// Writes the whole pit, so that a restored one goes on bit for bit: the animator, the scene's
  /// rules, hands and flights, chance. Replaces what `bytes` held and keeps its memory. The last
  /// tick's events are no part of it.
  public func save(into bytes: inout [UInt8]) {
    var own = WordCount()
    writeHead(&own)
    writeRest(&own)
    let animator = playground.animator.savedSizeLimit(leavesOutOutlines: true)
    bytes.fill(atMost: 4 * (own.words + 2) + animator) { memory in
      guard let start = memory.baseAddress else { return 0 }
      var writer = WordWriter(start)
      writer.put(Pit.snapshotVersion)
      writeHead(&writer)
      writer.put(atMost: animator) { playground.animator.save(to: $0, leavesOutOutlines: true) }
      writeRest(&writer)
      return writer.at - start
    }
  }

  /// The pit that `save(into:)` wrote. Throws `malformedSnapshot` for anything else.
  public static func restore(from bytes: [UInt8]) throws(PitError) -> Pit {
    var pit = Pit()
    try pit.read(bytes)
    return pit
  }

  /// Becomes the pit that `save(into:)` wrote. Throws `malformedSnapshot` for anything else, and
  /// stays what it was. There are no events until the next tick. From the second time on it takes
  /// place in memory that is kept: nothing is allocated for a pit like the last, but for a few
  /// lists of scenes other than the pit.
  public mutating func restore(from bytes: [UInt8]) throws(PitError) {
    let spare = PitSpare.kept(&self.spare)
    defer { self.spare = spare }
    // After an error the memory is not kept: half a pit may have other items than its set says.
    var target = spare.take() ?? Pit()
    try target.read(bytes)
    swap(&self, &target)
    spare.put(target)
  }

  /// "PI" and the version.
  private static let snapshotVersion: UInt32 = 0x5049_0005

  /// In the scene's word: what the host decided follows. So a world that was left alone has the
  /// bytes and the hash that it had before there were hosts.
  private static let hostFlag: UInt32 = 256
  /// In the scene's word: the stickers' set follows, for the same reason.
  private static let stickersFlag: UInt32 = 512

  /// What the animator's items can't be read without: what the stickers are.
  private func writeHead<Sink: WordSink>(_ sink: inout Sink) {
    let isLeftAlone = host == .none
    let flags = (isLeftAlone ? 0 : Pit.hostFlag) | (stickers == nil ? 0 : Pit.stickersFlag)
    sink.put(UInt32(scene.rawValue) | flags)
    let (x, y) = (UInt16(bitPattern: gravity.x), UInt16(bitPattern: gravity.y))
    sink.put(UInt32(x) << 16 | UInt32(y))
    if !isLeftAlone { host.write(&sink) }
    stickers?.write(&sink)
  }

  private func writeRest<Sink: WordSink>(_ sink: inout Sink) {
    playground.write(&sink)
    rules.write(&sink)
  }
}

extension Pit {
  private mutating func read(_ bytes: [UInt8]) throws(PitError) {
    var failure: PitError?
    bytes.withUnsafeBytes { raw in
      do throws(PitError) { try read(raw) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Becomes the pit that `save` wrote, in its own memory. On an error half a pit is left, which
  /// must not be used.
  private mutating func read(_ bytes: UnsafeRawBufferPointer) throws(PitError) {
    var reader = PitReader(bytes)
    guard try reader.word() == Pit.snapshotVersion else { throw .malformedSnapshot }
    try readHead(&reader)
    try playground.readAnimator(try reader.block(), stickers: scene == .pit ? stickers : nil)
    try playground.read(&reader)
    if let most = host.mostBodies { playground.bodyCap = Int(most) }
    rules = try PlayedScene(scene, from: &reader, playground.animator)
    guard reader.isAtEnd, isSound() else { throw .malformedSnapshot }
  }

  private mutating func readHead(_ reader: inout PitReader) throws(PitError) {
    let word = try reader.word(upTo: Pit.stickersFlag | Pit.hostFlag | 255)
    guard let scene = Scene(rawValue: UInt8(word & 255)) else { throw .malformedSnapshot }
    self.scene = scene
    let gravity = try reader.word()
    self.gravity = QuantizedGravity(
      x: Int16(bitPattern: UInt16(gravity >> 16)),
      y: Int16(bitPattern: UInt16(truncatingIfNeeded: gravity)))
    host = word & Pit.hostFlag == 0 ? .none : try HostRules(from: &reader)
    stickers = word & Pit.stickersFlag == 0 ? nil : try StickerSet(from: &reader)
  }
}

extension Playground {
  /// All but the animator.
  func write<Sink: WordSink>(_ sink: inout Sink) {
    sink.put(chance.state)
    sink.put(seed)
    sink.put(tick)
    sink.put(UInt32(ages.count))
    sink.put(ages)
    sink.put(UInt32(grips.count))
    for grip in grips {
      sink.put(grip.item)
      sink.put(UInt32(grip.person))
      sink.put(grip.tie.id)
      sink.put(grip.margin.bitPattern)
      sink.put(grip.finger)
      sink.put(grip.hand)
    }
    sink.put(UInt32(flights.count))
    for flight in flights {
      sink.put(flight.item)
      sink.put(flight.snap.id)
      sink.put(flight.ends)
    }
  }

  /// Reads the animator of a ground with these stickers, each of which has the outline that its tag
  /// says.
  fileprivate mutating func readAnimator(
    _ bytes: UnsafeRawBufferPointer, stickers: StickerSet?
  ) throws(PitError) {
    // Of another set the items that are there have other outlines by the same tags.
    if stickers != self.stickers { animator = Animator() }
    self.stickers = stickers
    do throws(DynamicsError) {
      try animator.read(bytes, leavesOutOutlines: true) {
        Playground.itemShape(ofTag: $0, stickers)
      }
    } catch {
      throw .malformedSnapshot
    }
  }

  /// Becomes what `write` described, around the animator that is there, whose bounds and capacity
  /// are the ground's.
  mutating func read(_ reader: inout PitReader) throws(PitError) {
    let bounds = animator.referenceBounds
    size = Vector2(bounds.width, bounds.height)
    // A smaller world has no room for the largest sticker.
    let least = 2 * Grip.mostMargin
    guard size.x >= least, size.y >= least else { throw .malformedSnapshot }
    bodyCap = animator.world.configuration.capacity
    clear()
    chance = RandomGenerator(seed: try reader.wide())
    seed = try reader.wide()
    tick = try reader.word()
    // Whether these are the items, `isSound` says.
    try reader.items(upTo: PitConfiguration.bodyLimit, into: &ages)
    for _ in 0..<(try reader.word(upTo: UInt32(Grip.most))) {
      let item = try reader.item(in: animator)
      let person = UInt16(try reader.word(upTo: UInt32(UInt16.max)))
      let tie: BehaviorHandle<AttachmentBehavior> = try reader.handle(in: animator)
      let margin = try reader.number()
      let finger = try reader.vector()
      grips.append(
        Grip(
          item: item, person: person, tie: tie, margin: margin, finger: finger,
          hand: try reader.vector()))
    }
    for _ in 0..<(try reader.word(upTo: UInt32(Flight.most))) {
      let item = try reader.item(in: animator)
      let snap: BehaviorHandle<SnapBehavior> = try reader.handle(in: animator)
      flights.append(Flight(item: item, snap: snap, ends: try reader.word()))
    }
  }
}
