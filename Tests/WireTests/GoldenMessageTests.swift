import Foundation
import Testing

@testable import Wire

/// The bytes are the protocol: they may change only with the version.
@Suite struct GoldenMessageTests {
  private static let file = "Tests/WireTests/Golden/messages.json"

  /// To write the file anew after a change of the protocol, set STICKERPIT_WRITE_GOLDEN.
  @Test func bytesAreAsInTheGoldenFile() throws {
    let samples = try Samples.all()
    if ProcessInfo.processInfo.environment["STICKERPIT_WRITE_GOLDEN"] != nil {
      try write(samples)
    }
    let golden = try JSONDecoder().decode(
      [String: String].self, from: Data(Repository.text(Self.file).utf8))
    #expect(golden.count == samples.count)
    for (name, bytes) in samples { #expect(bytes.hex == golden[name], "\(name)") }
  }

  @Test func theProtocolDocumentShowsTheseBytes() throws {
    let document = try Repository.text("PROTOCOL.md")
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for (name, bytes) in try Samples.all() {
      let shows = document.contains(bytes.hex)
      #expect(shows, "\(name): \(bytes.hex)")
    }
  }

  @Test func clientMessagesComeBack() throws {
    for (name, message) in Samples.client {
      #expect(try ClientMessage.decode(Samples.encoded(message)) == message, "\(name)")
    }
  }

  @Test func serverMessagesComeBack() throws {
    for (name, message) in try Samples.server() {
      #expect(try ServerMessage.decode(Samples.encoded(message)) == message, "\(name)")
    }
  }

  @Test func framesAreToldFromMessages() throws {
    for frame in Samples.frames.map(\.bytes) + Samples.restingFrames {
      #expect(try ServerMessage.decode(frame) == .frame)
    }
  }

  @Test func goldenFramesDecodeToTheirWorlds() throws {
    let decoder = StreamDecoder()
    let frames = Samples.frames
    for (index, world) in Samples.worlds.enumerated() {
      let info = try decoder.decode(frames[index].bytes)
      #expect(info.tick == 1000 + UInt32(index) && info.isKeyframe == (index == 0))
      #expect(decoder.world.gravity == world.gravity)
      #expect(decoder.world.bodies == world.bodies.map { $0.onLattice(of: .strict) })
      #expect(decoder.world.scenery == (index == 2 ? Samples.scenery : Scenery()))
    }
    let late = StreamDecoder()
    try late.decode(frames[0].bytes)
    #expect(try late.decode(frames[3].bytes).skipped == 1)
    #expect(late.world == decoder.world)
  }

  @Test func aMessageIsAppendedToWhatIsThere() {
    var bytes: [UInt8] = [1, 2, 3]
    ClientMessage.tilt(x: 1, y: 2).encode(into: &bytes)
    #expect(bytes == [1, 2, 3, 2, 1, 0, 2, 0])
  }

  private func write(_ samples: [(name: String, bytes: [UInt8])]) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let golden = Dictionary(uniqueKeysWithValues: samples.map { ($0.name, $0.bytes.hex) })
    let url = Repository.root.appendingPathComponent(Self.file)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try encoder.encode(golden).write(to: url)
  }
}
