import Foundation
import Wire

/// Codes a trace frame by frame, decodes every frame in a second instance, and compares.
///
/// Beside it, clients join in the middle and skip frames; they are compared too.
struct CodecRun {
  let trace: Trace
  let shape: StreamShape
  let recycling: Bool
  var report = CodecReport()

  let encoder: StreamEncoder
  private let decoder = StreamDecoder()
  private var guest: CodecGuest
  private var bodies: [StreamBody] = []
  private var frame: [UInt8] = []
  private var keyframe: [UInt8] = []
  private var expected = LatticeWorld()
  private var before: [Int: SIMD3<Int>] = [:]

  init(trace: Trace, profile: CodecProfile, rate: FrameRate, recycling: Bool) {
    self.trace = trace
    self.recycling = recycling
    shape = trace.shape(profile: profile, rate: rate)
    encoder = StreamEncoder(shape)
    guest = CodecGuest(encoder: encoder)
  }

  /// Codes the whole trace.
  mutating func run() throws {
    // The first frame is a restart, so the clock starts where the server's would not: off the grid.
    var tick = shape.rate.interval * 7
    for index in stride(from: 0, to: trace.ticks, by: Int(shape.rate.interval)) {
      try code(index, tick: tick)
      tick += shape.rate.interval
    }
    report.finish(rate: shape.rate)
  }

  private mutating func code(_ index: Int, tick: UInt32) throws {
    trace.bodies(at: index, recycling: recycling, into: &bodies)
    frame.removeAll(keepingCapacity: true)
    let started = ContinuousClock.now
    let kind = encoder.encode(
      bodies, tick: tick, gravity: trace.gravity(at: index), into: &frame)
    let encoded = ContinuousClock.now
    try decoder.decode(frame)
    let decoded = ContinuousClock.now

    encoder.copyWorld(into: &expected)
    guard decoder.world == expected else {
      throw Failure("\(trace.name): the decoder differs at tick \(index)")
    }
    keyframe.removeAll(keepingCapacity: true)
    if index % 60 == 0 {
      encoder.keyframe(into: &keyframe)
      report.add(keyframe: keyframe.count)
    }
    try guest.follow(frame: frame, expected: expected, report: &report)
    report.add(errorsOf: bodies, in: expected, profile: shape.profile)
    let moved = countMoved()
    guard kind == .state else { return }
    report.add(
      frame: frame.count, bodies: bodies.count, moved: moved, encoding: encoded - started,
      decoding: decoded - encoded)
  }

  /// Bodies whose place on the strict lattice is not that of the last frame.
  private mutating func countMoved() -> Int {
    var moved = 0
    for body in bodies {
      let place = SIMD3(
        Int((body.x * 16).rounded()), Int((body.y * 16).rounded()),
        Int((body.angle * (512 / .pi)).rounded()))
      if before.updateValue(place, forKey: Int(body.slot)) != place { moved += 1 }
    }
    return moved
  }
}

/// A client that joins in the middle, skips frames now and then, and must agree all the same.
struct CodecGuest {
  let encoder: StreamEncoder
  private var decoder = StreamDecoder()
  private var position = StreamPosition(tick: 0, isInStep: false)
  private var frames = 0
  private var bytes: [UInt8] = []

  init(encoder: StreamEncoder) {
    self.encoder = encoder
  }

  mutating func follow(
    frame: [UInt8], expected: LatticeWorld, report: inout CodecReport
  ) throws {
    frames += 1
    // Joins anew every 997 frames; leaves out 1 to 30 frames every 211.
    if frames % 997 == 1 { decoder = StreamDecoder() }
    if frames % 211 < frames / 211 % 30 { return }
    bytes.removeAll(keepingCapacity: true)
    let isNext = expected.tick == position.tick &+ encoder.shape.rate.interval
    if decoder.shape == nil {
      position = encoder.keyframe(into: &bytes)
    } else if position.isInStep && isNext {
      bytes.append(contentsOf: frame)
      position = StreamPosition(tick: expected.tick, isInStep: true)
    } else {
      guard let next = encoder.catchUp(from: position, into: &bytes) else {
        throw Failure("no catch-up frame from tick \(position.tick)")
      }
      position = next
      if isNext { report.add(catchUp: bytes.count) } else { report.add(skip: bytes.count) }
    }
    try decoder.decode(bytes)
    guard decoder.world == expected else {
      throw Failure("a client that joined or skipped differs at tick \(expected.tick)")
    }
  }
}
