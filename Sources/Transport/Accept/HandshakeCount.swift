import CLibWebSockets
import Synchronization

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
