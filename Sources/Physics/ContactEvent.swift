/// What a body touched.
public enum ContactPartner: Equatable, Sendable {
  /// Another body.
  case body(BodyID)
  /// A boundary.
  case boundary(BoundaryID)
}

/// Two things that began or ceased to touch during a step.
public struct ContactEvent: Equatable, Sendable {
  /// The body; of two bodies the one with the lower slot.
  public var body: BodyID
  /// What it touched.
  public var other: ContactPartner
  /// Where, in points. For an ended contact, between the two.
  public var point: Vector2
  /// From `body` towards `other`, of length 1.
  public var normal: Vector2
}

/// The contact events of the last step.
public struct ContactEvents: Equatable, Sendable {
  /// Contacts that began, in a defined order.
  public internal(set) var began: [ContactEvent] = []
  /// Contacts that ended, in a defined order.
  public internal(set) var ended: [ContactEvent] = []
}
