import Wire

/// How near a stream's bodies are to the truth, as PROTOCOL.md promises it: in the strict profile
/// they are there; in the visual one within what the step allows that each body's last move chose.
struct StreamTruth {
  private let profile: CodecProfile
  private let ticks: Double
  /// The stream's two frames before the newest.
  private var before = LatticeWorld()
  private var last = LatticeWorld()

  init(_ shape: StreamShape) {
    profile = shape.profile
    ticks = Double(shape.rate.interval)
  }

  /// Takes the newest frame, and returns the slot of a body that is further from its place than it
  /// may be.
  mutating func missed(_ world: LatticeWorld, by bodies: [StreamBody]) -> UInt16? {
    defer {
      swap(&before, &last)
      last.assign(world)
    }
    guard world.bodies.count == bodies.count else { return world.bodies.last?.slot ?? 0 }
    return zip(world.bodies, bodies).first { !isNear($0, $1.onLattice(of: profile)) }?.0.slot
  }

  private func isNear(_ body: LatticeBody, _ place: LatticeBody) -> Bool {
    if profile == .strict { return body == place }
    let most = mostOff(body)
    return body.isSameSticker(as: place)
      && abs(Int(body.x) - Int(place.x)) <= most.place
      && abs(Int(body.y) - Int(place.y)) <= most.place
      && abs(StreamTruth.turn(from: Int(place.angle), to: Int(body.angle))) <= most.angle
  }

  /// How far off a body may be: 3/4 of its step, and half a step for the place's own rounding.
  private func mostOff(_ body: LatticeBody) -> (place: Int, angle: Int) {
    guard let from = sticker(body, in: before), let to = sticker(body, in: last) else {
      return (1, 1)
    }
    let point = profile.stepsPerPoint
    let way = abs(Int(to.x) - Int(from.x)) + abs(Int(to.y) - Int(from.y))
    let speed = Double(way) * (1 / ticks)
    let turned = abs(StreamTruth.turn(from: Int(from.angle), to: Int(to.angle)))
    let place = StreamTruth.off(speed, over: [point, 4 * point, 8 * point])
    // Who turns so fast may have turned the other way round: the frames tell only the angle.
    guard ticks == 1, turned < 1024 - StreamTruth.fastest else { return (place, 6) }
    // Of a sticker's edge, 20 pt from its centre.
    let edge = Double(turned) * 0.1227184630308513 * point
    return (place, StreamTruth.off(max(speed, edge), over: [2 * point, 4 * point, 8 * point]))
  }

  /// The fastest that the physics turns anything, in angles a tick.
  private static let fastest = 978

  /// For steps of 1, 2, 4 and 8.
  private static func off(_ speed: Double, over limits: [Double]) -> Int {
    [1, 2, 3, 6][limits.count { speed > $0 }]
  }

  private static func turn(from angle: Int, to other: Int) -> Int {
    (other - angle + 512) & 1023 - 512
  }

  private func sticker(_ body: LatticeBody, in world: LatticeWorld) -> LatticeBody? {
    guard let index = world.index(ofSlot: body.slot) else { return nil }
    return world.bodies[index].isSameSticker(as: body) ? world.bodies[index] : nil
  }
}
