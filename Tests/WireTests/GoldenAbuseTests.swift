import Foundation
import Testing

@testable import Wire

/// Every truncation and every flipped bit of every golden file gives a value or a typed error, in
/// bounded work and memory. A trap would end the test process.
@Suite struct GoldenAbuseTests {
  /// All damaged forms of `bytes`.
  private func forEachDamage(_ bytes: [UInt8], _ action: ([UInt8]) throws -> Void) rethrows {
    for count in 0..<bytes.count { try action(Array(bytes[..<count])) }
    for bit in 0..<bytes.count * 8 {
      var flipped = bytes
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      try action(flipped)
    }
  }

  @Test func messagesGiveAValueOrAnError() throws {
    var taken = 0
    var refused = 0
    for file in try GoldenFiles.names(in: "messages", ending: ".bin") {
      let bytes = try GoldenFiles.bytes("messages/\(file).bin")
      forEachDamage(bytes) { damaged in
        do throws(WireError) {
          if file.hasPrefix("client-") {
            let message = try ClientMessage.decode(damaged)
            #expect(Samples.encoded(message) == damaged, "\(file) has two forms")
          } else {
            let message = try ServerMessage.decode(damaged)
            // Of these only the type is read here.
            if ![.frame, .records, .snapshot].contains(message) {
              #expect(Samples.encoded(message) == damaged, "\(file)")
            }
          }
          taken += 1
        } catch {
          refused += 1
        }
      }
    }
    #expect(taken > 100 && refused > 100)
  }

  /// The decoder keeps its word after each: sound worlds, and a keyframe mends everything.
  @Test func framesGiveAWorldOrAnError() throws {
    for file in try GoldenFiles.names(in: "streams", ending: ".json") {
      let text = String(decoding: try GoldenFiles.bytes("streams/\(file).json"), as: UTF8.self)
      let frames = try GoldenStreamTests.frames(of: text)
      for index in frames.indices.filter({ $0 < 3 || frames[$0][0] < 0xC0 }).prefix(8) {
        try forEachDamage(frames[index]) { try survive($0, after: frames[..<index], of: frames) }
      }
    }
  }

  private func survive(
    _ damaged: [UInt8], after good: ArraySlice<[UInt8]>, of frames: [[UInt8]]
  ) throws {
    // Only the last keyframe before it matters, and small worlds only: what more slots cost is
    // asked below.
    let decoder = StreamDecoder(mostSlots: 64)
    let start = good.lastIndex { $0[0] == 0x82 } ?? 0
    for frame in good[min(start, good.endIndex)...] { try decoder.decode(frame) }
    let before = decoder.world
    do throws(WireError) {
      try decoder.decode(damaged)
    } catch {
      #expect(decoder.world == before)
    }
    expectSound(decoder.world)
    try decoder.decode(frames[0])
    let fresh = StreamDecoder()
    try fresh.decode(frames[0])
    #expect(decoder.world == fresh.world)
  }

  private func expectSound(_ world: LatticeWorld) {
    #expect(world.bodies.count <= 64)
    for (index, body) in world.bodies.enumerated() {
      if index > 0 { #expect(world.bodies[index - 1].slot < body.slot) }
      #expect(body.kind < WireLimits.bodyKinds && body.size > 0 && body.angle < 1024)
      #expect(abs(body.x) <= LatticeBody.limit && abs(body.y) <= LatticeBody.limit)
    }
    var scenery = Scenery()
    scenery.assign(world.scenery)
    #expect(scenery == world.scenery)
  }

  @Test func lengthsAreNotBelieved() throws {
    // A list of people that says 255, a name that says 255.
    #expect(throws: WireError.outOfRange(.people)) {
      try ServerMessage.decode([0x87, 0, 9, 0, 255])
    }
    #expect(throws: WireError.outOfRange(.name)) {
      try ServerMessage.decode([0x81, 3, 0, 7, 0, 0, 0, 0, 255])
    }
    // A keyframe of a few bytes that says 16 384 slots takes their memory (12 MB), and gives it
    // back: forty decoders that each take it don't take 480 MB. (Other tests run beside this one.)
    var bytes = GoldenStream.all()[0].frames[0].bytes
    (bytes[13], bytes[14]) = (0, 64)
    let before = try Self.residentBytes()
    for _ in 0..<40 { do throws(WireError) { try StreamDecoder().decode(bytes) } catch {} }
    #expect(try Self.residentBytes() - before < 200 << 20)
    // And none for a client that knows how many there can be.
    let careful = StreamDecoder(mostSlots: 4096)
    #expect(throws: WireError.outOfRange(.count)) { try careful.decode(bytes) }
  }

  /// Memory of this process that is really there.
  private static func residentBytes() throws -> Int {
    let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    return try #require(Int(pages.split(separator: " ")[1])) * 4096
  }
}
