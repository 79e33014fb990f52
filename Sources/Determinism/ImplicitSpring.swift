/// The damped oscillator x″ = −2ζω·x′ − ω²·x by the implicit Euler method: it never adds energy,
/// whatever the stiffness, and takes about a share of (ω·step)² of it in a step.
package struct ImplicitSpring: Equatable, Sendable {
  private let turn: Float
  private let dampingRatio: Float
  private let step: Float

  /// A spring of `frequency` hertz, above 0, and a damping ratio ζ of at least 0, where 1 is
  /// critical; `step` in seconds, above 0.
  package init(frequency: Float, dampingRatio: Float, step: Float) {
    assert(frequency > 0 && dampingRatio >= 0 && step > 0)
    turn = 2 * DeterministicMath.pi * frequency * step
    (self.dampingRatio, self.step) = (dampingRatio, step)
  }

  /// The speed both to move with and to end with, for the displacement and speed at the start.
  package func speed(_ displacement: Float, _ speed: Float) -> Float {
    (speed - turn * turn / step * displacement) / (1 + turn * (2 * dampingRatio + turn))
  }
}
