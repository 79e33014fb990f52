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
  /// What late inputs taught, on top of what echoes say.
  private var extra = 0.0
  private var lateUntil = -Double.infinity
  private var lateBefore = false
  /// Until when what comes late has come late for the same reason.
  private var pauseEnds = -Double.infinity
  /// What nearly all pictures of the interval under way needed, in ticks ahead of the log, in
  /// ascending order.
  private var needs: [Double] = []
  /// When the interval ends.
  private var decideAt: Double?
  /// The input delay that the last interval asked for.
  private var wantedDelay = 0

  /// Echoes that are looked back on: 8 s of them. Those of a page that is being loaded are slow.
  private static let kept = 8
  /// The share of round trips that must be in time; what the others need, late inputs teach.
  private static let share = 0.75
  /// Ticks more than half a round trip: the server takes its inputs at the start of a tick.
  private static let margin = 0.25
  /// A longer way than this can't be played over.
  private static let mostLead = 60.0
  /// Echoes in a row after which a shorter link is believed: 3 s.
  private static let patience = 3
  /// Milliseconds after which it is asked whether another input delay is right: two such intervals
  /// must agree, so that a pause of the line or of the page changes nothing.
  private static let interval = 1000.0
  /// The share of pictures in an interval that the delay must be right for.
  private static let shareOfPictures = 0.75
  /// Pictures of an interval that are looked at: those of a display of 120 Hz, and some more.
  private static let mostPictures = 150
  /// Milliseconds for which a late input is remembered.
  private static let lateMemory = 10_000.0
  /// Milliseconds in which all late inputs have one pause of the line or of the page as their
  /// reason. Somebody who tilts sends dozens a second, all of which wait behind the first.
  private static let longestPause = 500.0

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
    assert(roundTrips.count <= Self.kept && next < Self.kept)
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

  /// Takes in that an own input was taken later than it was meant for.
  /// - Parameters:
  ///   - ticks: how many ticks later.
  ///   - now: the local time in milliseconds.
  public mutating func late(by ticks: Int, now: Double) {
    guard ticks > 0 else {
      if now > lateUntil { (extra, lateBefore) = (0, false) }
      return
    }
    guard now >= pauseEnds else { return }
    pauseEnds = now + Self.longestPause
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
  /// - Parameters:
  ///   - ticks: how many.
  ///   - most: the most ticks that may be predicted.
  ///   - now: the local time in milliseconds.
  public mutating func predicted(_ ticks: Double, most: Int, now: Double) {
    note(need: ticks)
    let end = decideAt ?? now + Self.interval
    decideAt = end
    guard now >= end else { return }
    decideAt = now + Self.interval
    assert(!needs.isEmpty, "this picture's is among them")
    let needed = needs[Int(Double(needs.count - 1) * Self.shareOfPictures)]
    needs.removeAll(keepingCapacity: true)
    let delay = Int(SteadyTick.bounded(needed.rounded(.up) - Double(most), 0, Self.mostLead))
    defer { wantedDelay = delay }
    // One tick less than now is not worth a change: the next pause would take it back.
    guard delay != inputDelay, delay != inputDelay - 1 else { return }
    // The lesser of two intervals that agree in the direction.
    if delay > inputDelay, wantedDelay > inputDelay {
      inputDelay = delay < wantedDelay ? delay : wantedDelay
    } else if delay < inputDelay, wantedDelay < inputDelay {
      inputDelay = delay > wantedDelay ? delay : wantedDelay
    }
    assert(inputDelay >= 0 && inputDelay <= Int(Self.mostLead))
  }

  /// Puts what a picture needs in its place: whoever sorts them all later needs memory for it.
  private mutating func note(need ticks: Double) {
    guard needs.count < Self.mostPictures else { return }
    var place = needs.count
    while place > 0, needs[place - 1] > ticks { place -= 1 }
    needs.insert(ticks, at: place)
  }

  private var wantedLead: Double {
    guard !roundTrips.isEmpty else { return lead }
    let sorted = roundTrips.sorted()
    let typical = sorted[Int(Double(sorted.count - 1) * Self.share)]
    let wanted = typical / 2 / ServerClock.tickLength + Self.margin + extra
    assert(wanted >= 0 && extra >= 0)
    return wanted < Self.mostLead ? wanted : Self.mostLead
  }
}
