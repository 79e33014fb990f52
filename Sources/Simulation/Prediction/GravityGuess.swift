import Physics
import Wire

/// What the blended gravity will be: everybody else is taken to go on tilting as they do, and this
/// person's own tilt counts for its share, which is all of it when nobody else tilts.
///
/// The log tells the blend after its low-pass and how many people tilt. So the gravity that the
/// blend goes towards is known, from two ticks, the mean of which it was made too (`SharedTilt`),
/// and the others' part in that is what is left of it without the own one:
/// others = mean · people − own.
///
/// How much each of them counts the log does not tell: somebody who was not heard of for 0.5 to 2 s
/// fades, and is taken for a whole person until they are gone. Meanwhile eight ticks ahead are
/// wrong by up to an eighth of g for each who fades, and where this person's own tilt changes, by
/// that much of the change for which it counts more than was foretold; by up to half of g when who
/// fades is heard of again. Rollbacks mend it.
///
/// Where the pit is one person's at a time, who is not that person has no part in it, and to
/// everybody else the captain is the only one who tilts.
struct GravityGuess: Sendable {
  /// The blend after the last tick of the log, as finely as it is known.
  private var smoothed: Vector2
  /// The sum of the others' tilts, and how many they are.
  private var others = Vector2.zero
  private var othersWeight: Float = 0

  /// The gravity after the last tick of the log.
  private(set) var confirmed: QuantizedGravity
  private var tilting: UInt16

  init(_ gravity: QuantizedGravity, tilting: UInt16) {
    confirmed = gravity
    self.tilting = tilting
    smoothed = Self.vector(gravity)
  }

  /// Takes a tick of the log in.
  /// - Parameter own: this person's part in it.
  mutating func confirm(_ record: TickRecord, own: (vector: Vector2, weight: Float)) {
    if let changed = record.tilting { tilting = changed }
    if let changed = record.gravity { confirmed = changed }
    assert(own.weight >= 0 && own.weight <= 1 && own.vector.lengthSquared < 1.0001)
    othersWeight = Float(tilting) - (own.weight > 0 ? 1 : 0)
    if othersWeight <= 0 {
      (others, othersWeight) = (.zero, 0)
    } else {
      let target = smoothed + (Self.vector(confirmed) - smoothed) / TiltBlend.share
      let weights = othersWeight + own.weight
      let mean = SharedTilt.mean(ofGravity: target, people: weights)
      others = mean * weights - own.vector * own.weight
    }
    assert(othersWeight >= 0 && others.x.isFinite && others.y.isFinite)
    smoothed += (goal(with: own) - smoothed) * TiltBlend.share
    // What the log says counts; of what it rounds off, the own reckoning is as good as any.
    if TiltBlend.quantized(smoothed) != confirmed { smoothed = Self.vector(confirmed) }
  }

  /// What goes on from the last tick of the log.
  func future() -> Future { Future(smoothed: smoothed) }

  /// The gravity, tick by tick.
  struct Future: Sendable {
    fileprivate var smoothed: Vector2

    /// The gravity in the next tick.
    /// - Parameters:
    ///   - guess: what is known of the others by now.
    ///   - own: this person's part in it.
    mutating func next(
      _ guess: GravityGuess, own: (vector: Vector2, weight: Float)
    ) -> QuantizedGravity {
      smoothed += (guess.goal(with: own) - smoothed) * TiltBlend.share
      return TiltBlend.quantized(smoothed)
    }
  }

  private func goal(with own: (vector: Vector2, weight: Float)) -> Vector2 {
    let weights = othersWeight + own.weight
    guard weights > 0 else { return Vector2(0, 1) }
    // What the log rounds off may add up to more than people can tilt.
    let mean = (others + own.vector * own.weight) / weights
    let length = mean.length
    return SharedTilt.gravity(ofMean: length > 1 ? mean / length : mean, people: weights)
  }

  private static func vector(_ gravity: QuantizedGravity) -> Vector2 {
    Vector2(Float(gravity.x), Float(gravity.y)) / QuantizedGravity.unit
  }
}
