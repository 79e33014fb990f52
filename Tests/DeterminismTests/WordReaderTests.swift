import Determinism
import Testing

@Suite final class WordReaderTests {
  private struct Refused: Error, Equatable {}

  private struct Reader: WordReader {
    typealias Failure = Refused

    static var malformed: Refused { Refused() }

    let bytes: UnsafeRawBufferPointer
    var offset = 0
  }

  /// What the readers of a test read, for as long as it runs.
  private var memories: [UnsafeMutableRawBufferPointer] = []

  deinit {
    for memory in memories { memory.deallocate() }
  }

  /// A reader of these words, low bytes first, and of a few bytes more.
  private func reader(of words: [UInt32], and rest: [UInt8] = []) -> Reader {
    var bytes: [UInt8] = []
    for word in words {
      withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
    }
    bytes += rest
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 4)
    memory.copyBytes(from: bytes)
    memories.append(memory)
    return Reader(bytes: UnsafeRawBufferPointer(memory))
  }

  @Test func whatWasWrittenIsReadInOrder() throws {
    var reader = self.reader(of: [7, .max, 2, 1, 1, 9, 0, 9, Float(-2.5).bitPattern])
    let words = try [reader.word(), reader.word(upTo: .max)]
    #expect(words == [7, .max])
    let wide = try reader.wide()
    #expect(wide == 0x1_0000_0002)
    let some = try reader.optionalWord()
    #expect(some == 9)
    let none = try reader.optionalWord()
    #expect(none == nil)
    #expect(!reader.isAtEnd)
    #expect(reader.left.count == 4)
    let number = try reader.number(within: 2.5)
    #expect(number == -2.5)
    #expect(reader.isAtEnd)
    #expect(reader.left.count == 0)
  }

  @Test func nothingIsReadPastTheEnd() throws {
    var reader = self.reader(of: [5], and: [1, 2, 3])
    #expect(throws: Refused()) { try reader.wide() }
    #expect(throws: Refused()) { try reader.word() }
    #expect(throws: Refused()) { try reader.require(4) }
    #expect(throws: Refused()) { try reader.require(-1) }
    try reader.require(3)
    #expect(!reader.isAtEnd)
    #expect(reader.left.count == 3)
  }

  @Test func whatDoesNotFitIsRefused() {
    var large = reader(of: [4])
    #expect(throws: Refused()) { try large.word(upTo: 3) }
    var unclear = reader(of: [2, 0])
    #expect(throws: Refused()) { try unclear.optionalWord() }
    let numbers: [Float] = [.nan, .infinity, -.infinity, Float(1).nextUp, Float(-1).nextDown]
    for number in numbers {
      var reader = self.reader(of: [number.bitPattern])
      #expect(throws: Refused(), "\(number)") { try reader.number(within: 1) }
    }
  }

  @Test func countsAreOfWhatIsLeft() throws {
    var fitting = reader(of: [2, 0, 0])
    let fits = try fitting.count(of: 4)
    #expect(fits == 2)
    let counts: [UInt32] = [3, 0x8000_0000, .max]
    for count in counts {
      var reader = self.reader(of: [count, 0, 0])
      #expect(throws: Refused(), "\(count)") { try reader.count(of: 4) }
    }
  }

  @Test func aBlockIsAsLongAsItSays() throws {
    var fitting = reader(of: [3], and: [6, 7, 8, 9])
    let block = try fitting.block()
    #expect([UInt8](block) == [6, 7, 8])
    #expect([UInt8](fitting.left) == [9])
    var long = reader(of: [5], and: [6, 7, 8, 9])
    #expect(throws: Refused()) { try long.block() }
  }
}
