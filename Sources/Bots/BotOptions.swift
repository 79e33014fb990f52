import Wire

/// How many bots, how long, and how they behave.
public struct BotOptions: Sendable {
  /// Clients at the same time, 1…10 000.
  public var count: Int
  /// Seconds from the first connection on, 1…86 400.
  public var seconds: Int
  /// What they follow: the state stream, or the log with a world of their own.
  public var stream: StreamKind
  /// Frames a second asked for.
  public var rate: FrameRate
  /// How exactly they want to know where things are.
  public var profile: CodecProfile
  /// Whether they decode and check the frames of the state stream. Without it one core is enough
  /// for thousands of them, which then know nothing of gaps, of latency, or of where anything is,
  /// and so take hold of nothing.
  public var decodes: Bool
  /// How many of them read for one second and then pause for three, over and over.
  public var slow: Int
  /// Bots a second that leave and come back.
  public var churn: Double
  /// Where those who follow the log leave both worlds when theirs was another one than the
  /// server's; nil for nowhere.
  public var dump: DumpFolder?
  /// Decides every bot's script.
  public var seed: UInt64

  public init(
    count: Int, seconds: Int, stream: StreamKind = .state, rate: FrameRate = .hz60,
    profile: CodecProfile = .strict, decodes: Bool = true, slow: Int = 0, churn: Double = 0,
    dump: DumpFolder? = nil, seed: UInt64 = 1
  ) {
    self.count = count
    self.seconds = seconds
    self.stream = stream
    self.rate = rate
    self.profile = profile
    self.decodes = decodes
    self.slow = slow
    self.churn = churn
    self.dump = dump
    self.seed = seed
  }
}
