// What a spring does in a sub-step: before the move and after it, a pull by where its bodies are
// then, and a damping of their speed. Where they press on something, all that it does in the
// sub-step is given before the move: contacts would have to bear half and all of it in turns
// otherwise, and what friction holds would creep.

extension JointSolver {
  /// Takes a share of the speeds that the spring damps, and leaves `share` of them.
  mutating func damp(leaving share: Float) {
    guard share < 1 else { return }
    forEachDirection { solver, n, _ in
      let k = solver.compliance(n, solver.a.arm, solver.b.arm)
      guard k > 0 else { return }
      let speed = solver.closing(n, solver.a.arm, solver.b.arm)
      solver.push(n * ((share - 1) * speed / k), solver.a.arm, solver.b.arm)
    }
    guard joint.kind == .weld, turnCompliance > 0 else { return }
    turn((share - 1) * (b.spin - a.spin) / turnCompliance)
  }

  /// Changes speeds by `strength` for each point or radian of displacement, if the bodies are held
  /// at their centres. The stiffness is that for the masses there: if it changed with the arms, a
  /// body that turns would gain energy from it.
  mutating func pull(_ strength: Float) {
    let still = a.inverseMass + b.inverseMass
    if still > 0 {
      forEachDirection { solver, n, displacement in
        solver.push(n * (-strength * displacement / still), solver.a.arm, solver.b.arm)
      }
    }
    guard joint.kind == .weld, turnCompliance > 0 else { return }
    turn(-strength * relativeAngle / turnCompliance)
  }

  /// All that the spring does where its bodies press on something: by the implicit Euler method,
  /// which takes energy and never adds any, and no more than contacts bear.
  mutating func press() {
    let still = a.inverseMass + b.inverseMass
    if still > 0 {
      forEachDirection { solver, n, displacement in
        let k = solver.compliance(n, solver.a.arm, solver.b.arm)
        let speed = solver.closing(n, solver.a.arm, solver.b.arm)
        // Beside the centres less mass opposes the pull: there the same spring is faster.
        let next = solver.spring(ease: (k / still).squareRoot()).speed(displacement, speed)
        let change = (next - speed).brought(within: Self.pressing * solver.h)
        solver.push(n * (change / k), solver.a.arm, solver.b.arm)
      }
    }
    guard joint.kind == .weld, turnCompliance > 0 else { return }
    let spin = b.spin - a.spin
    turn((spring(ease: 1).speed(relativeAngle, spin) - spin) / turnCompliance)
  }

  private func spring(ease: Float) -> ImplicitSpring {
    ImplicitSpring(
      frequency: joint.frequency * ease, dampingRatio: joint.dampingRatio * ease, step: h)
  }

  /// Calls `action` for each direction in which the spring pulls, with the displacement along it.
  @inline(__always)
  private mutating func forEachDirection(_ action: (inout Self, Vector2, Float) -> Void) {
    let off = reach
    if joint.kind == .distance && joint.length > 0 {
      let n = direction
      return action(&self, n, off.dot(n) - joint.length)
    }
    assert(joint.kind == .distance || joint.kind == .weld, "nothing else is a spring")
    // Without a length there is no direction: the anchors are pulled together both ways.
    action(&self, Vector2(1, 0), off.x)
    action(&self, Vector2(0, 1), off.y)
  }
}
