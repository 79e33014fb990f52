/// Follows a stream of keyframes and state frames: `world` is what the server encoded.
///
/// A frame that is refused leaves `world` as it was. After a gap or a damaged frame every delta is
/// refused with `gap` until a keyframe comes, because no delta builds on the tick that was kept.
public struct StateDecoder: Sendable {
  /// The world at the last decoded tick.
  public private(set) var world = LatticeWorld()
  /// Whether a keyframe came yet.
  public private(set) var hasKeyframe = false
  /// Ticks from frame to frame, as the last keyframe said.
  public private(set) var interval: UInt32 = 1

  /// The world that is being decoded; it becomes `world` when the frame was good to its end.
  private var next = LatticeWorld()
  private var removed: [UInt16] = []
  private var added: [LatticeBody] = []

  public init() {}

  /// Decodes one keyframe or state frame that fills `bytes` exactly.
  ///
  /// The work is linear in the bytes and in the bodies (at most 16 384). Throws `gap` if a delta
  /// builds on another tick than `world.tick`, `noKeyframe` if there is nothing to build on, and
  /// otherwise what is wrong with the bytes.
  @discardableResult
  public mutating func decode(
    _ bytes: UnsafeRawBufferPointer
  ) throws(WireError) -> StateFrameInfo {
    guard bytes.count > 0 else { throw .empty }
    guard bytes.count <= WireLimits.serverMessageBytes else { throw .tooLong(bytes.count) }
    var reader = BitReader(UnsafeRawBufferPointer(rebasing: bytes[1...]))
    switch ServerMessageType(rawValue: bytes[0]) {
    case .keyframe: return try decodeKeyframe(from: &reader)
    case .state: return try decodeDelta(from: &reader)
    default: throw .unknownType(bytes[0])
    }
  }

  /// `decode` for an array.
  @discardableResult
  public mutating func decode(_ bytes: [UInt8]) throws(WireError) -> StateFrameInfo {
    let result: Result<StateFrameInfo, WireError> = bytes.withUnsafeBytes { raw in
      do throws(WireError) { return .success(try decode(raw)) } catch { return .failure(error) }
    }
    return try result.get()
  }
}

/// What a decoder says about a frame that it took.
public struct StateFrameInfo: Equatable, Sendable {
  /// The frame's tick.
  public var tick: UInt32
  /// Whether it was a keyframe.
  public var isKeyframe: Bool
  /// Frames of the stream's rhythm that the server left out before this one. A keyframe that comes
  /// later than the next frame was due announces them; a delta never leaves any out.
  public var skipped: UInt32

  public init(tick: UInt32, isKeyframe: Bool, skipped: UInt32) {
    self.tick = tick
    self.isKeyframe = isKeyframe
    self.skipped = skipped
  }
}

extension StateDecoder {
  private mutating func decodeKeyframe(
    from reader: inout BitReader
  ) throws(WireError) -> StateFrameInfo {
    let newInterval = try KeyframeFormat.read(into: &next, from: &reader)
    try reader.finish()
    let skipped = skippedFrames(before: next.tick, interval: newInterval)
    swap(&world, &next)
    interval = newInterval
    hasKeyframe = true
    return StateFrameInfo(tick: world.tick, isKeyframe: true, skipped: skipped)
  }

  /// Frames between the last one and a keyframe. A keyframe of an earlier tick (another server, or
  /// one that started again) skips nothing.
  private func skippedFrames(before tick: UInt32, interval: UInt32) -> UInt32 {
    let step = Int32(bitPattern: tick &- world.tick)
    guard hasKeyframe, step > 0 else { return 0 }
    return (UInt32(step) - 1) / interval
  }

  private mutating func decodeDelta(
    from reader: inout BitReader
  ) throws(WireError) -> StateFrameInfo {
    next.tick = try reader.read(bits: 32)
    let step = try reader.read(bits: 8)
    guard step > 0 else { throw .outOfRange(.base) }
    guard hasKeyframe else { throw .noKeyframe }
    guard next.tick &- step == world.tick else {
      throw .gap(last: world.tick, base: next.tick &- step)
    }
    let flags = try reader.read(bits: 8)
    guard flags & ~DeltaFormat.gravityFlag == 0 else { throw .outOfRange(.flags) }
    next.gravity = world.gravity
    if flags & DeltaFormat.gravityFlag != 0 {
      next.gravity = try FrameFields.readGravity(from: &reader)
    }
    try readRemoved(from: &reader)
    try readAdded(from: &reader)
    try mergeBodies()
    try readChanges(from: &reader)
    try reader.finish()
    swap(&world, &next)
    return StateFrameInfo(tick: world.tick, isKeyframe: false, skipped: 0)
  }

  private mutating func readRemoved(from reader: inout BitReader) throws(WireError) {
    removed.removeAll(keepingCapacity: true)
    let count = try FrameFields.readCount(minimumBits: 1, from: &reader)
    var slots = SlotGaps()
    for _ in 0..<count { removed.append(try slots.read(from: &reader)) }
  }

  private mutating func readAdded(from reader: inout BitReader) throws(WireError) {
    added.removeAll(keepingCapacity: true)
    let count = try FrameFields.readCount(
      minimumBits: DeltaFormat.minimumAddedBits, from: &reader)
    var slots = SlotGaps()
    for _ in 0..<count {
      added.append(
        try DeltaFormat.readAdded(slot: try slots.read(from: &reader), from: &reader))
    }
  }

  /// Makes `next.bodies` from the bodies of `world` without the removed and with the added ones,
  /// all three in order of slots. Removing what isn't there, or adding what is, is refused.
  private mutating func mergeBodies() throws(WireError) {
    guard world.bodies.count - removed.count + added.count <= WireLimits.bodies else {
      throw .outOfRange(.count)
    }
    next.bodies.removeAll(keepingCapacity: true)
    var gone = 0
    var new = 0
    for body in world.bodies {
      if gone < removed.count, removed[gone] == body.slot {
        gone += 1
        continue
      }
      while new < added.count, added[new].slot < body.slot {
        next.bodies.append(added[new])
        new += 1
      }
      guard new == added.count || added[new].slot != body.slot else { throw .outOfRange(.slot) }
      next.bodies.append(body)
    }
    guard gone == removed.count else { throw .outOfRange(.slot) }
    next.bodies.append(contentsOf: added[new...])
  }

  private mutating func readChanges(from reader: inout BitReader) throws(WireError) {
    let count = try FrameFields.readCount(
      minimumBits: DeltaFormat.minimumChangedBits, from: &reader)
    var slots = SlotGaps()
    var index = 0
    for _ in 0..<count {
      let slot = try slots.read(from: &reader)
      while index < next.bodies.count, next.bodies[index].slot < slot { index += 1 }
      guard index < next.bodies.count, next.bodies[index].slot == slot else {
        throw .outOfRange(.slot)
      }
      try BodyChange.read(applyingTo: &next.bodies[index], from: &reader)
    }
  }
}
