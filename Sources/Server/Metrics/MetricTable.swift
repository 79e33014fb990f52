import CoreMetrics
import Synchronization
import Telemetry

/// Counters and gauges, each made when its value is first told. What is told of a counter is how
/// much was counted in all; swift-metrics wants to know by how much it grew.
final class MetricTable: Sendable {
  private struct Entries: Sendable {
    /// With the totals that were told last.
    var counters: [String: (counter: Counter, total: Int)] = [:]
    var gauges: [String: Meter] = [:]
  }

  private let exporter: PrometheusExporter
  private let entries = Mutex(Entries())

  init(_ exporter: PrometheusExporter) {
    self.exporter = exporter
  }

  /// Brings a counter up to what was counted in all.
  func total(_ name: String, _ dimensions: [(String, String)], _ total: Int) {
    entries.withLock { entries in
      let key = Self.key(name, dimensions)
      var (counter, before) =
        entries.counters[key]
        ?? (Counter(label: name, dimensions: dimensions, factory: exporter), 0)
      assert(total >= before, "\(name) never falls")
      counter.increment(by: max(0, total - before))
      before = max(before, total)
      entries.counters[key] = (counter, before)
    }
  }

  /// Brings a network thread's counters up to its tally: one for each case, which is the value of
  /// the dimension `label`.
  func total<Case>(_ name: String, _ label: String, _ tally: Tally<Case>, of thread: String) {
    for (value, count) in tally.all {
      total(name, [("thread", thread), (label, value)], count)
    }
  }

  /// Sets a gauge.
  func gauge(_ name: String, _ dimensions: [(String, String)], _ value: Double) {
    entries.withLock { entries in
      let key = Self.key(name, dimensions)
      let gauge =
        entries.gauges[key] ?? Meter(label: name, dimensions: dimensions, factory: exporter)
      gauge.set(value)
      entries.gauges[key] = gauge
    }
  }

  private static func key(_ name: String, _ dimensions: [(String, String)]) -> String {
    dimensions.reduce(name) { $0 + "," + $1.0 + "=" + $1.1 }
  }
}
