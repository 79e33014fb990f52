import Testing

@testable import Wire

/// The format is pinned: the same scene gives the same bytes in every build, debug or release. A
/// change here is a change of the protocol, and of its version.
@Suite struct GoldenCodecTests {
  @Test(arguments: [
    (CodecProfile.strict, UInt64(9_332_337_680_821_397_443)),
    (CodecProfile.visual, UInt64(15_359_482_365_765_796_785)),
  ])
  func bytesAreTheSameEverywhere(profile: CodecProfile, hash: UInt64) {
    var scene = CodecScene(count: 50, seed: 6, changes: true)
    let encoder = StreamEncoder(CodecScene.shape(profile))
    var found: UInt64 = 14_695_981_039_346_656_037
    for _ in 0..<600 {
      for byte in encoder.encode(scene) + (scene.tick % 50 == 0 ? encoder.newestKeyframe : []) {
        found = (found ^ UInt64(byte)) &* 1_099_511_628_211
      }
      scene.advance()
    }
    #expect(found == hash)
  }
}

/// Whoever writes a client reads the tables from the document.
@Suite struct CodecDocumentTests {
  @Test func theDocumentListsTheTrainedTable() throws {
    let text = try Repository.text("PROTOCOL-codec.md")
    let start = try #require(text.range(of: "The table, read row by row:"))
    let listed = text[start.upperBound...].utf8.filter { $0 > 32 }
    let table = UnsafeBufferPointer(
      start: TrainedTables.data.utf8Start, count: TrainedTables.data.utf8CodeUnitCount)
    #expect(table.count == CodecModels.count)
    #expect(listed.elementsEqual(table))
  }
}
