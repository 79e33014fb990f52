/// A client's first message: what it speaks and what it wants to hear.
public struct Hello: Equatable, Sendable {
  /// Protocol version; the server refuses others with a close code that names both.
  public var version: UInt16
  /// What the client wants to receive.
  public var stream: StreamKind
  /// How often it wants frames.
  public var rate: FrameRate
  /// How exactly it wants to know where things are.
  public var profile: CodecProfile
  /// The token of an earlier welcome, to be the same person again within 60 s.
  public var resumeToken: SessionToken?
  /// The last tick of the log that the client carried out, with a token only: if the person is
  /// known still and not many ticks passed, the log goes on from there, without a snapshot.
  public var knownTick: UInt32?
  /// Whether it only looks on: a screen for everybody, which is nobody in the pit.
  public var isWatching: Bool

  public init(
    version: UInt16 = WireVersion.current, stream: StreamKind = .state, rate: FrameRate = .hz60,
    profile: CodecProfile = .strict, resumeToken: SessionToken? = nil, knownTick: UInt32? = nil,
    isWatching: Bool = false
  ) {
    self.version = version
    self.stream = stream
    self.rate = rate
    self.profile = profile
    self.resumeToken = resumeToken
    self.knownTick = knownTick
    self.isWatching = isWatching
  }

  /// What is added to the stream's number where nobody plays.
  static let watching: UInt8 = 2
}

/// Which of the two streams a client receives.
public enum StreamKind: UInt8, Sendable {
  /// Quantized states: any client can draw them, nothing is simulated.
  case state = 0
  /// Inputs only, for a client that runs the same world.
  case replica = 1
}

/// Frames a second. The raw value is what the wire says.
public enum FrameRate: UInt8, CaseIterable, Sendable {
  case hz60 = 60
  case hz30 = 30
  case hz20 = 20
  case hz10 = 10

  /// Ticks of 1/60 s from one frame to the next: 1, 2, 3 or 6.
  public var interval: UInt32 { 60 / UInt32(rawValue) }

  /// The remainder of the ticks at which a profile's frames are due, divided by the interval: two
  /// streams of 60 Hz at every tick, one of the two of 30 Hz, and one of the four of 20 and 10 Hz.
  public func phase(of profile: CodecProfile) -> UInt32 {
    switch (self, profile) {
    case (.hz60, _), (.hz30, .strict), (.hz20, .strict): 0
    case (.hz30, .visual), (.hz20, .visual): 1
    case (.hz10, .strict): 2
    case (.hz10, .visual): 5
    }
  }

  /// Whether the stream of this rate and a profile has a frame at `tick`.
  public func isDue(at tick: UInt32, profile: CodecProfile) -> Bool {
    tick % interval == phase(of: profile)
  }
}

/// Sixteen secret bytes with which a person returns.
public struct SessionToken: Hashable, Sendable {
  /// Bytes 0…7, the first one lowest.
  public var low: UInt64
  /// Bytes 8…15, byte 8 lowest.
  public var high: UInt64

  public init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// Byte `index` (0…15) as it goes over the wire.
  public func byte(at index: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: (index < 8 ? low : high) >> UInt64((index & 7) * 8))
  }

  func write(to writer: inout BitWriter) {
    for index in 0..<16 { writer.write(byte: byte(at: index)) }
  }

  init(from reader: inout BitReader) throws(WireError) {
    self.init(low: 0, high: 0)
    for index in 0..<8 { low |= UInt64(try reader.readByte()) << UInt64(index * 8) }
    for index in 0..<8 { high |= UInt64(try reader.readByte()) << UInt64(index * 8) }
  }
}
