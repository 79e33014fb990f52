import CoreMetrics
import Synchronization
import Testing

@testable import Telemetry

/// A clock that is turned by hand.
private final class HandClock: Sendable {
  private let value = Mutex<UInt64>(0)

  var now: UInt64 { value.withLock { $0 } }
  func pass(seconds: UInt64) { value.withLock { $0 += seconds * 1_000_000_000 } }
}

@Suite struct PrometheusTextTests {
  private let clock = HandClock()
  private let exporter: PrometheusExporter

  init() {
    let clock = clock
    exporter = PrometheusExporter(help: ["frames_total": "Frames sent."], clock: { clock.now })
  }

  @Test func countersAndGaugesAreWrittenByNameAndLabels() {
    Counter(label: "frames_total", dimensions: [("thread", "1")], factory: exporter).increment(
      by: 3)
    Counter(label: "frames_total", dimensions: [("thread", "0")], factory: exporter).increment()
    let meter = Meter(label: "bodies", dimensions: [], factory: exporter)
    meter.set(2.5)
    #expect(
      exporter.text() == """
        # HELP bodies bodies
        # TYPE bodies gauge
        bodies 2.5
        # HELP frames_total Frames sent.
        # TYPE frames_total counter
        frames_total{thread="0"} 1
        frames_total{thread="1"} 3

        """)
    meter.destroy()
    #expect(!exporter.text().contains("bodies"))
  }

  @Test func theSameNameAndLabelsAreTheSameCounter() {
    for order in [[("a", "1"), ("b", "2")], [("b", "2"), ("a", "1")]] {
      Counter(label: "frames_total", dimensions: order, factory: exporter).increment()
    }
    #expect(exporter.text().contains("frames_total{a=\"1\",b=\"2\"} 2\n"))
  }

  @Test func valuesOfLabelsAreEscaped() {
    let value = "a \"quoted\" \\ line\nand another, ü"
    Counter(label: "frames_total", dimensions: [("what", value)], factory: exporter).increment()
    #expect(
      exporter.text().contains(
        #"frames_total{what="a \"quoted\" \\ line\nand another, ü"} 1"#))
  }

  @Test func timesAreTheLastMinutesInSeconds() {
    let timer = Timer(label: "took_seconds", dimensions: [], factory: exporter)
    for milliseconds in 1...100 { timer.recordMilliseconds(milliseconds) }
    let text = exporter.text()
    #expect(text.contains("# TYPE took_seconds summary\n"))
    #expect(text.contains("took_seconds_count 100\n"))
    #expect(text.contains("took_seconds_sum 5.05"))
    #expect(abs(quantile("0.5", text) - 0.05) < 0.001)
    #expect(abs(quantile("0.99", text) - 0.099) < 0.002)
    #expect(abs(quantile("1", text) - 0.1) < 0.002)
    // What was slow is told for half a minute at least, and not for more than a whole one.
    clock.pass(seconds: 29)
    timer.recordMilliseconds(1)
    #expect(quantile("1", exporter.text()) > 0.09)
    clock.pass(seconds: 31)
    timer.recordMilliseconds(1)
    #expect(quantile("1", exporter.text()) < 0.002)
    clock.pass(seconds: 3600)
    #expect(quantile("1", exporter.text()).isNaN, "nothing lately")
    #expect(exporter.text().contains("took_seconds_count 102\n"), "all are counted")
  }

  private func quantile(_ quantile: String, _ text: String) -> Double {
    let prefix = "took_seconds{quantile=\"\(quantile)\"} "
    let line = text.split(separator: "\n").first { $0.hasPrefix(prefix) }
    return Double(line?.dropFirst(prefix.count) ?? "") ?? .nan
  }

  @Test func threadsMayCountTogether() async {
    let exporter = exporter
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<1000 {
            Counter(label: "frames_total", dimensions: [], factory: exporter).increment()
          }
        }
      }
    }
    #expect(exporter.text().contains("frames_total 4000\n"))
  }

  @Test func namesAreThoseThatPrometheusTakes() {
    for name in ["a", "_a9", "ab:c"] { #expect(Labels.isName(name)) }
    for name in ["", "9a", "a-b", "a b", "ä"] { #expect(!Labels.isName(name)) }
    #expect(Number.text(.infinity) == "+Inf" && Number.text(-0.25) == "-0.25")
    #expect(Number.text(1e18) == "1e+18" && Number.text(12) == "12")
  }

  @Test func theProcessHasFiguresOfItsOwn() {
    let figures = ProcessFigures.read()
    #expect(figures.residentBytes > 1 << 20 && figures.threads > 0)
    #expect(figures.openDescriptors > 2 && figures.mostDescriptors >= figures.openDescriptors)
    #expect(figures.processorSeconds > 0)
  }
}
