import Determinism
import Testing

@Suite struct WordSinkTests {
  /// One description of a state, for whoever takes it.
  private static func describe<Sink: WordSink>(to sink: inout Sink) {
    sink.put(0x0403_0201 as UInt32)
    sink.put(-1 as Int32)
    sink.put(true)
    sink.put(false)
    sink.put(Float(1))
    sink.put(0x1_0000_0007 as Int)
    sink.put(0x0807_0605_0403_0201 as UInt64)
  }

  @Test func whatIsCountedIsWrittenLowBytesFirst() {
    var count = WordCount()
    Self.describe(to: &count)
    #expect(count.words == 8)
    var bytes = [UInt8](repeating: 0xEE, count: 4 * count.words + 1)
    let written = bytes.withUnsafeMutableBytes { memory in
      var writer = WordWriter(memory.baseAddress!)
      Self.describe(to: &writer)
      return writer.at - memory.baseAddress!
    }
    #expect(written == 4 * count.words)
    let words: [[UInt8]] = [
      [1, 2, 3, 4], [255, 255, 255, 255], [1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0x80, 0x3F],
      [7, 0, 0, 0], [1, 2, 3, 4], [5, 6, 7, 8], [0xEE],
    ]
    #expect(bytes == Array(words.joined()))
  }

  @Test func aBlockStandsBehindItsLength() {
    var bytes = [UInt8](repeating: 0xEE, count: 12)
    let written = bytes.withUnsafeMutableBytes { memory in
      var writer = WordWriter(memory.baseAddress!)
      writer.put(atMost: 8) { room in
        #expect(room.count == 8)
        room.copyBytes(from: [9, 8, 7])
        return 3
      }
      return writer.at - memory.baseAddress!
    }
    #expect(written == 7)
    #expect(bytes == [3, 0, 0, 0, 9, 8, 7, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE])
  }
}
