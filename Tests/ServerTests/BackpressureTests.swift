import Testing
import Transport
import Wire

@testable import Server

/// What happens to clients that can't keep up, over the network in memory.
@Suite struct BackpressureTests {
  /// Reads 500 bytes a second, and 2 kB may be under way: far less than the pit sends.
  private let slow = NetworkFaults(
    latency: 5_000_000...30_000_000, slowShare: 1, slowBytesPerSecond: 500, budgetBytes: 2_048)

  @Test func aSlowReaderSkipsAndIsToldSo() throws {
    let pit = try VirtualServer(faults: slow, bodies: 60)
    let probe = Probe(pit)
    pit.advance(seconds: 10)
    #expect(probe.closed == nil)
    #expect(probe.failures.isEmpty)
    // Whatever was left out was announced, and as long as the rate stays, without a keyframe.
    let skipped = probe.frames.filter { $0.skipped > 0 }
    #expect(skipped.contains { !$0.isKeyframe })
    #expect(pit.hub.traffic.skipped.total > 0)
  }

  @Test func aSlowReaderGetsALowerRate() throws {
    let pit = try VirtualServer(faults: slow, bodies: 60)
    let probe = Probe(pit)
    pit.advance(seconds: 0.1)
    pit.network.faults = .none
    let shaker = Probe(pit)
    // A settled pit costs next to nothing, so somebody keeps it moving.
    for second in 0..<60 {
      pit.advance(seconds: 1)
      shaker.say(.tilt(x: second % 2 == 0 ? 16_384 : -16_384, y: 0))
    }
    let late = probe.frames.suffix(10).map(\.tick)
    #expect(late.count == 10)
    #expect(late.allSatisfy { FrameRate.hz10.isDue(at: $0, profile: .strict) }, "\(late)")
  }

  @Test func nobodyElseIsTouched() throws {
    let pit = try VirtualServer(bodies: 60)
    pit.network.faults = slow
    let slowProbe = Probe(pit)
    pit.advance(seconds: 0.1)
    pit.network.faults = .none
    let fast = Probe(pit)
    pit.advance(seconds: 10)
    #expect(slowProbe.failures.isEmpty)
    #expect(fast.failures.isEmpty)
    #expect(fast.frames.filter(\.isKeyframe).count == 1)
    #expect(fast.frames.count + fast.frames.map { Int($0.held) }.reduce(0, +) >= 598)
  }

  @Test func whoTakesNothingAtAllIsClosed() throws {
    let stuck = NetworkFaults(slowShare: 1, slowBytesPerSecond: 1, budgetBytes: 64)
    let pit = try VirtualServer(faults: stuck, bodies: 60)
    let probe = Probe(pit)
    pit.advance(seconds: 19)
    #expect(probe.closed == nil)
    pit.advance(seconds: 200)
    #expect(probe.closed?.code == .policy)
    #expect(probe.closed?.reason.hasPrefix("took no frame") == true)
    #expect(probe.frames.isEmpty)
  }

  @Test func aNetworkThreadThatFellBehindStartsOver() throws {
    let pit = try VirtualServer()
    let probe = Probe(pit)
    pit.advance(seconds: 1)
    // A hundred ticks without the network thread: more than the exchange keeps.
    for tick in 0..<100 {
      pit.server.runner.runTick(deadline: UInt64(tick), lostTicks: 0)
    }
    pit.advance(seconds: 1)
    #expect(probe.failures.isEmpty)
    #expect(probe.frames.contains { $0.skipped >= 36 })
  }
}
