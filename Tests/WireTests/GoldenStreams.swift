@testable import Wire

/// Streams for golden files: the frames that one client gets, and the world after each.
struct GoldenStream {
  struct Frame {
    let bytes: [UInt8]
    let world: LatticeWorld
  }

  let name: String
  let what: String
  private(set) var frames: [Frame] = []
  private let encoder: StreamEncoder
  private var scene: CodecScene
  private var position: StreamPosition?

  private init(
    _ name: String, _ what: String, profile: CodecProfile, rate: FrameRate = .hz60,
    tick: UInt32 = 60
  ) {
    self.name = name
    self.what = what
    scene = CodecScene(count: 7, seed: 12, tick: tick, changes: true)
    encoder = StreamEncoder(CodecScene.shape(profile, rate, slots: 8), holdsCalm: false)
  }

  /// One frame of the stream; what the client takes of it, if it does.
  private mutating func advance(takes: Bool) {
    var own: [UInt8] = []
    encoder.encode(
      scene.bodies, scenery: GoldenStream.scenery(scene.tick), tick: scene.tick,
      gravity: scene.gravity, into: &own)
    if takes { take(own) }
    scene.advance(by: encoder.shape.rate.interval)
  }

  private mutating func take(_ own: [UInt8]) {
    var bytes: [UInt8] = []
    let isNext = position.map { encoder.tick == $0.tick &+ encoder.shape.rate.interval } ?? false
    if let known = position, known.isInStep, isNext {
      bytes = own
      position = StreamPosition(tick: encoder.tick, isInStep: true)
    } else if let known = position, let next = encoder.catchUp(from: known, into: &bytes) {
      position = next
    } else {
      position = encoder.keyframe(into: &bytes)
    }
    frames.append(Frame(bytes: bytes, world: encoder.world))
  }

  /// Ledges that come and go, hands, and a rod that moves.
  private static func scenery(_ tick: UInt32) -> Scenery {
    var scenery = Scenery()
    if tick % 12 < 8 {
      scenery.boundaries.append(SceneryBoundary(id: 1, ax: 800, ay: 1600, bx: 2400, by: 1680))
    }
    scenery.boundaries.append(SceneryBoundary(id: 243, ax: 0, ay: 7680, bx: 5760, by: 7680))
    guard tick % 10 < 5 else { return scenery }
    scenery.holders = [SceneryHolder(slot: 4, client: 7)]
    scenery.rods = [
      SceneryRod(slot: 4, x: 4400 + Int16(tick % 100), y: 1000, attachX: -80, attachY: 40)
    ]
    return scenery
  }

  static func all() -> [GoldenStream] {
    var strict = GoldenStream(
      "strict-in-step", "From the first tick on, strict, 60 Hz.", profile: .strict)
    for _ in 0..<16 { strict.advance(takes: true) }

    var visual = GoldenStream(
      "visual-in-step", "From the first tick on, visual, 20 Hz.", profile: .visual, rate: .hz20)
    for _ in 0..<16 { visual.advance(takes: true) }

    var late = GoldenStream(
      "visual-joins-late", "A keyframe in the middle, catch-up frames, in step from tick 480 on.",
      profile: .visual, tick: 460)
    for index in 0..<28 { late.advance(takes: index >= 12) }

    var skipping = GoldenStream(
      "strict-skips",
      "Frames are left out, and catch-up frames lead over them; 70 take a keyframe.",
      profile: .strict, tick: 100)
    for index in 0..<90 {
      skipping.advance(takes: index < 3 || index == 5 || index == 6 || index == 14 || index > 84)
    }
    return [strict, visual, late, shifted(), skipping, held()]
  }

  /// Frames at odd ticks, so that the stream restarts after tick 481.
  private static func shifted() -> GoldenStream {
    var stream = GoldenStream(
      "visual-at-odd-ticks",
      "30 Hz with phase 1: a keyframe in the middle, in step from tick 481 on.", profile: .visual,
      rate: .hz30, tick: 461)
    for index in 0..<16 { stream.advance(takes: index >= 6) }
    return stream
  }

  /// One sticker at rest, whose frames are held back.
  private static func held() -> GoldenStream {
    var stream = GoldenStream(
      "strict-held", "A sticker rests; five frames are held back before it moves.", profile: .strict
    )
    let decoder = StreamDecoder()
    for bytes in Samples.restingFrames {
      guard (try? decoder.decode(bytes)) != nil else { continue }
      stream.frames.append(Frame(bytes: bytes, world: decoder.world))
    }
    return stream
  }
}
