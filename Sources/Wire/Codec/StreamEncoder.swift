/// Writes one state stream: the same frames for every client in step.
///
///     let encoder = StreamEncoder(shape)
///     encoder.encode(bodies, tick: tick, gravity: gravity, into: &frame)  // for who is in step
///     position = encoder.keyframe(into: &keyframe)                        // for who joins
///     position = encoder.catchUp(from: position, into: &frame)            // for who is not
///
/// A client that joins gets the keyframe of the newest tick, and then, as does one that skipped,
/// catch-up frames from the tick it has, until one arrives at a restart: from there the stream's
/// own frames fit again. A catch-up frame depends on the position alone, so clients at the same
/// position share its bytes, and the stream's other clients never notice.
///
/// While all is calm, `encode` may hold frames back: the next one that it gives brings them along.
/// Motion is never held back.
///
/// Allocates nothing after `init` but what `bytes` needs to grow. Not for two threads at once.
public final class StreamEncoder {
  public let shape: StreamShape
  /// The tick encoded last.
  public private(set) var tick: UInt32 = 0
  /// Whether a frame was encoded yet.
  public private(set) var hasBase = false

  let state: StreamState
  /// The state that keyframes and catch-up frames start from; made anew for each.
  let scratch: StreamState
  private var history: StreamHistory
  /// By slot.
  private let targets: UnsafeMutablePointer<StreamTarget>
  private var targetEnd = 0
  private let velocities: UnsafeMutablePointer<SIMD4<Double>>
  private var stillness: Stillness
  /// What is coded for clients in step: the newest frame, after those held back.
  private var run: RangeEncoder
  private let runBytes: UnsafeMutablePointer<UInt8>
  /// What is coded for everybody else.
  private let buffer: UnsafeMutablePointer<UInt8>
  /// Whether the stream restarted after the newest frame, so that clients may enter it there.
  private var isEntry = false
  /// The tick that clients in step have: that of the last frame that was given.
  public private(set) var givenTick: UInt32 = 0
  /// Frames in a row in which all was calm, as far as it matters.
  private var calmFrames: UInt32 = 0
  /// Of these, how many are held back now.
  private var heldFrames: UInt32 = 0
  private let mostHeld: UInt32
  /// What the bodies' clients see besides them, in order and within its limits.
  private var scenery = Scenery()

  /// - Parameter holdsCalm: whether frames in which all is calm may be held back.
  public init(_ shape: StreamShape, holdsCalm: Bool = false) {
    self.shape = shape
    mostHeld = holdsCalm ? StreamShape.heldTicks / shape.interval : 0
    state = StreamState(shape)
    scratch = StreamState(shape)
    history = StreamHistory(slots: shape.slots)
    targets = .allocate(capacity: shape.slots)
    targets.initialize(repeating: StreamTarget(), count: shape.slots)
    velocities = .allocate(capacity: shape.slots)
    velocities.initialize(repeating: SIMD4(repeating: 0), count: shape.slots)
    stillness = Stillness(slots: shape.slots)
    let frameBytes = StreamState.frameBytes(slots: shape.slots)
    buffer = .allocate(capacity: frameBytes)
    runBytes = .allocate(capacity: frameBytes + StreamEncoder.mostHeldBytes)
    run = RangeEncoder(into: runBytes)
  }

  deinit {
    history.deallocate()
    targets.deallocate()
    velocities.deallocate()
    stillness.deallocate()
    buffer.deallocate()
    runBytes.deallocate()
  }

  /// Appends the frame of `tick` for every client in step, and remembers it. Returns what was
  /// appended; `held` for nothing, because all is calm: a later frame brings this one along.
  ///
  /// The first frame, and one whose tick is not an interval after the last, starts the stream anew
  /// with a keyframe that everybody needs. Bodies whose slot is not below `shape.slots` are left
  /// out; of two in one slot the later one counts.
  @discardableResult
  public func encode(
    _ bodies: [StreamBody], scenery: Scenery = Scenery(), tick: UInt32, gravity: QuantizedGravity,
    into bytes: inout [UInt8]
  ) -> StateFrameKind {
    let isNext = hasBase && tick == self.tick &+ shape.interval
    if !isNext { start() }
    setTargets(bodies)
    if self.scenery != scenery { self.scenery.assign(scenery) }
    self.tick = tick
    hasBase = true
    var coder = heldFrames > 0 ? run : RangeEncoder(into: runBytes)
    code(
      state, frames: 1, widening: .full, targetEnd: targetEnd, gravity: gravity,
      scenery: self.scenery, with: &coder)
    run = coder
    history.record(state, tick: tick)
    isEntry = !isNext || shape.restarts(after: tick)
    if isEntry { state.restart() }
    guard isNext else {
      givenTick = tick
      keyframe(into: &bytes)
      return .keyframe
    }
    if holdsBack() {
      heldFrames &+= 1
      return .held
    }
    appendRun(to: &bytes)
    return .state
  }

  /// Frames of calm before one is held back, a tenth of a second at 60 Hz: calm is often brief, and
  /// a slow move is not calm.
  private static let calmBeforeHeld: UInt32 = 6
  /// Bytes that frames which are held back may have in all.
  private static let mostHeldBytes = 1024

  /// Whether the newest frame can wait: nothing in it is far from where it was six frames ago, or,
  /// once frames are held back, from what was given last.
  private func holdsBack() -> Bool {
    let isLong = calmFrames >= StreamEncoder.calmBeforeHeld
    guard history.isCalm(since: Int(isLong ? heldFrames : calmFrames) &+ 1) else {
      calmFrames = 0
      return false
    }
    if !isLong { calmFrames &+= 1 }
    // Whoever enters finds all at one tick.
    return isLong && heldFrames < mostHeld && !isEntry && run.count <= StreamEncoder.mostHeldBytes
  }

  /// Appends the newest frame, and what was held back before it.
  private func appendRun(to bytes: inout [UInt8]) {
    if heldFrames > 0 {
      bytes.append(ServerMessageType.held.rawValue)
      bytes.append(UInt8(heldFrames))
      heldFrames = 0
    }
    bytes.append(StreamFrame.type(of: tick, interval: shape.interval))
    bytes.append(contentsOf: UnsafeBufferPointer(start: runBytes, count: run.finish()))
    givenTick = tick
  }

  /// The oldest tick from which `catchUp` can lead to the newest.
  public var oldestTick: UInt32 {
    tick &- UInt32(history.count > 0 ? history.reach : 0) * shape.interval
  }

  /// Copies the newest frame as every client in step has it. Positions count
  /// `shape.profile.stepsPerPoint` steps a point.
  public func copyWorld(into world: inout LatticeWorld) {
    let newest = history.frame(back: 0)
    let places = history.places(back: 0)
    world.tick = tick
    world.gravity = newest.gravity
    world.scenery = newest.scenery
    world.profile = shape.profile
    world.bodies.removeAll(keepingCapacity: true)
    for slot in 0..<newest.slotEnd where places[slot].looks.isPresent {
      let place = places[slot]
      world.bodies.append(
        LatticeBody(
          slot: UInt16(truncatingIfNeeded: slot), generation: place.looks.generation,
          kind: place.looks.kind, size: place.looks.size, x: place.x, y: place.y,
          angle: UInt16(truncatingIfNeeded: place.angle)))
    }
  }

  /// Appends the newest frame for a client that has nothing, and returns what it has then. Needs
  /// `hasBase`.
  @discardableResult
  public func keyframe(into bytes: inout [UInt8]) -> StreamPosition {
    scratch.clear()
    scratch.models.restart()
    bytes.append(ServerMessageType.keyframe.rawValue)
    StreamFrame.append(tick, count: 4, to: &bytes)
    StreamFrame.append(shape, to: &bytes)
    // Only a world where nothing moved yet is known exactly.
    let enters = isEntry && history.count == 1
    bytes.append(enters ? StreamFrame.entryFlag : 0)
    encodeNewest(frames: 1, widening: .none, isKeyframe: true, into: &bytes)
    return StreamPosition(tick: tick, isInStep: enters, isCoarse: true)
  }

  /// Appends the frame that leads a client from `position` to the newest tick, and returns what it
  /// has then. Returns nil, and appends nothing, if its tick is not that of one of the last 64
  /// frames: then it takes a keyframe.
  public func catchUp(
    from position: StreamPosition, into bytes: inout [UInt8]
  ) -> StreamPosition? {
    let interval = shape.interval
    let ticks = tick &- position.tick
    let frames = Int(ticks / interval)
    guard hasBase, ticks % interval == 0, frames >= 1, frames <= history.reach else { return nil }
    loadScratch(frames: frames, isCoarse: position.isCoarse)
    let enters = isEntry && frames == 1
    bytes.append(ServerMessageType.state.rawValue)
    StreamFrame.append(tick, count: 4, to: &bytes)
    bytes.append(UInt8(frames))
    bytes.append(
      (enters ? StreamFrame.entryFlag : 0) | (position.isCoarse ? StreamFrame.coarseFlag : 0))
    let widening = StepWidening(catchUpOver: frames, isCoarse: position.isCoarse)
    encodeNewest(frames: frames, widening: widening, into: &bytes)
    return StreamPosition(tick: tick, isInStep: enters, isCoarse: frames > 1)
  }
}

extension StreamEncoder {
  private func start() {
    state.clear()
    state.models.restart()
    history.clear()
    stillness.clear()
    calmFrames = 0
    heldFrames = 0
  }

  /// Puts the bodies onto the lattice's plane, and decides how far off each may stay.
  private func setTargets(_ bodies: [StreamBody]) {
    for slot in 0..<targetEnd { targets[slot].looks = StreamLooks() }
    targetEnd = 0
    let point = shape.profile.stepsPerPoint
    for body in bodies {
      let slot = Int(body.slot)
      guard slot < shape.slots else { continue }
      let place = SIMD4(
        StreamEncoder.clamped(Double(body.x) * point),
        StreamEncoder.clamped(Double(body.y) * point),
        StreamEncoder.clamped(Double(body.angle) * StreamEncoder.anglesPerRadian), 0)
      let stillTicks = stillness.note(slot, at: place, ticks: Int32(shape.interval))
      targets[slot].looks = StreamLooks(
        generation: body.generation, kind: body.kind & (WireLimits.bodyKinds - 1),
        size: body.size > 0 ? body.size : 1)
      targets[slot].place = shape.profile == .strict ? StreamEncoder.nearest(place) : place
      if slot >= targetEnd { targetEnd = slot + 1 }
      targets[slot].place[3] =
        stillTicks >= CodecProfile.stillTicks ? 0.5 : shape.profile.deadZone
    }
  }

  /// The lattice's place; halves go up. In the strict profile everybody has exactly this.
  static func nearest(_ place: SIMD4<Double>) -> SIMD4<Double> {
    floor(place + 0.5)
  }

  static let anglesPerRadian = 162.97466172610083

  /// Within the lattice and the widest step away from its edge, so that what a wide step rounds to
  /// is on it as well; something that is no number is 0.
  static func clamped(_ value: Double) -> Double {
    let limit = Double(LatticeBody.limit - 8)
    return value > limit ? limit : value >= -limit ? value : value < -limit ? -limit : 0
  }

  /// Codes a frame's content. What can be wrong with bytes can't be wrong here.
  private func code(
    _ state: StreamState, frames: Int, widening: StepWidening, isKeyframe: Bool = false,
    targetEnd: Int, gravity: QuantizedGravity, scenery: Scenery, with coder: inout RangeEncoder
  ) {
    // A slot that the targets don't reach is empty in them.
    for slot in targetEnd..<(targetEnd > state.slotEnd ? targetEnd : state.slotEnd) {
      targets[slot].looks = StreamLooks()
    }
    do throws(WireError) {
      try state.codeFrame(
        frames: frames, widening: widening, isKeyframe: isKeyframe, gravity: gravity,
        scenery: scenery, targets: targets, targetEnd: targetEnd, with: &coder)
    } catch {
      assertionFailure("an encoder refused its own frame")
    }
  }

  /// Codes the newest frame from `scratch`, to the very places that the stream's clients have.
  private func encodeNewest(
    frames: Int, widening: StepWidening, isKeyframe: Bool = false, into bytes: inout [UInt8]
  ) {
    let newest = history.frame(back: 0)
    let places = history.places(back: 0)
    for slot in 0..<newest.slotEnd {
      let place = places[slot]
      targets[slot].looks = place.looks
      targets[slot].place = SIMD4(Double(place.x), Double(place.y), Double(place.angle), 0.5)
    }
    targetEnd = targetEnd > newest.slotEnd ? targetEnd : newest.slotEnd
    var coder = RangeEncoder(into: buffer)
    code(
      scratch, frames: frames, widening: widening, isKeyframe: isKeyframe,
      targetEnd: newest.slotEnd, gravity: newest.gravity, scenery: newest.scenery, with: &coder)
    if isKeyframe || frames > 1 {
      for slot in 0..<newest.slotEnd where places[slot].looks.isPresent {
        velocities[slot] = history.velocity(of: slot, back: 0)
      }
      scratch.codeVelocities(frames: Double(frames), velocities: velocities, with: &coder)
    }
    bytes.append(contentsOf: UnsafeBufferPointer(start: buffer, count: coder.finish()))
  }

  /// Makes `scratch` what a client knows that has the frame `frames` before the newest.
  private func loadScratch(frames: Int, isCoarse: Bool) {
    scratch.clear()
    scratch.models.restart()
    let base = history.frame(back: frames)
    let places = history.places(back: frames)
    scratch.gravity = base.gravity
    scratch.scenery.assign(base.scenery)
    scratch.slotEnd = base.slotEnd
    for slot in 0..<base.slotEnd {
      scratch.looks[slot] = places[slot].looks
      guard places[slot].looks.isPresent else { continue }
      let velocity = history.velocity(of: slot, back: frames)
      scratch.restart(
        slot,
        place: SIMD4(
          Double(places[slot].x), Double(places[slot].y), Double(places[slot].angle), 0),
        velocity: isCoarse ? CoarseVelocity.coarse(velocity) : velocity, frames: Double(frames))
    }
  }
}
