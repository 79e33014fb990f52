import Testing

@testable import Wire

/// Every message as a file of its bytes and one of its meaning; both ways.
@Suite struct GoldenMeaningTests {
  private static let folder = "messages"

  /// Both directions' samples, as files are named.
  private static func samples() throws -> [(file: String, bytes: [UInt8], message: Any)] {
    let client = Samples.client.map {
      (file: "client-\($0.name)", bytes: Samples.encoded($0.message), message: $0.message as Any)
    }
    let server = try Samples.server().map {
      (file: "server-\($0.name)", bytes: Samples.encoded($0.message), message: $0.message as Any)
    }
    return (client + server).map {
      (file: $0.file.replacing(" ", with: "-"), bytes: $0.bytes, message: $0.message)
    }
  }

  private static func meaning(of message: Any, type: UInt8) throws -> String {
    var fields = try #require(Meaning.of(message) as? [String: Any])
    fields["type"] = Int(type)
    return try Meaning.text(fields)
  }

  static func write() throws {
    for (file, bytes, message) in try samples() {
      try GoldenFiles.write(bytes, to: "\(folder)/\(file).bin")
      let text = try meaning(of: message, type: bytes[0])
      try GoldenFiles.write(Array(text.utf8), to: "\(folder)/\(file).json")
    }
  }

  @Test func messagesHaveTheFilesBytes() throws {
    for (file, bytes, _) in try Self.samples() {
      let path = "\(Self.folder)/\(file)"
      let golden = try GoldenFiles.bytes(path + ".bin")
      #expect(bytes == golden, "\(file): \(bytes.hex)")
    }
  }

  @Test func theFilesBytesHaveTheirMeaning() throws {
    for (file, _, message) in try Self.samples() {
      let path = "\(Self.folder)/\(file)"
      let bytes = try GoldenFiles.bytes(path + ".bin")
      let decoded: Any
      if file.hasPrefix("client-") {
        let value = try ClientMessage.decode(bytes)
        #expect(value == message as? ClientMessage, "\(file)")
        decoded = value
      } else {
        let value = try ServerMessage.decode(bytes)
        #expect(value == message as? ServerMessage, "\(file)")
        decoded = value
      }
      let text = try Self.meaning(of: decoded, type: bytes[0])
      let golden = String(decoding: try GoldenFiles.bytes(path + ".json"), as: UTF8.self)
      #expect(text == golden, "\(file)")
    }
  }

  @Test func everyMessageTypeHasAFileAndEveryFileAMessage() throws {
    let files = Set(try Self.samples().map(\.file))
    #expect(try GoldenFiles.names(in: Self.folder, ending: ".bin") == files)
    #expect(try GoldenFiles.names(in: Self.folder, ending: ".json") == files)
    var types: Set<UInt8> = []
    for file in files { types.insert(try GoldenFiles.bytes("\(Self.folder)/\(file).bin")[0]) }
    // The log's messages are no values: `RecordTests` and `ReplicaTests` have their bytes.
    let isElsewhere = { StreamDecoder.accepts($0) || $0 == ServerMessageType.snapshot.rawValue }
    for type in UInt8.min...UInt8.max where !isElsewhere(type) {
      let exists =
        ClientMessageType(rawValue: type) != nil || ServerMessageType(rawValue: type) != nil
      #expect(types.contains(type) == exists, "no golden file for type \(type)")
    }
  }
}
