import Foundation

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
