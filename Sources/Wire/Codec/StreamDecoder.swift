/// Follows one state stream: `world` is what the server's clients have at its tick.
///
/// A frame that is refused leaves `world` as it was. What was wrong inside a frame's content can't
/// be undone, so every frame is refused then with `noKeyframe` until a keyframe comes.
///
/// Memory is taken by the keyframe, about 700 bytes for each of at most 16 384 slots; later frames
/// allocate nothing once `world` has grown. Work is linear in the slots and bounded whatever the
/// bytes are.
public final class StreamDecoder {
  /// The world at the last decoded tick. Positions count `shape.profile.stepsPerPoint` steps a
  /// point.
  public private(set) var world = LatticeWorld()
  /// What the last keyframe said of the stream.
  public private(set) var shape: StreamShape?
  /// Whether the stream's own frames fit; otherwise the next must be a catch-up frame or a
  /// keyframe.
  public private(set) var isInStep = false

  /// Whether the velocities came from a keyframe or a catch-up frame over more than one.
  private var isCoarse = false
  private var state: StreamState?
  private var next = LatticeWorld()
  /// Slots that a keyframe may ask memory for.
  private let mostSlots: Int

  public init(mostSlots: Int = WireLimits.bodies) {
    self.mostSlots = mostSlots
  }

  /// Whether bytes that begin with `type` are a stream's frame.
  public static func accepts(_ type: UInt8) -> Bool {
    type >= StreamFrame.firstType || type == ServerMessageType.keyframe.rawValue
      || type == ServerMessageType.state.rawValue || type == ServerMessageType.held.rawValue
  }

  /// Decodes one frame that fills `bytes` exactly. Throws `noKeyframe` or `gap` if it does not
  /// follow on what is known, and otherwise what is wrong with the bytes.
  @discardableResult
  public func decode(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> StateFrameInfo {
    guard bytes.count > 0 else { throw .empty }
    guard bytes.count <= WireLimits.serverMessageBytes else { throw .tooLong(bytes.count) }
    if bytes[0] >= StreamFrame.firstType { return try decodeNext(bytes, held: 0) }
    switch ServerMessageType(rawValue: bytes[0]) {
    case .keyframe: return try decodeKeyframe(bytes)
    case .state: return try decodeCatchUp(bytes)
    case .held: return try decodeHeld(bytes)
    default: throw .unknownType(bytes[0])
    }
  }

  /// `decode` for an array.
  @discardableResult
  public func decode(_ bytes: [UInt8]) throws(WireError) -> StateFrameInfo {
    let result: Result<StateFrameInfo, WireError> = bytes.withUnsafeBytes { raw in
      do throws(WireError) { return .success(try decode(raw)) } catch { return .failure(error) }
    }
    return try result.get()
  }
}

extension StreamDecoder {
  /// Decodes the stream's own frame, with `held` frames that were held back before it.
  private func decodeNext(
    _ bytes: UnsafeRawBufferPointer, held: UInt32
  ) throws(WireError) -> StateFrameInfo {
    guard let state else { throw .noKeyframe }
    assert(held <= StreamShape.heldTicks)
    let interval = state.shape.interval
    let tick = world.tick &+ interval &* (held &+ 1)
    guard isInStep, bytes[0] == StreamFrame.type(of: tick, interval: interval) else {
      let next = base(of: bytes[0], interval: interval)
      throw .gap(last: world.tick, base: next &- interval &* held)
    }
    // Nothing builds on a state that is half changed.
    self.state = nil
    var coder = RangeDecoder(UnsafeRawBufferPointer(rebasing: bytes[1...]))
    for left in stride(from: held, through: 0, by: -1) {
      try code(frames: 1, widening: .full, with: state, from: &coder)
      // The next frame's arithmetic counts on it.
      guard areOnLattice(state) else { throw .outOfRange(.coordinate) }
      // The places of the last tick are the world, as they were before a restart.
      if left == 0 {
        guard coder.isAtEnd else { throw .trailing }
        try publish(state, tick: tick)
      }
      if state.shape.restarts(after: tick &- interval &* left) { state.restart() }
    }
    self.state = state
    isCoarse = false
    return StateFrameInfo(tick: tick, isKeyframe: false, skipped: 0, held: held)
  }

  private func decodeHeld(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> StateFrameInfo {
    guard bytes.count >= 3 else { throw .truncated }
    let held = UInt32(bytes[1])
    guard held >= 1, held <= StreamShape.heldTicks, bytes[2] >= StreamFrame.firstType else {
      throw .outOfRange(.held)
    }
    return try decodeNext(UnsafeRawBufferPointer(rebasing: bytes[2...]), held: held)
  }

  /// The tick that a frame of the stream builds on, if it is one of the next 64.
  private func base(of type: UInt8, interval: UInt32) -> UInt32 {
    let here = world.tick / interval
    let ahead = (UInt32(type & 63) &- here &- 1) & 63
    return world.tick &+ ahead &* interval
  }

  private func decodeCatchUp(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> StateFrameInfo {
    guard bytes.count >= 7 else { throw .truncated }
    let tick = StreamFrame.number(bytes, at: 1, count: 4)
    let frames = Int(bytes[5])
    guard frames >= 1, frames <= StreamShape.catchUpFrames else { throw .outOfRange(.base) }
    guard bytes[6] & ~(StreamFrame.entryFlag | StreamFrame.coarseFlag) == 0 else {
      throw .outOfRange(.flags)
    }
    guard let state else { throw .noKeyframe }
    let base = tick &- UInt32(frames) &* state.shape.interval
    guard base == world.tick, (bytes[6] & StreamFrame.coarseFlag != 0) == isCoarse else {
      throw .gap(last: world.tick, base: base)
    }
    state.restart(frames: Double(frames))
    try decodeContent(
      bytes, at: 7, tick: tick, frames: frames,
      widening: StepWidening(catchUpOver: frames, isCoarse: isCoarse), with: state)
    state.restart()
    isInStep = bytes[6] & StreamFrame.entryFlag != 0
    isCoarse = frames > 1
    return StateFrameInfo(tick: tick, isKeyframe: false, skipped: UInt32(frames) - 1)
  }

  private func decodeKeyframe(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> StateFrameInfo {
    let header = 5 + StreamFrame.shapeBytes
    guard bytes.count > header else { throw .truncated }
    let tick = StreamFrame.number(bytes, at: 1, count: 4)
    let shape = try StreamFrame.shape(bytes, at: 5)
    guard bytes[header] & ~StreamFrame.entryFlag == 0 else { throw .outOfRange(.flags) }
    guard shape.slots <= mostSlots else { throw .outOfRange(.count) }
    let skipped = skippedFrames(before: tick, interval: shape.interval)
    let state = state.flatMap { $0.shape == shape ? $0 : nil } ?? StreamState(shape)
    state.clear()
    state.models.restart()
    self.state = state
    try decodeContent(
      bytes, at: header + 1, tick: tick, frames: 1, widening: .none, isKeyframe: true,
      with: state)
    state.restart()
    isCoarse = true
    self.shape = shape
    isInStep = bytes[header] == StreamFrame.entryFlag
    return StateFrameInfo(tick: tick, isKeyframe: true, skipped: skipped)
  }

  /// Frames between the last one and a keyframe. A keyframe of an earlier tick (another server, or
  /// one that started again) skips nothing.
  private func skippedFrames(before tick: UInt32, interval: UInt32) -> UInt32 {
    let step = tick.ticks(since: world.tick)
    guard shape != nil, step > 0 else { return 0 }
    return (UInt32(step) - 1) / interval
  }

  /// Decodes what follows a header and makes it the world.
  private func decodeContent(
    _ bytes: UnsafeRawBufferPointer, at start: Int, tick: UInt32, frames: Int,
    widening: StepWidening, isKeyframe: Bool = false, with state: StreamState
  ) throws(WireError) {
    // Nothing builds on a state that is half changed.
    self.state = nil
    assert(start <= bytes.count && frames >= 1 && frames <= StreamShape.catchUpFrames)
    var coder = RangeDecoder(UnsafeRawBufferPointer(rebasing: bytes[start...]))
    try code(
      frames: frames, widening: widening, isKeyframe: isKeyframe, with: state, from: &coder)
    if isKeyframe || frames > 1 {
      state.codeVelocities(frames: Double(frames), velocities: nil, with: &coder)
    }
    guard coder.isAtEnd else { throw .trailing }
    try publish(state, tick: tick)
    self.state = state
  }

  private func code(
    frames: Int, widening: StepWidening, isKeyframe: Bool = false, with state: StreamState,
    from coder: inout RangeDecoder
  ) throws(WireError) {
    try state.codeFrame(
      frames: frames, widening: widening, isKeyframe: isKeyframe, gravity: .down, scenery: nil,
      targets: nil, targetEnd: 0, with: &coder)
  }

  /// Whether all bodies are where bodies can be.
  private func areOnLattice(_ state: StreamState) -> Bool {
    for slot in 0..<state.slotEnd where state.looks[slot].isPresent {
      guard state.isOnLattice(slot) else { return false }
    }
    return true
  }

  private func publish(_ state: StreamState, tick: UInt32) throws(WireError) {
    assert(state.slotEnd <= state.shape.slots && state.shape.slots <= mostSlots)
    next.tick = tick
    next.gravity = state.gravity
    next.scenery = state.scenery
    next.profile = state.shape.profile
    next.bodies.removeAll(keepingCapacity: true)
    for slot in 0..<state.slotEnd where state.looks[slot].isPresent {
      guard state.isOnLattice(slot) else { throw .outOfRange(.coordinate) }
      let place = state.latticePlace(slot)
      let looks = state.looks[slot]
      next.bodies.append(
        LatticeBody(
          slot: UInt16(truncatingIfNeeded: slot), generation: looks.generation, kind: looks.kind,
          size: looks.size, x: Int32(place[0]), y: Int32(place[1]),
          angle: UInt16(truncatingIfNeeded: Int(place[2]))))
    }
    assert(next.bodies.count <= state.slotEnd)
    swap(&world, &next)
  }
}
