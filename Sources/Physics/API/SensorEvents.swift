/// A sensor and what it overlaps.
public struct SensorEvent: Equatable, Sendable, BitwiseCopyable {
  /// The body that is a sensor.
  public var sensor: BodyID
  /// What came in or went out: a body that is no sensor itself, or a boundary.
  public var other: ContactPartner
}

/// What came into sensors and went out of them in the last step, as it stood at its end: what
/// passed all the way through within one step is in neither list.
///
/// Both lists go by the sensors' slots, and for each sensor by the others' slots and then the
/// boundaries' numbers.
public struct SensorEvents: Equatable, Sendable {
  /// What a sensor overlaps now and did not before the step.
  public internal(set) var entered: [SensorEvent] = []
  /// What a sensor overlapped before the step and doesn't now, or one of the two was removed.
  public internal(set) var left: [SensorEvent] = []

  /// Becomes what other events are, in the memory that is there.
  mutating func assign(_ other: SensorEvents) {
    entered.assign(other.entered)
    left.assign(other.left)
  }

  mutating func clear() {
    if !entered.isEmpty { entered.removeAll(keepingCapacity: true) }
    if !left.isEmpty { left.removeAll(keepingCapacity: true) }
  }
}

extension PhysicsWorld {
  /// What came into sensors and went out of them in the last step. Not part of a snapshot, as
  /// `contactEvents`; what sensors overlap is.
  public var sensorEvents: SensorEvents { storage.sensorEvents }

  /// Puts what a sensor overlapped or touched at the end of the last step into `result`: bodies in
  /// the order of their slots, then boundaries by their numbers, each once. Of half-planes the
  /// solid side counts, of segments the line. Groups and masks count as in collisions, and so does
  /// a joint whose bodies don't collide. All sensors together overlap at most
  /// `PhysicsLimit.sensorOverlaps`. Replaces what was there and keeps its memory. Empty for a body
  /// that is no sensor, or a name that nobody has (any more).
  public func overlapping(_ sensor: BodyID, into result: inout [ContactPartner]) {
    result.removeAll(keepingCapacity: true)
    guard contains(sensor) else { return }
    for overlap in storage.sensorOverlaps where overlap.sensor == sensor {
      result.append(overlap.other)
    }
  }
}

extension SensorEvent {
  /// The order of sensors' slots, then of what they overlap.
  func comes(before other: SensorEvent) -> Bool {
    if sensor != other.sensor { return sensor.comes(before: other.sensor) }
    switch (self.other, other.other) {
    case (.body(let a), .body(let b)): return a.comes(before: b)
    default: return self.other.comes(before: other.other)
    }
  }
}

extension BodyID {
  fileprivate func comes(before other: BodyID) -> Bool {
    slot != other.slot ? slot < other.slot : generation < other.generation
  }
}
