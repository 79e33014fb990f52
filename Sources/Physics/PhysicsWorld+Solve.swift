extension PhysicsWorld {
  mutating func warmStart(_ i: Int) {
    let c = contacts[i]
    if c.count > 0 { push(c, c.first, c.first.normalImpulse, c.first.tangentImpulse) }
    if c.count > 1 { push(c, c.second, c.second.normalImpulse, c.second.tangentImpulse) }
  }

  mutating func solveNormals(_ i: Int, _ soft: Softness, biased: Bool) {
    let c = contacts[i]
    if c.count > 0 { contacts[i].first = normal(c, c.first, soft, biased) }
    if c.count > 1 { contacts[i].second = normal(c, c.second, soft, biased) }
  }

  mutating func solveFriction(_ i: Int) {
    let c = contacts[i]
    if c.count > 0 { contacts[i].first = tangent(c, c.first) }
    if c.count > 1 { contacts[i].second = tangent(c, c.second) }
  }

  mutating func applyRestitution(_ i: Int) {
    let c = contacts[i]
    if c.count > 0 { contacts[i].first = bounce(c, c.first) }
    if c.count > 1 { contacts[i].second = bounce(c, c.second) }
  }

  private mutating func push(_ c: Contact, _ p: ContactPoint, _ normal: Float, _ tangent: Float) {
    let impulse = c.normal * normal + c.normal.perpendicular * tangent
    let a = Int(c.a)
    bodies[a].state.velocity -= impulse * bodies[a].inverseMass
    bodies[a].state.angularVelocity -= p.armA.cross(impulse) * bodies[a].inverseInertia
    guard c.b >= 0 else { return }
    let b = Int(c.b)
    bodies[b].state.velocity += impulse * bodies[b].inverseMass
    bodies[b].state.angularVelocity += p.armB.cross(impulse) * bodies[b].inverseInertia
  }

  private func relative(_ c: Contact, _ p: ContactPoint) -> Vector2 {
    let va = velocity(Int(c.a), p.armA)
    return c.b >= 0 ? velocity(Int(c.b), p.armB) - va : -va
  }

  private func gap(_ c: Contact, _ p: ContactPoint) -> Float {
    let a = Int(c.a)
    var d = -(bodies[a].moved + p.armA.perpendicular * bodies[a].turned)
    if c.b >= 0 {
      let b = Int(c.b)
      d += bodies[b].moved + p.armB.perpendicular * bodies[b].turned
    }
    return p.separation + d.dot(c.normal)
  }

  private func effectiveMass(_ c: Contact, _ p: ContactPoint, along n: Vector2) -> Float {
    let a = Int(c.a)
    let ra = p.armA.cross(n)
    var k = bodies[a].inverseMass + ra * ra * bodies[a].inverseInertia
    if c.b >= 0 {
      let b = Int(c.b)
      let rb = p.armB.cross(n)
      k += bodies[b].inverseMass + rb * rb * bodies[b].inverseInertia
    }
    return k > 0 ? 1 / k : 0
  }

  private mutating func normal(
    _ c: Contact, _ point: ContactPoint, _ soft: Softness, _ biased: Bool
  ) -> ContactPoint {
    var p = point
    let s = gap(c, p)
    var bias: Float = 0
    var mass: Float = 1
    var relax: Float = 0
    if s > 0 {
      bias = s * soft.inverse
    } else if biased {
      bias = soft.bias * s > -soft.push ? soft.bias * s : -soft.push
      mass = soft.mass
      relax = soft.relax
    }
    let v = relative(c, p).dot(c.normal)
    let change =
      -effectiveMass(c, p, along: c.normal) * mass * (v + bias) - relax * p.normalImpulse
    let total = p.normalImpulse + change > 0 ? p.normalImpulse + change : 0
    push(c, p, total - p.normalImpulse, 0)
    p.normalImpulse = total
    p.largestImpulse = total > p.largestImpulse ? total : p.largestImpulse
    return p
  }

  private mutating func tangent(_ c: Contact, _ point: ContactPoint) -> ContactPoint {
    var p = point
    let t = c.normal.perpendicular
    let limit = c.friction * p.normalImpulse
    var total = p.tangentImpulse - effectiveMass(c, p, along: t) * relative(c, p).dot(t)
    total = total > limit ? limit : total < -limit ? -limit : total
    push(c, p, 0, total - p.tangentImpulse)
    p.tangentImpulse = total
    return p
  }

  private mutating func bounce(_ c: Contact, _ point: ContactPoint) -> ContactPoint {
    var p = point
    guard c.restitution > 0, p.approach < -configuration.restitutionThreshold,
      p.largestImpulse > 0
    else { return p }
    let v = relative(c, p).dot(c.normal)
    let change = -effectiveMass(c, p, along: c.normal) * (v + c.restitution * p.approach)
    let total = p.normalImpulse + change > 0 ? p.normalImpulse + change : 0
    push(c, p, total - p.normalImpulse, 0)
    p.normalImpulse = total
    return p
  }

  mutating func reportEvents() {
    var kept = 0
    for i in 0..<contacts.count {
      let c = contacts[i]
      let pressed = c.first.largestImpulse > 0 || c.second.largestImpulse > 0
      let near = c.count > 0 && (c.first.separation < 0.5 || c.second.separation < 0.5)
      let touching = pressed || (c.touching && near)
      if touching != c.touching {
        let event = contactEvent(c)
        if touching { contactEvents.began.append(event) } else { contactEvents.ended.append(event) }
      }
      guard touching || c.count > 0 else { continue }
      contacts[kept] = c
      contacts[kept].touching = touching
      kept += 1
    }
    contacts.removeLast(contacts.count - kept)
  }

  func contactEvent(_ c: Contact) -> ContactEvent {
    let a = Int(c.a)
    let id = BodyID(slot: UInt16(a), generation: bodies[a].generation)
    let other: ContactPartner =
      c.b >= 0
      ? .body(BodyID(slot: UInt16(c.b), generation: bodies[Int(c.b)].generation))
      : .boundary(edges[Int(-1 - c.b)].id)
    return ContactEvent(
      body: id, other: other, point: bodies[a].state.position + c.first.armA, normal: c.normal)
  }
}
