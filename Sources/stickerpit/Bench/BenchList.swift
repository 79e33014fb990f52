import ArgumentParser
import Dynamics
import Foundation

/// Times the list of the example `SpringyList`: cells on springs, scrolled to and fro in each tick.
struct BenchList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Time ticks of a list whose cells hang on springs.")

  @Option(help: "Cells, 1 to 2000.")
  var cells = 500

  @Option(help: "Ticks to measure.")
  var steps = 600

  @Flag(help: "Print one JSON object on standard output.")
  var json = false

  func validate() throws {
    guard (1...2000).contains(cells) else {
      throw ValidationError("--cells must be 1 to 2000, not \(cells)")
    }
    guard (1...1_000_000).contains(steps) else {
      throw ValidationError("--steps must be 1 to 1000000, not \(steps)")
    }
  }

  func run() throws {
    var animator = try Animator(
      referenceBounds: Rect2(x: 0, y: 0, width: 320, height: Float(cells) * 44))
    var list: [ItemID] = []
    for row in 0..<cells {
      let frame = Rect2(x: 0, y: Float(row) * 44, width: 320, height: 44)
      let cell = try animator.addItem(Item(frame: frame))
      try animator.add(
        AttachmentBehavior(
          item: cell, attachedToAnchor: frame.center, length: 0, frequency: 1, damping: 0.8))
      list.append(cell)
    }
    let clock = ContinuousClock()
    var times: [Double] = []
    // A second to warm up.
    for tick in 0..<steps + 60 {
      let start = clock.now
      let delta: Float = tick % 40 < 20 ? 8 : -8
      for cell in list {
        let center = animator.center(of: cell)
        let lag = min(abs(300 - center.y) / 1500, 1)
        try animator.setCenter(center + Vector2(0, delta * lag), of: cell)
      }
      animator.step()
      if tick >= 60 { times.append((clock.now - start) / .microseconds(1)) }
    }
    Output.result(report(times.sorted(), hash: animator.stateHash()))
  }

  private func report(_ sorted: [Double], hash: UInt64) -> String {
    func number(_ x: Double) -> String { String(format: "%.1f", x) }
    let values = [
      ("cells", "\(cells)"), ("steps", "\(steps)"), ("p50_us", number(sorted[sorted.count / 2])),
      ("p99_us", number(sorted[Int(Double(sorted.count) * 0.99)])),
      ("max_us", number(sorted[sorted.count - 1])),
      ("hash", "\"\(String(hash, radix: 16))\""),
    ]
    return json
      ? "{" + values.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
      : values.map { "\($0.0) \($0.1)" }.joined(separator: "\n")
  }
}
