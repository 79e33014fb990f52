/// Two touching or nearly touching things in the solver.
struct Contact: Equatable, Sendable {
  var a: Int32
  /// A body's slot, or −1 − the edge's place.
  var b: Int32
  var normal: Vector2
  var count: Int32
  var friction: Float
  var restitution: Float
  var touching = false
  var first = ContactPoint()
  var second = ContactPoint()

  var key: UInt64 { UInt64(UInt32(bitPattern: a)) << 32 | UInt64(UInt32(bitPattern: b)) }
}

/// One point of a contact.
struct ContactPoint: Equatable, Sendable {
  var armA = Vector2.zero
  var armB = Vector2.zero
  var separation: Float = 0
  var approach: Float = 0
  var normalImpulse: Float = 0
  var tangentImpulse: Float = 0
  var largestImpulse: Float = 0
}
