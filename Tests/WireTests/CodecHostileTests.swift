import Testing

@testable import Wire

/// Any bytes give a world within the limits or a typed error, and a keyframe mends everything.
@Suite struct CodecHostileTests {
  private struct Frames {
    let encoder: StreamEncoder
    /// Frames that a client decodes one after the other.
    var frames: [[UInt8]] = []

    init() {
      var scene = CodecScene(count: 40, seed: 8, changes: true)
      encoder = StreamEncoder(CodecScene.shape(.strict))
      for index in 0..<12 {
        let frame = encoder.encode(scene)
        if index < 8 { frames.append(frame) }
        scene.advance()
      }
      var catchUp: [UInt8] = []
      _ = encoder.catchUp(from: StreamPosition(tick: 7, isInStep: true), into: &catchUp)
      frames.append(catchUp)
      frames.append(encoder.newestKeyframe)
    }
  }

  /// Decodes damaged bytes after `index` good frames; the decoder must live on.
  private func survive(_ bytes: [UInt8], after index: Int, of sample: Frames) throws {
    let decoder = StreamDecoder()
    for frame in sample.frames[..<index] { try decoder.decode(frame) }
    let before = decoder.world
    do throws(WireError) {
      try decoder.decode(bytes)
      for body in decoder.world.bodies {
        #expect(abs(body.x) <= LatticeBody.limit && abs(body.y) <= LatticeBody.limit)
        #expect(body.angle < 1024 && body.size > 0 && body.kind < WireLimits.bodyKinds)
      }
    } catch {
      #expect(decoder.world == before)
    }
    try decoder.decode(sample.frames.last!)
    #expect(decoder.world == sample.encoder.world)
  }

  @Test func everyTruncationIsSurvived() throws {
    let sample = Frames()
    for index in [0, 1, 5, 8] {
      for count in 0..<sample.frames[index].count {
        try survive(Array(sample.frames[index].prefix(count)), after: index, of: sample)
      }
    }
  }

  @Test func everyFlippedBitIsSurvived() throws {
    let sample = Frames()
    for index in [0, 3, 8] {
      for bit in 0..<sample.frames[index].count * 8 {
        var bytes = sample.frames[index]
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        if index == 0, (13..<15).contains(bit / 8) { continue }
        try survive(bytes, after: index, of: sample)
      }
    }
  }

  @Test func noiseIsSurvived() throws {
    let sample = Frames()
    var scene = CodecScene(count: 0, seed: 77)
    for round in 0..<400 {
      var bytes = (0..<Int(scene.random(below: 300))).map { _ in
        UInt8(scene.random(below: 256))
      }
      let index = round % 2 == 0 ? 8 : 1
      let header = Array(sample.frames[index].prefix(round % 4 < 2 ? 7 : 1))
      bytes.replaceSubrange(0..<min(header.count, bytes.count), with: header)
      try survive(bytes, after: index, of: sample)
    }
  }

  @Test func noiseFrameByFrameStaysBounded() throws {
    let sample = Frames()
    var scene = CodecScene(count: 0, seed: 78)
    for _ in 0..<20 {
      let decoder = StreamDecoder()
      try decoder.decode(sample.frames[0])
      for _ in 0..<600 {
        let type = StreamFrame.type(of: decoder.world.tick.nextTick, interval: 1)
        let bytes =
          [type] + (0..<Int(scene.random(below: 60))).map { _ in UInt8(scene.random(below: 256)) }
        do throws(WireError) { try decoder.decode(bytes) } catch { break }
      }
    }
  }

  @Test func headersAreRefusedByField() throws {
    let sample = Frames()
    func refuses(_ error: WireError, _ change: (inout [UInt8]) -> Void) {
      var bytes = sample.frames[0]
      change(&bytes)
      #expect(throws: error) { try StreamDecoder().decode(bytes) }
    }
    refuses(.empty) { $0 = [] }
    refuses(.unknownType(0x80)) { $0[0] = 0x80 }
    refuses(.truncated) { $0 = Array($0.prefix(15)) }
    refuses(.outOfRange(.rate)) { $0[5] = 4 }
    refuses(.outOfRange(.profile)) { $0[6] = 2 }
    refuses(.outOfRange(.count)) { ($0[13], $0[14]) = (0, 0) }
    refuses(.outOfRange(.count)) { ($0[13], $0[14]) = (1, 64) }
    refuses(.outOfRange(.flags)) { $0[15] = 2 }
    refuses(.trailing) { $0 += Array(repeating: 0, count: 40) }
    refuses(.tooLong((1 << 20) + 1)) { $0 = Array(repeating: 0x82, count: (1 << 20) + 1) }
    let small = StreamDecoder(mostSlots: 63)
    #expect(throws: WireError.outOfRange(.count)) { try small.decode(sample.frames[0]) }
  }
}
