/// What a world takes, and why no more: each number that a caller sets has its range here.
///
/// What lies outside is refused with `PhysicsError.valueOutOfRange`, and so is what is no number.
/// Three things are brought into their range instead, because they come out of calculations and
/// have a meaning beyond it: speeds (`PhysicsWorld.speedLimit`, `spinLimit`), forces and impulses
/// (nothing is pushed past those), and gravity (`acceleration`). A world within these ranges can
/// always be saved and restored.
public enum PhysicsLimit {
  /// Outer sizes of shapes in points: diameters, widths and heights. The smallest is as wide as the
  /// gap at which a touch ends; the largest is six times the screen of an iPad (1366 pt), and with
  /// the heaviest density still leaves the squares of all pushes numbers.
  public static let size: ClosedRange<Float> = 0.5...8192
  /// Least area of a polygon in pt²: an equilateral triangle of the smallest size has 0.108.
  public static let area: Float = 0.1
  /// How far a polygon's corners may be from the origin of its outline in points: twice its size.
  public static let corner: Float = 16_384
  /// Pieces of boundaries in a world: a segment or half-plane is one, a rectangle four, a chain as
  /// many as it has segments. Snapshots number them in 16 bits.
  public static let boundaryPieces = 65_535
  /// Joints in a world: their slots are 16 bits, and one number stays free.
  public static let joints = 65_535
  /// What sensors overlap at a time, all together: eight thousand with sixteen each. Of more, those
  /// of the sensors with the lowest slots count, and of one sensor bodies before boundaries, lower
  /// slots and numbers first. Each is looked up again in every step, and saved in ten bytes or so.
  public static let sensorOverlaps = 131_072
  /// Coordinates of the ends of rays and of shapes' ways, either way, in points: what a longer way
  /// meets beyond is not looked for. The fourth power of a way within it is still a number.
  public static let ray: Float = 1e9
  /// Bodies that a body looks out for in a crowd, of those pairs that it is the first to find, each
  /// pair being found once: the nearest. Only where many lie in each other there are more so near.
  /// Without a limit four thousand bodies in one place are eight million pairs; with this one their
  /// contacts just fit the solver's 64 colours. Anchored bodies are not counted. In a world that
  /// has a body of several shapes it counts only where there are more than sixteen times as many.
  public static let crowdOfBody = 16
  /// Coordinates of places, either way, in points: up to 2²⁰ a `Float` still tells sixteenths of a
  /// point apart. Bodies may move on from there.
  public static let place: Float = 1_048_576
  /// Coordinates, either way, in points, of where a body that was taken out may be put back, having
  /// moved there by itself: a little less than snapshots take, which leaves room for a form about
  /// its centre of mass. At the speed limit rounding stops a body below 10¹⁰.
  package static let farPlace: Float = 1e11
  /// Angles, either way, in radians: beyond, a `Float` steps by more than half a degree.
  public static let angle: Float = 100_000
  /// Gravity in pt/s², and what forces give to a body: from rest to the speed limit in one tick.
  public static let acceleration: Float = 1_200_000
  /// A body's factor for the gravity, either way: what the acceleration's limit leaves of 1000
  /// pt/s².
  public static let gravityScale: Float = 1200
  /// Density. Sizes alone make one body three hundred million times heavier than another; with a
  /// density in this range what heavy ones do to light ones stays within what numbers can tell.
  public static let density: ClosedRange<Float> = 0.01...10_000
  /// Friction: from a few on nothing slides any more.
  public static let friction: ClosedRange<Float> = 0...100_000
  /// Damping in 1/s: from a thousand on a body stands still.
  public static let damping: ClosedRange<Float> = 0...100_000
  /// Length of a boundary's segment in points: shorter ones have no direction to speak of, the
  /// longest lies across all places.
  public static let segment: ClosedRange<Float> = 0.01...3_000_000
  /// Length of a half-plane's normal: its direction counts, which must not get lost in rounding.
  public static let normal: ClosedRange<Float> = 0.001...1_048_576
  /// A joint's lengths and limits in points, either way: across all places.
  public static let reach: Float = 3_000_000
  /// A joint's friction in mass·pt²/s²: it stops the heaviest body of density 1 in a sub-step. Its
  /// force, in mass·pt/s², and what breaks it have the same range.
  public static let torque: ClosedRange<Float> = 0...1e12
  /// A spring's frequency in hertz: more would be rigid in all but name.
  public static let frequency: ClosedRange<Float> = 0...60
  /// A spring's damping ratio: from ten on it creeps.
  public static let dampingRatio: ClosedRange<Float> = 0...100
}

/// Numbers that no world within its limits gets past by itself; beyond them a snapshot is forged,
/// and a step could run out of the numbers that there are.
enum SnapshotLimit {
  /// Places, in points: what moves at the speed limit stops for rounding long before.
  static let place: Float = 1e12
  /// How far the length of a direction may be from 1.
  static let skew: Float = 0.1
  /// Speeds, in pt/s: the speed limit and its rounding.
  static let speed = PhysicsWorld.speedLimit * 1.001
  /// Impulses by what they do to the world's lightest body, in pt/s: the heaviest body at the speed
  /// limit against it (7e18), whose square is still a number.
  static let push: Float = 1e19
  /// Forces, impulses and torques as they are: far more than takes the heaviest body to its limits.
  static let force: Float = 1e18
  /// Bytes of memory that restoring allocates for each byte of a snapshot at most, and besides: a
  /// free slot is three bytes there and 500 as a body's, and lists may grow to double what they
  /// need.
  static let memoryPerByte = 512
  static let memoryAtLeast = 1 << 20
}

extension Float {
  /// Whether this is a number from −`limit` to `limit`.
  @inlinable @inline(__always)
  package func isWithin(_ limit: Float) -> Bool { self >= -limit && self <= limit }

  /// The number, or the nearest one from −`limit` to `limit`.
  @inlinable @inline(__always)
  package func brought(within limit: Float) -> Float {
    self > limit ? limit : self < -limit ? -limit : self
  }
}

extension Vector2 {
  /// Whether these are the coordinates of a place that a caller may set.
  var isPlace: Bool { x.isWithin(PhysicsLimit.place) && y.isWithin(PhysicsLimit.place) }

  /// Whether these are the coordinates of a place that a body may have got to by itself.
  package var isFarPlace: Bool {
    x.isWithin(PhysicsLimit.farPlace) && y.isWithin(PhysicsLimit.farPlace)
  }

  /// The vector, or one of the same direction and a length of `limit` if it is longer: for any
  /// finite components, also those whose squares are not.
  func shortened(to limit: Float) -> Vector2 {
    if lengthSquared <= limit * limit { return self }
    let (across, down) = (magnitude(x), magnitude(y))
    let part = self / (across > down ? across : down)
    return part * (limit / part.length)
  }
}
