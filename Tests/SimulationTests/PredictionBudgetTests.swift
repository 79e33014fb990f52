import Physics
import Testing

@testable import Simulation

/// What a device whose ticks do not always cost the same may predict. What steady ones may is in
/// `PredictionPartTests`.
@Suite struct PredictionBudgetTests {
  /// Two neighbouring steps of `most`, and the milliseconds of a tick up to which the higher one is
  /// paid for.
  struct Threshold {
    var higher: Int
    var lower: Int
    var cost: Double
  }

  /// Of a frame's 8 ms each predicted tick and the log's take their cost. For 16 ticks there must
  /// be room for 32.
  private static let thresholds = [
    Threshold(higher: 16, lower: 8, cost: 8.0 / 33), Threshold(higher: 8, lower: 6, cost: 8.0 / 9),
    Threshold(higher: 6, lower: 4, cost: 8.0 / 7), Threshold(higher: 4, lower: 2, cost: 8.0 / 5),
    Threshold(higher: 2, lower: 1, cost: 8.0 / 3), Threshold(higher: 1, lower: 0, cost: 4),
  ]
  /// Seconds after which the costs at the start are forgotten.
  private static let settling = 10
  /// Seconds from one rise to the next, at least: one to fall in, and three in a row that ask for
  /// more.
  private static let rest = 4

  /// A cost that is above a threshold in one second and below it in another: `most` is one of the
  /// two figures beside it, and hardly ever the higher one again once it was the lower.
  @Test(arguments: thresholds)
  func whoseCostWandersAboutAThresholdSeldomGetsMore(threshold: Threshold) {
    for seed in UInt64(1)...20 {
      var chance = RandomGenerator(seed: seed)
      var budget = PredictionBudget()
      var (rises, falls): ([Int], [Int]) = ([], [])
      for second in 0..<600 {
        let cost = threshold.cost * Double(chance.nextFloat(0.9, 1.1))
        let before = budget.most
        budget.spent(60 * cost, on: 60, work: 60, now: 1000 * Double(second))
        guard second >= Self.settling else { continue }
        #expect([threshold.higher, threshold.lower].contains(budget.most), "second \(second)")
        if budget.most > before { rises.append(second) }
        if budget.most < before { falls.append(second) }
      }
      let rests = zip(rises, rises.dropFirst()).map { $1 - $0 }
      #expect(rests.allSatisfy { $0 >= Self.rest }, "\(rises)")
      #expect(falls.count <= rises.count + 1 && rises.count <= 2, "\(rises)")
      #expect(!budget.isTooMuch)
    }
  }

  /// A cost that wanders from picture to picture wanders less from second to second.
  @Test(arguments: thresholds)
  func whatOnePictureCostsDecidesNothing(threshold: Threshold) {
    var chance = RandomGenerator(seed: 5)
    var budget = PredictionBudget()
    for picture in 0..<(60 * 120) {
      // One in ten takes five times as long; together they are an eighth below the threshold, which
      // is more than a tenth.
      let share = picture % 10 == 0 ? 5.0 : 1.0
      let cost = threshold.cost * 0.875 / 1.4 * share * Double(chance.nextFloat(0.99, 1.01))
      budget.spent(cost, on: 1, work: 1, now: Double(picture) * 1000 / 60)
      guard picture > 60 * (Self.settling + 2) else { continue }
      #expect(budget.most == threshold.higher, "picture \(picture)")
    }
  }

  /// Between 4 and 12 ms a tick: nothing is predicted, and the confirmed world is kept up.
  @Test func aSlowDeviceFollowsWithoutPredicting() {
    for seed in UInt64(1)...20 {
      var chance = RandomGenerator(seed: seed)
      var budget = PredictionBudget()
      for second in 0..<600 {
        let cost = Double(chance.nextFloat(4.05, 11.95))
        budget.spent(60 * cost, on: 60, work: 60, now: 1000 * Double(second))
        #expect(!budget.isTooMuch)
        if second >= Self.settling { #expect(budget.most == 0) }
      }
    }
  }

  /// Beyond 12 ms it is too much, once and for all: what makes a page fall back does not come and
  /// go.
  @Test func tooMuchIsNotTakenBack() {
    var budget = PredictionBudget()
    for second in 0..<60 {
      let cost = second < 20 ? 13.0 : 1.0
      budget.spent(60 * cost, on: 60, work: 60, now: 1000 * Double(second))
      if second >= Self.settling { #expect(budget.isTooMuch) }
    }
    #expect(budget.most == 6, "but less work is more prediction all the same")
  }
}
