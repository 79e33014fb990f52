import Dynamics
import Testing

@Suite(.tags(.fact)) struct FieldTests {
  /// A square of mass 2 and charge 3 at (300, 400) from the field, which acts at (500, 500).
  private func velocityAfterATick(
    _ field: (ItemID) -> FieldBehavior, velocity: Vector2 = .zero
  ) throws -> Vector2 {
    var animator = try Scenes.empty(width: 2000, height: 2000)
    let item = try animator.addItem(Scenes.square(at: Vector2(800, 900)))
    var properties = ItemBehavior(items: [item])
    properties.density = 2
    properties.charge = 3
    try properties.addLinearVelocity(velocity, for: item)
    try animator.add(properties)
    var value = field(item)
    value.position = Vector2(500, 500)
    try animator.add(value)
    animator.step()
    return animator.linearVelocity(of: item) - velocity
  }

  /// What a force (1 = 100 pt/s² on mass 1) adds to mass 2 in a tick.
  private func expected(_ force: Vector2) -> Vector2 { force * (100 / 2 / 60) }

  private func check(_ got: Vector2, _ force: Vector2, _ name: String) {
    let want = expected(force)
    #expect((got - want).length <= 0.01 * want.length, "\(name): \(got) instead of \(want)")
  }

  @Test("Fields: the force formulas and the default falloffs")
  func forces() throws {
    // p = (3, 4) m, r = 5 m, p̂ = (0.6, 0.8), m = 2, q = 3.
    check(
      try velocityAfterATick { .linearGravity(direction: Vector2(1, 2), items: [$0]) },
      Vector2(1, 2) * 2, "linear gravity: S·m·dir")
    check(
      try velocityAfterATick { .radialGravity(position: .zero, items: [$0]) },
      Vector2(-0.6, -0.8) * (2 / 25), "radial gravity: −S·m·p̂·r⁻²")
    check(
      try velocityAfterATick { .spring(items: [$0]) }, Vector2(-3, -4), "spring: −S·p, Hooke")
    check(
      try velocityAfterATick { .electric(items: [$0]) }, Vector2(0.6, 0.8) * (3 / 5),
      "electric: S·q·p̂·r⁻¹")
    check(
      try velocityAfterATick { .vortex(items: [$0]) }, Vector2(-0.8, 0.6) * 2,
      "vortex: S·m·(−p̂.y, p̂.x)")
    // v = (2, −1) m/s. p moves on by a share of a tick, which 1 % covers.
    let v = Vector2(200, -100)
    check(
      try velocityAfterATick({ .magnetic(items: [$0]) }, velocity: v),
      Vector2(-1, -2) * (3 / 5), "magnetic: S·q·(v.y, −v.x)·r⁻¹")
    check(
      try velocityAfterATick(
        {
          var drag = FieldBehavior.drag(items: [$0])
          drag.strength = 0.1
          return drag
        }, velocity: v), Vector2(-2, 1) * (0.1 * Float(5).squareRoot()), "drag: −S·u·|u|")
    check(
      try velocityAfterATick(
        {
          var drag = FieldBehavior.drag(items: [$0])
          drag.strength = 0.1
          drag.direction = Vector2(2, -2)
          return drag
        }, velocity: v), Vector2(0, -1) * 0.1, "drag: u against the medium")
  }

  @Test("Fields: strength, falloff exponent, minimum radius")
  func shaping() throws {
    check(
      try velocityAfterATick {
        var field = FieldBehavior.linearGravity(direction: Vector2(1, 0), items: [$0])
        field.strength = -3
        field.falloff = 1.5
        return field
      }, Vector2(-3 * 2 / (5 * Float(5).squareRoot()), 0), "falloff 1.5")
    check(
      try velocityAfterATick {
        var field = FieldBehavior.radialGravity(position: .zero, items: [$0])
        field.minimumRadius = 1000
        return field
      }, Vector2(-0.6, -0.8) * (2 / 100), "minimum radius of 10 m")
    #expect(FieldBehavior.spring().strength == 1)
    #expect(FieldBehavior.linearGravity(direction: .zero).falloff == 0)
    #expect(FieldBehavior.radialGravity(position: .zero).falloff == 2)
    #expect(FieldBehavior.spring().falloff == -1)
    #expect(FieldBehavior.electric().falloff == 1)
    #expect(FieldBehavior.magnetic().falloff == 1)
    #expect(FieldBehavior.vortex().falloff == 0)
    #expect(FieldBehavior.drag().falloff == 0)
    #expect(FieldBehavior.noise(smoothness: 1, animationSpeed: 0).falloff == 0)
  }

  @Test("Fields: motion in a spring field within 1 % over the first second, and no gain later")
  func springMotion() throws {
    var animator = try Scenes.empty()
    let item = try animator.addItem(Scenes.square(at: Vector2(700, 500)))
    var field = FieldBehavior.spring(items: [item])
    field.position = Vector2(500, 500)
    field.strength = 16
    try animator.add(field)
    for tick in 1...600 {
      animator.step()
      let x = animator.center(of: item).x - 500
      // ω² = S: 4 rad/s.
      let expected =
        200
        * Float(
          DoubleMath.cosine(
            (4 * Double(tick) / 60).remainder(
              dividingBy: 2 * Double.pi)))
      if tick <= 60 { #expect(abs(x - expected) < 2) }
      #expect(abs(x) < 203)
    }
  }

  @Test("Fields: a magnetic field turns velocities and keeps their size")
  func magneticCircle() throws {
    var animator = try Scenes.empty()
    let item = try animator.addItem(Scenes.square())
    var charged = ItemBehavior(items: [item])
    charged.charge = 1
    try charged.addLinearVelocity(Vector2(300, 0), for: item)
    try animator.add(charged)
    var field = FieldBehavior.magnetic(items: [item])
    field.falloff = 0
    field.strength = 3
    try animator.add(field)
    animator.step(times: 60)
    let v = animator.linearVelocity(of: item)
    #expect(isClose(v.length, 300, within: 0.001))
    // ω = S·q/m = 3 rad/s, from (v.y, −v.x): against the clock.
    let turned = Rotation(cosine: v.x / 300, sine: v.y / 300).angle
    #expect(isClose(turned, -3, within: 0.01))
  }

  @Test("Fields: drag slows as 1 / (1 + k·v·t) and never turns back, however strong")
  func dragMotion() throws {
    for strength in [Float(0.5), 1000] {
      var animator = try Scenes.empty()
      let item = try animator.addItem(Scenes.square())
      var field = FieldBehavior.drag(items: [item])
      field.strength = strength
      try animator.add(field)
      try animator.setLinearVelocity(Vector2(400, 0), of: item)
      animator.step(times: 20)
      let expected = 400 / (1 + strength * 4 / 3)
      #expect(isClose(animator.linearVelocity(of: item).x, expected, within: 0.01))
    }
  }

  @Test("Fields: velocity replaces the item's velocity in the region; other forces rest meanwhile")
  func velocity() throws {
    var animator = try Scenes.empty()
    let inside = try animator.addItem(Scenes.square(at: Vector2(500, 500)))
    let outside = try animator.addItem(Scenes.square(at: Vector2(500, 900)))
    try animator.add(GravityBehavior(items: [inside, outside]))
    var push = PushBehavior(items: [inside], mode: .continuous)
    push.direction = Vector2(0, 5)
    try animator.add(push)
    var field = FieldBehavior.velocity(direction: Vector2(1, 0), items: [inside, outside])
    field.position = Vector2(500, 500)
    field.region = .circle(radius: 150)
    field.strength = 2
    try animator.add(field)
    for _ in 0..<30 {
      animator.step()
      #expect((animator.linearVelocity(of: inside) - Vector2(200, 0)).length < 0.01)
    }
    #expect(animator.linearVelocity(of: outside).y > 400)
    animator.step(times: 30)
    #expect(animator.linearVelocity(of: inside).y > 10)
  }

  @Test(
    "Fields: noise is smooth, deterministic and of zero mean; turbulence grows with speed² and mass"
  )
  func noise() throws {
    var sum = Vector2.zero
    var squares: Float = 0
    var previous = Vector2.zero
    var largestJump: Float = 0
    let side = 40
    for i in 0..<side * side {
      var animator = try Scenes.empty()
      let place = Vector2(Float(i % side) * 61, Float(i / side) * 61)
      let item = try animator.addItem(Scenes.square(at: place))
      try animator.add(
        FieldBehavior.noise(smoothness: 0.25, animationSpeed: 2, items: [item]))
      animator.step()
      let force = animator.linearVelocity(of: item) * 0.6
      sum += force
      squares += force.lengthSquared
      if i % side > 0 {
        let jump = (force - previous).length
        largestJump = jump > largestJump ? jump : largestJump
      }
      previous = force
      #expect(force.length < 1.5)
    }
    let count = Float(side * side)
    #expect((sum / count).length < 0.04)
    #expect(squares / count > 0.1)
    #expect(largestJump > 0.1)

    func turbulent(_ speed: Float, density: Float) throws -> Vector2 {
      var animator = try Scenes.empty()
      let item = try animator.addItem(Scenes.square())
      var properties = ItemBehavior(items: [item])
      properties.density = density
      try animator.add(properties)
      var field = FieldBehavior.turbulence(smoothness: 1, animationSpeed: 0, items: [item])
      field.strength = 100
      try animator.add(field)
      try animator.setLinearVelocity(Vector2(0, speed), of: item)
      animator.step()
      return animator.linearVelocity(of: item) - Vector2(0, speed)
    }
    #expect(try turbulent(0, density: 1) == .zero)
    // So slow that both are at the same place of the field.
    let slow = try turbulent(5, density: 1)
    #expect(slow.length > 0.01)
    #expect(isClose(try turbulent(10, density: 1).length, 4 * slow.length))
    // The force grows with the mass, so the acceleration is the same.
    #expect(isClose(try turbulent(5, density: 3).length, slow.length, within: 0.001))
  }

  @Test("Fields: noise changes `animationSpeed` times a second, smoothly in between")
  func animationSpeed() throws {
    /// The force in each tick at a place to which the item is put back.
    func forces(_ speed: Float) throws -> [Vector2] {
      var animator = try Scenes.empty()
      let item = try animator.addItem(Scenes.square(at: Vector2(333, 444)))
      try animator.add(
        FieldBehavior.noise(smoothness: 0.3, animationSpeed: speed, items: [item]))
      var forces: [Vector2] = []
      for _ in 0..<120 {
        try animator.setCenter(Vector2(333, 444), of: item)
        try animator.setLinearVelocity(.zero, of: item)
        animator.step()
        forces.append(animator.linearVelocity(of: item) * 0.6)
      }
      return forces
    }
    let (still, slow, fast) = (try forces(0), try forces(3), try forces(6))
    for tick in 0..<120 { #expect((still[tick] - still[0]).length < 1e-5) }
    for tick in 0..<60 { #expect((slow[2 * tick] - fast[tick]).length < 1e-3) }
    // Six vectors a second: ten ticks from one to the next, and halfway after five.
    for tick in stride(from: 0, to: 110, by: 10) {
      let middle = (fast[tick] + fast[tick + 10]) / 2
      #expect((fast[tick + 5] - middle).length < 1e-3)
    }
    var largest: Float = 0
    var jumps: Float = 0
    for tick in 1..<120 {
      largest = max(largest, (fast[tick] - fast[tick - 1]).length)
      if tick % 10 == 0 { jumps += (fast[tick] - fast[tick - 10]).length }
    }
    #expect(jumps / 11 > 0.2)
    // The steepest part of a smoothstep over ten ticks is a seventh of it.
    #expect(largest < 0.15 * 2.9)
  }

  @Test("Fields: of two velocity fields on an item the one added last counts")
  func order() throws {
    var animator = try Scenes.empty()
    let item = try animator.addItem(Scenes.square())
    try animator.add(FieldBehavior.velocity(direction: Vector2(1, 0), items: [item]))
    let last = try animator.add(
      FieldBehavior.velocity(direction: Vector2(0, 2), items: [item]))
    animator.step()
    #expect((animator.linearVelocity(of: item) - Vector2(0, 200)).length < 0.01)
    try animator.remove(last)
    animator.step()
    #expect((animator.linearVelocity(of: item) - Vector2(100, 0)).length < 0.01)
  }

  @Test("Fields: smooth noise changes little from point to point, rough noise much")
  func smoothness() throws {
    func jumps(_ smoothness: Float) throws -> Float {
      var animator = try Scenes.empty()
      var items: [ItemID] = []
      for i in 0..<100 {
        items.append(try animator.addItem(Scenes.ball(at: Vector2(Float(i) * 5, 300), diameter: 4)))
      }
      try animator.add(
        FieldBehavior.noise(smoothness: smoothness, animationSpeed: 0, items: items))
      animator.step()
      var (total, size) = (Float(0), Float(0))
      for i in 1..<100 {
        total +=
          (animator.linearVelocity(of: items[i])
          - animator.linearVelocity(of: items[i - 1])).length
        size += animator.linearVelocity(of: items[i]).length
      }
      return total / size
    }
    #expect(try jumps(0) > 5 * jumps(1))
  }

  @Test("Fields: custom is an evaluation closure of position, velocity, mass, charge and time")
  func custom() throws {
    var animator = try Scenes.empty()
    let item = try animator.addItem(Scenes.square(at: Vector2(530, 540)))
    var charged = ItemBehavior(items: [item])
    charged.charge = 2
    charged.density = 4
    try animator.add(charged)
    try animator.setLinearVelocity(Vector2(7, 0), of: item)
    var field = FieldBehavior.custom(items: [item])
    field.position = Vector2(500, 500)
    let handle = try animator.add(field)
    animator.step { sample in
      #expect(sample.field == handle && sample.item == item)
      #expect(sample.position == Vector2(30, 40) && sample.velocity == Vector2(7, 0))
      #expect(sample.mass == 4 && sample.charge == 2 && sample.time == 0)
      return Vector2(0, 6)
    } action: { _, _ in
    }
    #expect(isClose(animator.linearVelocity(of: item).y, 6 * 100 / 4 / 60, within: 0.001))
  }

  @Test("Fields: only the items of a field's list feel it")
  func ownList() throws {
    var animator = try Scenes.empty()
    let a = try animator.addItem(Scenes.square(at: Vector2(200, 200)))
    let b = try animator.addItem(Scenes.square(at: Vector2(600, 200)))
    let field = try animator.add(
      FieldBehavior.linearGravity(direction: Vector2(0, 1), items: [a]))
    try animator.add(ItemBehavior(items: [b]))
    animator.step(times: 10)
    #expect(animator.linearVelocity(of: a).y > 10)
    #expect(animator.linearVelocity(of: b) == .zero)
    try animator.addItem(b, to: field)
    animator.step(times: 10)
    #expect(animator.linearVelocity(of: b).y > 10)
  }

  @Test func strongAttractionStaysFinite() throws {
    for exponent in [Float(-10), 10] {
      var animator = try Scenes.empty()
      let item = try animator.addItem(Scenes.square(at: Vector2(500.5, 500)))
      var field = FieldBehavior.radialGravity(position: Vector2(500, 500), items: [item])
      field.strength = 1e15
      field.falloff = exponent
      try animator.add(field)
      animator.step(times: 120)
      #expect(animator.center(of: item).isFinite)
      #expect((animator.center(of: item) - Vector2(500, 500)).length < 5)
    }
  }
}

@Suite(.tags(.fact)) struct RegionTests {
  @Test("Regions: infinite, circle (edge inclusive), rectangle (edge exclusive)")
  func simple() {
    #expect(Region.infinite.contains(Vector2(1e9, -1e9)))
    #expect(Region.circle(radius: 5).contains(Vector2(3, 4)))
    #expect(!Region.circle(radius: 5).contains(Vector2(3, 4.001)))
    #expect(Region.rectangle(width: 10, height: 4).contains(Vector2(4.99, -1.99)))
    #expect(!Region.rectangle(width: 10, height: 4).contains(Vector2(5, 0)))
    #expect(!Region.rectangle(width: 10, height: 4).contains(Vector2(0, -2)))
  }

  @Test("Regions: inverse, union, difference, intersection")
  func combined() {
    let disc = Region.circle(radius: 5)
    let box = Region.rectangle(width: 20, height: 2)
    for (point, inDisc, inBox) in [
      (Vector2(0, 0), true, true), (Vector2(0, 3), true, false), (Vector2(8, 0), false, true),
      (Vector2(8, 8), false, false),
    ] {
      #expect(disc.inverse.contains(point) == !inDisc)
      #expect(disc.union(box).contains(point) == (inDisc || inBox))
      #expect(disc.difference(box).contains(point) == (inDisc && !inBox))
      #expect(disc.intersection(box).contains(point) == (inDisc && inBox))
      #expect(
        Region.infinite.difference(disc.union(box).inverse).contains(point) == (inDisc || inBox))
    }
  }

  @Test func tooManyPartsAreRefused() throws {
    var animator = try Scenes.empty()
    var field = FieldBehavior.drag()
    for _ in 0..<40 { field.region = field.region.union(.circle(radius: 1)) }
    #expect(refusal { try animator.add(field) }?.property == .region)
  }
}
