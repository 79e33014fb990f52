import Physics
import Testing
import Wire

@testable import Simulation

/// What a page foretells of gravity while others' tilts fade. The log tells how many people tilt,
/// and not that somebody who was not heard of for half a second counts less with each tick, until
/// they are gone after two seconds. So what is foretold then is wrong, but for a while and within
/// bounds; whoever tilts steadily is foretold right.
///
/// Here this person holds still to the right and all others lean down. At right angles the mean is
/// long enough for nothing to be pulled down, and gravity changes by at most 2.5 times the share of
/// a person whose weight changes. Of a steady change, eight ticks ahead are wrong by 3.94 ticks'.
@Suite struct FadingTiltTests {
  private static let unit = Int16(QuantizedGravity.unit)
  /// Ticks ahead of the log up to which gravity is foretold.
  private static let ahead = 8
  /// Ticks in which a tilt fades: from 0.5 s to 2 s.
  private static let fading: Float = 90

  /// A server's blend and a page that follows it, eight ticks behind.
  private struct Party {
    private var blend = TiltBlend()
    private var own = OwnInputs(person: 1, commandsBefore: 0)
    private var guess = GravityGuess(.down, tilting: 0)
    private var (last, tilting) = (QuantizedGravity.down, UInt16(0))
    private var waiting: [TickRecord] = []
    /// The server's gravity by tick.
    private var given: [UInt32: QuantizedGravity] = [:]

    /// Runs a tick of the server's, and takes in what it did eight ticks before.
    /// - Parameter others: who tells how they tilt.
    /// - Returns: by how much what is foretold from then on is wrong, at most, in units of gravity;
    ///   nil in the first ticks.
    mutating func tick(_ tick: UInt32, others: ClosedRange<UInt16>?) -> Float? {
      let unit = FadingTiltTests.unit
      if let others { for other in others { blend.add(person: other, x: 0, y: unit, tick: tick) } }
      blend.add(person: 1, x: unit, y: 0, tick: tick)
      own.addTilt(x: unit, y: 0, for: tick)
      let gravity = blend.gravity(at: tick)
      given[tick] = gravity
      var record = TickRecord(tick: tick)
      if gravity != last { record.gravity = gravity }
      if UInt16(blend.count) != tilting { record.tilting = UInt16(blend.count) }
      (last, tilting) = (gravity, UInt16(blend.count))
      waiting.append(record)
      guard waiting.count > FadingTiltTests.ahead else { return nil }
      let confirmed = waiting.removeFirst()
      guess.confirm(confirmed, own: own.tilt(at: confirmed.tick))
      own.forget(at: confirmed.tick)
      var (future, worst) = (guess.future(), Float(0))
      for later in (confirmed.tick + 1)...tick {
        let told = future.next(guess, own: own.tilt(at: later))
        let real = given[later]!
        let (x, y) = (Float(told.x) - Float(real.x), Float(told.y) - Float(real.y))
        worst = max(worst, (x * x + y * y).squareRoot())
      }
      return worst
    }
  }

  /// Others who are heard of no longer: an eighth of g for each of them while they fade, and as
  /// good as nothing before and after that.
  @Test(arguments: [1, 2, 9] as [UInt16]) func whoeverFadesIsWrongByAnEighth(others: UInt16) {
    var party = Party()
    let heardLast: UInt32 = 241
    let (full, gone) = (heardLast + 30, heardLast + 120)
    var (fresh, faded, alone): (Float, Float, Float) = (0, 0, 0)
    for tick in UInt32(1)...480 {
      let isHeard = tick % 20 == 1 && tick <= heardLast
      guard let wrong = party.tick(tick, others: isHeard ? 2...(others + 1) : nil), tick > 128
      else { continue }
      // What is foretold reaches from the log's tick to the server's.
      let log = tick - UInt32(Self.ahead)
      if tick <= full {
        fresh = max(fresh, wrong)
      } else if log < gone {
        faded = max(faded, wrong)
      } else {
        alone = max(alone, wrong)
      }
    }
    #expect(fresh <= QuantizedGravity.unit / 300, "\(fresh)")
    let bound = 2.5 * Float(others) / Self.fading * 3.94
    #expect(bound < Float(others) / 8)
    #expect(faded <= Float(others) / 8 * QuantizedGravity.unit, "\(faded)")
    #expect(faded > QuantizedGravity.unit / 300, "the bound is there for something")
    #expect(alone <= 1.5, "\(alone)")
  }

  /// Somebody who is heard of each second and a half only: each time they count for all of one
  /// person again, which nobody foretells.
  @Test func whoeverComesBackIsWrongByHalf() {
    var (party, worst) = (Party(), Float(0))
    for tick in UInt32(1)...900 {
      let wrong = party.tick(tick, others: tick % 90 == 1 ? 2...2 : nil)
      if let wrong, tick > 128 { worst = max(worst, wrong) }
    }
    #expect(worst <= QuantizedGravity.unit / 2, "\(worst)")
    #expect(worst > QuantizedGravity.unit / 300)
  }
}
