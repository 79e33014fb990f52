import Physics
import Wire

/// Shows the past, any tick of it and in any order: it runs the world from the nearest one that it
/// has, and keeps worlds and pictures on the way, so that going back costs no more than going on.
///
///     var past = RecordedPlayback(recording.stretches)
///     while past.reach(tick, most: 10) == .onTheWay { … }   // a few ticks of the world at a time
///     past.sample(tick, share: 0.4, into: &instances)
public struct RecordedPlayback: Sendable {
  /// What there was to draw besides the stickers at the last `sample`.
  public private(set) var scenery = PictureScenery()
  /// The gravity at the last `sample`.
  public private(set) var gravity = QuantizedGravity.down
  /// The scene at the last `sample`, and the size of its world in points.
  public private(set) var scene = Scene.pit
  public private(set) var worldSize = Vector2.zero
  /// Whether a world turned out to be another one than the one that was there.
  public private(set) var hasDiverged = false

  /// In ascending order.
  private var stretches: [RecordedStretch]
  private var runner: Runner?
  /// Worlds of the runner's stretch, in ascending order.
  private var milestones: [Runner] = []
  /// Pictures by tick, modulo their number.
  private var strip: [WorldFrame?]
  private let corrections = Corrections()
  private let births = BirthTicks()

  /// A world on its way through a stretch.
  private struct Runner: Sendable {
    /// The stretch's first tick.
    var stretch: UInt32
    var replica: Replica
    /// Where the next record begins.
    var offset: Int

    var tick: UInt32 { replica.pit.tick }

    /// Carries the next record of the stretch out.
    mutating func step(_ stretch: RecordedStretch) throws(ReplicaError) {
      assert(tick != stretch.last, "there is no record behind the last tick")
      var offset = offset
      let result: Result<Void, ReplicaError> = stretch.records.withUnsafeBytes { bytes in
        do throws(ReplicaError) {
          _ = try replica.receiveNext(bytes, at: &offset)
          return .success(())
        } catch {
          return .failure(error)
        }
      }
      try result.get()
      self.offset = offset
    }
  }

  /// Whether a tick can be shown.
  public enum Reach: Equatable, Sendable {
    case there, onTheWay, missing
  }

  /// Stretches that are kept: what is played, and what was and will be.
  public static let mostStretches = 8
  /// Ticks from one world that is kept to the next: as many are run for a picture of the past.
  private static let milestoneTicks = 20
  /// Worlds that are kept: twice as many as a stretch of ten seconds has.
  private static let mostMilestones = 60
  /// Pictures that are kept: those of three milestones.
  private static let frames = 64

  public init(_ stretches: [RecordedStretch] = []) {
    self.stretches = stretches
    strip = Array(repeating: nil, count: Self.frames)
  }

  /// The first tick that can be shown, nil without any.
  public var first: UInt32? { stretches.first?.first }

  /// Takes another stretch; the one that is furthest from it gives way to one too many.
  public mutating func add(_ stretch: RecordedStretch) {
    stretches.removeAll { $0.first == stretch.first }
    if stretches.count == Self.mostStretches {
      let before = stretch.first.ticks(since: stretches[0].first)
      let behind = stretches[stretches.count - 1].first.ticks(since: stretch.first)
      stretches.remove(at: before > behind ? 0 : stretches.count - 1)
    }
    let place = stretches.firstIndex { $0.first.ticks(since: stretch.first) > 0 }
    stretches.insert(stretch, at: place ?? stretches.count)
    assert(stretches.count <= Self.mostStretches)
  }

  /// Runs the world towards a tick.
  /// - Parameters:
  ///   - tick: the one to reach.
  ///   - most: ticks to run at most, 1 or more; a picture should not wait for all of them.
  /// - Returns: whether it can be shown now.
  public mutating func reach(_ tick: UInt32, most: Int) -> Reach {
    assert(most > 0)
    if has(tick) { return .there }
    guard let index = index(holding: tick) else { return .missing }
    setOut(for: tick, in: index)
    var left = most
    while left > 0, runner!.tick != tick {
      guard step(in: index) else { return .missing }
      left -= 1
    }
    return has(tick) ? .there : .onTheWay
  }

  /// Fills `instances` with the stickers between a tick and the next, in order of slots.
  /// - Parameters:
  ///   - tick: one that was reached; the next should be, unless it is the last.
  ///   - share: of the way to the next, 0…1.
  ///   - instances: what they are written to.
  /// - Returns: whether it can be shown; if not, nothing changes.
  public mutating func sample(
    _ tick: UInt32, share: Float, into instances: inout [StickerInstance]
  ) -> Bool {
    guard let from = strip[index(of: tick)], from.tick == tick else { return false }
    var to = from
    // What the next tick brings is there on the way to it, and not in the tick before.
    if share > 0, let next = strip[index(of: tick.nextTick)], next.tick == tick.nextTick,
      next.isOfWorld(of: from)
    {
      to = next
    }
    let share = to.tick == tick ? 1 : Float(SteadyTick.bounded(Double(share), 0, 1))
    instances.removeAll(keepingCapacity: true)
    to.append(
      to: &instances, after: from, share: share, corrections: corrections, births: births)
    scenery.update(from: from.scenery, to: to.scenery, share: share, instances: instances)
    gravity = from.gravity
    (scene, worldSize) = (from.scene, from.size)
    return true
  }

  // MARK: Running

  /// The stretch to run for a tick. Where two stretches share one, the runner stays in its own, so
  /// that what it keeps there is not given up for a single picture.
  private func index(holding tick: UInt32) -> Int? {
    if let runner, let own = stretches.firstIndex(where: { $0.first == runner.stretch }),
      stretches[own].holds(tick)
    {
      return own
    }
    return stretches.lastIndex { $0.holds(tick) }
  }

  /// Has the runner stand in the stretch before the tick or at it, and as near as can be.
  private mutating func setOut(for tick: UInt32, in index: Int) {
    let stretch = stretches[index]
    if runner?.stretch != stretch.first {
      milestones.removeAll()
      runner = nil
    }
    let milestone = milestones.last { tick.ticks(since: $0.tick) >= 0 }
    if let runner {
      let isBefore = tick.ticks(since: runner.tick) >= 0
      if isBefore, milestone == nil || runner.tick.ticks(since: milestone!.tick) >= 0 { return }
    }
    // Those that are left lie behind: new ones must be kept on the way.
    if milestone == nil { milestones.removeAll() }
    runner = milestone ?? Runner(stretch: stretch.first, replica: stretch.start, offset: 0)
    assert(tick.ticks(since: runner!.tick) >= 0)
    keepPicture()
  }

  /// Runs a tick.
  /// - Returns: whether its record can be carried out; if not, the stretch ends before it.
  private mutating func step(in index: Int) -> Bool {
    do throws(ReplicaError) {
      try runner!.step(stretches[index])
    } catch {
      stretches[index].cut(after: runner!.tick)
      return false
    }
    if runner!.replica.hasDiverged { hasDiverged = true }
    keepPicture()
    let isDue = runner!.tick.ticks(since: runner!.stretch) % Self.milestoneTicks == 0
    if isDue, milestones.last.map({ runner!.tick.ticks(since: $0.tick) > 0 }) ?? true {
      if milestones.count == Self.mostMilestones { milestones.removeFirst() }
      milestones.append(runner!)
    }
    return true
  }

  private mutating func keepPicture() {
    let place = index(of: runner!.tick)
    var frame = strip[place] ?? WorldFrame()
    strip[place] = nil
    frame.take(runner!.replica.pit)
    strip[place] = frame
  }

  private func has(_ tick: UInt32) -> Bool { strip[index(of: tick)]?.tick == tick }
  private func index(of tick: UInt32) -> Int { Int(tick % UInt32(Self.frames)) }
}
