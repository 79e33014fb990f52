/// Numbers that hold for all contacts of a step.
struct Softness {
  var bias: Float
  var mass: Float
  var relax: Float
  var push: Float
  let inverse: Float

  init(_ configuration: WorldConfiguration, step h: Float) {
    let omega = 2 * DeterministicMath.pi * configuration.contactFrequency
    let a1 = 2 * configuration.contactDampingRatio + h * omega
    let a2 = h * omega * a1
    let a3 = 1 / (1 + a2)
    bias = omega / a1
    mass = a2 * a3
    relax = a3
    push = configuration.pushSpeed
    inverse = 1 / h
  }
}

extension PhysicsWorld {
  /// Steps the world by one tick of 1/60 s.
  public mutating func step() {
    contactEvents.began.removeAll(keepingCapacity: true)
    contactEvents.ended.removeAll(keepingCapacity: true)
    swap(&contactEvents.ended, &pendingEnded)
    // Things that move fast are looked for more often; the sub-step stays the same.
    let lookups = fastest() > 480 ? (fastest() > 3840 ? 6 : 2) : 1
    let h = Self.tickLength / Float(Self.subSteps)
    for _ in 0..<lookups {
      findContacts(span: Self.tickLength / Float(lookups))
      solve(subSteps: Self.subSteps / lookups, h: h)
      reportEvents()
    }
    for slot in 0..<bodies.count {
      bodies[slot].force = .zero
      bodies[slot].torque = 0
    }
    tick += 1
  }

  func fastest() -> Float {
    var top: Float = 0
    for body in bodies where body.exists {
      let v = body.state.velocity.lengthSquared
      top = v > top ? v : top
    }
    return top.squareRoot()
  }

  private mutating func solve(subSteps: Int, h: Float) {
    let soft = Softness(configuration, step: h)
    for _ in 0..<subSteps {
      integrateVelocities(h)
      for i in 0..<contacts.count { warmStart(i) }
      for i in 0..<contacts.count { solveNormals(i, soft, biased: true) }
      integratePositions(h)
      for i in 0..<contacts.count {
        solveNormals(i, soft, biased: false)
        solveFriction(i)
      }
    }
    for i in 0..<contacts.count { applyRestitution(i) }
    for slot in 0..<bodies.count where bodies[slot].exists {
      bodies[slot].state.position += bodies[slot].moved
      let turn = Rotation(angle: bodies[slot].turned)
      bodies[slot].state.rotation = (turn * bodies[slot].state.rotation).normalized
    }
  }

  private mutating func integrateVelocities(_ h: Float) {
    for slot in 0..<bodies.count where bodies[slot].exists && bodies[slot].inverseMass > 0 {
      let p = bodies[slot].properties
      let pull = gravity * p.gravityScale + bodies[slot].force * bodies[slot].inverseMass
      var v = (bodies[slot].state.velocity + pull * h) * (1 / (1 + h * p.linearDamping))
      let speed = v.length
      if speed > Self.speedLimit { v *= Self.speedLimit / speed }
      var w = bodies[slot].state.angularVelocity
      w += bodies[slot].torque * bodies[slot].inverseInertia * h
      w *= 1 / (1 + h * p.angularDamping)
      w = w > Self.spinLimit ? Self.spinLimit : w < -Self.spinLimit ? -Self.spinLimit : w
      bodies[slot].state.velocity = v
      bodies[slot].state.angularVelocity = w
    }
  }

  private mutating func integratePositions(_ h: Float) {
    for slot in 0..<bodies.count where bodies[slot].exists {
      bodies[slot].moved += bodies[slot].state.velocity * h
      bodies[slot].turned += bodies[slot].state.angularVelocity * h
    }
  }
}
