/// Writes a world's frames for one rhythm: a delta to the frame before, or a keyframe.
///
/// There is one encoder for each frame rate, and its bytes go to every client in step. A client
/// that joins, or that skipped a frame, gets `keyframe(into:)` in place of the delta of that tick;
/// the next delta builds on it.
///
///     var encoder = StateEncoder(rate: .hz60)
///     encoder.encode(world, into: &delta)      // once a frame
///     encoder.keyframe(into: &keyframe)        // when somebody needs it
public struct StateEncoder: Sendable {
  /// The rate whose interval its keyframes announce.
  public let rate: FrameRate
  /// What was encoded last: what every client in step has now.
  public private(set) var last = LatticeWorld()
  /// Whether anything was encoded yet.
  public private(set) var hasBase = false

  private var removed: [UInt16] = []
  private var added: [LatticeBody] = []
  private var changes: [BodyChange] = []

  public init(rate: FrameRate = .hz60) {
    self.rate = rate
  }

  /// Appends the frame that leads from the world encoded last to `world`, and remembers `world`.
  ///
  /// The first frame, and a frame more than 255 ticks after the last or not after it, is a
  /// keyframe. `world.bodies` must ascend by slot. Allocates nothing once the arrays have grown.
  @discardableResult
  public mutating func encode(
    _ world: LatticeWorld, into bytes: inout [UInt8]
  ) -> StateFrameKind {
    let step = world.tick &- last.tick
    guard hasBase, step >= 1, step <= WireLimits.baseTicks else {
      last.assign(world)
      hasBase = true
      keyframe(into: &bytes)
      return .keyframe
    }
    compare(with: world)
    BitWriter.append(to: &bytes) { writeDelta(to: world, step: step, with: &$0) }
    last.assign(world)
    return .state
  }

  /// Appends a keyframe of the world that was encoded last.
  public func keyframe(into bytes: inout [UInt8]) {
    StateEncoder.keyframe(of: last, rate: rate, into: &bytes)
  }

  /// Appends a keyframe of any world.
  public static func keyframe(
    of world: LatticeWorld, rate: FrameRate = .hz60, into bytes: inout [UInt8]
  ) {
    BitWriter.append(to: &bytes) { KeyframeFormat.write(world, rate: rate, to: &$0) }
  }
}

/// Which frame an encoder wrote.
public enum StateFrameKind: Equatable, Sendable {
  case keyframe
  case state
}

extension StateEncoder {
  /// Sorts the differences from `last` to `world` into removed, added and changed bodies, by
  /// walking both lists in step.
  private mutating func compare(with world: LatticeWorld) {
    removed.removeAll(keepingCapacity: true)
    added.removeAll(keepingCapacity: true)
    changes.removeAll(keepingCapacity: true)
    var old = 0
    for body in world.bodies {
      while old < last.bodies.count, last.bodies[old].slot < body.slot {
        removed.append(last.bodies[old].slot)
        old += 1
      }
      guard old < last.bodies.count, last.bodies[old].slot == body.slot else {
        added.append(body)
        continue
      }
      note(body, after: last.bodies[old])
      old += 1
    }
    while old < last.bodies.count {
      removed.append(last.bodies[old].slot)
      old += 1
    }
  }

  private mutating func note(_ body: LatticeBody, after before: LatticeBody) {
    if !body.isSameSticker(as: before) {
      removed.append(body.slot)
      added.append(body)
    } else if body != before {
      changes.append(BodyChange(from: before, to: body))
    }
  }

  private func writeDelta(to world: LatticeWorld, step: UInt32, with writer: inout BitWriter) {
    let gravityChanged = world.gravity != last.gravity
    writer.write(byte: ServerMessageType.state.rawValue)
    writer.write(world.tick, bits: 32)
    writer.write(step, bits: 8)
    writer.write(gravityChanged ? DeltaFormat.gravityFlag : 0, bits: 8)
    if gravityChanged { FrameFields.write(world.gravity, to: &writer) }

    writer.write(UInt32(removed.count), bits: FrameFields.countBits)
    var slots = SlotGaps()
    for slot in removed { slots.write(slot, to: &writer) }

    writer.write(UInt32(added.count), bits: FrameFields.countBits)
    slots = SlotGaps()
    for body in added {
      slots.write(body.slot, to: &writer)
      DeltaFormat.write(added: body, to: &writer)
    }

    writer.write(UInt32(changes.count), bits: FrameFields.countBits)
    slots = SlotGaps()
    for change in changes {
      slots.write(change.slot, to: &writer)
      change.write(to: &writer)
    }
  }
}
