import Wire

/// Somebody's end of a stream: what has arrived there, and whether it takes anything now.
struct PlayedClient {
  /// Where the stream that it receives stands among the play's.
  private(set) var stream: Int
  private var witness = FrameWitness()
  private var position: StreamPosition?
  /// It takes nothing before this tick.
  private var stalledUntil: UInt32 = 0

  init(stream: Int) {
    self.stream = stream
  }

  /// Now and then something happens on its line: it stalls for a moment or for longer than catch-up
  /// frames reach, takes another stream, or begins anew.
  mutating func live(at tick: UInt32, streams: Int, _ chance: inout PlayChance) {
    switch chance.below(400) {
    case 0...5: stalledUntil = tick &+ UInt32(chance.from(1...20))
    case 6: stalledUntil = tick &+ UInt32(chance.from(60...480))
    case 7:
      stream = chance.below(streams)
      position = nil
    case 8: self = PlayedClient(stream: stream)
    default: break
    }
  }

  /// Takes what the stream has for it at a tick.
  mutating func receive(from source: PlayedStream, at tick: UInt32) -> FrameFault? {
    guard tick >= stalledUntil, let (bytes, next) = source.frame(for: position) else { return nil }
    position = next
    return source.fault(of: bytes, for: witness)
  }
}
