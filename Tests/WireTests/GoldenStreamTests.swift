import Foundation
import Testing

@testable import Wire

/// Frames of the state stream as files: bytes, and the world after each; both ways.
@Suite struct GoldenStreamTests {
  private static let folder = "streams"

  private static func object(of stream: GoldenStream, frames: [[UInt8]]) throws -> [String: Any] {
    let decoder = StreamDecoder()
    let rows: [[String: Any]] = try frames.map { bytes in
      let info = try decoder.decode(bytes)
      return [
        "bytes": bytes.hex, "keyframe": info.isKeyframe, "skipped": Int(info.skipped),
        "held": Int(info.held), "world": Meaning.of(world: decoder.world),
      ]
    }
    let shape = try #require(decoder.shape)
    return [
      "what": stream.what, "profile": "\(shape.profile)", "rate": Int(shape.rate.rawValue),
      "stepsPerPoint": Int(shape.profile.stepsPerPoint), "frames": rows,
    ]
  }

  static func write() throws {
    for stream in GoldenStream.all() {
      let text = try Meaning.text(object(of: stream, frames: stream.frames.map(\.bytes)))
      try GoldenFiles.write(Array(text.utf8), to: "\(folder)/\(stream.name).json")
    }
  }

  @Test func encodersGiveTheFilesBytesAndDecodersTheirWorlds() throws {
    let streams = GoldenStream.all()
    for stream in streams {
      let path = "\(Self.folder)/\(stream.name).json"
      let golden = String(decoding: try GoldenFiles.bytes(path), as: UTF8.self)
      let frames = try Self.frames(of: golden)
      #expect(stream.frames.map(\.bytes) == frames, "\(stream.name): other bytes")
      let text = try Meaning.text(Self.object(of: stream, frames: frames))
      #expect(text == golden, "\(stream.name): another meaning")
    }
    #expect(try GoldenFiles.names(in: Self.folder, ending: ".json") == Set(streams.map(\.name)))
  }

  /// What the decoder makes of the frames is what the encoder has, not only what the file says.
  @Test func worldsAreTheEncoders() throws {
    for stream in GoldenStream.all() {
      let decoder = StreamDecoder()
      for frame in stream.frames {
        try decoder.decode(frame.bytes)
        #expect(decoder.world == frame.world, "\(stream.name), tick \(frame.world.tick)")
      }
    }
  }

  @Test func everyKindOfFrameIsThere() throws {
    let types = Set(GoldenStream.all().flatMap { $0.frames.map { min($0.bytes[0], 0xC0) } })
    #expect(types == [0x82, 0x83, 0x88, 0xC0])
    let skips = try GoldenStream.all().flatMap { stream in
      let decoder = StreamDecoder()
      return try stream.frames.map { try decoder.decode($0.bytes).skipped }
    }
    #expect(Set([0, 2, 7]).isSubset(of: skips) && skips.contains { $0 > 64 })
  }

  static func frames(of text: String) throws -> [[UInt8]] {
    struct File: Decodable {
      struct Frame: Decodable { let bytes: String }
      let frames: [Frame]
    }
    return try JSONDecoder().decode(File.self, from: Data(text.utf8)).frames.map {
      [UInt8](hex: $0.bytes)
    }
  }
}
