import Synchronization

/// What the network threads read of the configuration and may be changed while they run: one value,
/// replaced as a whole, which each thread takes over between two turns of its own.
final class LiveSettings: Sendable {
  struct Value: Sendable {
    var limits: Limits
    var keywords: KeywordList
  }

  private let newest: Mutex<Value>
  private let version = Atomic<Int>(0)

  init(_ value: Value) {
    newest = Mutex(value)
  }

  func publish(_ value: Value) {
    newest.withLock { $0 = value }
    version.add(1, ordering: .releasing)
  }

  /// The newest value, if it is another than that of the version that the caller knows.
  func changed(since known: inout Int) -> Value? {
    let now = version.load(ordering: .acquiring)
    guard now != known else { return nil }
    known = now
    return newest.withLock { $0 }
  }
}
