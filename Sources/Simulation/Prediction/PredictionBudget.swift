/// How many ticks a page may predict, by what the device takes for one.
///
/// A frame may take half of its 16.7 ms for the world. A tick of the log costs one step, and, when
/// it was foretold wrongly, a step for each tick that is predicted: so many are predicted as fit
/// into that half. A rollback that takes more than `rollbackSlice` is spread over several frames
/// all the same.
public struct PredictionBudget: Sendable {
  /// The most ticks to predict: 16 on a device that can pay, 8 as a rule, fewer on a slow one. 0
  /// where a tick takes more than 4 ms: the confirmed world is shown then, and an own command when
  /// the log brings it.
  public private(set) var most = 8
  /// Whether not even the confirmed world can be kept up: the state stream asks for less.
  public private(set) var isTooMuch = false
  /// Milliseconds that a tick takes: the median of the last seconds.
  public private(set) var cost = 0.0
  /// The same of a tick that is solved in one part.
  private var plainCost = 0.0
  /// What they took in each of these seconds.
  private var costs: [Double] = []
  private var plainCosts: [Double] = []

  private var spent = 0.0
  private var ticks = 0
  private var work: Float = 0
  private var decideAt = 0.0
  /// How often in a row another figure was right.
  private var insistence = 0
  private var overloaded = 0
  private var decisions = 0

  /// Milliseconds of a frame that the world may take.
  private static let frame = 8.0
  /// Milliseconds of a frame that rollbacks which others cause may take, on average: a 25th of
  /// 16.7. With 1.6 a party of ten made every second picture of 1000 stickers a rollback.
  private static let rollback = 0.65
  /// The same while this person holds something: somebody else may push it from the other side, and
  /// then a correction that waits is felt. With this it waits for one tick where eight take 5 ms.
  private static let rollbackHolding = 2.6
  /// Milliseconds of a picture after which a rollback waits for the next one. Besides, a picture
  /// runs the tick that was confirmed and a new one. Where a tick in one part takes 0.6 ms, five of
  /// them are run again at once. With two milliseconds a rollback took three pictures, and in a
  /// party of ten every second one had a part of one. That none of 1000 stickers takes more than 8,
  /// `make bench-page` checks.
  private static let rollbackSlice = 3.0
  /// An eighth of a second, so that others are seen no later than people notice without a touch of
  /// their own to compare it with.
  private static let mostPause = 8
  /// Milliseconds from one decision to the next.
  private static let interval = 1000.0
  /// Seconds of which the median is taken: a second in which something else was busy is none.
  private static let kept = 5
  /// How many times what a tick costs must be affordable before there are more: a cost that wanders
  /// by a tenth about the limit between two steps stays at the lower one.
  private static let margin = 1.1
  /// Decisions in a row for more ticks: what is lost by predicting less for a while is little.
  private static let patience = 3
  /// Decisions at the start that are left out: the browser still translates the module.
  private static let warmUp = 2
  /// Seconds of overload after which it is too much.
  private static let mostOverloaded = 3
  /// What a frame's worth of confirmed ticks may cost at most, in milliseconds.
  private static let mostCost = 12.0

  public init() {}

  /// Takes in what running the world took.
  /// - Parameters:
  ///   - milliseconds: the time.
  ///   - ticks: how many ticks were run in it, of all worlds.
  ///   - work: the same in ticks that are solved in one part, at least `ticks`.
  ///   - now: the local time in milliseconds.
  public mutating func spent(_ milliseconds: Double, on ticks: Int, work: Float, now: Double) {
    guard milliseconds >= 0, milliseconds < 60_000 else { return }
    assert(ticks >= 0 && work >= Float(ticks))
    spent += milliseconds
    self.ticks += ticks
    self.work += work
    guard now >= decideAt else { return }
    decideAt = now + Self.interval
    if self.ticks > 0 {
      decisions += 1
      if decisions > Self.warmUp { decide() }
    }
    (spent, self.ticks, self.work) = (0, 0, 0)
  }

  /// Ticks of the log from one rollback to the next that others cause: so many that rollbacks take
  /// a small part of the time. Ten people who drag and drop would cause one in three frames of
  /// five; a phone that follows each of them a twentieth of a second later stays cool.
  /// - Parameters:
  ///   - ticksAhead: how many ticks a rollback runs again.
  ///   - isHolding: whether this person holds something.
  public func rollbackPause(ticksAhead: Int, isHolding: Bool = false) -> Int {
    let pause = cost * Double(ticksAhead) / (isHolding ? Self.rollbackHolding : Self.rollback)
    return pause < 1 ? 1 : pause < Double(Self.mostPause) ? Int(pause) : Self.mostPause
  }

  /// What a picture may do of a rollback, in ticks that are solved in one part. A rollback of eight
  /// such ticks is done at once where it takes few milliseconds; a slower one, or one in which
  /// something is fast and a tick is solved in six parts, is spread over the next pictures.
  public var rollbackWork: Float {
    guard plainCost > 0 else { return .infinity }
    return Float(Self.rollbackSlice / plainCost)
  }

  private mutating func decide() {
    cost = Self.median(of: &costs, with: spent / Double(ticks))
    plainCost = Self.median(of: &plainCosts, with: spent / Double(work))
    assert(plainCost <= cost && costs.count == plainCosts.count)
    // Of fewer seconds the median is what one pause made it.
    guard costs.count == Self.kept else { return }
    overloaded = cost > Self.mostCost ? overloaded + 1 : 0
    if overloaded >= Self.mostOverloaded { isTooMuch = true }
    var wanted = Self.step(at: cost)
    if wanted > most {
      // If it were the other way round a tenth above, it would come and go with the noise.
      let sure = Self.step(at: cost * Self.margin)
      wanted = sure > most ? sure : most
    }
    assert(wanted >= 0 && wanted <= Prediction.mostTicks)
    guard wanted != most else {
      insistence = 0
      return
    }
    insistence += 1
    if wanted < most || insistence >= Self.patience {
      most = wanted
      insistence = 0
    }
  }

  private static func median(of kept: inout [Double], with measured: Double) -> Double {
    if kept.count == Self.kept { kept.removeFirst() }
    kept.append(measured)
    assert(kept.count <= Self.kept)
    return kept.sorted()[(kept.count - 1) / 2]
  }

  /// The most ticks to predict where a tick takes `cost` milliseconds: a few steps instead of any
  /// number, so that noise changes little. Sixteen only where they cost half of what they may.
  private static func step(at cost: Double) -> Int {
    let affordable = cost > 0.01 ? Int(frame / cost) - 1 : Prediction.mostTicks
    if affordable >= 2 * Prediction.mostTicks { return Prediction.mostTicks }
    for step in [8, 6, 4, 2, 1] where affordable >= step { return step }
    return 0
  }
}
