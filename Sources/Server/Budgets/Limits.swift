import Wire

/// What a client may do, and how much of it. Breaking a limit ends the session with 1008 and a
/// reason that names the limit.
public struct Limits: Equatable, Sendable {
  /// The most that `connections` and `connectionsPerAddress` can be.
  public static let mostConnections = People.mostPeople
  /// Open connections in all: what phones in a hall may be, at 4 kB of this process's memory each,
  /// or 18 kB with TLS. How many of them a core serves at which rate stands in the README's table;
  /// when there are more, everybody's frames are fewer.
  public var connections = 4096
  /// Open connections from one address: a venue's phones often share one.
  public var connectionsPerAddress = 512
  /// Bytes in one message from a client; the longest in the protocol is below half of it.
  public var messageBytes = 128
  /// Tilt samples a second, twice that in a burst: a phone's sensor gives at most 60.
  public var tiltsPerSecond = 60
  /// Drops, throws, grabs, releases and snaps a second, twice that in a burst: faster than any
  /// hand.
  public var commandsPerSecond = 20
  /// The same, and keywords, of all connections of one address together, twice that in a burst;
  /// more are left out. As many phones as it may have, with one a second each.
  public var commandsPerSecondPerAddress = 512
  /// Commands carried out in one tick, 960 a second; the next ticks take the others. It keeps the
  /// tick's time whatever the clients do.
  public var commandsPerTick = 16
  /// Commands that wait for their tick, a second's worth and twice what one address may give at
  /// once; more are left out. Everybody's first comes before anybody's second.
  public var waitingCommands = 2048
  /// Moves of fingers a second, twice that in a burst: three fingers at 60 each.
  public var movesPerSecond = 180
  /// The same of all connections of one address together, twice that in a burst; more are left
  /// out. As many as a world has grips, at each tick.
  public var movesPerSecondPerAddress = 256 * 60
  /// Moves that wait for one tick, the last one of each finger; more are left out. Four times as
  /// many as a world has grips.
  public var waitingMoves = 1024
  /// Inputs that were meant for later ticks and wait for them; beyond that, their turn is at once.
  /// As many as all clients may have together, 25 MB.
  public var waitingAimedInputs = 1 << 19
  /// The same of one client: half a second's worth. A page's inputs wait a few ticks.
  public var waitingAimedInputsPerClient = 128
  /// Words said a second, twice that in a burst: faster than anybody types.
  public var wordsPerSecond = 2
  /// The same of all connections of one address together, twice that in a burst; more are left
  /// out. Five hundred phones may all say the same at once.
  public var wordsPerSecondPerAddress = 256
  /// Clock questions a second, twice that in a burst; a page asks once a second.
  public var clocksPerSecond = 10
  /// The same of all connections of one address together, twice that in a burst; more are left
  /// out. Two from each of the connections that it may have.
  public var clocksPerSecondPerAddress = 1024
  /// Streams and keyframes asked for a second. Each makes the server encode a keyframe; a client
  /// that refused a frame asks once.
  public var streamsPerSecond = 1
  /// The same at once: one for each rate, for somebody who tries them all.
  public var streamBurst = 4
  /// Messages of any kind of all connections of one address together, twice that in a burst; more
  /// are left out. Sixty tilt samples and four others from each of the connections that it may
  /// have, which keeps a network thread a tenth busy.
  public var messagesPerSecondPerAddress = 512 * 64
  /// Hellos of one address a second; more are told to try again later. Each makes the server send a
  /// welcome and a keyframe. After the burst, a full address is in again within eight seconds.
  public var hellosPerSecondPerAddress = 64
  /// Hellos of one address at once: twice as many as it may have connections, because after a
  /// restart everybody comes back within a second.
  public var helloBurstPerAddress = 1024
  /// Hellos a second with which an address may end other connections by their tokens; more are told
  /// to try again later. After the burst it is for phones that change their network just then: one
  /// in 64 of a full address.
  public var takeOversPerSecondPerAddress = 8
  /// The same at once: a venue's network that drops everybody brings everybody back.
  public var takeOverBurstPerAddress = 512
  /// The same of one person: a page that lost its network comes back once, and once more. So two
  /// connections that fight for one person do so once a second.
  public var takeOversPerSecondPerPerson = 1
  public var takeOverBurstPerPerson = 4
  /// Seconds for which a hand may hold without a move. Long enough to think, short enough that
  /// somebody who left the phone on the table keeps nothing from the others.
  public var stillHandSeconds = 30
  /// Seconds for which a hand may hold in all: more than any game with a sticker takes. Whoever was
  /// holding may take it again if nobody else does.
  public var holdSeconds = 120
  /// Seconds for which a client whose hand was opened so takes hold of nothing: the others' chance.
  public var openedHandSeconds = 10
  /// Bodies encoded in one tick for those who are in step, in all streams together: about 8 ms,
  /// half of a tick. It decides which streams are offered, see `StreamOffer`.
  public var encodedBodiesPerTick = 32_768
  /// Bodies encoded in one tick in keyframes and catch-up frames, each for all clients at the same
  /// place: about 4 ms, and one frame at least. Who gets none waits in turn, see `FrameQueue`.
  public var othersPerTick = 16_384
  /// Bytes of snapshots sent in one tick, and one snapshot at least: 24 of a thousand bodies. Who
  /// gets none waits for the next tick.
  public var snapshotBytesPerTick = 1 << 20
  /// Bytes of snapshots to one address in a second: a hundred of a thousand bodies.
  public var snapshotBytesPerSecondPerAddress = 4_500_000
  /// The same at once: as many snapshots as an address may say hello at once.
  public var snapshotBurstBytesPerAddress = 45_000_000
  /// Bytes of worlds told by HTTP in a second, twice that in a burst: a thousand bodies (180 kB) at
  /// every tick to two who check them, or the largest world eight times. Made on a thread of their
  /// own, of which this takes a third.
  public var worldBytesPerSecond = 24_000_000
  /// The same to one address: half, so that there is some left for others.
  public var worldBytesPerSecondPerAddress = 12_000_000
  /// Seconds that a connection may stay without saying hello. A page says it in the same moment in
  /// which its connection opens; five round trips of a bad mobile network take as long.
  public var helloSeconds = 5
  /// Seconds of silence after which the server pings. A page that tilts or asks for the time is
  /// never silent for so long.
  public var pingSeconds = 10
  /// Seconds of silence within which a connection counts as lost: more than four for the pong, so
  /// that a phone between two cells of a network comes through.
  public var silenceSeconds = 15
  /// Seconds for which a person who lost the connection keeps name, colour and number: a lift, or a
  /// look at another app.
  public var resumeSeconds = 60
  /// Seconds for which a session may take no frame at all before it is closed as too slow. Longer
  /// than silence is borne, so that what is lost is told apart from who can't follow.
  public var stalledSeconds = 20
  /// Inputs kept between two ticks, sixteen of each connection. Reached only when the tick thread
  /// stands still; what comes on top is dropped and counted.
  public var queuedInputs = 1 << 16
  /// Publications kept for a network thread that fell behind, about a second's worth. Older ones
  /// are dropped, and the sessions are caught up with.
  public var queuedPublications = 64

  public init() {}

  /// What is wrong with a number among them, in words; nil for nothing.
  var problem: String? {
    for (name, path, range) in Self.ranges where !range.contains(self[keyPath: path]) {
      return "the limit \(name) must be \(range.lowerBound) to \(range.upperBound), "
        + "not \(self[keyPath: path])"
    }
    return nil
  }

  /// What a limit can be without harm; nil for a path that is none.
  public static func range(of limit: KeyPath<Limits, Int>) -> ClosedRange<Int>? {
    ranges.first { $0.path == limit }?.range
  }

  /// Every limit, and what it can be without harm: at least 1, and no more than its type or its
  /// memory can take.
  private static let ranges:
    [(name: String, path: KeyPath<Limits, Int> & Sendable, range: ClosedRange<Int>)] = [
      ("connections", \.connections, 1...People.mostPeople),
      ("connectionsPerAddress", \.connectionsPerAddress, 1...People.mostPeople),
      ("messageBytes", \.messageBytes, WireLimits.clientMessageBytes...1 << 24),
      ("tiltsPerSecond", \.tiltsPerSecond, rates),
      ("commandsPerSecond", \.commandsPerSecond, rates),
      ("commandsPerSecondPerAddress", \.commandsPerSecondPerAddress, rates),
      ("commandsPerTick", \.commandsPerTick, 1...CommandQueue.mostPerTick),
      ("waitingCommands", \.waitingCommands, 1...1 << 16),
      ("movesPerSecond", \.movesPerSecond, rates),
      ("movesPerSecondPerAddress", \.movesPerSecondPerAddress, rates),
      ("waitingMoves", \.waitingMoves, 1...CommandQueue.mostMoves),
      ("waitingAimedInputs", \.waitingAimedInputs, 1...1 << 20),
      ("waitingAimedInputsPerClient", \.waitingAimedInputsPerClient, 1...1 << 16),
      ("wordsPerSecond", \.wordsPerSecond, rates),
      ("wordsPerSecondPerAddress", \.wordsPerSecondPerAddress, rates),
      ("clocksPerSecond", \.clocksPerSecond, rates),
      ("clocksPerSecondPerAddress", \.clocksPerSecondPerAddress, rates),
      ("streamsPerSecond", \.streamsPerSecond, rates), ("streamBurst", \.streamBurst, rates),
      ("messagesPerSecondPerAddress", \.messagesPerSecondPerAddress, rates),
      ("hellosPerSecondPerAddress", \.hellosPerSecondPerAddress, rates),
      ("helloBurstPerAddress", \.helloBurstPerAddress, rates),
      ("takeOversPerSecondPerAddress", \.takeOversPerSecondPerAddress, rates),
      ("takeOverBurstPerAddress", \.takeOverBurstPerAddress, rates),
      ("takeOversPerSecondPerPerson", \.takeOversPerSecondPerPerson, rates),
      ("takeOverBurstPerPerson", \.takeOverBurstPerPerson, rates),
      ("encodedBodiesPerTick", \.encodedBodiesPerTick, 1...1 << 24),
      ("othersPerTick", \.othersPerTick, 1...1 << 24),
      ("snapshotBytesPerTick", \.snapshotBytesPerTick, 1...1 << 30),
      ("snapshotBytesPerSecondPerAddress", \.snapshotBytesPerSecondPerAddress, rates),
      ("snapshotBurstBytesPerAddress", \.snapshotBurstBytesPerAddress, mostSnapshot...1 << 30),
      ("worldBytesPerSecond", \.worldBytesPerSecond, rates),
      ("worldBytesPerSecondPerAddress", \.worldBytesPerSecondPerAddress, rates),
      ("stillHandSeconds", \.stillHandSeconds, seconds),
      ("holdSeconds", \.holdSeconds, seconds),
      ("openedHandSeconds", \.openedHandSeconds, seconds),
      ("helloSeconds", \.helloSeconds, seconds),
      ("pingSeconds", \.pingSeconds, seconds), ("silenceSeconds", \.silenceSeconds, seconds),
      ("resumeSeconds", \.resumeSeconds, seconds),
      ("stalledSeconds", \.stalledSeconds, seconds),
      ("queuedInputs", \.queuedInputs, 1...1 << 24),
      ("queuedPublications", \.queuedPublications, 1...1024),
    ]

  /// The largest message: an address that may never have one could not follow.
  private static let mostSnapshot = 1 << 20
  private static let rates = 1...1_000_000_000
  private static let seconds = 1...65_535
}
