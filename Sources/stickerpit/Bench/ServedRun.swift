import Foundation
import Wire

/// Codes a trace as a server sends it to who is in step, calm frames held back, decodes and
/// compares, and tells the bytes of headers from those of content.
struct ServedRun {
  let trace: Trace
  let shape: StreamShape
  private(set) var report = ServedReport()

  init(trace: Trace, profile: CodecProfile, rate: FrameRate) {
    self.trace = trace
    shape = trace.shape(profile: profile, rate: rate)
  }

  mutating func run() throws {
    let encoder = StreamEncoder(shape, holdsCalm: true)
    let decoder = StreamDecoder()
    var bodies: [StreamBody] = []
    var message: [UInt8] = []
    var expected = LatticeWorld()
    var tick = shape.rate.interval * 7
    for index in stride(from: 0, to: trace.ticks, by: Int(shape.rate.interval)) {
      trace.bodies(at: index, recycling: false, into: &bodies)
      message.removeAll(keepingCapacity: true)
      let kind = encoder.encode(
        bodies, tick: tick, gravity: trace.gravity(at: index), into: &message)
      if kind != .held {
        let held = try decoder.decode(message).held
        encoder.copyWorld(into: &expected)
        guard decoder.world == expected else {
          throw Failure("\(trace.name): the decoder differs at tick \(index)")
        }
        if kind == .state { report.add(message: message.count, held: Int(held)) }
      }
      tick += shape.rate.interval
    }
    report.finish(rate: shape.rate)
  }
}

/// What `ServedRun` found. Headers are the WebSocket's 2 bytes (4 from 126 bytes on) and the
/// message's own 1, or 3 with frames that were held back.
struct ServedReport: Encodable {
  private(set) var frames = 0
  private(set) var messages = 0
  private(set) var messagesPerS = 0.0
  private(set) var headerBytesPerTick = 0.0
  private(set) var contentBytesPerTick = 0.0
  private(set) var kbitPerS = 0.0
  /// Frames held back before one, at most.
  private(set) var mostHeld = 0

  mutating func add(message bytes: Int, held: Int) {
    let own = held > 0 ? 3 : 1
    frames += 1 + held
    messages += 1
    headerBytesPerTick += Double(own + (bytes < 126 ? 2 : 4))
    contentBytesPerTick += Double(bytes - own)
    mostHeld = max(mostHeld, held)
  }

  mutating func finish(rate: FrameRate) {
    let all = Double(max(1, frames))
    messagesPerS = Double(messages) / all * Double(rate.rawValue)
    headerBytesPerTick /= all
    contentBytesPerTick /= all
    kbitPerS = (headerBytesPerTick + contentBytesPerTick) * Double(rate.rawValue) * 8 / 1000
  }

  private enum CodingKeys: String, CodingKey {
    case frames, messages
    case messagesPerS = "messages_per_s"
    case headerBytesPerTick = "header_bytes_per_tick"
    case contentBytesPerTick = "content_bytes_per_tick"
    case kbitPerS = "kbit_per_s"
    case mostHeld = "most_held"
  }
}
