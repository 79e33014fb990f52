import CLibWebSockets
import Glibc

/// A file on its way to a visitor, piece by piece as the socket takes it. Closes the file when let
/// go.
final class FileDownload {
  /// Bytes read and written at a time.
  static let pieceBytes = 16_384

  private let descriptor: Int32
  private var remaining: Int

  init(_ file: WebFolder.File) {
    descriptor = file.descriptor
    remaining = file.size
  }

  deinit {
    close(descriptor)
  }

  enum Progress { case more, done, failed }

  /// Writes the next piece. `buffer` has the headroom and one piece.
  func writePiece(to socket: OpaquePointer, buffer: UnsafeMutablePointer<UInt8>) -> Progress {
    let payload = buffer + OutgoingFrame.headroom
    let count = read(descriptor, payload, min(remaining, Self.pieceBytes))
    // A file that shrank since its length was sent cannot be finished honestly.
    guard count > 0 else { return .failed }
    guard Int(lws_write(socket, payload, count, LWS_WRITE_HTTP)) >= count else { return .failed }
    remaining -= count
    return remaining == 0 ? .done : .more
  }
}
