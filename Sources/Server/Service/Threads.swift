import Foundation
import Glibc
import Transport

/// Threads for what takes too long where time must be kept.
enum Worker {
  /// Runs something later, on another thread, one after the other.
  typealias Run = @Sendable (@escaping @Sendable () -> Void) -> Void

  /// A thread of its own.
  /// - Parameter name: what a debugger shows.
  static func thread(_ name: String) -> Run {
    let queue = DispatchQueue(label: name, qos: .utility)
    return { work in queue.async(execute: work) }
  }
}

/// Real-time priorities of the threads whose delay is promised (the ticks', the journal's and, with
/// other servers, the cluster's): they run when they are due, not behind those that write to
/// thousands of clients or behind other programs.
///
/// The kernel grants them to root, and to others by `LimitRTPRIO=2` of systemd or `ulimit -r 2`; to
/// anybody else a thread is one among many. So it is on a single processor, where a heavy world
/// would leave nothing to those who write.
enum ThreadPriority: Int32 {
  /// Writes the journal every 50 ms, which takes it a millisecond or two: what a crash may take
  /// (100 ms) leaves no room for waiting.
  case journal = 1
  /// Runs the ticks, or follows those of another server. Compared once with 5000 viewers on two
  /// processors, 99 of 100 ticks began within 0.9 ms of their deadline with it and within 4.4
  /// without; by now it is 0.14 ms with it (BENCHMARKS.md, "Viewers").
  case tick = 2

  /// Gives it to the calling thread, if the kernel lets it, and names the thread.
  func take(naming name: String) {
    ThreadName.take(name)
    guard ProcessInfo.processInfo.activeProcessorCount > 1 else { return }
    var wanted = sched_param(sched_priority: rawValue)
    // Zero is the calling thread. Threads that this one may start are not to inherit it.
    sched_setscheduler(0, SCHED_RR | Self.resetOnFork, &wanted)
  }

  /// `SCHED_RESET_ON_FORK` of <linux/sched.h>, which Swift's Glibc leaves out.
  private static let resetOnFork: Int32 = 0x4000_0000
}
