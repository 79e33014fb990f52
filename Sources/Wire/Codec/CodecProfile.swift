/// How exactly the state stream follows the world.
public enum CodecProfile: UInt8, Sendable, CaseIterable {
  /// 1/16 pt and 1024 angles, and every body within half a step of them.
  case strict = 0
  /// 1/12 pt and 1024 angles for eyes only. A body may be 0.75 steps off before it is corrected,
  /// and steps widen with its speed, 2, 4 and 8 times beyond 1, 4 and 8 pt a tick, so that an error
  /// is at most 1/16 pt at rest and 0.5 pt in fast motion. A body that has been still for 30 ticks
  /// is within half a step.
  case visual = 1

  /// Lattice steps in a point.
  public var stepsPerPoint: Double { self == .strict ? 16 : 12 }

  /// Angles in a turn.
  public static let anglesPerTurn = 1024

  /// How far a body may be from its place on the lattice before it is corrected, in its own steps.
  var deadZone: Double { self == .strict ? 0.5 : 0.75 }

  /// Ticks after which a still body is corrected down to half a step.
  static let stillTicks: Int32 = 30

  /// A body is still while it stays within this of one place, in lattice steps.
  static let stillness = 1.0 / 32

  /// How many lattice steps a residual counts, for a position and for the angle of a body that
  /// moves `speed` steps a tick and turns `spin` angles a tick.
  @inline(__always)
  func widening(speed: Double, spin: Double) -> (position: Double, angle: Double) {
    guard self == .visual else { return (1, 1) }
    let point = stepsPerPoint
    let position = speed > 8 * point ? 8.0 : speed > 4 * point ? 4 : speed > point ? 2 : 1
    // A sticker's edge is 20 pt from its centre: 1024 angles are 2π·20 pt there.
    let edge = spin * CodecProfile.edgePerAngle * point
    let fastest = speed > edge ? speed : edge
    let angle =
      fastest > 8 * point ? 8.0 : fastest > 4 * point ? 4 : fastest > 2 * point ? 2 : 1
    return (position, angle)
  }

  private static let edgePerAngle = 0.1227184630308513
}

/// For how long each body has stayed where it is. Only an encoder needs it: it decides how far off
/// a body may be, and decoders take what comes.
struct Stillness {
  private let anchors: UnsafeMutablePointer<SIMD4<Double>>
  private let stillTicks: UnsafeMutablePointer<Int32>
  private let slots: Int

  init(slots: Int) {
    self.slots = slots
    anchors = .allocate(capacity: slots)
    stillTicks = .allocate(capacity: slots)
    anchors.initialize(repeating: SIMD4(repeating: 0), count: slots)
    stillTicks.initialize(repeating: 0, count: slots)
  }

  func deallocate() {
    anchors.deallocate()
    stillTicks.deallocate()
  }

  func clear() {
    stillTicks.update(repeating: 0, count: slots)
  }

  /// Takes in where the body is after `ticks` more, and returns for how many ticks it has stayed
  /// within `CodecProfile.stillness` of one place.
  func note(_ slot: Int, at place: SIMD4<Double>, ticks: Int32) -> Int32 {
    assert(slot >= 0 && slot < slots && ticks > 0)
    let off = place - anchors[slot]
    let limit = CodecProfile.stillness
    if abs(off[0]) < limit && abs(off[1]) < limit && abs(off[2]) < limit {
      // More than is ever asked for, and far from overflow.
      if stillTicks[slot] < 1000 { stillTicks[slot] &+= ticks }
    } else {
      stillTicks[slot] = 0
      anchors[slot] = place
    }
    return stillTicks[slot]
  }
}
