import Foundation
import Glibc
import Testing

@testable import stickerpit

/// Who shares a pipe or a socket with the process, as its shell does, waits for room as before
/// wherever that is possible.
@Suite struct StandardErrorTests {
  /// Two descriptors of one open end, as two processes have them, and the other end.
  private struct Shared {
    let own: Int32
    let others: Int32
    let reader: Int32

    init(_ ends: (reader: Int32, writer: Int32)) {
      (own, others, reader) = (ends.writer, dup(ends.writer), ends.reader)
    }

    func close() { for descriptor in [own, others, reader] { Glibc.close(descriptor) } }
  }

  private static func pipe() throws -> Shared {
    var ends: [Int32] = [0, 0]
    let result = Glibc.pipe(&ends)
    try #require(result == 0)
    return Shared((ends[0], ends[1]))
  }

  /// A pipe that has a name, which goes at once.
  private static func namedPipe() throws -> Shared {
    let path = NSTemporaryDirectory() + UUID().uuidString
    let made = mkfifo(path, 0o600)
    try #require(made == 0)
    defer { unlink(path) }
    // No program that another test starts meanwhile keeps it open.
    let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    let writer = open(path, O_WRONLY | O_CLOEXEC)
    try #require(reader >= 0 && writer >= 0)
    return Shared((reader, writer))
  }

  private static func waits(_ descriptor: Int32) -> Bool {
    fcntl(descriptor, F_GETFL) & O_NONBLOCK == 0
  }

  @Test(arguments: [false, true])
  func aPipeIsOpenedAnew(hasName: Bool) throws {
    let pipe = try hasName ? Self.namedPipe() : Self.pipe()
    defer { pipe.close() }
    #expect(Self.waits(pipe.own) && Self.waits(pipe.others))
    StandardError.waitForNobody(pipe.own)
    #expect(!Self.waits(pipe.own) && Self.waits(pipe.others))
    // It leads to the same place.
    let written = write(pipe.own, "a", 1)
    var byte: UInt8 = 0
    let got = read(pipe.reader, &byte, 1)
    #expect(written == 1 && got == 1 && byte == UInt8(ascii: "a"))
  }

  /// By its name it can't be opened anew, and need not be: writing to it fails at once.
  @Test func aPipeThatNobodyReadsIsChangedForNobodyElse() throws {
    for pipe in [try Self.pipe(), try Self.namedPipe()] {
      close(pipe.reader)
      StandardError.waitForNobody(pipe.own)
      #expect(Self.waits(pipe.others))
      close(pipe.own)
      close(pipe.others)
    }
  }

  /// The one thing that can't be opened anew and may keep a writer waiting.
  @Test func aSocketIsChangedForAllWhoHaveIt() throws {
    var ends: [Int32] = [0, 0]
    let result = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
    try #require(result == 0)
    let socket = Shared((ends[0], ends[1]))
    defer { socket.close() }
    StandardError.waitForNobody(socket.own)
    #expect(!Self.waits(socket.own) && !Self.waits(socket.others))
    #expect(Self.waits(socket.reader))
  }
}
