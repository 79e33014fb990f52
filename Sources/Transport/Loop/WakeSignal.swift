import CLibWebSockets
import Glibc

/// What wakes a loop, from any thread: an eventfd, which the loop watches.
///
/// Whoever wakes keeps it until that is done, whatever becomes of the loop meanwhile: so no lock is
/// held while it is written to, and its number is nobody else's descriptor by then.
final class WakeSignal: Sendable {
  private let descriptor = stickerpit_eventfd()

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Another descriptor for the same signal, whose owner closes it; negative if there is none.
  func duplicate() -> Int32 { dup(descriptor) }

  /// Wakes the loop. Several signals that the loop has not taken yet are one.
  func send() {
    var one: UInt64 = 1
    _ = write(descriptor, &one, 8)
  }

  /// Takes the signals that were sent.
  /// - Returns: whether there were any since the last time.
  func take() -> Bool {
    var count: UInt64 = 0
    return read(descriptor, &count, 8) == 8
  }
}
