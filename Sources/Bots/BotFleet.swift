import Transport

/// All the bots of a run, on one network thread.
///
/// Whoever owns the fleet hands it to a network (`WebSocketClients` or `MemoryNetwork`) as the
/// client delegate and gives it the means to dial.
public final class BotFleet: ClientDelegate {
  /// New connections each call of the timer: gentle on the server's accept queue.
  private static let dialsAtOnce = 20
  /// Nanoseconds before a bot whose connection failed tries again: a server that is down is not
  /// asked a thousand times a second.
  private static let retryPause: UInt64 = 1_000_000_000

  private let options: BotOptions
  private let dial: () -> UInt64
  private let clock: () -> UInt64
  private let isInterrupted: () -> Bool
  private let finished: (BotReport) -> Void
  private var bots: [Bot] = []
  private var waiting: [(bot: Bot, notBefore: UInt64)] = []
  private var dialling: [UInt64: Bot] = [:]
  private var tally = BotTally()
  private var start: UInt64?
  private var churned = 0
  private var now: UInt64 = 0
  private var isDone = false

  /// - Parameters:
  ///   - dial: asks the network for one more connection and gives its number.
  ///   - clock: monotonic nanoseconds, or the virtual network's.
  ///   - isInterrupted: whether somebody ends the run before its time; asked whenever bots act.
  ///   - finished: gets the report when the time is over; the fleet does nothing from then on.
  public init(
    options: BotOptions, dial: @escaping () -> UInt64, clock: @escaping () -> UInt64,
    isInterrupted: @escaping () -> Bool = { false }, finished: @escaping (BotReport) -> Void
  ) {
    self.options = options
    self.dial = dial
    self.clock = clock
    self.isInterrupted = isInterrupted
    self.finished = finished
  }

  // MARK: ClientDelegate

  public func timerFired(nowNanoseconds now: UInt64) {
    self.now = now
    guard !isDone else { return }
    if start == nil { begin() }
    let elapsed = now - start!
    let isOver = elapsed >= UInt64(options.seconds) * 1_000_000_000
    guard !isOver, !isInterrupted() else { return finish() }
    dialNext()
    for bot in bots { bot.act(now: now, into: &tally) }
    churn(elapsed: elapsed)
  }

  public func clientOpened(_ connection: any Connection) {
    guard !isDone, let bot = dialling.removeValue(forKey: connection.id) else {
      return connection.close(.normal, reason: "")
    }
    connection.session = bot
    bot.opened(connection, now: clock())
  }

  public func client(_ connection: any Connection, received bytes: UnsafeRawBufferPointer) {
    guard !isDone, let bot = connection.session as? Bot else { return }
    bot.received(bytes, now: clock(), into: &tally)
  }

  public func clientClosed(_ connection: any Connection, code: CloseCode, reason: String) {
    guard !isDone, let bot = connection.session as? Bot else { return }
    connection.session = nil
    bot.closed()
    if let comingBack = bot.comingBack {
      if code != .serviceRestart { bot.failedToReturn(now: now) }
      waiting.append((bot, notBefore: bot.comingBack?.next ?? comingBack.next))
    } else {
      if !bot.leaving {
        tally.report.failed("bot \(bot.index): closed with \(code.rawValue) \(reason)")
      }
      waiting.append((bot, notBefore: bot.leaving ? now : now + Self.retryPause))
    }
    bot.leaving = false
  }

  public func clientFailed(_ id: UInt64, error: TransportError) {
    guard !isDone else { return }
    let bot = dialling.removeValue(forKey: id)
    if let bot, bot.comingBack != nil {
      tally.report.retries += 1
      bot.failedToReturn(now: now)
      return waiting.append((bot, notBefore: bot.comingBack!.next))
    }
    tally.report.failed("\(error)")
    if let bot { waiting.append((bot, notBefore: now + Self.retryPause)) }
  }

  // MARK: A run

  private func begin() {
    start = now
    bots = (0..<options.count).map { Bot(index: $0, options: options, now: now) }
    waiting = bots.map { ($0, notBefore: now) }
  }

  /// Dials for those whose time has come, some at once.
  private func dialNext() {
    var left = Self.dialsAtOnce
    waiting.removeAll { entry in
      guard left > 0, entry.notBefore <= now else { return false }
      left -= 1
      dialling[dial()] = entry.bot
      return true
    }
  }

  /// Sends bots away at the rate asked for; `closed` queues them to come back.
  private func churn(elapsed: UInt64) {
    let wanted = Int(Double(elapsed) / 1e9 * options.churn)
    while churned < wanted {
      // Round robin from the back: the slow ones stand in front.
      let bot = bots[bots.count - 1 - churned % bots.count]
      churned += 1
      guard let connection = bot.connection, bot.welcomed else { continue }
      bot.leaving = true
      tally.report.reconnects += 1
      connection.close(.normal, reason: "")
    }
  }

  private func finish() {
    isDone = true
    if let span = bots.lazy.compactMap(\.clockSpan).max(by: { $0.seconds < $1.seconds }) {
      tally.report.ticks = span.ticks
      tally.report.elapsedS = span.seconds
      tally.report.clockErrorS = span.error
    }
    tally.report.away = bots.count { $0.comingBack != nil }
    tally.report.bodies = bots.first?.bodyCount ?? 0
    for bot in bots { bot.connection?.close(.normal, reason: "") }
    finished(tally.finish(clients: options.count, seconds: Double(now - start!) / 1e9))
  }
}
