/// How many bodies need more than the default's work: worlds without them don't pay for it.
struct BodyDemands: BitwiseCopyable {
  var damped = 0
  var scaled = 0
  var filtered = 0
  var elastic = 0
  var sensors = 0
  var kinematic = 0

  /// Counts a body that came, or (−1) that goes.
  @inline(__always)
  mutating func count(_ properties: BodyProperties, _ bodies: Int = 1) {
    damped += properties.isDamped ? bodies : 0
    scaled += properties.isScaled ? bodies : 0
    filtered += properties.isFiltered ? bodies : 0
    elastic += properties.isElastic ? bodies : 0
    sensors += properties.isSensor ? bodies : 0
    kinematic += properties.kind == .kinematic ? bodies : 0
    assert(damped >= 0 && scaled >= 0 && filtered >= 0 && elastic >= 0, "who goes had come")
  }
}

extension BodyProperties {
  /// Restitution from which on a body passes blows on.
  static let elastic: Float = 0.9

  var isElastic: Bool { restitution >= Self.elastic }
  var isScaled: Bool { gravityScale != 1 }
  var isDamped: Bool { linearDamping > 0 || angularDamping > 0 }
  /// Sensors are filtered out of all pairs.
  var isFiltered: Bool { collisionGroup != 1 || collisionMask != .max || isSensor }

  /// Whether the groups and masks let two bodies meet.
  func meets(_ other: BodyProperties) -> Bool {
    collisionGroup & other.collisionMask != 0 && other.collisionGroup & collisionMask != 0
  }
}
