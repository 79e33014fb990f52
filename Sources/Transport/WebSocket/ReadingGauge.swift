import CLibWebSockets

/// Finds out how far a peer has read what was written to it, so that it is not sent more while what
/// it reads is old.
///
/// A full socket is a late sign: the peer's kernel takes 64 kB and more before it closes its
/// window, which is seconds of frames for a reader of 20 kB a second. Two earlier ones are put
/// together: a pong shows that all before its ping was read, and what the peer's kernel has not
/// acknowledged is still on the way. Of a peer that answers no ping, against RFC 6455, only the
/// second counts.
///
/// The window that a kernel announces would be a sign too, but it grows while nothing is read, and
/// shrinks by tens of kilobytes while everything is: Linux reckons anew all the time what part of
/// its memory frames fill.
struct ReadingGauge {
  /// How long a pong may take, in nanoseconds, besides the time of the line: two turns of a busy
  /// browser. Less of a peer that was late just now, because frames gather until that is noticed.
  static let patience: UInt64 = 100_000_000
  static let shortPatience: UInt64 = 60_000_000
  /// How long an acknowledgement may take besides the time of the line: radio links pause for a
  /// tenth of a second, and some systems hold acknowledgements back for as long.
  static let linePatience: UInt64 = 150_000_000
  /// What the time of the line counts as while no pong has matched a ping: longer than any line.
  /// The kernel's measure would not do, as a proxy acknowledges for its clients.
  private static let longestLine: UInt64 = 2_000_000_000
  /// Nanoseconds between two pings to a peer that keeps up, at least: three pongs a second are a
  /// fifth of what a phone's tilts cost. A reader of 20 kB a second that is sent 30 is 150 ms
  /// behind until then.
  static let calmPingInterval: UInt64 = 300_000_000
  /// Added to that where fewer bytes than `unprovenBytes` were sent since: followers of the log get
  /// some ten bytes at a time, and answering would cost as much as half of these.
  static let idlePause: UInt64 = 900_000_000
  /// Nanoseconds between two pings to one that is new, was late just now, or may soon be.
  static let pingInterval: UInt64 = 50_000_000
  /// Verdicts in a row, as many as a second has frames, after which a late peer is trusted again.
  private static let proof = 64
  /// Pings under way: as many as are sent in 0.4 s to somebody who is watched. More tell nothing
  /// new.
  private static let mostPings = 8
  /// Bytes from which on a faster stream than the peer is known to read is asked about at once: a
  /// tenth of a second for a reader of 20 kB a second.
  static let unprovenBytes: UInt64 = 2048
  /// The most bytes that a ping has, behind TLS too.
  private static let pingBytes: UInt64 = 40
  /// Nanoseconds that a pong takes longer than the line when something stood before it.
  private static let delay: UInt64 = 40_000_000

  // What is looked at before each frame stands together: with a thousand peers, only so much of
  // each stays in the processor's cache.

  /// Bytes of the frames that were to be sent since the last ping, whether they were or not.
  var bytesSincePing: UInt64 = 0
  /// When the next ping is due: `busy` if more than `unprovenBytes` were sent since the last one,
  /// else `idle`.
  private var nextPing: (busy: UInt64, idle: UInt64) = (0, 0)
  /// The most bytes a second that the peer was seen to read, in this span of time and in the one
  /// before. When a storm begins, a calm ping would come too late: frames become ten times as large
  /// at once.
  private var proven: UInt64 = 0
  private var provenBefore: UInt64 = 0
  private var lastPing = Ping()
  private var pingCount = 0
  /// Whether a pong came that can be the answer to a ping. The first one stands before the first
  /// frame, so that a slow reader answers it as soon as others. Who forges pongs gets here too; it
  /// is held like others when the answers to its pings don't come.
  private(set) var answersPings = false
  /// Whether the last ping asks about a faster stream.
  private var isProving = false
  /// Whether the last pong took so much longer than the line that something stood before it.
  private var isDelayed = false

  /// Bytes that were handed to the kernel, those that the peer's kernel has, and those that the
  /// peer has read, at least.
  private(set) var written: UInt64 = 0
  private var acknowledged: UInt64 = 0
  private(set) var read: UInt64 = 0
  /// Everything up to here must be read before more is sent.
  private var holdsUntil: UInt64?
  /// Good verdicts that a peer which was late has yet to get.
  private var proofsLeft = 0
  /// Looks at a new peer that are left, for which it is pinged as often.
  private var firstLooks = ReadingGauge.proof
  private var line = LineTime()
  /// When the next span of time begins, for the line and for what the peer is known to read.
  private var spanEnd: UInt64 = 0
  private let calmPingInterval: UInt64
  /// When the last ping was sent once more, and how often.
  private var lastRepetition: UInt64 = 0
  private var repetitions: UInt64 = 0
  /// Pings that are not answered, or by a peer that answers none, not acknowledged. The oldest
  /// first.
  private var pings = InlineArray<8, Ping>(repeating: Ping())

  /// - Parameter seed: any number; peers with different ones are not pinged in step for ever, after
  ///   a moment in which all of them had to wait.
  init(seed: UInt64 = 0) {
    calmPingInterval = Self.calmPingInterval + seed % 64 * 1_000_000
  }

  private struct Ping {
    /// The bytes that stand before it.
    var end: UInt64 = 0
    /// Monotonic nanoseconds.
    var time: UInt64 = 0
    /// How many of them stand behind the ping before, and when that was sent.
    var bytes: UInt64 = 0
    var began: UInt64 = 0
    /// Whether all of them had been read, but for the ping before.
    var isClear = false
  }

  /// Whether the peer is late and should be sent nothing more for now.
  /// - Parameters:
  ///   - progress: how far the bytes have come, as the kernel knows it.
  ///   - now: monotonic nanoseconds.
  mutating func isPeerLate(_ progress: stickerpit_progress, at now: UInt64) -> Bool {
    // The kernel's numbers may go back: it counts a segment as sent again before it has the memory
    // for that.
    written = max(written, progress.written)
    acknowledged = min(progress.acknowledged, written)
    if !answersPings { forgetPings(upTo: acknowledged) }
    firstLooks = max(0, firstLooks - 1)
    guard isHeld || isOverdue(roundTrip: UInt64(progress.round_trip) * 1000, at: now) else {
      proofsLeft = max(0, proofsLeft - 1)
      return false
    }
    proofsLeft = Self.proof
    return true
  }

  /// Whether the peer was late just now, or gets more than it was ever seen to read.
  private var isWatched: Bool { proofsLeft > 0 || isProving }

  /// Whether a peer that answers pings must be looked at before it is sent a frame: when a ping is
  /// due, or its pong is; and when the frame makes the stream so much faster than what the peer was
  /// seen to read, as long as that is not answered.
  /// - Returns: nil for a peer that answers no pings. Told here and not by a look at
  ///   `answersPings`, which copied half a kilobyte of this gauge for each frame.
  mutating func needsLook(sending bytes: Int, at now: UInt64) -> Bool? {
    bytesSincePing += UInt64(bytes)
    guard answersPings else { return nil }
    return isPingDue(at: now) || isProving || isDelayed || isPongDue(at: now) || isUnproven(at: now)
  }

  /// Until when a peer need not be looked at, as far as that can be said now; nil for one that must
  /// be looked at before each frame. It says what `needsLook(sending:at:)` does.
  func quietLimits(at now: UInt64) -> QuietLimits? {
    guard answersPings, !isProving, !isDelayed else { return nil }
    let pongDue = pingCount > 0 ? pings[0].time + (line.time(at: now) ?? 0) + Self.delay : .max - 1
    let known = max(proven, provenBefore)
    return QuietLimits(
      pingOrPongDue: min(nextPing.idle, pongDue + 1), pingDueIfBusy: nextPing.busy,
      lastPing: lastPing.time, provenRate: known + known / 8)
  }

  private func isPingDue(at now: UInt64) -> Bool {
    now >= nextPing.busy && (bytesSincePing > Self.unprovenBytes || now >= nextPing.idle)
  }

  private func isPongDue(at now: UInt64) -> Bool {
    pingCount > 0 && age(of: pings[0], at: now) > (line.time(at: now) ?? 0) + Self.delay
  }

  private func isUnproven(at now: UInt64) -> Bool {
    let known = max(proven, provenBefore)
    return bytesSincePing > Self.unprovenBytes
      && Self.rate(of: bytesSincePing, from: lastPing.time, to: now) > known + known / 8
  }

  /// Bytes a second.
  static func rate(of bytes: UInt64, from start: UInt64, to end: UInt64) -> UInt64 {
    // Within less than a tick nothing can be said. Where no pong is ever asked for, bytes add up
    // without end.
    let (product, isTooLarge) = bytes.multipliedReportingOverflow(by: 1_000_000_000)
    return isTooLarge ? .max : product / max(end - min(end, start), 16_000_000)
  }

  /// Whether a ping is to be sent now; then it must be.
  /// - Returns: what its payload says: the bytes that stand before it. Nil for no ping.
  mutating func takePing(at now: UInt64) -> UInt64? {
    guard !isHoldPinged else { return takeRepeatedPing(at: now) }
    let asksForSpeed = answersPings && !isProving && isUnproven(at: now)
    guard isPingDue(at: now) || asksForSpeed, pingCount < Self.mostPings else { return nil }
    let isSoon = isWatched || isDelayed || firstLooks > 0
    pingNext(at: now + (isSoon ? Self.pingInterval : calmPingInterval))
    if !isSoon { nextPing.idle += Self.idlePause }
    lastPing = Ping(
      end: written, time: now, bytes: written - min(written, lastPing.end), began: lastPing.time,
      isClear: written - read <= Self.pingBytes * (1 + repetitions))
    (isProving, bytesSincePing) = (asksForSpeed, 0)
    assert(pings.count == Self.mostPings)
    pings[pingCount] = lastPing
    pingCount += 1
    return written
  }

  /// The ping behind everything that must be read, once more: peers may leave pings unanswered
  /// while they have yet to write a pong (RFC 6455, 5.5.3, lets them answer the last one only, and
  /// libwebsockets answers the first one only). Who lost this one would be held for ever.
  private mutating func takeRepeatedPing(at now: UInt64) -> UInt64? {
    guard now >= max(lastPing.time, lastRepetition) + Self.calmPingInterval else { return nil }
    lastRepetition = now
    repetitions += 1
    return lastPing.end
  }

  /// A pong came whose ping stood behind so many bytes. One that names more than any ping did is no
  /// answer: RFC 6455, 5.5.3, lets peers send pongs that nobody asked for. A peer that claims to
  /// have read what it has not is sent stale frames, which harms nobody else.
  /// - Parameter now: monotonic nanoseconds.
  mutating func heardPong(upTo end: UInt64, at now: UInt64) {
    guard lastPing.time > 0, end <= lastPing.end else { return }
    answersPings = true
    for index in 0..<pingCount where pings[index].end == end {
      note(pings[index], at: now)
      break
    }
    read = max(read, min(end, written))
    forgetPings(upTo: read)
  }

  // MARK: Signs

  /// Whether what was sent before the peer was found to be late is still unread. If it were sent
  /// more as soon as the late pong comes, frames would gather anew behind those that were sent in
  /// the meantime.
  private var isHeld: Bool {
    guard let holdsUntil else { return false }
    return (answersPings ? read : acknowledged) < holdsUntil
  }

  /// Whether a pong or an acknowledgement is overdue.
  private mutating func isOverdue(roundTrip: UInt64, at now: UInt64) -> Bool {
    holdsUntil = nil
    let lineTime = answersPings ? line.time(at: now) : nil
    for index in 0..<pingCount where pings[index].end > acknowledged {
      let time = max(roundTrip, lineTime ?? 0)
      guard age(of: pings[index], at: now) > Self.linePatience + time else { break }
      hold()
      return true
    }
    guard answersPings, pingCount > 0 else { return false }
    let patience = isWatched ? Self.shortPatience : Self.patience
    guard age(of: pings[0], at: now) > patience + (lineTime ?? Self.longestLine) else {
      return false
    }
    hold()
    return true
  }

  /// Whether a ping stands behind everything that must be read. One is enough: where the line has
  /// become slower, a second one that was sent later would look late as soon as the first one's
  /// pong comes, and the peer would be held again and again.
  private var isHoldPinged: Bool { holdsUntil.map { lastPing.end >= $0 } ?? false }

  /// Nothing more until everything was read. A ping behind all of it comes next.
  private mutating func hold() {
    (holdsUntil, repetitions) = (written, 0)
    pingNext(at: 0)
    if pingCount == Self.mostPings { pingCount -= 1 }
  }

  /// Learns from a pong how long the line is, and how fast the peer reads.
  private mutating func note(_ ping: Ping, at now: UInt64) {
    if now >= spanEnd {
      line.beginSpan()
      (provenBefore, proven) = (proven, 0)
      spanEnd = now + LineTime.span
    }
    line.note(age(of: ping, at: now), isClear: ping.isClear, at: now)
    let lineTime = line.time(at: now)!
    proven = max(proven, Self.rate(of: ping.bytes, from: ping.began, to: now - min(now, lineTime)))
    if ping.end == lastPing.end { isProving = false }
    let wasDelayed = isDelayed
    isDelayed = age(of: ping, at: now) > lineTime + Self.delay
    if isDelayed, !wasDelayed { pingNext(at: min(nextPing.busy, now + Self.pingInterval)) }
  }

  private mutating func pingNext(at time: UInt64) { nextPing = (time, time) }

  private func age(of ping: Ping, at now: UInt64) -> UInt64 { now - min(now, ping.time) }

  private mutating func forgetPings(upTo end: UInt64) {
    var passed = 0
    while passed < pingCount, pings[passed].end <= end { passed += 1 }
    guard passed > 0 else { return }
    for index in passed..<pingCount { pings[index - passed] = pings[index] }
    pingCount -= passed
  }
}
