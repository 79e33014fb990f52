import SeededChance
import Testing

@testable import Wire

/// Frames in which nothing happens are held back, and those that tell of it come out right.
@Suite struct CodecHoldTests {
  private static let boxes = (0..<30).map { slot in
    StreamBody(
      slot: UInt16(slot), generation: 0, kind: 1, size: 40, x: 30 + Float(slot) * 22, y: 930,
      angle: 0)
  }

  /// Encodes `ticks` ticks, and hands over what the encoder gave at each.
  private func play(
    _ encoder: StreamEncoder, ticks: Int, from start: UInt32 = 1000,
    bodies: (Int) -> [StreamBody], heard: (Int, StateFrameKind, [UInt8]) throws -> Void
  ) rethrows {
    for index in 0..<ticks {
      var bytes: [UInt8] = []
      let kind = encoder.encode(
        bodies(index), tick: start + UInt32(index) * encoder.shape.rate.interval, gravity: .down,
        into: &bytes)
      #expect((kind == .held) == bytes.isEmpty)
      try heard(index, kind, bytes)
    }
  }

  @Test(arguments: CodecProfile.allCases, FrameRate.allCases)
  func everyTickArrives(profile: CodecProfile, rate: FrameRate) throws {
    let encoder = StreamEncoder(CodecScene.shape(profile, rate), holdsCalm: true)
    let decoder = StreamDecoder()
    var ticks: UInt32 = 0
    var longest: UInt32 = 0
    let start = 600 / rate.interval * rate.interval
    try play(encoder, ticks: 900, from: start) { index in
      // A nudge every 150 frames.
      Self.boxes.map { box in
        var box = box
        box.x += Float(index / 150)
        return box
      }
    } heard: { index, kind, bytes in
      guard kind != .held else { return }
      let info = try decoder.decode(bytes)
      ticks += 1 + info.held
      longest = max(longest, info.held)
      #expect(info.tick == start + UInt32(index) * rate.interval && info.skipped == 0)
      #expect(ticks == UInt32(index) + 1)
      #expect(decoder.world == encoder.world)
      #expect(decoder.isInStep)
    }
    #expect(longest == StreamShape.heldTicks / rate.interval)
  }

  /// Stickers that tremble by a step: frames have content, and come in groups all the same.
  @Test(arguments: CodecProfile.allCases)
  func whatTremblesComesInGroups(profile: CodecProfile) throws {
    let encoder = StreamEncoder(CodecScene.shape(profile), holdsCalm: true)
    let decoder = StreamDecoder()
    var chance = Chance(seed: 5)
    var content = 0
    var messages = 0
    var held = 0
    try play(encoder, ticks: 900) { _ in
      Self.boxes.map { box in
        var box = box
        box.x += Float.random(in: -0.06...0.06, using: &chance)
        box.angle += Float.random(in: -0.006...0.006, using: &chance)
        return box
      }
    } heard: { index, kind, bytes in
      if kind == .held {
        // What the client shows meanwhile is as near as the document says.
        #expect(encoder.world.isCalm(since: decoder.world))
        return
      }
      held += Int(try decoder.decode(bytes).held)
      #expect(decoder.world == encoder.world)
      if kind == .state { content += bytes.count - (bytes[0] == 0x88 ? 3 : 1) }
      messages += 1
    }
    #expect(held > 600)
    #expect(content > 2 * messages)
    #expect(messages < 120)
  }

  @Test func motionIsNeverHeldBack() throws {
    let encoder = StreamEncoder(CodecScene.shape(.visual), holdsCalm: true)
    var moved = Self.boxes
    play(encoder, ticks: 500) { index in
      if index % 40 == 39 { moved[index % 30].y -= 3 }
      return moved
    } heard: { index, kind, bytes in
      if index % 40 == 39 { #expect(kind == .state && bytes.count > 1) }
      if kind == .held { #expect(index % 40 > 5 && index % 40 < 39) }
    }
  }

  @Test func evenMotionIsNoRest() {
    // A body that goes exactly as expected needs no bytes; its frames go out all the same.
    let encoder = StreamEncoder(CodecScene.shape(.strict), holdsCalm: true)
    play(encoder, ticks: 200) { index in
      [
        StreamBody(
          slot: 0, generation: 0, kind: 0, size: 40, x: 20 + Float(index), y: 500, angle: 0)
      ]
    } heard: { _, kind, _ in
      #expect(kind != .held)
    }
  }

  @Test func whoEntersFindsAllAtOneTick() throws {
    let encoder = StreamEncoder(CodecScene.shape(.strict), holdsCalm: true)
    let guest = StreamDecoder()
    var position: StreamPosition?
    try play(encoder, ticks: 1000) { _ in
      Self.boxes
    } heard: { index, kind, bytes in
      var frame = bytes
      if index == 100 {
        frame = encoder.newestKeyframe
        position = StreamPosition(tick: encoder.tick, isInStep: false, isCoarse: true)
      } else if let last = position, !last.isInStep {
        frame = []
        position = try #require(encoder.catchUp(from: last, into: &frame))
      } else if position == nil || kind == .held {
        return
      }
      try guest.decode(frame)
      #expect(guest.world == encoder.world)
    }
    #expect(guest.isInStep && guest.world.tick >= 1969)
  }

  @Test func badCountsAreRefused() throws {
    let frames = Samples.restingFrames
    func refuses(_ error: WireError, _ bytes: [UInt8]) throws {
      let decoder = StreamDecoder()
      for frame in frames.dropLast() { try decoder.decode(frame) }
      #expect(throws: error) { try decoder.decode(bytes) }
    }
    let last = frames.last!
    #expect(Array(last.prefix(2)) == [0x88, 5])
    try refuses(.truncated, [0x88, 5])
    try refuses(.outOfRange(.held), [0x88, 0, last[2]])
    try refuses(.outOfRange(.held), [0x88, 31, last[2]])
    try refuses(.outOfRange(.held), [0x88, 5, 0x83])
    try refuses(.gap(last: 3007, base: 3008), [0x88, 4] + last[2...])
    #expect(throws: WireError.noKeyframe) { try StreamDecoder().decode(last) }
  }
}
