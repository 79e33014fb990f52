import Foundation
import Wire

/// Writes the messages that a client in step gets of a trace, one after the other with its length
/// in four bytes before it, and times their decoding: for comparing builds of the decoder.
struct RecordRun {
  private(set) var report = RecordReport()
  private let trace: Trace
  private let shape: StreamShape

  init(trace: Trace, profile: CodecProfile, rate: FrameRate) {
    self.trace = trace
    shape = trace.shape(profile: profile, rate: rate)
  }

  mutating func run(writingTo path: String) throws {
    let encoder = StreamEncoder(shape)
    let decoder = StreamDecoder()
    var bodies: [StreamBody] = []
    var message: [UInt8] = []
    var file = Data()
    var decoded = 0
    var times: [Double] = []
    var tick = shape.rate.interval * 7
    for index in stride(from: 0, to: trace.ticks, by: Int(shape.rate.interval)) {
      trace.bodies(at: index, recycling: false, into: &bodies)
      message.removeAll(keepingCapacity: true)
      encoder.encode(bodies, tick: tick, gravity: trace.gravity(at: index), into: &message)
      withUnsafeBytes(of: UInt32(message.count).littleEndian) { file.append(contentsOf: $0) }
      file.append(contentsOf: message)
      let started = ContinuousClock.now
      try decoder.decode(message)
      times.append((ContinuousClock.now - started) / .microseconds(1))
      decoded += bodies.count
      tick += shape.rate.interval
      report.messages += 1
    }
    report.decodeNsPerBody = times.reduce(0, +) * 1000 / Double(max(1, decoded))
    times.removeFirst()
    times.sort()
    report.p50Us = times.isEmpty ? 0 : times[times.count / 2]
    report.hash = String(decoder.world.placesHash, radix: 16)
    do {
      try file.write(to: URL(fileURLWithPath: path))
    } catch {
      throw Failure("cannot write \(path)")
    }
  }
}

/// What `RecordRun` found.
struct RecordReport: Encodable {
  var messages = 0
  var decodeNsPerBody = 0.0
  /// Of a message, the keyframe left out: half of them take no longer.
  var p50Us = 0.0
  /// Of the last world.
  var hash = ""

  private enum CodingKeys: String, CodingKey {
    case messages
    case decodeNsPerBody = "decode_ns_per_body"
    case p50Us = "p50_us"
    case hash
  }
}
