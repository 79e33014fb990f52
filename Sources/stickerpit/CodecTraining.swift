import Foundation
@_spi(Training) import Wire

/// Makes the trained tables: codes traces with models that never forget, and writes what they
/// learnt.
enum CodecTraining {
  /// Trains on `traces`, in both profiles, and returns the text of TrainedTables+Data.swift.
  static func tables(from traces: [Trace]) throws -> String {
    var last: StreamEncoder?
    for profile in CodecProfile.allCases {
      for trace in traces {
        var run = CodecRun(trace: trace, profile: profile, rate: .hz60, recycling: false)
        run.keepLearning(from: last)
        try run.learn()
        last = run.encoder
      }
    }
    guard let last else { throw Failure("no trace to train on") }
    return source(last.learntTables())
  }

  private static func source(_ characters: [UInt8]) -> String {
    var lines = ["extension TrainedTables {"]
    lines.append("  /// Written by `stickerpit bench codec --train`.")
    lines.append("  static let data: StaticString = \"\"\"")
    for start in stride(from: 0, to: characters.count, by: 92) {
      let row = characters[start..<min(start + 92, characters.count)]
      let isLast = start + 92 >= characters.count
      lines.append("    " + String(decoding: row, as: UTF8.self) + (isLast ? "" : "\\"))
    }
    lines.append("    \"\"\"")
    lines.append("}")
    return lines.joined(separator: "\n") + "\n"
  }
}

extension CodecRun {
  /// Lets the encoder's models keep what they learn, and start with what `other` learnt.
  func keepLearning(from other: StreamEncoder?) {
    encoder.keepLearning(from: other)
  }

  /// Codes the whole trace, and a keyframe now and then, without decoding.
  mutating func learn() throws {
    var tick: UInt32 = 1
    var bodies: [StreamBody] = []
    var frame: [UInt8] = []
    for index in 0..<trace.ticks {
      trace.bodies(at: index, recycling: false, into: &bodies)
      frame.removeAll(keepingCapacity: true)
      encoder.encode(bodies, tick: tick, gravity: trace.gravity(at: index), into: &frame)
      if index % 40 == 0 { encoder.keyframe(into: &frame) }
      tick += shape.rate.interval
    }
  }
}
