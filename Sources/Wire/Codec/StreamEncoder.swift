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
  private var targets: StreamTargets
  /// By slot.
  private let velocities: UnsafeMutablePointer<SIMD4<Double>>
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
  /// Times that the stream began anew because a frame came out as no client could have read it.
  /// It never should: a number above 0 is a fault of the encoder, which its clients survive.
  public private(set) var restarts = 0
  /// What the bodies' clients see besides them, in order and within its limits.
  private var scenery = Scenery()

  /// - Parameter holdsCalm: whether frames in which all is calm may be held back.
  public init(_ shape: StreamShape, holdsCalm: Bool = false) {
    self.shape = shape
    mostHeld = holdsCalm ? StreamShape.heldTicks / shape.interval : 0
    state = StreamState(shape)
    scratch = StreamState(shape)
    history = StreamHistory(slots: shape.slots)
    targets = StreamTargets(slots: shape.slots)
    velocities = .allocate(capacity: shape.slots)
    velocities.initialize(repeating: SIMD4(repeating: 0), count: shape.slots)
    let frameBytes = StreamState.frameBytes(slots: shape.slots)
    buffer = .allocate(capacity: frameBytes)
    runBytes = .allocate(capacity: frameBytes + StreamEncoder.mostHeldBytes)
    run = RangeEncoder(into: runBytes)
  }

  deinit {
    history.deallocate()
    targets.deallocate()
    velocities.deallocate()
    buffer.deallocate()
    runBytes.deallocate()
  }

  /// Appends the frame of `tick` for every client in step, and remembers it. Returns what was
  /// appended; `held` for nothing, because all is calm: a later frame brings this one along.
  ///
  /// The first frame, and one whose tick is not an interval after the last, starts the stream anew
  /// with a keyframe that everybody needs. Bodies whose slot is not below `shape.slots` are left
  /// out; of two in one slot the later one counts. What a decoder would refuse is never given: all
  /// of its limits are checked on what was coded, and a frame beyond one starts the stream anew.
  @discardableResult
  public func encode(
    _ bodies: [StreamBody], scenery: Scenery = Scenery(), tick: UInt32, gravity: QuantizedGravity,
    into bytes: inout [UInt8]
  ) -> StateFrameKind {
    let isNext = hasBase && tick == self.tick &+ shape.interval
    if self.scenery != scenery { self.scenery.assign(scenery) }
    self.tick = tick
    hasBase = true
    guard isNext, codeNext(bodies, gravity: gravity) else {
      if isNext { restarts += 1 }
      begin(bodies, gravity: gravity)
      keyframe(into: &bytes)
      return .keyframe
    }
    isEntry = shape.restarts(after: tick)
    if isEntry { state.restart() }
    if holdsBack() {
      heldFrames &+= 1
      return .held
    }
    appendRun(to: &bytes)
    return .state
  }

  /// Starts the stream anew at `tick`.
  private func begin(_ bodies: [StreamBody], gravity: QuantizedGravity) {
    start()
    let isSound = codeNext(bodies, gravity: gravity)
    assert(isSound, "what begins is where it is, and that is on the lattice")
    isEntry = true
    state.restart()
    givenTick = tick
  }

  /// Codes the bodies after what is held back. Returns whether decoders can follow.
  private func codeNext(_ bodies: [StreamBody], gravity: QuantizedGravity) -> Bool {
    targets.set(bodies, in: shape)
    var coder = heldFrames > 0 ? run : RangeEncoder(into: runBytes)
    code(
      state, frames: 1, widening: .full, targetEnd: targets.end, gravity: gravity,
      scenery: scenery, with: &coder)
    run = coder
    assert(run.count <= StreamState.frameBytes(slots: shape.slots) + StreamEncoder.mostHeldBytes)
    return history.record(state, tick: tick) && canBeRead(state, contentBytes: run.count)
  }

  /// Whether what was coded into `state` can be read: each residual has its bits, and the message
  /// is not too long. Slots, counts, looks and scenery are within their limits before they are
  /// coded, by `StreamTargets` and `Scenery.assign`.
  private func canBeRead(_ state: StreamState, contentBytes: Int) -> Bool {
    !state.wentBeyondFormat
      && contentBytes <= WireLimits.serverMessageBytes - StreamEncoder.mostHeaderBytes
  }

  /// A keyframe's header (16), and what the range coder's end may add.
  private static let mostHeaderBytes = 24

  /// Frames of calm before one is held back, a tenth of a second at 60 Hz: calm is often brief, and
  /// a slow move is not calm.
  private static let calmBeforeHeld: UInt32 = 6
  /// Bytes that frames which are held back may have in all.
  private static let mostHeldBytes = 1024

  /// Whether the newest frame can wait: nothing in it is far from where it was six frames ago, or,
  /// once frames are held back, from what was given last.
  private func holdsBack() -> Bool {
    assert(heldFrames <= mostHeld && mostHeld <= StreamShape.heldTicks)
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
    assert(heldFrames == 0, "what was held back has been given")
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
    assert(hasBase && history.count > 0, "there is a world to tell of")
    scratch.clear()
    scratch.models.restart()
    bytes.append(ServerMessageType.keyframe.rawValue)
    StreamFrame.append(tick, count: 4, to: &bytes)
    StreamFrame.append(shape, to: &bytes)
    // Only a world where nothing moved yet is known exactly.
    let enters = isEntry && history.count == 1
    bytes.append(enters ? StreamFrame.entryFlag : 0)
    let isSound = encodeNewest(frames: 1, widening: .none, isKeyframe: true, into: &bytes)
    assert(isSound, "a keyframe has no residuals, and 16 384 bodies take a quarter of a message")
    return StreamPosition(tick: tick, isInStep: enters, isCoarse: true)
  }

  /// Appends the frame that leads a client from `position` to the newest tick, and returns what it
  /// has then. Returns nil, and appends nothing, if its tick is not that of one of the last 64
  /// frames, or nothing leads from there that a decoder could read: then it takes a keyframe.
  public func catchUp(
    from position: StreamPosition, into bytes: inout [UInt8]
  ) -> StreamPosition? {
    let interval = shape.interval
    let ticks = tick &- position.tick
    let frames = Int(ticks / interval)
    guard hasBase, ticks % interval == 0, frames >= 1, frames <= history.reach else { return nil }
    loadScratch(frames: frames, isCoarse: position.isCoarse)
    let enters = isEntry && frames == 1
    let start = bytes.count
    bytes.append(ServerMessageType.state.rawValue)
    StreamFrame.append(tick, count: 4, to: &bytes)
    bytes.append(UInt8(frames))
    bytes.append(
      (enters ? StreamFrame.entryFlag : 0) | (position.isCoarse ? StreamFrame.coarseFlag : 0))
    let widening = StepWidening(catchUpOver: frames, isCoarse: position.isCoarse)
    guard encodeNewest(frames: frames, widening: widening, into: &bytes) else {
      bytes.removeLast(bytes.count - start)
      return nil
    }
    return StreamPosition(tick: tick, isInStep: enters, isCoarse: frames > 1)
  }
}

extension StreamEncoder {
  private func start() {
    state.clear()
    state.models.restart()
    history.clear()
    targets.start()
    calmFrames = 0
    heldFrames = 0
  }

  /// Codes a frame's content. What can be wrong with bytes can't be wrong here.
  private func code(
    _ state: StreamState, frames: Int, widening: StepWidening, isKeyframe: Bool = false,
    targetEnd: Int, gravity: QuantizedGravity, scenery: Scenery, with coder: inout RangeEncoder
  ) {
    assert(targetEnd <= shape.slots && state.slotEnd <= shape.slots)
    targets.empty(from: targetEnd, to: state.slotEnd)
    do throws(WireError) {
      try state.codeFrame(
        frames: frames, widening: widening, isKeyframe: isKeyframe, gravity: gravity,
        scenery: scenery, targets: targets.slots, targetEnd: targetEnd, with: &coder)
    } catch {
      assertionFailure("an encoder refused its own frame")
    }
  }

  /// Codes the newest frame from `scratch`, to the very places that the stream's clients have.
  /// Returns whether decoders can follow.
  private func encodeNewest(
    frames: Int, widening: StepWidening, isKeyframe: Bool = false, into bytes: inout [UInt8]
  ) -> Bool {
    let newest = history.frame(back: 0)
    let places = history.places(back: 0)
    targets.set(newest, places)
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
    assert(coder.count <= StreamState.frameBytes(slots: shape.slots))
    for slot in 0..<scratch.slotEnd where scratch.looks[slot].isPresent {
      guard scratch.isOnLattice(slot) else { return false }
    }
    return canBeRead(scratch, contentBytes: coder.count)
  }

  /// Makes `scratch` what a client knows that has the frame `frames` before the newest.
  private func loadScratch(frames: Int, isCoarse: Bool) {
    scratch.clear()
    scratch.models.restart()
    assert(frames > 0 && frames <= history.reach)
    let base = history.frame(back: frames)
    let places = history.places(back: frames)
    scratch.gravity = base.gravity
    scratch.scenery.assign(base.scenery)
    scratch.slotEnd = base.slotEnd
    for slot in 0..<base.slotEnd {
      scratch.looks[slot] = places[slot].looks
      guard places[slot].looks.isPresent else { continue }
      var velocity = history.velocity(of: slot, back: frames)
      if isCoarse {
        velocity = CoarseVelocity.coarse(velocity)
        // Half a turn comes out as more than that, and a client's restart wraps it.
        velocity[2] = StreamState.wrapped(velocity[2])
      }
      scratch.restart(
        slot,
        place: SIMD4(
          Double(places[slot].x), Double(places[slot].y), Double(places[slot].angle), 0),
        velocity: velocity, frames: Double(frames))
    }
  }
}
