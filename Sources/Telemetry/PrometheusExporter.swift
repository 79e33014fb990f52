import CoreMetrics
import Synchronization

/// Keeps metrics and renders them in Prometheus' text format, version 0.0.4.
///
/// ```swift
/// let exporter = PrometheusExporter(help: ["pit_ticks_total": "Ticks since the start."])
/// let ticks = Counter(label: "pit_ticks_total", dimensions: [], factory: exporter)
/// ticks.increment()
/// print(exporter.text())
/// ```
///
/// Labels are metrics' names as Prometheus wants them, dimensions its labels. Names and labels that
/// it would not take are a programmer's mistake and stop the program.
public final class PrometheusExporter: MetricsFactory, Sendable {
  /// One metric with its labels, ready to be rendered.
  protocol Series: AnyObject, Sendable {
    /// The lines of this series, without a line break behind the last.
    func lines(name: String, labels: Labels, at now: UInt64) -> [String]
    /// What Prometheus calls it.
    static var kind: String { get }
  }

  private struct Family: Sendable {
    let kind: String
    var series: [(labels: Labels, series: any Series)] = []
  }

  private let families = Mutex<[String: Family]>([:])
  private let help: [String: String]
  private let clock: @Sendable () -> UInt64

  /// - Parameters:
  ///   - help: what each metric is, by name, in one line.
  ///   - clock: monotonic nanoseconds.
  public init(
    help: [String: String], clock: @escaping @Sendable () -> UInt64 = { Monotonic.nanoseconds() }
  ) {
    self.help = help
    self.clock = clock
  }

  /// All metrics, by name and then by labels.
  public func text() -> String {
    let families = families.withLock { $0 }
    let now = clock()
    var lines: [String] = []
    for (name, family) in families.sorted(by: { $0.key < $1.key }) {
      lines.append("# HELP \(name) \(help[name] ?? name)")
      lines.append("# TYPE \(name) \(family.kind)")
      for (labels, series) in family.series.sorted(by: { $0.labels < $1.labels }) {
        lines += series.lines(name: name, labels: labels, at: now)
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The series of a name with these labels, made anew if there is none.
  private func series<Kind: Series>(
    _ name: String, _ dimensions: [(String, String)], _ make: () -> Kind
  ) -> Kind {
    precondition(Labels.isName(name), "\(name) is no name of a metric")
    let labels = Labels(dimensions)
    return families.withLock { families in
      var family = families[name] ?? Family(kind: Kind.kind)
      precondition(family.kind == Kind.kind, "\(name) is a \(family.kind)")
      if let known = family.series.first(where: { $0.labels == labels }) {
        return known.series as! Kind
      }
      let made = make()
      family.series.append((labels, made))
      families[name] = family
      return made
    }
  }

  private func forget(_ handler: AnyObject) {
    families.withLock { families in
      for name in families.keys {
        families[name]!.series.removeAll { $0.series === handler }
        if families[name]!.series.isEmpty { families[name] = nil }
      }
    }
  }

  // MARK: What swift-metrics asks for

  public func makeCounter(
    label: String, dimensions: [(String, String)]
  ) -> any CounterHandler { series(label, dimensions) { CounterSeries() } }

  public func makeFloatingPointCounter(
    label: String, dimensions: [(String, String)]
  ) -> any FloatingPointCounterHandler { series(label, dimensions) { CounterSeries() } }

  public func makeMeter(
    label: String, dimensions: [(String, String)]
  ) -> any MeterHandler { series(label, dimensions) { GaugeSeries() } }

  /// - Parameter aggregate: with it quantiles are told, otherwise the last value.
  public func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler {
    guard aggregate else { return series(label, dimensions) { GaugeSeries() } }
    return series(label, dimensions) { SummarySeries(unit: 1, clock: clock) }
  }

  /// Prometheus' times are in seconds.
  public func makeTimer(
    label: String, dimensions: [(String, String)]
  ) -> any TimerHandler {
    series(label, dimensions) { SummarySeries(unit: 1e-9, clock: clock) }
  }

  public func destroyCounter(_ handler: any CounterHandler) { forget(handler) }
  public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {
    forget(handler)
  }
  public func destroyMeter(_ handler: any MeterHandler) { forget(handler) }
  public func destroyRecorder(_ handler: any RecorderHandler) { forget(handler) }
  public func destroyTimer(_ handler: any TimerHandler) { forget(handler) }
}
