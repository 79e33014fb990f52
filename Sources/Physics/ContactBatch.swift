/// Four contacts of one point each, no body twice among them. Lanes: one contact each.
struct OnePointBatch: BitwiseCopyable {
  /// From the first body to the second.
  var nx, ny: Lanes
  /// Arm × normal and arm × tangent of both bodies; the tangent is (ny, −nx).
  var normalArmA, normalArmB: Lanes
  var tangentArmA, tangentArmB: Lanes
  /// Gap when the contact was found.
  var gap: Lanes
  var normalMass, tangentMass: Lanes
  var normalImpulse, tangentImpulse: Lanes
  /// Largest normal impulse of the step: whether the contact pressed at all.
  var largest: Lanes
  /// Speed to leave with, negative; 0 where nothing bounces.
  var bounce: Lanes
  /// Byte offsets of the two bodies' motions.
  var a, b: IntLanes
  /// Gap after the last sub-step, for the next one's bias pass.
  var currentGap: Lanes
  var inertiaA, inertiaB: Lanes
  var friction: Lanes
}

/// One of the two points of a batch.
struct BatchPoint: BitwiseCopyable {
  var normalArmA, normalArmB: Lanes
  var tangentArmA, tangentArmB: Lanes
  var gap: Lanes
  var normalMass, tangentMass: Lanes
  var normalImpulse, tangentImpulse: Lanes
  var largest: Lanes
  var bounce: Lanes
  var currentGap: Lanes
}

/// Four contacts of two points each, no body twice among them.
struct TwoPointBatch: BitwiseCopyable {
  var nx, ny: Lanes
  var a, b: IntLanes
  var inertiaA, inertiaB: Lanes
  var friction: Lanes
  var first, second: BatchPoint
}

/// One point of a contact with a boundary.
struct EdgePoint: BitwiseCopyable {
  var normalArm, tangentArm: Lanes
  var gap: Lanes
  var normalMass, tangentMass: Lanes
  var normalImpulse, tangentImpulse: Lanes
  var largest: Lanes
  var bounce: Lanes
}

/// Four contacts with boundaries; the normal points from the boundary to the body.
struct EdgeBatch: BitwiseCopyable {
  var nx, ny: Lanes
  var body: IntLanes
  var inverseMass, inverseInertia: Lanes
  var friction: Lanes
  var first, second: EdgePoint
}

/// All batches of a step, those of one colour side by side.
struct ContactBatches {
  /// A gap that never closes, for filling lanes.
  static let farAway: Float = 1e6
  /// Colours: a body may have this many contacts before the rest are solved one by one.
  static let colours = 64

  var one = UnsafeMutablePointer<OnePointBatch>.allocate(capacity: 1)
  var two = UnsafeMutablePointer<TwoPointBatch>.allocate(capacity: 1)
  var edge = UnsafeMutablePointer<EdgeBatch>.allocate(capacity: 1)
  var oneCapacity = 1
  var twoCapacity = 1
  var edgeCapacity = 1
  var oneCount = 0
  var twoCount = 0
  var edgeCount = 0
  /// First batch of each colour, and one past the last.
  var oneStarts = Buffer(capacity: ContactBatches.colours + 2, blank: Int32(0))
  var twoStarts = Buffer(capacity: ContactBatches.colours + 2, blank: Int32(0))
  var colourCount = 0
  /// Which record each lane holds; −1 fills.
  var oneLanes = Buffer(capacity: 64, blank: Int32(-1))
  var twoLanes = Buffer(capacity: 64, blank: Int32(-1))
  /// Colours that each row has, a bit each.
  var taken = Buffer(capacity: 72, blank: UInt64(0))
  /// Contacts with boundaries, and which of them each lane holds.
  var edgeRecords = Buffer(capacity: 64, blank: EdgeContactRecord())
  var edgeRecordCount = 0
  var edgeLanes = Buffer(capacity: 64, blank: Int32(-1))

  mutating func reserve(one ones: Int, two twos: Int, edge edges: Int) {
    if ones > oneCapacity {
      one.deallocate()
      oneCapacity = ones * 2
      one = .allocate(capacity: oneCapacity)
    }
    if twos > twoCapacity {
      two.deallocate()
      twoCapacity = twos * 2
      two = .allocate(capacity: twoCapacity)
    }
    if edges > edgeCapacity {
      edge.deallocate()
      edgeCapacity = edges * 2
      edge = .allocate(capacity: edgeCapacity)
    }
  }

  func free() {
    one.deallocate()
    two.deallocate()
    edge.deallocate()
    oneStarts.free()
    twoStarts.free()
    oneLanes.free()
    twoLanes.free()
    taken.free()
    edgeRecords.free()
    edgeLanes.free()
  }
}

/// A contact with a boundary, as the narrow phase found it.
struct EdgeContactRecord: BitwiseCopyable {
  var row: Int32 = 0
  /// Place in the list of edge pairs.
  var pair: Int32 = 0
  /// How many contacts with boundaries the body had before this one: batches are layers of these.
  var layer: Int32 = 0
  /// Normal x, y (from the boundary to the body), gap of the first and of the second point.
  var head: Lanes = .zero
  /// Arm × normal, arm × tangent of the first point, then of the second.
  var arms: Lanes = .zero
  /// Speed of the first and of the second point along the normal, before anything is applied.
  var approach: Lanes = .zero
}
