/// The headers of a stream's frames, and the order of their content.
///
///     frame of the stream   1 byte   0xC0 + (tick / interval mod 64), then the content
///     keyframe              1 byte   0x82
///                           4 bytes  tick
///                           1 byte   ticks between frames: 1, 2, 3 or 6
///                           1 byte   profile: 0 strict, 1 visual
///                           2 bytes  width, 2 height, in points
///                           2 bytes  gravity at full magnitude, pt/s²
///                           2 bytes  slots
///                           1 byte   flags, then the content, then velocities
///     held frames           1 byte   0x88
///                           1 byte   how many frames were held back, 1…30
///                                    a frame of the stream, their contents before its own
///     catch-up frame        1 byte   0x83
///                           4 bytes  tick
///                           1 byte   frames back to the one it builds on, 1…64
///                           1 byte   flags, then the content, then velocities if 2 or more back
///
/// Flag bit 0: the stream restarts here, so its own frames follow. Flag bit 1 (catch-up frames
/// only): the client knows velocities only as keyframes carry them.
enum StreamFrame {
  static let firstType: UInt8 = 0xC0
  static let entryFlag: UInt8 = 1
  static let coarseFlag: UInt8 = 2
  static let shapeBytes = 10

  /// The first byte of the stream's frame of `tick`.
  static func type(of tick: UInt32, interval: UInt32) -> UInt8 {
    firstType | UInt8(tick / interval & 63)
  }

  static func append(_ value: UInt32, count: Int, to bytes: inout [UInt8]) {
    assert(count == 4 || (count > 0 && value >> UInt32(8 * count) == 0), "so many bytes hold it")
    for index in 0..<count {
      bytes.append(UInt8(truncatingIfNeeded: value >> UInt32(8 * index)))
    }
  }

  static func append(_ shape: StreamShape, to bytes: inout [UInt8]) {
    bytes.append(UInt8(shape.interval))
    bytes.append(shape.profile.rawValue)
    append(UInt32(shape.width), count: 2, to: &bytes)
    append(UInt32(shape.height), count: 2, to: &bytes)
    append(UInt32(shape.gravity), count: 2, to: &bytes)
    append(UInt32(shape.slots), count: 2, to: &bytes)
  }

  static func number(_ bytes: UnsafeRawBufferPointer, at index: Int, count: Int) -> UInt32 {
    assert(index >= 0 && count <= 4 && index + count <= bytes.count)
    var result: UInt32 = 0
    for byte in 0..<count { result |= UInt32(bytes[index + byte]) << UInt32(8 * byte) }
    return result
  }

  /// Reads a shape at `index`, whose 10 bytes must be there.
  static func shape(
    _ bytes: UnsafeRawBufferPointer, at index: Int
  ) throws(WireError) -> StreamShape {
    guard let rate = FrameRate.allCases.first(where: { $0.interval == UInt32(bytes[index]) }) else {
      throw .outOfRange(.rate)
    }
    guard let profile = CodecProfile(rawValue: bytes[index + 1]) else {
      throw .outOfRange(.profile)
    }
    let slots = Int(number(bytes, at: index + 8, count: 2))
    guard slots >= 1, slots <= WireLimits.bodies else { throw .outOfRange(.count) }
    return StreamShape(
      profile: profile, rate: rate,
      width: UInt16(number(bytes, at: index + 2, count: 2)),
      height: UInt16(number(bytes, at: index + 4, count: 2)),
      gravity: UInt16(number(bytes, at: index + 6, count: 2)), slots: slots)
  }
}

extension StreamState {
  /// Codes a frame's content: gravity, scenery, bodies that go, moves, bodies that come.
  ///
  /// `frames` is how far the frame leads. Gravity, scenery and targets are the encoder's.
  func codeFrame<Coder: BinaryCoder>(
    frames: Int, widening: StepWidening, isKeyframe: Bool = false,
    gravity target: QuantizedGravity, scenery: Scenery?, targets: UnsafePointer<StreamTarget>?,
    targetEnd: Int, with coder: inout Coder
  ) throws(WireError) {
    codeGravity(to: target, with: &coder)
    try codeScenery(to: scenery, with: &coder)
    let isChanged = removedCount(targets) > 0 || addedCount(targets, targetEnd) > 0
    let changed = try codeRemoved(targets: targets, changed: isChanged, with: &coder)
    let ticks = Double(frames &* Int(shape.interval))
    codeMotion(ticks: ticks, widening: widening, targets: targets, with: &coder)
    assert(frames >= 1 && targetEnd <= shape.slots && slotEnd <= shape.slots)
    guard changed else { return }
    try codeAdded(
      targets: targets, targetEnd: targetEnd, isKeyframe: isKeyframe, with: &coder)
  }
}

/// What `StreamEncoder.encode` gave.
public enum StateFrameKind: Sendable {
  /// A keyframe, because the stream began.
  case keyframe
  /// The stream's next frame, perhaps with those held back before it.
  case state
  /// Nothing: all is calm, and a later frame brings this one along.
  case held
}

/// What a decoder says about a frame that it took.
public struct StateFrameInfo: Equatable, Sendable {
  /// The frame's tick.
  public var tick: UInt32
  /// Whether it was a keyframe.
  public var isKeyframe: Bool
  /// Frames of the stream's rhythm that the server left out before this one. A keyframe or a
  /// catch-up frame announces them; the stream's own frames never leave any out.
  public var skipped: UInt32
  /// Frames before this one in which all was calm, and which came with it.
  public var held: UInt32

  public init(tick: UInt32, isKeyframe: Bool, skipped: UInt32, held: UInt32 = 0) {
    self.tick = tick
    self.isKeyframe = isKeyframe
    self.skipped = skipped
    self.held = held
  }
}
