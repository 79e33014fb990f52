extension PhysicsWorld {
  /// Gap below which a contact takes part before it touches.
  static let reach: Float = 8

  mutating func findContacts(span: Float) {
    swap(&contacts, &previous)
    contacts.removeAll(keepingCapacity: true)
    indexPrevious()
    sortBodies()
    for slot in 0..<bodies.count {
      bodies[slot].moved = .zero
      bodies[slot].turned = 0
    }
    let n = order.count
    let largestSweep = fastest() * span
    for i in 0..<n {
      let a = Int(order[i])
      let reachA = bodies[a].shape.boundingRadius
      let right = bodies[a].state.position.x + reachA + Self.reach
      let sweepA = bodies[a].state.velocity.length * span
      for e in 0..<edges.count { touch(a, edge: e, span) }
      for j in (i + 1)..<(n > i ? n : i + 1) {
        let b = Int(order[j])
        let reachB = bodies[b].shape.boundingRadius
        if left(b) > right + sweepA + largestSweep { break }
        let reach = reachA + reachB + Self.reach + sweepA + bodies[b].state.velocity.length * span
        let d = bodies[b].state.position - bodies[a].state.position
        if d.lengthSquared < reach * reach { touch(a < b ? a : b, a < b ? b : a, span) }
      }
    }
    for contact in previous where contact.touching {
      contactEvents.ended.append(contactEvent(contact))
    }
  }

  private func left(_ slot: Int) -> Float {
    bodies[slot].state.position.x - bodies[slot].shape.boundingRadius
  }

  private mutating func sortBodies() {
    order.removeAll(keepingCapacity: true)
    for slot in 0..<bodies.count where bodies[slot].exists {
      order.append(Int32(slot))
      var k = order.count - 1
      let x = left(slot)
      while k > 0 && left(Int(order[k - 1])) > x {
        order[k] = order[k - 1]
        k -= 1
      }
      order[k] = Int32(slot)
    }
  }

  private mutating func touch(_ a: Int, _ b: Int, _ span: Float) {
    let pa = bodies[a].properties
    let pb = bodies[b].properties
    guard bodies[a].inverseMass + bodies[b].inverseMass > 0,
      pa.collisionGroup & pb.collisionMask != 0, pb.collisionGroup & pa.collisionMask != 0
    else { return }
    let sweep = (bodies[a].state.velocity - bodies[b].state.velocity).length * span
    let manifold = Manifold.between(
      placedCore(a), radius: bodies[a].shape.radius, placedCore(b), radius: bodies[b].shape.radius,
      reach: Self.reach + sweep)
    add(
      manifold, a, Int32(b), friction: (pa.friction * pb.friction).squareRoot(),
      restitution: pa.restitution > pb.restitution ? pa.restitution : pb.restitution)
  }

  private mutating func touch(_ a: Int, edge e: Int, _ span: Float) {
    guard bodies[a].inverseMass > 0, bodies[a].properties.collisionMask != 0 else { return }
    let reach = Self.reach + bodies[a].state.velocity.length * span
    let core = placedCore(a)
    let r = bodies[a].shape.radius
    var manifold = Manifold()
    if edges[e].isHalfPlane {
      manifold = Self.behind(core, r, edges[e].b, edges[e].b.dot(edges[e].a), reach)
    } else {
      manifold = Manifold.between(
        core, radius: r, ConvexCore(segment: edges[e].a, edges[e].b), radius: 0, reach: reach)
    }
    let p = bodies[a].properties
    add(manifold, a, Int32(-1 - e), friction: p.friction, restitution: p.restitution)
  }

  /// The two corners of a core that lie deepest behind a line.
  private static func behind(
    _ core: ConvexCore, _ r: Float, _ normal: Vector2, _ offset: Float, _ reach: Float
  ) -> Manifold {
    var manifold = Manifold(normal: -normal)
    for i in 0..<core.count {
      let gap = core[i].dot(normal) - offset - r
      let p = core[i] - normal * (r + gap * 0.5)
      let point = Manifold.Point(position: p, separation: gap)
      if gap > reach { continue }
      if manifold.count == 0 || gap < manifold.first.separation {
        manifold.second = manifold.first
        manifold.first = point
        manifold.count = manifold.count == 0 ? 1 : 2
      } else if manifold.count == 1 || gap < manifold.second.separation {
        manifold.second = point
        manifold.count = 2
      }
    }
    return manifold
  }

  private mutating func add(
    _ m: Manifold, _ a: Int, _ b: Int32, friction: Float, restitution: Float
  ) {
    var contact = Contact(
      a: Int32(a), b: b, normal: m.normal, count: Int32(m.count), friction: friction,
      restitution: restitution)
    let old = lookup(contact.key)
    if old >= 0 {
      contact.touching = previous[old].touching
      previous[old].touching = false
    }
    guard m.count > 0 || contact.touching else { return }
    contact.first = prepared(m.first, contact)
    contact.second = prepared(m.second, contact)
    if old >= 0 { contact.inherit(previous[old]) }
    contacts.append(contact)
  }

  private func prepared(_ p: Manifold.Point, _ contact: Contact) -> ContactPoint {
    let a = Int(contact.a)
    var point = ContactPoint()
    point.separation = p.separation
    point.armA = p.position - bodies[a].state.position
    var relative = -velocity(a, point.armA)
    if contact.b >= 0 {
      let b = Int(contact.b)
      point.armB = p.position - bodies[b].state.position
      relative += velocity(b, point.armB)
    }
    point.approach = relative.dot(contact.normal)
    return point
  }

  func velocity(_ slot: Int, _ arm: Vector2) -> Vector2 {
    bodies[slot].state.velocity + arm.perpendicular * bodies[slot].state.angularVelocity
  }

  private mutating func indexPrevious() {
    var size = 64
    while size < previous.count * 2 { size *= 2 }
    if table.count < size { table = [Int32](repeating: -1, count: size) }
    for i in 0..<table.count { table[i] = -1 }
    for i in 0..<previous.count {
      var h = Self.hash(previous[i].key) & (table.count - 1)
      while table[h] >= 0 { h = (h + 1) & (table.count - 1) }
      table[h] = Int32(i)
    }
  }

  private func lookup(_ key: UInt64) -> Int {
    var h = Self.hash(key) & (table.count - 1)
    while table[h] >= 0 {
      if previous[Int(table[h])].key == key { return Int(table[h]) }
      h = (h + 1) & (table.count - 1)
    }
    return -1
  }

  private static func hash(_ key: UInt64) -> Int {
    Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 40)
  }
}

extension Contact {
  /// Takes over the impulses of the nearest points of the last step.
  mutating func inherit(_ old: Contact) {
    if count == 0 || old.count == 0 { return }
    let straight = (first.armA - old.first.armA).lengthSquared
    let crossed = (first.armA - old.second.armA).lengthSquared
    let swapped = old.count == 2 && crossed < straight
    let (one, two) = swapped ? (old.second, old.first) : (old.first, old.second)
    first.normalImpulse = one.normalImpulse
    first.tangentImpulse = one.tangentImpulse
    if count == 2 && (old.count == 2) {
      second.normalImpulse = two.normalImpulse
      second.tangentImpulse = two.tangentImpulse
    }
  }
}
