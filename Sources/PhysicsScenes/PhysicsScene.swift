import Physics

/// A world with what drives it: the scenes that tests, benchmarks and the browser build share.
public struct PhysicsScene {
  /// What is built, and what happens in each tick.
  public enum Kind: Int32, CaseIterable, Sendable {
    /// Gravity turns once round in four seconds and keeps everything moving.
    case pit
    /// Gravity stays: everything falls and comes to rest.
    case settled
    /// Chains of hinged boxes, springs, sliders and ropes among loose bodies.
    case joints
    /// Bodies of all shapes and sizes come and go, boundaries too.
    case churn
    /// A bit of everything: elastic blows, pegs, filters, forces, joints of all kinds, churn, in a
    /// room of eight corners.
    case medley
    /// A square of hinged discs that hangs from its upper side.
    case grid
    /// Hinged planks between two points of the world.
    case bridge
    /// Chains of ten links whose hinges have limits, in a heap.
    case ragdolls
    /// Elastic discs on rods side by side, the first of which swings at the others.
    case cradle
    /// Sensors, one-way ledges, boundaries with a material, motors, ropes that break, and questions
    /// about all of it.
    case fixtures
    /// The pit, where one body is elastic: what that costs beside the pit as it is.
    case elastic
    /// All bodies in one place, where nothing pulls them apart but that.
    case crowd
    /// Cups, stars and Ls of several convex shapes among loose bodies, and questions about them.
    case compounds
  }

  /// Which bodies the pit and the settled pit hold.
  public enum Shapes: Int32, CaseIterable, Sendable {
    /// Circles and boxes, half and half, shuffled.
    case mix
    /// Circles of radius 20.
    case circles
    /// Sharp boxes of 40×40.
    case boxes
    /// Circles and boxes whose sizes differ by up to 1:10, of the same area together.
    case sizes
  }

  /// The world as it is now.
  public var world: PhysicsWorld
  /// Width and height of the space, in points.
  public let side: Double
  /// What the world of `fixtures` or `compounds` has told, in one number.
  public var told: UInt64 { answers.value }
  /// Bodies by number, as the scene made them; of the changing scenes, those that exist.
  public internal(set) var bodies: [BodyID] = []
  /// Whether the body of this number is a box.
  public internal(set) var isBox: [Bool] = []

  let kind: Kind
  /// What makes `told`.
  var answers = FNVHash()
  /// The joints of a mechanism.
  var holds: [Hold] = []
  var random: RandomGenerator

  /// Builds a scene. Throws what the world throws: `worldFull` above 16 384 bodies.
  public init(
    _ kind: Kind, shapes: Shapes = .mix, bodies count: Int, sleeps: Bool = false,
    insideChain: Bool = false
  ) throws(PhysicsError) {
    self.kind = kind
    random = RandomGenerator(seed: UInt64(count) &* 31 &+ UInt64(kind.rawValue))
    var configuration = WorldConfiguration()
    configuration.capacity = WorldConfiguration.hardCapacity
    configuration.allowsSleep = sleeps
    world = try PhysicsWorld(configuration)
    switch kind {
    case .pit, .settled, .elastic:
      let layout = PitLayout(bodies: count, shapes: shapes)
      side = layout.side
      try fill(layout, shapes)
    case .joints, .churn, .medley, .fixtures, .compounds:
      var columns = 1
      while columns * columns < count { columns += 1 }
      side = Double(columns) * 70 + 100
      switch kind {
      case .medley: try fillMedley(count, columns)
      case .fixtures: try fillFixtures(count, columns)
      case .compounds: try fillCompounds(count, columns)
      default: try fillLoosely(count, columns)
      }
    case .crowd:
      side = 0
      try fillCrowd(count)
    case .grid, .bridge, .ragdolls, .cradle:
      side = Self.chainRoom
      try fillMechanism(count)
    }
    if Self.hasWalls(kind) { try addWalls(insideChain) }
    let turns = kind == .pit || kind == .elastic
    if !turns && kind != .crowd { world.gravity = Vector2(0, kind == .settled ? -1000 : 1000) }
  }

  /// Steps the scene by a tick.
  public mutating func step() {
    beforeStep()
    world.step()
    if kind == .fixtures || kind == .compounds { listen() }
  }

  /// What happens before each tick.
  public mutating func beforeStep() {
    switch kind {
    case .pit, .elastic, .fixtures:
      // Once round in 240 ticks, starting at −y, which the layout calls down.
      let turn = Float(world.tick % 240) / 240
      let angle = (turn - 0.25) * 2 * DeterministicMath.pi
      world.gravity =
        Vector2(DeterministicMath.cosine(angle), DeterministicMath.sine(angle)) * 1000
    case .churn: churn()
    case .medley: stir()
    case .compounds: exchangeCompounds()
    case .settled, .joints, .grid, .bridge, .ragdolls, .cradle, .crowd: break
    }
  }

  private static func hasWalls(_ kind: Kind) -> Bool {
    switch kind {
    case .pit, .settled, .elastic, .joints, .churn, .medley, .fixtures, .ragdolls, .compounds: true
    case .grid, .bridge, .cradle, .crowd: false
    }
  }

  private mutating func addWalls(_ insideChain: Bool) throws(PhysicsError) {
    let s = Float(side)
    let walls: Boundary =
      kind == .medley
      ? medleyRoom
      : insideChain
        ? .chain([Vector2(0, 0), Vector2(s, 0), Vector2(s, s), Vector2(0, s)], closed: true)
        : .bounds(Rect2(x: 0, y: 0, width: s, height: s))
    try world.addBoundary(walls, id: BoundaryID(0))
  }

  private mutating func fill(_ layout: PitLayout, _ shapes: Shapes) throws(PhysicsError) {
    let circle = try BodyShape.circle(radius: 20)
    let box = try BodyShape.box(width: 40, height: 40)
    for body in layout.bodies {
      var shape = body.isBox ? box : circle
      if shapes == .sizes {
        shape =
          body.isBox
          ? try .box(width: 40 * body.scale, height: 40 * body.scale)
          : try .circle(radius: 20 * body.scale)
      }
      var definition = BodyDefinition(
        shape: shape, position: Vector2(Float(body.x), Float(body.y)))
      definition.velocity = Vector2(Float(body.velocityX), Float(body.velocityY))
      let isElastic = kind == .elastic && bodies.count == layout.bodies.count / 2
      definition.properties.restitution = isElastic ? 1 : 0.6
      definition.properties.friction = 0.2
      bodies.append(try world.addBody(definition))
      isBox.append(body.isBox)
    }
  }
}
