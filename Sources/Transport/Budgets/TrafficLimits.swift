/// How much traffic a listener takes: from everybody, from one address (an IPv4 address or an IPv6
/// /64) and from one connection. Every rate is by the clock. What everybody may do together is the
/// pace of one network thread, and each of several has its own; what an address may do is counted
/// over all threads together (``PortShare``).
///
/// The defaults are made for a venue: 500 phones behind one address load the page, which is about
/// 70 small files, over six sockets each, and up to 4000 phones come back at once after a restart.
public struct TrafficLimits: Sendable, Equatable {
  // MARK: New connections

  /// Connections accepted a second. Each costs about 20 µs, so this is a twenty-fifth of the
  /// network thread; what is more waits in the kernel.
  public var connectionsPerSecond = 2000
  /// Connections accepted at once: all of the phones.
  public var connectionsBurst = 4000
  /// Connections closed at once, a second and in one moment, because their address has too many:
  /// 6 µs each, so this is a tenth of the network thread.
  public var refusalsPerSecond = 16_000
  public var refusalsBurst = 1600
  /// Connections a second from one address; what is more is closed at once. After the burst, the
  /// pages of 16 more phones with six sockets each.
  public var connectionsPerSecondPerAddress = 100
  /// Connections from one address at once: 500 phones with six sockets, and those that try again.
  public var connectionsBurstPerAddress = 4000
  /// New TLS connections a second. A handshake costs about 1 ms of the thread that also fans out,
  /// so this is a quarter of it, and 4000 phones are back within 16 s.
  public var handshakesPerSecond = 250
  /// TLS handshakes at once: two ticks' time. Addresses take turns, so a flood from one of them
  /// leaves the others their share.
  public var handshakesBurst = 32
  /// Handshakes a second, and at once, of clients that must be asked for another key share. Their
  /// second ClientHello comes when it likes, so they are few; no browser is among them.
  public var repeatedHelloesPerSecond = 25
  public var repeatedHelloesBurst = 16
  /// TLS connections that have begun their handshake, and whose first request has not come yet; the
  /// one that did nothing for longest makes room. At the handshakes' pace, with a round trip of a
  /// second.
  public var handshakesAtOnce = 256

  // MARK: Visitors: sockets that are no WebSocket, or not yet

  /// Visitors at a time, apart from the WebSockets, and as many that wait for a TLS handshake. When
  /// the pool is full, the visitor that did nothing for longest makes room.
  public var visitors = 4096
  /// Visitors of one address at a time: 500 phones with six sockets, and some more.
  public var visitorsPerAddress = 3072
  /// Seconds until the first request is complete, a TLS handshake included: three round trips,
  /// which take a bad mobile network about a second each, and three times as much to be safe.
  public var firstRequestSeconds = 10
  /// Seconds for the head of every further request, from its first byte. A head has 8 kB at most;
  /// whoever needs longer sends it byte by byte to keep its place.
  public var requestSeconds = 10
  /// Seconds between two requests. A page asks for its files one right after the other; longer, and
  /// the pool fills with sockets that browsers keep for nothing.
  public var idleSeconds = 15
  /// Seconds for which a visitor may stay in all. What is being sent then is sent to its end. A
  /// line of 20 kB a second brings the page, about 1 MB, in fifty.
  public var visitSeconds = 60
  /// Seconds in which a visitor must have taken ``leastBytesPerSecond`` of an answer on average: so
  /// long that a lift or a change of the radio cell ends no answer.
  public var slownessSeconds = 10
  /// Bytes a second that a visitor must take of an answer. The slowest mobile network in use gives
  /// several times as much.
  public var leastBytesPerSecond = 4000
  /// Seconds for an answer that is made elsewhere. Metrics and worlds take milliseconds; a part of
  /// the journal takes seconds where the disk is busy. What takes longer is a fault.
  public var answerSeconds = 30

  // MARK: Answers

  /// Requests a second from one address, and at once: the page for 500 phones.
  public var requestsPerSecondPerAddress = 1000
  public var requestsBurstPerAddress = 40_000
  /// Bytes of answers a second to one address, and at once: a gigabit line, and the page (about
  /// 1 MB) for 500 phones.
  public var answerBytesPerSecondPerAddress = 128_000_000
  public var answerBytesBurstPerAddress = 1_000_000_000
  /// Microseconds of the network thread a second for the requests of one address, and at once.
  /// A small file takes 50 of them, so the page for 500 phones takes 1.8 s.
  public var answerMicrosecondsPerSecondPerAddress = 100_000
  public var answerMicrosecondsBurstPerAddress = 3_000_000
  /// Microseconds of the network thread a second for all requests; what is more waits. Handshakes
  /// may take another quarter, and what is left is for frames. At once: the page for 170 phones.
  public var answerMicrosecondsPerSecond = 300_000
  public var answerMicrosecondsBurst = 600_000
  /// Microseconds that a connection costs besides its requests: to accept, adopt and close it.
  public var connectionMicroseconds = 40
  /// Microseconds that reading a request costs, and hearing that it may be answered.
  public var requestMicroseconds = 10
  /// Microseconds for requests between two looks at everything else: an eighth of a tick.
  public var answerMicrosecondsPerTurn = 2000
  /// Bytes of answers between two looks at everything else: about those of the whole page.
  public var answerBytesPerTurn = 1 << 20
  /// Addresses that are remembered with what they used; who is active stays remembered. Twice as
  /// many as there may be connections by default.
  public var rememberedAddresses = 8192

  // MARK: WebSockets

  /// Bytes a second from one WebSocket. A phone that tilts 60 times a second and moves three
  /// fingers sends 5 kB/s; twice as much is allowed.
  public var bytesPerSecond = 10_000
  /// Bytes at once: phones' radios deliver several seconds in a lump.
  public var bytesBurst = 80_000
  /// Frames a second from one WebSocket, pings, pongs and empty fragments too. The same phone sends
  /// 250; twice as many are allowed.
  public var framesPerSecond = 500
  /// Frames at once: eight seconds' worth, as of the bytes.
  public var framesBurst = 4000
  /// Pings and pongs a second from one WebSocket: twice as many as the server asks for of a client
  /// that it watches (`ReadingGauge.pingInterval`). They carry no message that the allowance of an
  /// address could count, and each costs 2 µs: of five hundred connections, 4 % of the thread.
  public var controlsPerSecond = 40
  /// Pings and pongs at once: ten seconds' worth in a lump.
  public var controlsBurst = 400

  public init() {}

  /// What a limit can be without harm.
  public static func range(of limit: KeyPath<TrafficLimits, Int>) -> ClosedRange<Int> {
    // Every visitor has a slot in tables that are made at the start.
    limit == \.visitors ? visitorCounts : counts
  }

  private static let counts = 1...1_000_000_000
  private static let visitorCounts = 1...65_536

  /// Refuses what would trap or let nobody in.
  func validate() throws(TransportError) {
    let rates = [
      connectionsPerSecond, refusalsPerSecond, connectionsPerSecondPerAddress, handshakesPerSecond,
      repeatedHelloesPerSecond, requestsPerSecondPerAddress, answerBytesPerSecondPerAddress,
      answerMicrosecondsPerSecondPerAddress, answerMicrosecondsPerSecond, bytesPerSecond,
      framesPerSecond, controlsPerSecond,
    ]
    let amounts = [
      connectionsBurst, refusalsBurst, connectionsBurstPerAddress, handshakesBurst,
      repeatedHelloesBurst,
      handshakesAtOnce, visitors, visitorsPerAddress, firstRequestSeconds, requestSeconds,
      idleSeconds,
      visitSeconds, slownessSeconds, leastBytesPerSecond, answerSeconds, requestsBurstPerAddress,
      answerBytesBurstPerAddress, answerMicrosecondsBurstPerAddress, answerMicrosecondsBurst,
      answerMicrosecondsPerTurn, answerBytesPerTurn, connectionMicroseconds, requestMicroseconds,
      rememberedAddresses, bytesBurst, framesBurst, controlsBurst,
    ]
    guard rates.allSatisfy(Self.counts.contains), amounts.allSatisfy(Self.counts.contains)
    else { throw .badConfiguration("every limit on traffic must be 1 to 1000000000") }
    guard Self.visitorCounts.contains(visitors) else {
      throw .badConfiguration("the number of visitors must be 1 to 65536")
    }
  }
}
