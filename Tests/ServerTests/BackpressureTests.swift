import Simulation
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

  /// A while in which nothing is read costs half of the rate; half a calm minute gives it back.
  @Test func whoReadsAgainGetsItsRateBack() throws {
    // A few frames of a pit that moves fill this pipe.
    let pit = try VirtualServer(faults: NetworkFaults(budgetBytes: 512), bodies: 60)
    let probe = Probe(pit)
    pit.advance(seconds: 0.1)
    pit.network.faults = .none
    let shaker = Probe(pit)
    func play(seconds: Double) { shake(pit, by: shaker, seconds: seconds) }
    play(seconds: 3)
    #expect(probe.decoder.shape?.rate == .hz60 && pit.hub.traffic.slowed == 0)
    probe.connection?.isReading = false
    play(seconds: 2.5)
    #expect((pit.hub.traffic.slowed, pit.hub.traffic.raised) == (1, 0))
    probe.connection?.isReading = true
    play(seconds: 28)
    #expect(probe.decoder.shape?.rate == .hz30 && pit.hub.traffic.raised == 0)
    play(seconds: 3)
    let metrics = try pit.metrics()
    #expect(metrics[#"stickerpit_clients_slowed_total{thread="0"}"#] == 1)
    #expect(metrics[#"stickerpit_clients_raised_total{thread="0"}"#] == 1)
    #expect(probe.decoder.shape?.rate == .hz60)
    let before = probe.frames.count
    play(seconds: 1)
    let got = probe.frames[before...].reduce(0) { $0 + 1 + Int($1.held) }
    #expect(got > 50, "\(got) ticks in a second")
    #expect(probe.failures.isEmpty && probe.closed == nil)
  }

  /// Who was slowed down has all of its rate again as soon as it asks anew, or the host begins
  /// another world. That is counted and told as half a calm minute is.
  @Test(arguments: [true, false])
  func aRateThatIsGivenBackAtOnceIsCountedAndToldAsWell(asksAnew: Bool) throws {
    let (pit, probe, shaker) = try slowedDown()
    if asksAnew {
      probe.say(.stream(kind: .state, rate: .hz60, profile: .strict))
    } else {
      let another = HostAct.begin(scene: Scene.pit.rawValue, bodies: 60, maxBodies: 100, seed: 3)
      #expect(pit.server.exchange.post(another))
    }
    shake(pit, by: shaker, seconds: 1.5)
    #expect((pit.hub.traffic.slowed, pit.hub.traffic.raised) == (1, 1))
    #expect(probe.decoder.shape?.rate == .hz60 && probe.codes == [.slowedDown, .fullSpeed])
    #expect(pit.hub.traffic.keyframeRequests == 0, "it asked for another stream than it had")
    #expect(probe.failures.isEmpty && probe.closed == nil)
  }

  /// Whoever takes the log instead has all of its rate again, too, and is told so then: not when
  /// another world begins later, nor when it takes positions again.
  @Test func whoTakesTheLogInsteadIsSlowedDownNoLonger() throws {
    let (pit, probe, shaker) = try slowedDown()
    probe.say(.stream(kind: .replica, rate: .hz60, profile: .strict))
    shake(pit, by: shaker, seconds: 1.5)
    #expect((pit.hub.traffic.slowed, pit.hub.traffic.raised) == (1, 1))
    #expect(probe.codes == [.slowedDown, .fullSpeed])
    let another = HostAct.begin(scene: Scene.pit.rawValue, bodies: 60, maxBodies: 100, seed: 3)
    #expect(pit.server.exchange.post(another))
    shake(pit, by: shaker, seconds: 1.5)
    #expect(probe.welcomes == 2)
    probe.say(.stream(kind: .state, rate: .hz60, profile: .strict))
    shake(pit, by: shaker, seconds: 1.5)
    #expect((pit.hub.traffic.slowed, pit.hub.traffic.raised) == (1, 1))
    #expect(probe.decoder.shape?.rate == .hz60 && probe.codes == [.slowedDown, .fullSpeed])
    #expect(probe.closed == nil)
  }

  /// Somebody keeps a pit moving.
  private func shake(_ pit: VirtualServer, by shaker: Probe, seconds: Double) {
    for step in 0..<Int(seconds * 4) {
      shaker.say(.tilt(x: step % 4 < 2 ? 16_384 : -16_384, y: 0))
      pit.advance(seconds: 0.25)
    }
  }

  /// A client that read nothing for a while and gets half of its rate, and somebody who keeps the
  /// pit moving.
  private func slowedDown() throws -> (pit: VirtualServer, probe: Probe, shaker: Probe) {
    let pit = try VirtualServer(faults: NetworkFaults(budgetBytes: 512), bodies: 60)
    let probe = Probe(pit)
    pit.advance(seconds: 0.1)
    pit.network.faults = .none
    let shaker = Probe(pit)
    shake(pit, by: shaker, seconds: 3)
    probe.connection?.isReading = false
    shake(pit, by: shaker, seconds: 2.5)
    probe.connection?.isReading = true
    shake(pit, by: shaker, seconds: 1)
    #expect((pit.hub.traffic.slowed, pit.hub.traffic.raised) == (1, 0))
    #expect(probe.decoder.shape?.rate == .hz30 && probe.codes == [.slowedDown])
    return (pit, probe, shaker)
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
