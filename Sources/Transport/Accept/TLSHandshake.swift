// A TLS handshake: its first bytes, and how long the rest of it takes.

import CLibWebSockets
import Synchronization

/// What the first bytes on a port that speaks TLS are.
///
/// A TLS client begins with a handshake message, the ClientHello, in one or more records (RFC 8446,
/// sections 4.1.2 and 5.1). It is complete before anything is done about it, because answering it
/// is what a handshake costs.
enum ClientHello {
  /// More must come.
  case incomplete
  /// All of it is there.
  case complete
  /// No TLS: perhaps a request that forgot the `https`.
  case somethingElse
  /// Longer than any honest one.
  case tooLong

  /// A browser's is 500 to 2000 bytes. This is the plaintext of one record at most and its header.
  static let mostBytes = 16_384 + recordHeaderBytes
  private static let recordHeaderBytes = 5
  private static let messageHeaderBytes = 4
  private static let handshakeRecord: UInt8 = 22

  /// Looks at everything that has come so far.
  init(_ bytes: UnsafeRawBufferPointer) {
    var (place, message): (Int, [UInt8]) = (0, [])
    var messageBytes = 0
    self = .incomplete
    while place < bytes.count {
      guard bytes[place] == Self.handshakeRecord else {
        self = .somethingElse
        return
      }
      guard place + Self.recordHeaderBytes <= bytes.count else { break }
      let length = Int(bytes[place + 3]) << 8 | Int(bytes[place + 4])
      let (start, end) = (place + Self.recordHeaderBytes, place + Self.recordHeaderBytes + length)
      guard end <= bytes.count else { break }
      // The message's own header may be spread over several records.
      message += bytes[start..<end].prefix(Self.messageHeaderBytes - message.count)
      messageBytes += length
      if message.count == Self.messageHeaderBytes {
        let announced = Int(message[1]) << 16 | Int(message[2]) << 8 | Int(message[3])
        guard messageBytes < Self.messageHeaderBytes + announced else {
          self = .complete
          return
        }
      }
      place = end
    }
    if bytes.count >= Self.mostBytes { self = .tooLong }
  }
}

/// Counts TLS handshakes, and measures how long they take: from the ClientHello, when it is the
/// address's turn, to the end, which is our work and two ways of the line.
///
/// OpenSSL keeps a note with each session. It is taken off when the handshake is done; a session
/// that ends with its note has failed.
enum HandshakeCount {
  /// A handshake that is under way.
  fileprivate final class Note {
    let counts: PortCounts
    let began: UInt64

    init(_ counts: PortCounts, began: UInt64) {
      (self.counts, self.began) = (counts, began)
    }
  }

  private static let index = stickerpit_handshake_index { _, note, _, _, _, _ in
    guard let note else { return }
    Unmanaged<Note>.fromOpaque(note).takeRetainedValue().counts.failedHandshakes.add(
      1, ordering: .relaxed)
  }

  /// Has a context's handshakes watched until they are done.
  static func watch(_ context: OpaquePointer) {
    stickerpit_set_info_callback(context) { session, event, _ in
      guard event & SSL_CB_HANDSHAKE_DONE != 0, let session,
        let note = SSL_get_ex_data(session, HandshakeCount.index)
      else { return }
      SSL_set_ex_data(session, HandshakeCount.index, nil)
      Unmanaged<Note>.fromOpaque(note).takeRetainedValue().finish()
    }
  }

  /// A ClientHello is being answered.
  static func began(_ session: OpaquePointer, _ counts: PortCounts) {
    guard SSL_get_ex_data(session, index) == nil else { return }
    let note = Note(counts, began: MonotonicClock.nanoseconds())
    SSL_set_ex_data(session, index, Unmanaged.passRetained(note).toOpaque())
  }
}

extension HandshakeCount.Note {
  fileprivate func finish() {
    counts.handshakes.add(1, ordering: .relaxed)
    counts.handshakeTook(MonotonicClock.nanoseconds() - began)
  }
}
