import Foundation
import Synchronization

/// Notes SIGINT and SIGTERM instead of dying from them, so that a run ends early with its report.
///
/// Sendable although it holds the signals' sources: nothing touches those after `init`.
final class Interrupt: @unchecked Sendable {
  private let isSet = Atomic(false)
  private var sources: [any DispatchSourceSignal] = []

  init() {
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [weak self] in self?.isSet.store(true, ordering: .relaxed) }
      source.resume()
      return source
    }
  }

  /// Whether one of the signals came.
  var hasCome: Bool { isSet.load(ordering: .relaxed) }
}
