import Transport

/// All the bots of a run, on one network thread.
///
/// Whoever owns the fleet hands it to a network (`WebSocketClients` or `MemoryNetwork`) as the
/// client delegate and gives it the means to dial.
public final class BotFleet: ClientDelegate {
  /// New connections each call of the timer: gentle on the server's accept queue.
  private static let dialsAtOnce = 20

  private let options: BotOptions
  private let dial: () -> Void
  private let finished: (BotReport) -> Void
  private var bots: [Bot] = []
  private var waiting: [Bot] = []
  private var dialling: [Bot] = []
  private var tally = BotTally()
  private var start: UInt64?
  private var churned = 0
  private var now: UInt64 = 0
  private var isDone = false

  /// - Parameters:
  ///   - dial: asks the network for one more connection.
  ///   - finished: gets the report when the time is over; the fleet does nothing from then on.
  public init(
    options: BotOptions, dial: @escaping () -> Void, finished: @escaping (BotReport) -> Void
  ) {
    self.options = options
    self.dial = dial
    self.finished = finished
  }

  // MARK: ClientDelegate

  public func timer(now: UInt64) {
    self.now = now
    guard !isDone else { return }
    if start == nil { begin() }
    let elapsed = now - start!
    guard elapsed < UInt64(options.seconds) * 1_000_000_000 else { return finish() }
    for _ in 0..<min(Self.dialsAtOnce, waiting.count) {
      dialling.append(waiting.removeFirst())
      dial()
    }
    for bot in bots { bot.act(now: now, into: &tally) }
    churn(elapsed: elapsed)
  }

  public func opened(_ connection: any Connection) {
    guard !isDone, !dialling.isEmpty else { return connection.close(.normal, reason: "") }
    let bot = dialling.removeFirst()
    connection.session = bot
    bot.opened(connection, now: now)
  }

  public func received(_ connection: any Connection, _ bytes: UnsafeRawBufferPointer) {
    guard !isDone, let bot = connection.session as? Bot else { return }
    bot.received(bytes, now: MonotonicClock.nanoseconds(), into: &tally)
  }

  public func closed(_ connection: any Connection, code: CloseCode, reason: String) {
    guard !isDone, let bot = connection.session as? Bot else { return }
    connection.session = nil
    bot.closed()
    if !bot.leaving {
      tally.report.failed("bot \(bot.index): closed with \(code.rawValue) \(reason)")
    }
    bot.leaving = false
    waiting.append(bot)
  }

  public func failed(_ error: TransportError) {
    guard !isDone else { return }
    tally.report.failed("\(error)")
    if !dialling.isEmpty { waiting.append(dialling.removeFirst()) }
  }

  // MARK: A run

  private func begin() {
    start = now
    bots = (0..<options.count).map { Bot(index: $0, options: options, now: now) }
    waiting = bots
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
    }
    tally.report.bodies = bots.first?.bodyCount ?? 0
    for bot in bots { bot.connection?.close(.normal, reason: "") }
    finished(tally.finish(clients: options.count, seconds: Double(now - start!) / 1e9))
  }
}
