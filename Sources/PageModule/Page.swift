import Simulation
import Wire

/// What a page knows of its connection, its world and its people.
final class Page {
  /// The answer to the last hello; nil before it.
  var welcome: Welcome?
  /// The stream, and what is shown of it.
  var playback = Playback()
  /// What to do about frames that were refused.
  var recovery = StreamRecovery()
  /// How many are connected, and the newest of them.
  var peopleCount: UInt16 = 0
  var people: [Person] = []
  /// Code of the last message notice, 0 for none.
  var noticeCode: UInt8 = 0
  /// What happened since the page last cleared it: kind, two numbers, a place in 1/8 pt, the tick.
  var events: [Int32] = []
  /// When the last frame came, for the quality.
  var lastFrame: Double?
  /// Now, as the page said last.
  var now = 0.0
  private(set) var instances: [StickerInstance] = []

  /// Bytes that come from the page.
  let input = SharedBuffer(limit: WireLimits.serverMessageBytes)
  /// Bytes that go to the page: a message.
  let output = SharedBuffer(limit: WireLimits.clientMessageBytes)
  /// The resume token, 16 bytes; zeros for none.
  let token = SharedBuffer(limit: 16)
  /// The person's name, then the listed people's, 32 bytes each.
  let names = SharedBuffer(limit: (1 + WireLimits.listedPeople) * WireLimits.nameBytes)
  /// The instances of the last sample.
  let drawing = SharedBuffer(limit: WireLimits.bodies * MemoryLayout<StickerInstance>.stride)

  /// The scenery of the last sample: boundaries, holders, rods.
  let boundaries = SharedBuffer(limit: Scenery.mostBoundaries * 20)
  let holders = SharedBuffer(limit: Scenery.mostHolders * 8)
  let rods = SharedBuffer(limit: Scenery.mostRods * MemoryLayout<PictureScenery.Rod>.stride)

  /// The events, six numbers each.
  let happenings = SharedBuffer(limit: Page.mostEvents * 6 * MemoryLayout<Int32>.stride)

  init() {
    _ = happenings.reserve(happenings.limit)
    _ = boundaries.reserve(boundaries.limit)
    _ = holders.reserve(holders.limit)
    _ = rods.reserve(rods.limit)
    _ = token.reserve(16)
    _ = names.reserve(names.limit)
    _ = output.reserve(output.limit)
    _ = drawing.reserve(MemoryLayout<StickerInstance>.stride)
  }

  /// Forgets everything but the token: the page connects anew.
  func reset() {
    welcome = nil
    playback = Playback()
    recovery = StreamRecovery()
    peopleCount = 0
    people.removeAll()
    noticeCode = 0
    events.removeAll()
    lastFrame = nil
  }

  /// Samples the world at a moment into `drawing` and returns the number of instances.
  func sample(at now: Double) -> Int32 {
    self.now = now
    playback.sample(now: now, into: &instances)
    let bytes = instances.count * MemoryLayout<StickerInstance>.stride
    guard drawing.reserve(bytes) else { return 0 }
    instances.withUnsafeBytes { drawing.copy($0, at: 0) }
    writeScenery()
    return Int32(instances.count)
  }

  /// The link in bars, 0…4: none without frames for 2 s, else by round trip and jitter.
  var quality: Int32 {
    guard let lastFrame, now - lastFrame < 2000 else { return 0 }
    let roundTrip = playback.clock.roundTrip
    let jitter = playback.jitter
    if roundTrip < 80 && jitter < 25 { return 4 }
    if roundTrip < 160 && jitter < 60 { return 3 }
    if roundTrip < 350 && jitter < 150 { return 2 }
    return 1
  }
}
