import Dynamics
import Physics
import Wire

@testable import Simulation

/// A pit at work in a test: commands in points, and what the test asks of the world.
struct Stage {
  var pit: Pit
  private var sequences: [UInt16: UInt32] = [:]
  private var waiting: [StampedCommand] = []

  init(_ scene: Scene, bodies: Int? = nil, maxBodies: Int = 4096, seed: UInt64 = 1) throws {
    pit = try Pit(
      PitConfiguration(scene: scene, bodies: bodies, maxBodies: maxBodies, seed: seed))
  }

  /// A command for the next tick.
  mutating func give(_ command: Command, by person: UInt16 = 1) {
    let sequence = sequences[person, default: 0]
    sequences[person] = sequence + 1
    waiting.append(StampedCommand(person: person, sequence: sequence, command: command))
  }

  mutating func grab(_ slot: Int, at point: Vector2, by person: UInt16 = 1) {
    let generation = pit.playground.animator.itemID(atSlot: slot)?.generation ?? 0
    give(
      .grab(slot: UInt16(slot), generation: generation, x: eighths(point.x), y: eighths(point.y)),
      by: person)
  }

  mutating func move(_ slot: Int, to point: Vector2, by person: UInt16 = 1) {
    give(.move(slot: UInt16(slot), x: eighths(point.x), y: eighths(point.y)), by: person)
  }

  mutating func release(_ slot: Int, velocity: Vector2 = .zero, by person: UInt16 = 1) {
    give(
      .release(
        slot: UInt16(slot), velocityX: Int16(velocity.x), velocityY: Int16(velocity.y)),
      by: person)
  }

  mutating func snap(_ slot: Int, to point: Vector2, by person: UInt16 = 1) {
    let generation = pit.playground.animator.itemID(atSlot: slot)?.generation ?? 0
    give(
      .snap(slot: UInt16(slot), generation: generation, x: eighths(point.x), y: eighths(point.y)),
      by: person)
  }

  /// One tick with the commands that wait.
  @discardableResult
  mutating func tick() -> TickOutcome {
    waiting.sort { $0.precedes($1) }
    defer { waiting.removeAll() }
    return pit.tick(TickInputs(commands: waiting))
  }

  mutating func tick(_ count: Int) { for _ in 0..<count { tick() } }

  var animator: Animator { pit.playground.animator }

  func item(_ slot: Int) -> ItemID { pit.playground.animator.itemID(atSlot: slot)! }
  func center(_ slot: Int) -> Vector2 { pit.playground.animator.center(of: item(slot)) }
  func velocity(_ slot: Int) -> Vector2 { pit.playground.animator.linearVelocity(of: item(slot)) }
  func state(_ slot: Int) -> ItemState { pit.playground.animator.state(of: item(slot)) }

  var scenery: Scenery {
    var scenery = Scenery()
    pit.scenery(into: &scenery)
    return scenery
  }

  var boundaryIDs: [UInt8] { scenery.boundaries.map(\.id) }

  private func eighths(_ value: Float) -> Int16 { Int16(clamping: Int(value * 8)) }
}
