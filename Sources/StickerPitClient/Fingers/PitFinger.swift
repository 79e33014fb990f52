/// One finger in the pit, from its touch to its lifting, as commands: a tap drops a sticker, a
/// sticker that is dragged is held and flies on as fast as it is let go, and a flick over empty
/// ground throws a new one.
///
///     finger.touched(at: fit.world(point), in: client)     // where it is now, again and again
///     finger.lifted(in: client)
public struct PitFinger {
  /// Which sticker a tap drops, 0…15.
  public var kind = 0
  /// The sticker that it holds; nil for none.
  public private(set) var held: Sticker.ID?

  private var start: PitVector?
  private var under: Sticker.ID?
  private var hasMoved = false
  /// Where it was and when, in milliseconds: of the last tenth of a second.
  private var trace: [(time: Double, place: PitVector)] = []

  /// A finger that goes no farther than this, in points of the world, taps.
  static let mostOfTap: Float = 10
  /// A flick over empty ground that is slower than this, in pt/s, was a stroke and throws nothing.
  static let slowestThrow: Float = 300
  /// What is remembered of a finger's way: what was before says nothing of how fast it is now.
  static let memory = 100.0
  /// Places that are remembered: those of a screen of 240 Hz, and some more.
  static let mostPlaces = 32

  /// A finger that touches nothing yet.
  public init() {}

  /// The finger is at a point of the world: the first call is its touch.
  public mutating func touched(at point: PitVector, in client: PitClient) {
    let now = client.clock()
    forget(now)
    if trace.count == Self.mostPlaces { trace.removeFirst() }
    trace.append((now, point))
    guard let start else {
      start = point
      under = client.shown.sticker(at: point)?.id
      return
    }
    if PitVector(point.x - start.x, point.y - start.y).length > Self.mostOfTap { hasMoved = true }
    guard hasMoved else { return }
    if held == nil, let under, client.grab(under, at: start) { held = under }
    under = nil
    if let held { client.move(held, to: point) }
  }

  /// The finger is gone.
  public mutating func lifted(in client: PitClient) {
    guard let start else { return }
    // A finger that rests before it lifts lets go gently.
    forget(client.clock())
    if let held {
      client.release(held, velocity: velocity)
    } else if !hasMoved {
      client.drop(kind: kind, at: start)
    } else if velocity.length >= Self.slowestThrow {
      client.throwSticker(from: start, velocity: velocity)
    }
    let next = kind
    self = PitFinger()
    kind = next
  }

  private mutating func forget(_ now: Double) {
    trace.removeAll { now - $0.time > Self.memory }
  }

  /// How fast it is, in points of the world a second.
  private var velocity: PitVector {
    guard let first = trace.first, let last = trace.last, last.time > first.time else {
      return PitVector(0, 0)
    }
    let seconds = Float((last.time - first.time) / 1000)
    return PitVector(
      (last.place.x - first.place.x) / seconds, (last.place.y - first.place.y) / seconds)
  }
}

/// How a world is shown in a view: as large as it fits, in the middle, as it is.
public struct PitFit: Equatable, Sendable {
  /// Points of the view for a point of the world, above 0.
  public let scale: Float
  /// Where the world's top left corner is in the view, in points of the view.
  public let origin: PitVector

  /// The fit of a world in a view. Without a world, or in a view without room, nothing is scaled.
  /// - Parameters:
  ///   - width: the view's width in points.
  ///   - height: the view's height in points.
  public init(_ world: PitWorld?, width: Float, height: Float) {
    guard let world, world.width > 0, world.height > 0, width > 0, height > 0 else {
      scale = 1
      origin = PitVector(0, 0)
      return
    }
    scale = min(width / world.width, height / world.height)
    origin = PitVector(
      (width - world.width * scale) / 2, (height - world.height * scale) / 2)
    assert(scale > 0)
  }

  /// The world's point under a point of the view.
  public func world(_ point: PitVector) -> PitVector {
    PitVector((point.x - origin.x) / scale, (point.y - origin.y) / scale)
  }

  /// The view's point of a point of the world.
  public func view(_ point: PitVector) -> PitVector {
    PitVector(point.x * scale + origin.x, point.y * scale + origin.y)
  }
}
