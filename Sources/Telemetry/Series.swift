import CoreMetrics
import Synchronization

/// Something that only grows.
final class CounterSeries: PrometheusExporter.Series, CounterHandler, FloatingPointCounterHandler {
  static let kind = "counter"
  private let value = Mutex(0.0)

  func increment(by amount: Int64) { increment(by: Double(amount)) }

  func increment(by amount: Double) {
    guard amount > 0 else { return }
    value.withLock { $0 += amount }
  }

  func reset() { value.withLock { $0 = 0 } }

  func lines(name: String, labels: Labels, at now: UInt64) -> [String] {
    ["\(name)\(labels.text()) \(Number.text(value.withLock { $0 }))"]
  }
}

/// Something that goes up and down.
final class GaugeSeries: PrometheusExporter.Series, MeterHandler, RecorderHandler {
  static let kind = "gauge"
  private let value = Mutex(0.0)

  func set(_ new: Int64) { set(Double(new)) }
  func set(_ new: Double) { value.withLock { $0 = new } }
  func increment(by amount: Double) { value.withLock { $0 += amount } }
  func decrement(by amount: Double) { value.withLock { $0 -= amount } }
  func record(_ new: Int64) { set(Double(new)) }
  func record(_ new: Double) { set(new) }

  func lines(name: String, labels: Labels, at now: UInt64) -> [String] {
    ["\(name)\(labels.text()) \(Number.text(value.withLock { $0 }))"]
  }
}

/// Something of which each case counts: quantiles of the last minute, sum and count of all.
final class SummarySeries: PrometheusExporter.Series, TimerHandler, RecorderHandler {
  static let kind = "summary"
  /// The worst one is the quantile 1.
  private static let quantiles = [0.5, 0.9, 0.99, 1]

  private struct State: Sendable {
    var window = SlidingQuantiles()
    var sum = 0.0
    var count = 0
  }

  private let state = Mutex(State())
  /// What a recorded 1 is in the unit that is told.
  private let unit: Double
  private let clock: @Sendable () -> UInt64

  init(unit: Double, clock: @escaping @Sendable () -> UInt64) {
    self.unit = unit
    self.clock = clock
  }

  func recordNanoseconds(_ duration: Int64) { record(duration) }
  func record(_ value: Double) { record(Int64(value.rounded())) }

  func record(_ value: Int64) {
    let now = clock()
    state.withLock {
      $0.window.record(UInt64(max(0, value)), at: now)
      $0.sum += Double(max(0, value)) * unit
      $0.count += 1
    }
  }

  func lines(name: String, labels: Labels, at now: UInt64) -> [String] {
    var state = state.withLock { $0 }
    let quantiles = Self.quantiles.map { quantile in
      let value = state.window.value(at: quantile, now: now).map { Double($0) * unit }
      let label = labels.text(and: "quantile=\"\(Number.text(quantile))\"")
      return "\(name)\(label) \(Number.text(value ?? .nan))"
    }
    return quantiles + [
      "\(name)_sum\(labels.text()) \(Number.text(state.sum))",
      "\(name)_count\(labels.text()) \(state.count)",
    ]
  }
}

/// Numbers as Prometheus reads them.
enum Number {
  static func text(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
    if value == value.rounded(), abs(value) < 1e15 { return String(Int64(value)) }
    return "\(value)"
  }
}
