import Dynamics
import Physics
import Wire

extension Pit {
  /// A hash of everything that the next tick depends on.
  public func stateHash() -> UInt64 {
    var hash = StateHash()
    write(&hash)
    hash.put(playground.animator.stateHash())
    return hash.value
  }

  /// Writes the whole pit, so that a restored one goes on bit for bit: the animator, the scene's
  /// rules, hands and flights, chance. Replaces what `bytes` held and keeps its memory. The last
  /// tick's events are no part of it.
  public func save(into bytes: inout [UInt8]) {
    var animator: [UInt8] = []
    playground.animator.save(into: &animator)
    var writer = PitWriter(bytes: bytes)
    writer.bytes.removeAll(keepingCapacity: true)
    writer.put(Pit.snapshotVersion)
    writer.put(UInt32(animator.count))
    writer.bytes.append(contentsOf: animator)
    write(&writer)
    bytes = writer.bytes
  }

  /// The pit that `save(into:)` wrote. Throws `malformedSnapshot` for anything else.
  public static func restore(from bytes: [UInt8]) throws(PitError) -> Pit {
    var reader = PitReader(bytes)
    guard try reader.word() == snapshotVersion else { throw .malformedSnapshot }
    let size = Int(try reader.word())
    let animatorBytes = try reader.take(size)
    do throws(DynamicsError) {
      return try Pit(try Animator.restore(from: animatorBytes), &reader)
    } catch {
      throw .malformedSnapshot
    }
  }

  /// "PI" and the version.
  private static let snapshotVersion: UInt32 = 0x5049_0003

  private func write<Sink: PitSink>(_ sink: inout Sink) {
    sink.put(UInt32(scene.rawValue))
    sink.put(UInt32(UInt16(bitPattern: gravity.x)) << 16 | UInt32(UInt16(bitPattern: gravity.y)))
    playground.write(&sink)
    rules.write(&sink)
  }
}

extension Pit {
  /// What `write` described, around an animator.
  private init(_ animator: Animator, _ reader: inout PitReader) throws(DynamicsError) {
    do throws(PitError) {
      guard let scene = Scene(rawValue: UInt8(try reader.word(upTo: 255))) else {
        throw .malformedSnapshot
      }
      self.scene = scene
      let gravity = try reader.word()
      self.gravity = QuantizedGravity(
        x: Int16(bitPattern: UInt16(gravity >> 16)),
        y: Int16(bitPattern: UInt16(truncatingIfNeeded: gravity)))
      playground = try Playground(animator, &reader)
      rules = try PlayedScene(scene, from: &reader, animator)
      guard reader.rest().isEmpty else { throw .malformedSnapshot }
    } catch {
      throw .malformedSnapshot
    }
  }
}

extension Playground {
  /// All but the animator.
  func write<Sink: PitSink>(_ sink: inout Sink) {
    sink.put(chance.state)
    sink.put(seed)
    sink.put(tick)
    sink.put(UInt32(ages.count))
    for id in ages { sink.put(id) }
    sink.put(UInt32(grips.count))
    for grip in grips {
      sink.put(grip.item)
      sink.put(UInt32(grip.client))
      sink.put(grip.tie.id)
      sink.put(grip.margin.bitPattern)
      sink.put(grip.finger)
      sink.put(grip.hand)
    }
    sink.put(UInt32(flights.count))
    for flight in flights {
      sink.put(flight.item)
      sink.put(flight.snap.id)
      sink.put(flight.ends)
    }
  }

  /// What `write` described, around an animator, whose bounds and capacity are the ground's.
  init(_ animator: Animator, _ reader: inout PitReader) throws(PitError) {
    self.animator = animator
    size = Vector2(animator.referenceBounds.width, animator.referenceBounds.height)
    bodyCap = animator.world.configuration.capacity
    chance = RandomGenerator(seed: try reader.wide())
    seed = try reader.wide()
    tick = try reader.word()
    let items = try reader.word(upTo: UInt32(PitConfiguration.bodyLimit))
    for _ in 0..<items { ages.append(try reader.item(in: animator)) }
    for _ in 0..<(try reader.word(upTo: UInt32(Grip.most))) {
      let item = try reader.item(in: animator)
      let client = UInt16(try reader.word(upTo: UInt32(UInt16.max)))
      let tie: BehaviorHandle<AttachmentBehavior> = try reader.handle(in: animator)
      let margin = try reader.number()
      let finger = try reader.vector()
      grips.append(
        Grip(
          item: item, client: client, tie: tie, margin: margin, finger: finger,
          hand: try reader.vector()))
    }
    for _ in 0..<(try reader.word(upTo: UInt32(Flight.most))) {
      let item = try reader.item(in: animator)
      let snap: BehaviorHandle<SnapBehavior> = try reader.handle(in: animator)
      flights.append(Flight(item: item, snap: snap, ends: try reader.word()))
    }
    guard isConsistent() else { throw .malformedSnapshot }
  }

  /// Whether every item has one age, every hand its own sticker and tie, every flight its snap.
  private func isConsistent() -> Bool {
    guard ages.count == animator.itemCount else { return false }
    var seen = [Bool](repeating: false, count: animator.itemSlotCount)
    for id in ages {
      guard !seen[Int(id.slot)] else { return false }
      seen[Int(id.slot)] = true
    }
    for index in grips.indices {
      if index > 0, grips[index - 1].item.slot >= grips[index].item.slot { return false }
      do throws(DynamicsError) {
        guard try animator.behavior(grips[index].tie).items == [grips[index].item] else {
          return false
        }
      } catch { return false }
    }
    for flight in flights {
      do throws(DynamicsError) {
        guard try animator.behavior(flight.snap).items == [flight.item] else { return false }
      } catch { return false }
    }
    return true
  }
}
