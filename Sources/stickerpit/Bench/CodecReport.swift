import Foundation
import Wire

/// What `bench codec` found: sums while it runs, figures when it is done.
struct CodecReport: Encodable {
  private(set) var frames = 0
  /// Payload plus 2 for the WebSocket's header, the first frame left out.
  private(set) var bytesPerTick = 0.0
  private(set) var kbitPerS = 0.0
  private(set) var bitsPerMovingBody = 0.0
  private(set) var maxErrorPt = 0.0
  private(set) var rmsErrorPt = 0.0
  /// Mean and worst of a keyframe every 60 ticks.
  private(set) var keyframeBytes = 0.0
  private(set) var keyframeBytesMax = 0
  /// Mean of a frame for a client that is not in step and has the last tick.
  private(set) var catchUpBytes = 0.0
  /// Mean of a frame that leads over skipped ones.
  private(set) var skipBytes = 0.0
  /// The smallest frame's payload.
  private(set) var leastBytes = Int.max
  private(set) var encodeNsPerBody = 0.0
  private(set) var decodeNsPerBody = 0.0

  private var totalBytes = 0
  private var bodies = 0
  private var moved = 0
  private var squares = 0.0
  private var coordinates = 0
  private var keyframes = 0
  private var catchUps = 0
  private var skips = 0
  private var encoding = Duration.zero
  private var decoding = Duration.zero

  mutating func add(
    frame bytes: Int, bodies: Int, moved: Int, encoding: Duration, decoding: Duration
  ) {
    frames += 1
    totalBytes += bytes + 2
    leastBytes = min(leastBytes, bytes)
    self.bodies += bodies
    self.moved += moved
    self.encoding += encoding
    self.decoding += decoding
  }

  mutating func add(keyframe bytes: Int) {
    keyframes += 1
    keyframeBytes += Double(bytes)
    keyframeBytesMax = max(keyframeBytesMax, bytes)
  }

  mutating func add(catchUp bytes: Int) {
    catchUps += 1
    catchUpBytes += Double(bytes)
  }

  mutating func add(skip bytes: Int) {
    skips += 1
    skipBytes += Double(bytes)
  }

  mutating func add(
    errorsOf truth: [StreamBody], in world: LatticeWorld, profile: CodecProfile
  ) {
    for (body, coded) in zip(truth, world.bodies) {
      for error in [
        Double(body.x) - Double(coded.x) / profile.stepsPerPoint,
        Double(body.y) - Double(coded.y) / profile.stepsPerPoint,
      ] {
        maxErrorPt = max(maxErrorPt, abs(error))
        squares += error * error
        coordinates += 1
      }
    }
  }

  mutating func finish(rate: FrameRate) {
    bytesPerTick = Double(totalBytes) / Double(max(1, frames))
    kbitPerS = bytesPerTick * Double(rate.rawValue) * 8 / 1000
    bitsPerMovingBody = Double(totalBytes) * 8 / Double(max(1, moved))
    rmsErrorPt = (squares / Double(max(1, coordinates))).squareRoot()
    keyframeBytes /= Double(max(1, keyframes))
    catchUpBytes /= Double(max(1, catchUps))
    skipBytes /= Double(max(1, skips))
    encodeNsPerBody = encoding / .nanoseconds(max(1, bodies))
    decodeNsPerBody = decoding / .nanoseconds(max(1, bodies))
  }

  private enum CodingKeys: String, CodingKey {
    case frames
    case bytesPerTick = "bytes_per_tick"
    case kbitPerS = "kbit_per_s"
    case bitsPerMovingBody = "bits_per_moving_body"
    case maxErrorPt = "max_error_pt"
    case rmsErrorPt = "rms_error_pt"
    case keyframeBytes = "keyframe_bytes"
    case keyframeBytesMax = "keyframe_bytes_max"
    case catchUpBytes = "catch_up_bytes"
    case skipBytes = "skip_bytes"
    case leastBytes = "least_bytes"
    case encodeNsPerBody = "encode_ns_per_body"
    case decodeNsPerBody = "decode_ns_per_body"
  }
}
