/// How far ahead of the server a page is, so that what it does arrives in time for the tick in
/// which its own picture shows it.
///
/// Both figures change only when the link really changed: each change is a stretch of time in which
/// the world runs faster or slower than it should. Times are milliseconds, ticks may be fractions.
public struct RunAhead: Sendable {
  /// Ticks by which the page is ahead of the server's clock.
  public private(set) var lead = 0.0
  /// Ticks that own inputs wait before they count, because a longer link needs more than may be
  /// predicted.
  public private(set) var inputDelay = 0

  private var roundTrips: [Double] = []
  private var next = 0
  /// How often in a row the link needed less than it gets.
  private var lower = 0
  /// What late commands taught, on top of what echoes say.
  private var extra = 0.0
  private var lateUntil = -Double.infinity
  private var lateBefore = false
  /// The most ticks ahead of the log that were needed, of late.
  private var needed = 0.0
  /// Since when another input delay would be right.
  private var delaySince: Double?

  /// Echoes that are looked back on: 16 s of them.
  private static let kept = 16
  /// The share of round trips that must be in time.
  private static let share = 0.9
  /// Ticks more than half a round trip: the server takes its inputs at the start of a tick.
  private static let margin = 0.25
  /// A longer way than this can't be played over.
  private static let mostLead = 60.0
  /// Echoes in a row after which a shorter link is believed: 5 s.
  private static let patience = 5
  /// Milliseconds for which another input delay must be right before it is taken.
  private static let delayPatience = 1000.0
  /// Milliseconds for which a late command is remembered.
  private static let lateMemory = 10_000.0

  public init() {}

  /// Takes the round trip of an echo in.
  public mutating func receive(roundTrip: Double) {
    guard roundTrip >= 0, roundTrip < 60_000 else { return }
    if roundTrips.count < Self.kept {
      roundTrips.append(roundTrip)
    } else {
      roundTrips[next] = roundTrip
    }
    next = (next + 1) % Self.kept
    let wanted = wantedLead
    if wanted > lead {
      // Less than half a tick is no other link.
      if wanted - lead > 0.5 || roundTrips.count < 4 { lead = wanted }
      lower = 0
    } else if lead - wanted > 1 {
      lower += 1
      if lower >= Self.patience {
        lead = wanted
        lower = 0
      }
    } else {
      lower = 0
    }
  }

  /// Takes in that an own command was carried out later than it was meant for.
  /// - Parameter ticks: how many ticks later.
  public mutating func late(by ticks: Int, now: Double) {
    guard ticks > 0 else {
      if now > lateUntil { (extra, lateBefore) = (0, false) }
      return
    }
    // One may be a pause of the radio; the second within ten seconds is the link.
    if lateBefore, now < lateUntil {
      extra += Double(ticks < 2 ? ticks : 2)
      if extra > 8 { extra = 8 }
      if wantedLead > lead { lead = wantedLead }
    }
    lateBefore = true
    lateUntil = now + Self.lateMemory
  }

  /// Takes in how far the page is ahead of the log at this moment, without any input delay.
  /// - Parameter most: the most ticks that may be predicted.
  public mutating func predicted(_ ticks: Double, most: Int, now: Double) {
    needed = ticks > needed ? ticks : needed + (ticks - needed) * 0.01
    var wanted = Int(needed.rounded(.up)) - most
    if wanted < 0 { wanted = 0 }
    if wanted > Int(Self.mostLead) { wanted = Int(Self.mostLead) }
    guard wanted != inputDelay else {
      delaySince = nil
      return
    }
    // One tick less than now is not worth a change: the next pause would take it back.
    if wanted == inputDelay - 1 { return }
    let since = delaySince ?? now
    delaySince = since
    if now - since >= Self.delayPatience {
      inputDelay = wanted
      delaySince = nil
    }
  }

  private var wantedLead: Double {
    guard !roundTrips.isEmpty else { return lead }
    let sorted = roundTrips.sorted()
    let typical = sorted[Int(Double(sorted.count - 1) * Self.share)]
    let wanted = typical / 2 / ServerClock.tickLength + Self.margin + extra
    return wanted < Self.mostLead ? wanted : Self.mostLead
  }
}
