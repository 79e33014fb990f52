@testable import Wire

/// Bodies that fall, bounce and come to rest in a box: something to code. The same in every run.
struct CodecScene {
  static let width: Float = 720
  static let height: Float = 960
  private struct Mover {
    var isThere = true
    var generation: UInt16 = 0
    var x, y, angle, vx, vy, spin: Float
  }

  private var movers: [Mover] = []
  private var seed: UInt64
  private(set) var tick: UInt32
  /// Whether bodies go and others come in their slots.
  let changes: Bool
  var bodies: [StreamBody] = []
  var gravity = QuantizedGravity.down
  var scenery = Scenery()

  init(count: Int, seed: UInt64 = 1, tick: UInt32 = 0, changes: Bool = false) {
    self.seed = seed
    self.tick = tick
    self.changes = changes
    for _ in 0..<count { movers.append(newMover(generation: 0)) }
    list()
  }

  mutating func random(below bound: Float) -> Float {
    seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Float(seed >> 40) / 16_777_216 * bound
  }

  private mutating func newMover(generation: UInt16) -> Mover {
    Mover(
      generation: generation, x: 20 + random(below: CodecScene.width - 40),
      y: 20 + random(below: CodecScene.height - 40), angle: random(below: 6.28),
      vx: random(below: 16) - 8, vy: random(below: 16) - 8, spin: random(below: 0.4) - 0.2)
  }

  /// Moves on by `ticks` ticks.
  mutating func advance(by ticks: UInt32 = 1) {
    for _ in 0..<ticks {
      tick += 1
      for index in movers.indices { move(&movers[index]) }
    }
    if changes { change() }
    list()
  }

  private func move(_ mover: inout Mover) {
    mover.vy += 0.2777
    mover.x += mover.vx
    mover.y += mover.vy
    mover.angle += mover.spin
    if mover.x < 20 || mover.x > CodecScene.width - 20 { mover.vx = -mover.vx * 0.6 }
    if mover.y > CodecScene.height - 20 {
      mover.y = CodecScene.height - 20
      mover.vy = mover.vy > 1 ? -mover.vy * 0.5 : 0
      mover.vx *= 0.9
      mover.spin *= 0.9
      if mover.vy == 0, mover.vx * mover.vx < 0.01 {
        mover.vx = 0
        mover.spin = 0
      }
    }
  }

  private mutating func change() {
    changeScenery()
    let index = Int(random(below: Float(movers.count)))
    let roll = random(below: 1)
    if roll < 0.1 {
      movers[index].isThere = false
    } else if roll < 0.3 {
      movers[index] = newMover(generation: movers[index].generation &+ 1)
    } else if roll < 0.35 {
      gravity = QuantizedGravity(
        x: Int16(random(below: 30_000)) - 15_000, y: Int16(random(below: 30_000)) - 15_000)
    } else if roll < 0.37 {
      movers[index].vy -= 30
    }
  }

  /// A ledge that comes and goes, somebody who takes and leaves, a finger on a rod.
  private mutating func changeScenery() {
    let roll = random(below: 1)
    if roll < 0.02 {
      scenery.boundaries =
        scenery.boundaries.isEmpty
        ? [SceneryBoundary(id: 1, ax: 8, ay: -8, bx: 800, by: Int16(random(below: 900)))] : []
    } else if roll < 0.04 {
      scenery.holders = scenery.holders.isEmpty ? [SceneryHolder(slot: 3, client: 65_535)] : []
    } else if roll < 0.1 {
      let x = Int16(random(below: 5000))
      scenery.rods = [
        SceneryRod(slot: 3, x: x, y: 40, attachX: -80, attachY: 7),
        SceneryRod(slot: 3, x: 12, y: x, attachX: .min, attachY: .max),
      ]
    } else if roll < 0.12 {
      scenery.rods = []
    }
  }

  private mutating func list() {
    bodies.removeAll(keepingCapacity: true)
    for (slot, mover) in movers.enumerated() where mover.isThere {
      bodies.append(
        StreamBody(
          slot: UInt16(slot), generation: mover.generation, kind: UInt8(slot * 7 % 18),
          size: slot % 5 == 0 ? 60 : 40, x: mover.x, y: mover.y, angle: mover.angle))
    }
  }

  static func shape(
    _ profile: CodecProfile, _ rate: FrameRate = .hz60, slots: Int = 64
  ) -> StreamShape {
    StreamShape(profile: profile, rate: rate, width: 720, height: 960, slots: slots)
  }
}

extension StreamEncoder {
  /// Encodes the scene's tick and returns the frame.
  func encode(_ scene: CodecScene) -> [UInt8] {
    var bytes: [UInt8] = []
    encode(
      scene.bodies, scenery: scene.scenery, tick: scene.tick, gravity: scene.gravity, into: &bytes)
    return bytes
  }

  var world: LatticeWorld {
    var world = LatticeWorld()
    copyWorld(into: &world)
    return world
  }

  var newestKeyframe: [UInt8] {
    var bytes: [UInt8] = []
    keyframe(into: &bytes)
    return bytes
  }
}
