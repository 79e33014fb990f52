extension Animator {
  /// Forgets what only speeds up or refines the world's next step, see `PhysicsWorld.dropCaches`:
  /// every copy has to do it after the same step.
  public mutating func dropCaches() { world.dropCaches() }
}
