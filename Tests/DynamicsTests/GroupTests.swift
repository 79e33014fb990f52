import Testing

@testable import Dynamics

@Suite(.tags(.fact)) struct GroupTests {
  @Test("Group: several items moved as one body")
  func oneBody() throws {
    var animator = try Scenes.empty()
    let a = try animator.addItem(Scenes.square(at: Vector2(400, 300)))
    let b = try animator.addItem(
      Item(.rectangle(width: 100, height: 100), center: Vector2(500, 300), tag: 4))
    let group = try animator.addGroup([a, b])
    #expect(animator.members(of: group) == [a, b])
    #expect(animator.group(of: a) == group)
    #expect(animator.center(of: group) == Vector2(450, 300))
    #expect(animator.mass(of: group) == 2)
    var behavior = ItemBehavior(items: [group])
    behavior.density = 3
    try behavior.addAngularVelocity(2, for: group)
    try animator.add(behavior)
    try animator.add(GravityBehavior(items: [group]))
    #expect(animator.mass(of: group) == 6)
    #expect(animator.world.bodyCount == 1)
    for _ in 0..<60 {
      animator.step()
      let (one, two) = (animator.state(of: a), animator.state(of: b))
      let apart = (two.center - one.center).unrotated(by: one.rotation)
      #expect((apart - Vector2(100, 0)).length < 0.001)
      #expect(one.rotation == two.rotation)
      // The outer member is 50 pt from the centre: it goes round with ω·r.
      let v = two.velocity - animator.linearVelocity(of: group)
      #expect(isClose(v.length, 100, within: 0.001))
    }
    #expect(isClose(animator.angle(of: a), 2, within: 0.001))
  }

  @Test("Group: collides with the outline of its members")
  func outline() throws {
    for shape in [ItemShape.rectangle(width: 40, height: 40), .ellipse(width: 40, height: 40)] {
      var animator = try Scenes.empty(width: 600, height: 400)
      let items = try [Vector2(200, 100), Vector2(240, 100), Vector2(240, 140)].map {
        try animator.addItem(Item(shape, center: $0))
      }
      let group = try animator.addGroup(items)
      try animator.add(GravityBehavior(items: [group]))
      var walls = CollisionBehavior(items: [group])
      walls.translatesReferenceBoundsIntoBoundary = true
      try animator.add(walls)
      var calm = ItemBehavior(items: [group])
      calm.friction = 0.5
      calm.angularResistance = 1
      try animator.add(calm)
      animator.step(times: 400)
      // Members touch the floor and none is in it.
      let lowest = items.map { animator.center(of: $0).y }.max() ?? 0
      #expect(lowest > 370 && lowest < 381)
    }
  }

  @Test("Group: a removed group lets its members go with their motion")
  func freed() throws {
    var animator = try Scenes.empty()
    let a = try animator.addItem(Scenes.square(at: Vector2(400, 300)))
    let b = try animator.addItem(Scenes.square(at: Vector2(500, 300)))
    let group = try animator.addGroup([a, b])
    try animator.add(ItemBehavior(items: [group]))
    try animator.setLinearVelocity(Vector2(30, 0), of: group)
    try animator.setAngularVelocity(1, of: group)
    animator.step(times: 10)
    let before = animator.state(of: b)
    try animator.removeItem(group)
    #expect(animator.group(of: b) == nil)
    try animator.add(GravityBehavior(items: [b]))
    #expect(animator.state(of: b).center == before.center)
    #expect((animator.linearVelocity(of: b) - before.velocity).length < 0.001)
  }

  /// Two discs of 40 pt, 30 pt apart: what lies between them is no part of the group.
  @Test("Group: has no outline between its members")
  func gap() throws {
    var animator = try Scenes.empty(width: 400, height: 300)
    let members = try [Vector2(150, 280), Vector2(220, 280)].map {
      try animator.addItem(Item(.circle(diameter: 40), center: $0))
    }
    let group = try animator.addGroup(members)
    let small = try animator.addItem(Item(.circle(diameter: 24), center: Vector2(185, 150)))
    try animator.add(GravityBehavior(items: [group, small]))
    try animator.add(
      CollisionBehavior(items: [group, small], translatesReferenceBoundsIntoBoundary: true))
    animator.step(times: 300)
    // It fell between them onto the floor.
    #expect(abs(animator.center(of: small).y - 288) < 0.5)
    #expect(abs(animator.center(of: small).x - 185) < 3.1)
    #expect(animator.item(at: Vector2(185, 265)) == nil)
    #expect(animator.item(at: animator.center(of: members[0])) == group)
    #expect(animator.world.shapes(of: try #require(animator.body(of: group))).count == 2)
  }

  @Test("Group: has its members' mass and inertia about their common centre")
  func inertia() throws {
    var animator = try Scenes.empty()
    let disc = try animator.addItem(Item(.circle(diameter: 40), center: Vector2(100, 100)))
    let bar = try animator.addItem(
      Item(.rectangle(width: 100, height: 20), center: Vector2(160, 100), angle: .pi / 2))
    let parts = [disc, bar].map { animator.items[Int($0.slot)].solid }
    let mass = animator.mass(of: disc) + animator.mass(of: bar)
    let group = try animator.addGroup([disc, bar])
    let center = (100 * parts[0].area + 160 * parts[1].area) / (parts[0].area + parts[1].area)
    #expect(isClose(animator.center(of: group).x, center, within: 1e-5))
    #expect(isClose(animator.mass(of: group), mass, within: 1e-5))
    let (near, far) = (center - 100, 160 - center)
    let whole =
      parts[0].area * (parts[0].inertiaPerMass + near * near) + parts[1].area
      * (parts[1].inertiaPerMass + far * far)
    let solid = animator.items[Int(group.slot)].solid
    #expect(isClose(solid.inertiaPerMass * solid.area / whole, 1, within: 1e-5))
    guard case .compound(let outlines) = animator.shape(of: group) else {
      Issue.record("a group's shape is a compound")
      return
    }
    #expect(outlines.map(\.shape) == [animator.shape(of: disc), animator.shape(of: bar)])
    let size = animator.shape(of: group).size
    #expect(abs(size.x - 90) < 1e-3 && abs(size.y - 100) < 1e-3)
  }

  /// Concave members bring their parts, and a group of one is that one.
  @Test func everyKindOfMemberIsTaken() throws {
    var animator = try Scenes.empty(width: 600, height: 400)
    let cup = [
      Vector2(-30, -30), Vector2(-20, -30), Vector2(-20, 20), Vector2(20, 20), Vector2(20, -30),
      Vector2(30, -30), Vector2(30, 30), Vector2(-30, 30),
    ]
    let outlines: [ItemShape] = [
      .path(cup), .ellipse(width: 50, height: 30), .circle(diameter: 20),
      .rectangle(width: 40, height: 20, cornerRadius: 10),
      .rectangle(width: 20, height: 40, cornerRadius: 10),
      .rectangle(width: 30, height: 30, cornerRadius: 6),
      .path([Vector2(0, 0), Vector2(30, 0), Vector2(0, 30)], growth: 5),
      .compound([
        ItemShape.Part(.circle(diameter: 20), center: Vector2(-15, 0)),
        ItemShape.Part(.rectangle(width: 30, height: 8), center: .zero, angle: 0.4),
      ]),
    ]
    var members: [ItemID] = []
    for (i, outline) in outlines.enumerated() {
      let alone = try animator.addItem(
        Item(outline, center: Vector2(300, 200), angle: Float(i) * 0.3))
      let solid = animator.items[Int(alone.slot)].solid
      let group = try animator.addGroup([alone])
      let grouped = animator.items[Int(group.slot)].solid
      #expect(grouped.shapeCount == solid.shapeCount)
      #expect(isClose(grouped.area / solid.area, 1, within: 1e-5))
      #expect(isClose(grouped.inertiaPerMass / solid.inertiaPerMass, 1, within: 0.01))
      try animator.removeItem(group)
      try animator.setCenter(Vector2(80 + Float(i) * 60, 100), of: alone)
      members.append(alone)
    }
    let group = try animator.addGroup(members)
    let count = animator.items[Int(group.slot)].solid.shapeCount
    #expect(count == outlines.count + 2 + 1, "the cup has three parts, the compound two")
    try animator.add(GravityBehavior(items: [group]))
    try animator.add(
      CollisionBehavior(items: [group], translatesReferenceBoundsIntoBoundary: true))
    animator.step(times: 200)
    #expect(animator.world.bodyCount == 1)
    for member in members { #expect(animator.center(of: member).y < 396) }
    #expect(animator.svg().contains("<ellipse"))
    try animator.removeItem(group)
    #expect(animator.furtherShapes == 3)
  }

  @Test func aSnapshotGoesOnTheSame() throws {
    var animator = try Scenes.empty(width: 400, height: 400)
    var groups: [ItemID] = []
    for i in 0..<4 {
      let x = 60 + Float(i) * 80
      let members = try [
        animator.addItem(Item(.circle(diameter: 30), center: Vector2(x, 100))),
        animator.addItem(
          Item(.rectangle(width: 50, height: 12, cornerRadius: 3), center: Vector2(x + 20, 130))),
        animator.addItem(
          Item(.ellipse(width: 30, height: 18), center: Vector2(x, 150), angle: 0.5)),
      ]
      // One group has a lower slot than its members.
      if i == 2 { try animator.removeItem(groups.removeLast()) }
      groups.append(try animator.addGroup(members))
    }
    let balls = try (0..<6).map {
      try animator.addItem(Item(.circle(diameter: 16), center: Vector2(50 + Float($0) * 50, 30)))
    }
    try animator.add(GravityBehavior(items: groups + balls))
    try animator.add(
      CollisionBehavior(items: groups + balls, translatesReferenceBoundsIntoBoundary: true))
    var other = try Animator(referenceBounds: Rect2(x: 0, y: 0, width: 1, height: 1))
    for _ in 0..<6 {
      animator.step(times: 20)
      var bytes: [UInt8] = []
      animator.save(into: &bytes)
      try other.restore(from: bytes)
      #expect(other.stateHash() == animator.stateHash())
      #expect(other.items.map(\.solid) == animator.items.map(\.solid))
      var copy = animator
      copy.step(times: 40)
      other.step(times: 40)
      #expect(other.stateHash() == copy.stateHash())
      // What comes out of a restored group goes on the same.
      try other.removeItem(groups[0])
      try copy.removeItem(groups[0])
      #expect(other.stateHash() == copy.stateHash() && other.furtherShapes == copy.furtherShapes)
    }
  }

  @Test func tooMuchIsRefused() throws {
    var animator = try Scenes.empty()
    let many = try animator.addItems(
      (0..<65).map { Item(.circle(diameter: 5), center: Vector2(Float($0) * 10, 0)) })
    let before = animator.stateHash()
    #expect(throws: DynamicsError.tooManyShapes(count: 65, limit: 64)) {
      try animator.addGroup(many)
    }
    #expect(animator.stateHash() == before)
    let full = try animator.addGroup(many.dropLast())
    #expect(animator.members(of: full).count == 64)
    let far = try [Float(-5000), 5000].map {
      try animator.addItem(Item(.circle(diameter: 5), center: Vector2($0, 0)))
    }
    #expect(refusal { _ = try animator.addGroup(far) }?.property == .size)
    // A speck that would have no corners 4000 pt from the group's centre.
    let specks = try [Float(-4000), 4000].map {
      try animator.addItem(
        Item(.rectangle(width: 0.5, height: 0.5, cornerRadius: 0.24999), center: Vector2($0, 0)))
    }
    #expect(throws: DynamicsError.groupUnusable) { try animator.addGroup(specks) }
    let compound = ItemShape.compound([ItemShape.Part(.circle(diameter: 9), center: .zero)])
    #expect(throws: DynamicsError.pathUnusable) {
      try animator.addItem(
        Item(.compound([ItemShape.Part(compound, center: .zero)]), center: .zero))
    }
    #expect(throws: DynamicsError.emptyPath) {
      try animator.addItem(Item(.compound([]), center: .zero))
    }
  }

  @Test func misuseIsRefused() throws {
    var animator = try Scenes.empty()
    let a = try animator.addItem(Scenes.square())
    let b = try animator.addItem(Scenes.square(at: .zero))
    #expect(throws: DynamicsError.groupUnusable) { try animator.addGroup([]) }
    #expect(throws: DynamicsError.duplicateItem(a)) { try animator.addGroup([a, a]) }
    let gravity = try animator.add(GravityBehavior(items: [a]))
    #expect(throws: DynamicsError.groupUnusable) { try animator.addGroup([a, b]) }
    try animator.remove(gravity)
    let group = try animator.addGroup([a, b])
    #expect(throws: DynamicsError.itemInGroup(a)) {
      try animator.add(GravityBehavior(items: [a]))
    }
    #expect(throws: DynamicsError.itemInGroup(a)) { try animator.setCenter(.zero, of: a) }
    #expect(throws: DynamicsError.itemInGroup(a)) { try animator.removeItem(a) }
    #expect(throws: DynamicsError.itemInGroup(a)) { try animator.addGroup([a]) }
    #expect(throws: DynamicsError.groupUnusable) { try animator.addGroup([group]) }
  }
}
