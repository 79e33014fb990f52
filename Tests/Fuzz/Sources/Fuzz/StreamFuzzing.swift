import Simulation
import Wire

/// Decoders of the state stream. An input is a row of frames, each after its length in two bytes,
/// the low one first.
enum StreamFuzzing {
  /// Small, so that an input costs little; the limit itself has a test of its own.
  private static let slots = 192

  /// Lets a decoder that is in step take the input's frames.
  static func follow(_ bytes: UnsafeRawBufferPointer, profile: CodecProfile) {
    let decoder = StreamDecoder(mostSlots: slots)
    let opening = profile == .strict ? strictOpening : visualOpening
    for frame in opening { attempt(frame, with: decoder) }
    forEachFrame(of: bytes) { frame in
      // Whatever the input says, the frame is the stream's own next one: its content is the point.
      guard frame.count > 0 else { return }
      let isHeld = frame[0] == 0x88 && frame.count > 2
      let tick = decoder.world.tick &+ 1 &+ (isHeld ? UInt32(frame[1]) : 0)
      let head = Array(frame.prefix(isHeld ? 2 : 0)) + [0xC0 | UInt8(tick & 63)]
      attempt(head + frame.dropFirst(isHeld ? 3 : 1), with: decoder)
    }
  }

  /// Lets a fresh decoder take the input's frames as they are: keyframes, catch-up frames, all.
  static func join(_ bytes: UnsafeRawBufferPointer) {
    let decoder = StreamDecoder(mostSlots: slots)
    forEachFrame(of: bytes) { attempt($0, with: decoder) }
  }

  /// Decodes a frame. A refusal must leave the world as it was, a success one that keeps its word.
  private static func attempt(_ frame: [UInt8], with decoder: StreamDecoder) {
    let before = decoder.world
    do throws(WireError) {
      try decoder.decode(frame)
      check(decoder.world)
    } catch {
      // Frames that were held back may have been taken before what was wrong.
      precondition(
        frame.first == 0x88 || decoder.world == before, "a refused frame changed the world")
      check(decoder.world)
    }
  }

  static func check(_ world: LatticeWorld) {
    precondition(world.bodies.count <= WireLimits.bodies)
    var next = 0
    for body in world.bodies {
      precondition(Int(body.slot) >= next && body.kind < WireLimits.bodyKinds && body.size > 0)
      precondition(abs(body.x) <= LatticeBody.limit && abs(body.y) <= LatticeBody.limit)
      precondition(body.angle < LatticeBody.anglesPerTurn)
      next = Int(body.slot) + 1
    }
    var again = Scenery()
    again.assign(world.scenery)
    precondition(again == world.scenery, "the scenery is out of order or beyond its limits")
  }

  private static func forEachFrame(
    of bytes: UnsafeRawBufferPointer, _ action: ([UInt8]) -> Void
  ) {
    var start = 0
    while start + 2 <= bytes.count {
      let length = Int(bytes[start]) | Int(bytes[start + 1]) << 8
      start += 2
      let end = min(bytes.count, start + length)
      action(Array(bytes[start..<end]))
      start = end
    }
  }

  /// The frames as an input.
  private static func input(_ frames: [[UInt8]]) -> [UInt8] {
    frames.flatMap { [UInt8($0.count & 255), UInt8($0.count >> 8)] + $0 }
  }
}

extension StreamFuzzing {
  private static let strictOpening = opening(.strict)
  private static let visualOpening = opening(.visual)

  private static func opening(_ profile: CodecProfile) -> [[UInt8]] {
    do { return try FuzzScene(profile).frames(2) } catch { fatalError("\(error)") }
  }

  /// What the same play goes on with.
  static func seeds(_ profile: CodecProfile) throws -> [[UInt8]] {
    let frames = try FuzzScene(profile).frames(302).dropFirst(2)
    return [3, 16, 40, 300].map { input(Array(frames.prefix($0))) }
  }

  /// Keyframes, catch-up frames of all kinds, and the stream's own.
  static func joinSeeds() throws -> [[UInt8]] {
    let plays = CodecProfile.allCases.flatMap { profile in
      Scene.allCases.map { (profile, $0) }
    }
    return try plays.flatMap { profile, name in
      let scene = try FuzzScene(profile, scene: name, seed: 11)
      let frames = scene.frames(6)
      _ = scene.frames(200)
      var keyframe: [UInt8] = []
      var position = scene.encoder.keyframe(into: &keyframe)
      var row = [keyframe]
      for skipped in [0, 0, 4, 0] {
        _ = scene.frames(skipped + 1)
        var catchUp: [UInt8] = []
        guard let next = scene.encoder.catchUp(from: position, into: &catchUp) else { continue }
        position = next
        row.append(catchUp)
      }
      return [input(frames), input(row), input([keyframe])]
    }
  }
}
