import Physics

// Cups, stars and Ls of several convex shapes among loose bodies, which come, go and change their
// form.
extension PhysicsScene {
  /// Three outlines that are not convex, one after the other.
  private static func outline(_ number: Int) -> [Vector2] {
    switch number % 3 {
    case 0:
      return [
        Vector2(0, 0), Vector2(8, 0), Vector2(8, 40), Vector2(44, 40), Vector2(44, 0),
        Vector2(52, 0), Vector2(52, 48), Vector2(0, 48),
      ]
    case 1:
      return [
        Vector2(0, 0), Vector2(16, 0), Vector2(16, 40), Vector2(48, 40), Vector2(48, 56),
        Vector2(0, 56),
      ]
    default:
      return (0..<10).map {
        Vector2($0 % 2 == 0 ? 34 : 15, 0).rotated(
          by: Rotation(angle: Float($0) * 0.2 * DeterministicMath.pi))
      }
    }
  }

  mutating func fillCompounds(_ count: Int, _ columns: Int) throws(PhysicsError) {
    for i in 0..<count {
      let place = Vector2(Float(i % columns) * 70 + 80, Float(i / columns) * 70 + 80)
      bodies.append(try world.addBody(compound(i, at: place)))
      isBox.append(false)
    }
  }

  /// Two of three have several shapes; some of those are sensors, anchored or elastic.
  private mutating func compound(_ i: Int, at place: Vector2) throws(PhysicsError) -> BodyDefinition
  {
    let loose = try definition(at: place)
    guard i % 3 != 2 else { return loose }
    var definition = BodyDefinition(
      shape: try CompoundShape(outline: Self.outline(i / 3)), position: place, angle: loose.angle,
      properties: loose.properties)
    definition.velocity = loose.velocity
    definition.angularVelocity = loose.angularVelocity
    if i % 11 == 4 { definition.properties.kind = .anchored }
    if i % 13 == 6 { definition.properties.isSensor = true }
    if i % 17 == 9 { definition.properties.restitution = 1 }
    return definition
  }

  /// What happens before each tick of the compounds: they are thrown, and every so often one goes,
  /// one comes, and one changes its form.
  mutating func exchangeCompounds() {
    let tick = Int(truncatingIfNeeded: world.tick)
    guard tick % 20 == 10, !bodies.isEmpty else { return }
    func anyone() -> Int { Int(random.next(below: UInt32(bodies.count))) }
    try? world.setVelocity(
      Vector2(random.nextFloat(-3000, 3000), -800), of: bodies[anyone()])
    guard tick % 60 == 30 else { return }
    let k = anyone()
    try? world.removeBody(bodies[k])
    bodies.remove(at: k)
    let place = Vector2(Float(side) * 0.5, Float(side) * 0.4)
    if let new = try? compound(Int(random.next(below: 60)), at: place),
      let id = try? world.addBody(new)
    {
      bodies.append(id)
    }
    if let shape = try? CompoundShape(outline: Self.outline(tick)) {
      try? world.setShape(shape, of: bodies[anyone()])
    }
    if let shape = try? BodyShape.circle(radius: 14) {
      try? world.setShape(shape, of: bodies[anyone()])
    }
  }
}
