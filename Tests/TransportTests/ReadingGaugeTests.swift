import CLibWebSockets
import Testing

@testable import Transport

/// How far a peer has read, from what the kernel knows and from pongs.
@Suite struct ReadingGaugeTests {
  /// Which of the pings a peer answers that it reads at once.
  enum Answers { case all, first, last, none }

  /// A peer that is sent a frame at every tick, as far as the gauge lets it.
  private struct Line {
    var gauge = ReadingGauge()
    var now: UInt64 = 1_000_000_000_000
    var written = 0.0
    var acknowledged = 0.0
    var read = 0.0
    /// Microseconds.
    var roundTrip: UInt32 = 1000
    /// Pings under way: the ends of what stood before them, and when they were sent.
    var pings: [(end: UInt64, time: UInt64)] = []
    var answers = Answers.all
    /// Frames that were held back, and the oldest bytes that were read, in seconds.
    var held = 0
    var age = 0.0
    private var sent: [(end: Double, time: UInt64)] = []
    /// Looks and pings so far. A peer that answers none is looked at with every eighth frame.
    var looks = 0
    var pinged = 0
    private var sendsToLook = 0
    /// A ping takes room in the stream.
    private static let pingBytes = 10.0
    private var wasLate = 0

    mutating func tick(
      frame bytes: Double, readPerSecond: Double, carriedPerSecond: Double = .infinity,
      kernelRoundTrip: UInt32? = nil
    ) {
      now += 16_666_667
      acknowledged = min(written, acknowledged + carriedPerSecond / 60)
      read = min(acknowledged, read + readPerSecond / 60)
      while let first = sent.first, first.end <= read {
        age = Double(now - first.time) / 1e9
        sent.removeFirst()
      }
      hear()
      let progress = stickerpit_progress(
        written: UInt64(written), acknowledged: UInt64(acknowledged),
        round_trip: kernelRoundTrip ?? roundTrip)
      let isQuiet =
        gauge.quietLimits(at: now)?.allow(gauge.bytesSincePing + UInt64(bytes), at: now) ?? false
      let look = gauge.needsLook(sending: Int(bytes), at: now)
      #expect(isQuiet == (look == false), "the fast path looks when the gauge does")
      let mustLook = look ?? false
      if mustLook || wasLate > 0 || !gauge.answersPings && sendsToLook == 0 {
        looks += 1
        sendsToLook = 8
        let isLate = gauge.isPeerLate(progress, at: now)
        if let end = gauge.takePing(at: now) {
          pings.append((end, now))
          written += Self.pingBytes
          pinged += 1
        }
        guard !isLate else {
          held += 1
          wasLate = 64
          return
        }
        wasLate = max(0, wasLate - 1)
      }
      sendsToLook = max(0, sendsToLook - 1)
      written += bytes
      sent.append((written, now))
    }

    /// The pongs that come by now.
    private mutating func hear() {
      let count = pings.prefix { [read, now, roundTrip] ping in
        Double(ping.end) <= read && now >= ping.time + UInt64(roundTrip) * 1000
      }.count
      let answered =
        switch answers {
        case .all: pings.prefix(count)
        case .first: pings.prefix(min(count, 1))
        case .last: pings.prefix(count).suffix(1)
        case .none: pings.prefix(0)
        }
      for ping in answered { gauge.heardPong(upTo: ping.end, at: now) }
      if answers != .none { pings.removeFirst(count) }
    }
  }

  @Test func whoReadsAtOnceIsNeverHeldUp() {
    var line = Line()
    for _ in 0..<600 { line.tick(frame: 1300, readPerSecond: 1e9) }
    #expect(line.held == 0 && line.pings.count < 2)
  }

  @Test func aLongLineIsNoSlowOne() {
    var line = Line()
    line.roundTrip = 300_000
    var unread: [Double] = []
    for _ in 0..<600 {
      // Everything is read a third of a second later.
      unread.append(line.written)
      let arrived = unread.count > 18 ? unread.removeFirst() : 0
      (line.acknowledged, line.read) = (arrived, arrived)
      line.tick(frame: 1300, readPerSecond: 0, carriedPerSecond: 0)
    }
    #expect(line.held == 0)
  }

  /// Nginx acknowledges for its clients at once; only pongs tell how far away they are.
  @Test func aLongLineBehindAProxyIsNoSlowOne() {
    var line = Line()
    var unread: [Double] = []
    for _ in 0..<600 {
      unread.append(line.written)
      line.read = unread.count > 18 ? unread.removeFirst() : 0
      line.roundTrip = 300_000
      line.tick(frame: 1300, readPerSecond: 0, kernelRoundTrip: 100)
    }
    #expect(line.held == 0)
  }

  /// The phone went from a quick network to a slow one. It gets frames all the time, and after the
  /// first second nearly all of them; whether its kernel or a proxy acknowledges.
  @Test(arguments: [true, false]) func aLineThatGetsLongerIsNoSlowOne(isProxied: Bool) {
    var line = Line()
    for _ in 0..<600 { line.tick(frame: 1300, readPerSecond: 1e9) }
    #expect(line.held == 0)
    var unread = Array(repeating: line.written, count: 18)
    var longest = 0
    var held = 0
    for tick in 0..<900 {
      unread.append(line.written)
      line.read = unread.removeFirst()
      if !isProxied { line.acknowledged = line.read }
      // The kernel's shortest round trip stays for minutes.
      line.roundTrip = 300_000
      let before = line.held
      line.tick(
        frame: 1300, readPerSecond: 0, carriedPerSecond: isProxied ? .infinity : 0,
        kernelRoundTrip: 1000)
      held = line.held > before ? held + 1 : 0
      longest = max(longest, held)
      if tick == 120 { line.held = 0 }
    }
    #expect(longest < 40, "two round trips")
    #expect(line.held < 780 / 4, "\(line.held) of 780")
  }

  @Test(arguments: [5_000.0, 20_000, 60_000]) func whatASlowReaderGetsIsFresh(perSecond: Double) {
    var line = Line()
    var worst = 0.0
    for tick in 0..<1200 {
      line.tick(frame: 1300, readPerSecond: perSecond)
      // At first it has yet to be found out.
      if tick > 240 { worst = max(worst, line.age) }
    }
    #expect(line.held > 200)
    #expect(line.read > 18 * perSecond * 0.7, "it is kept busy")
    // Eight frames may be under way before the first of them counts as late.
    #expect(worst < (perSecond < 20_000 ? 0.1 + 8 * 1300 / perSecond : 0.4), "\(worst)")
  }

  /// What a slow reader could read for a while is soon four times as much.
  /// Whatever the time since the last ping, and also where so little was sent that pings are rare.
  @Test(arguments: [200.0, 14], 0..<20) func aStormIsNoticedAtOnce(calm: Double, ticks: Int) {
    var line = Line()
    let pause = ticks * (calm < 100 ? 4 : 1)
    for _ in 0..<1200 + pause { line.tick(frame: calm, readPerSecond: 20_000) }
    #expect(line.held == 0)
    var worst = 0.0
    for _ in 0..<1200 {
      line.tick(frame: 1300, readPerSecond: 20_000)
      worst = max(worst, line.age)
    }
    #expect(worst < 0.5, "\(worst)")
    #expect(line.read > 18 * 20_000 * 0.7, "it is kept busy")
  }

  @Test func whoReadsAtOnceIsAskedSeldom() {
    var line = Line()
    for _ in 0..<600 { line.tick(frame: 1300, readPerSecond: 1e9) }
    let (looks, pinged) = (line.looks, line.pinged)
    // Calm for ten seconds and then a storm for ten, again and again.
    for second in 0..<200 {
      let frame = second / 10 % 2 == 0 ? 20.0 : 1300
      for _ in 0..<60 { line.tick(frame: frame, readPerSecond: 1e9) }
    }
    #expect(line.held == 0)
    #expect(line.pinged - pinged < 200 * 4 + 10 * 3, "three a second, and some as a storm begins")
    #expect(line.looks - looks < 200 * 5 + 10 * 20)
  }

  /// Followers of the log get some ten bytes at a time: a ping tells as little, and costs more.
  @Test func whoIsSentLittleIsAskedOnceASecond() {
    var line = Line()
    for _ in 0..<600 { line.tick(frame: 14, readPerSecond: 1e9) }
    let pinged = line.pinged
    for _ in 0..<6000 { line.tick(frame: 14, readPerSecond: 1e9) }
    #expect(line.held == 0 && (70...100).contains(line.pinged - pinged))
    // It stops, is found out, and goes on at once when it reads again.
    let written = line.written
    for _ in 0..<600 { line.tick(frame: 14, readPerSecond: 0) }
    #expect(line.held > 480 && line.written - written < 2500)
    let held = line.held
    for _ in 0..<120 { line.tick(frame: 14, readPerSecond: 1e9) }
    #expect(line.held - held <= 2)
  }

  @Test func whatASlowLineCarriesIsFresh() {
    var line = Line()
    line.answers = .none
    var worst = 0.0
    for tick in 0..<1200 {
      line.tick(frame: 1300, readPerSecond: 1e9, carriedPerSecond: 20_000)
      if tick > 240 { worst = max(worst, line.age) }
    }
    #expect(worst > 0.1 && worst < 0.9, "\(worst)")
    #expect(line.read > 18 * 20_000 * 0.9)
  }

  @Test func whoReadsNothingIsSentLittleMore() {
    var line = Line()
    for _ in 0..<120 { line.tick(frame: 1300, readPerSecond: 1e9) }
    let before = line.written
    for _ in 0..<600 { line.tick(frame: 1300, readPerSecond: 0) }
    // Until the next ping, and as long as its pong may take.
    #expect(line.written - before < 0.65 * 60 * 1300)
    #expect(line.pings.count <= 8 + 10_000 / 300, "it is pinged three times a second")
    let held = line.held
    for _ in 0..<120 { line.tick(frame: 1300, readPerSecond: 1e9) }
    #expect(line.held - held <= 2, "it goes on at once")
  }

  @Test(arguments: [Answers.first, .last]) func whoAnswersOneOfSeveralPingsGoesOn(
    _ answers: Answers
  ) {
    var line = Line()
    line.answers = answers
    for _ in 0..<60 { line.tick(frame: 1300, readPerSecond: 1e9) }
    // It stands still again and again, so that it finds several pings.
    for _ in 0..<20 {
      for _ in 0..<60 { line.tick(frame: 1300, readPerSecond: 0) }
      let held = line.held
      for _ in 0..<60 { line.tick(frame: 1300, readPerSecond: 1e9) }
      #expect(line.held - held < 25, "it goes on within 0.4 s")
    }
  }

  @Test func whoAnswersNoPingIsNotHeldUp() {
    var line = Line()
    line.answers = .none
    for _ in 0..<600 { line.tick(frame: 1300, readPerSecond: 1e9) }
    #expect(line.held == 0)
    // Only once it does answer, what it reads counts.
    line.answers = .all
    for _ in 0..<60 { line.tick(frame: 1300, readPerSecond: 1e9) }
    for _ in 0..<120 { line.tick(frame: 1300, readPerSecond: 0) }
    #expect(line.held > 60)
  }

  @Test func aPongFromTheFutureChangesNothing() {
    var line = Line()
    for _ in 0..<60 { line.tick(frame: 1300, readPerSecond: 1e9) }
    line.gauge.heardPong(upTo: .max, at: line.now)
    #expect(line.gauge.read <= line.gauge.written)
    for _ in 0..<60 { line.tick(frame: 1300, readPerSecond: 1e9) }
    #expect(line.held == 0)
  }

  /// One pong that nobody asked for, and then none, while more and more is sent: however much
  /// that is, the peer is held like others, and nothing overflows.
  @Test(arguments: [UInt64(0), 7, 50_000_000, .max])
  func whoForgesAPongIsHeldLikeOthers(_ claimed: UInt64) {
    var line = Line()
    line.answers = .none
    for _ in 0..<30 { line.tick(frame: 5e7, readPerSecond: 0, carriedPerSecond: 1e12) }
    line.gauge.heardPong(upTo: claimed, at: line.now)
    for _ in 0..<900 { line.tick(frame: 5e7, readPerSecond: 0, carriedPerSecond: 1e12) }
    let isAnswer = claimed < .max
    #expect(line.gauge.answersPings == isAnswer)
    #expect(!isAnswer || line.held > 700)
  }

  /// A heartbeat is no answer: RFC 6455 lets peers send pongs that nobody asked for.
  @Test func aPongBeforeTheFirstPingIsNoAnswer() {
    var gauge = ReadingGauge()
    gauge.heardPong(upTo: 0, at: 1)
    #expect(!gauge.answersPings)
  }

  @Test func bytesWithoutEndDontOverflow() {
    var line = Line()
    line.gauge.bytesSincePing = .max / 2
    line.gauge.heardPong(upTo: .max, at: line.now)
    line.tick(frame: 1000, readPerSecond: 1e9)
    line.gauge.heardPong(upTo: 0, at: line.now)
    line.gauge.bytesSincePing = .max / 2
    line.tick(frame: 1000, readPerSecond: 1e9)
    #expect(line.gauge.answersPings)
  }

  /// The kernel's count of what it was given can go back.
  @Test func aKernelThatCountsBackIsNotBelieved() {
    var gauge = ReadingGauge()
    let (far, back) = (
      stickerpit_progress(written: 9000, acknowledged: 8000, round_trip: 1000),
      stickerpit_progress(written: 8500, acknowledged: 8500, round_trip: 1000)
    )
    _ = gauge.isPeerLate(far, at: 1_000_000_000)
    _ = gauge.isPeerLate(back, at: 1_016_000_000)
    #expect(gauge.written == 9000)
  }
}
