// How the trained tables come to be: what they are for is the first uses of each probability after
// a restart, so those are counted. `stickerpit bench codec --train` writes the tables' file.

/// Follows streams and counts, for every probability, how often it should have said 1, and what a
/// start from the best constant would be.
///
/// A start's share in what a probability says fades as it learns, so each use counts with the
/// share that the start still has. And each stream counts by its size, so that the tables are for
/// calm ones as much as for wild ones.
@_spi(Training)
public final class StreamTrainer {
  private let tally = StreamTally(count: CodecModels.count)
  private var zeros = [Double](repeating: 0, count: CodecModels.count)
  private var ones = [Double](repeating: 0, count: CodecModels.count)

  public init() {}

  /// Begins a stream; its frames follow.
  public func follow(_ shape: StreamShape) -> StreamTrainee {
    tally.clear()
    return StreamTrainee(shape, tally: tally)
  }

  /// Ends a stream of `bytes` bytes: what was counted is added to what is known.
  public func add(bytes: Int) {
    let share = 1 / Double(bytes > 0 ? bytes : 1)
    for index in 0..<CodecModels.count {
      zeros[index] += tally.zeros[index] * share
      ones[index] += tally.ones[index] * share
    }
  }

  /// The best starts, as the trained tables' characters. What was never used starts at one half.
  public func tables() -> [UInt8] {
    let doubt = 0.4 / 2_000_000.0
    return (0..<CodecModels.count).map { index in
      let chance = (ones[index] + doubt) / (ones[index] + zeros[index] + 2 * doubt)
      return TrainedTables.character(for: UInt16(chance * 65_535))
    }
  }
}

/// A decoder that counts.
@_spi(Training)
public final class StreamTrainee {
  private let state: StreamState
  private let scratch: StreamState
  private let tally: StreamTally

  init(_ shape: StreamShape, tally: StreamTally) {
    state = StreamState(shape)
    scratch = StreamState(shape)
    self.tally = tally
  }

  /// Takes the keyframe that a stream opens with, or one that somebody else gets in the middle.
  public func take(keyframe: [UInt8], opens: Bool) throws(WireError) {
    let target = opens ? state : scratch
    target.clear()
    target.models.restart()
    try count(keyframe, at: 6 + StreamFrame.shapeBytes, isKeyframe: true, in: target)
    if opens { state.restart() }
  }

  /// Takes the stream's next frame.
  public func take(frame: [UInt8], tick: UInt32) throws(WireError) {
    try count(frame, at: 1, isKeyframe: false, in: state)
    if state.shape.restarts(after: tick) {
      state.restart()
      tally.restart()
    }
  }

  private func count(
    _ frame: [UInt8], at start: Int, isKeyframe: Bool, in target: StreamState
  ) throws(WireError) {
    if isKeyframe { tally.enter() }
    let result: Result<Void, WireError> = frame.withUnsafeBytes { bytes in
      var coder = CountingDecoder(
        decoder: RangeDecoder(UnsafeRawBufferPointer(rebasing: bytes[start...])), tally: tally,
        models: target.models)
      do throws(WireError) {
        try target.codeFrame(
          frames: 1, widening: isKeyframe ? .none : .full, isKeyframe: isKeyframe, gravity: .down,
          scenery: nil,
          targets: nil, targetEnd: 0, with: &coder)
        if isKeyframe { target.codeVelocities(frames: 1, velocities: nil, with: &coder) }
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    if isKeyframe { tally.leave() }
    try result.get()
  }
}

/// Counts by probability.
final class StreamTally {
  private(set) var zeros: [Double]
  private(set) var ones: [Double]
  /// What is left of the start in each probability's two rates, in the stream and in a keyframe.
  private var stream: [SIMD2<Double>]
  private var keyframe: [SIMD2<Double>]
  private var isKeyframe = false

  init(count: Int) {
    zeros = Array(repeating: 0, count: count)
    ones = zeros
    stream = Array(repeating: SIMD2(1, 1), count: count)
    keyframe = stream
  }

  func clear() {
    for index in zeros.indices {
      zeros[index] = 0
      ones[index] = 0
    }
    restart()
  }

  func restart() {
    for index in stream.indices { stream[index] = SIMD2(1, 1) }
  }

  func enter() {
    isKeyframe = true
    for index in keyframe.indices { keyframe[index] = SIMD2(1, 1) }
  }

  func leave() { isKeyframe = false }

  func note(_ bit: Int, at index: Int) {
    let left = isKeyframe ? keyframe[index] : stream[index]
    let share = (left[0] + left[1]) / 2
    if bit != 0 { ones[index] += share } else { zeros[index] += share }
    let next = left * SIMD2(15.0 / 16, 127.0 / 128)
    if isKeyframe { keyframe[index] = next } else { stream[index] = next }
  }
}

/// A range decoder that tells every adaptive bit.
private struct CountingDecoder: BinaryCoder {
  static var isDecoder: Bool { true }

  var decoder: RangeDecoder
  let tally: StreamTally
  let models: CodecModels

  mutating func code(_ bit: Int, probability: UInt32) -> Int {
    decoder.code(bit, probability: probability)
  }

  mutating func code(_ bit: Int, with model: UnsafeMutablePointer<Probability>) -> Int {
    let coded = decoder.code(bit, with: model)
    tally.note(coded, at: models.index(of: model))
    return coded
  }
}
