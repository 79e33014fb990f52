import Foundation

/// A look at SQLite's write-ahead log before SQLite reads it. SQLite takes the transactions up to
/// the first that is damaged and forgets the rest without a word; this finds out whether there was
/// a rest. The form is that of sqlite.org/fileformat2.html, section 4.
struct WriteAheadLog {
  /// Transactions behind the first damaged frame, or torn there: SQLite will leave them out.
  private(set) var lostTransactions = 0
  /// Frames from the first damaged one on; 1 is what a process leaves that ends while it writes.
  private var brokenFrames = 0
  /// Whether it has a beginning that SQLite does not know: then it leaves out everything.
  private(set) var isUnreadable = false
  /// Transactions that are whole.
  private(set) var transactions = 0

  private static let headerBytes = 32
  private static let frameHeaderBytes = 24
  /// The magic number, whose lowest bit says that checksums read words highest byte first.
  private static let magic: UInt32 = 0x377F_0682

  /// - Parameter path: the log's file; one that isn't there has lost nothing.
  init(_ path: String) {
    guard let bytes = FileManager.default.contents(atPath: path) else { return }
    bytes.withUnsafeBytes { read($0) }
  }

  /// What an operator is to know; nil for nothing.
  var note: String? {
    if isUnreadable {
      return "the write-ahead log can't be read: the last seconds before the end may be lost"
    }
    guard lostTransactions > 0 else { return nil }
    if brokenFrames == 1 { return "an entry that was being written at the end is cut off" }
    return "the end is damaged: the last \(lostTransactions) entries are cut off"
  }

  private mutating func read(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count > Self.headerBytes else { return }
    guard Self.word(bytes, 0) & ~1 == Self.magic else {
      isUnreadable = true
      return
    }
    let isBigEndian = Self.word(bytes, 0) & 1 == 1
    let pageBytes = Int(Self.word(bytes, 8))
    guard pageBytes >= 512, pageBytes <= 65_536 else {
      isUnreadable = true
      return
    }
    let salt = (Self.word(bytes, 16), Self.word(bytes, 20))
    var sum = Checksum(isBigEndian: isBigEndian)
    sum.add(bytes, 0..<24)
    guard sum.isAt(bytes, 24) else {
      isUnreadable = true
      return
    }
    var isWhole = true
    var at = Self.headerBytes
    while at + Self.frameHeaderBytes + pageBytes <= bytes.count {
      // What an earlier round left behind has another salt.
      guard Self.word(bytes, at + 8) == salt.0, Self.word(bytes, at + 12) == salt.1 else {
        // A single damaged frame may stand between sound ones.
        isWhole = false
        at += Self.frameHeaderBytes + pageBytes
        continue
      }
      sum.add(bytes, at..<(at + 8))
      sum.add(bytes, (at + Self.frameHeaderBytes)..<(at + Self.frameHeaderBytes + pageBytes))
      isWhole = isWhole && sum.isAt(bytes, at + 16)
      brokenFrames += isWhole ? 0 : 1
      let isCommit = Self.word(bytes, at + 4) != 0
      if isCommit, isWhole { transactions += 1 }
      if isCommit, !isWhole { lostTransactions += 1 }
      at += Self.frameHeaderBytes + pageBytes
    }
  }

  private static func word(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> UInt32 {
    UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self))
  }

  /// The sum over everything before, which each frame tells.
  private struct Checksum {
    let isBigEndian: Bool
    private var first: UInt32 = 0
    private var second: UInt32 = 0

    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    /// - Parameter range: a multiple of eight bytes.
    mutating func add(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) {
      for at in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
        first &+= word(bytes, at) &+ second
        second &+= word(bytes, at + 4) &+ first
      }
    }

    private func word(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> UInt32 {
      let word = bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self)
      return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
    }

    /// Whether it is the one that stands in the file.
    func isAt(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> Bool {
      WriteAheadLog.word(bytes, at) == first && WriteAheadLog.word(bytes, at + 4) == second
    }
  }
}
