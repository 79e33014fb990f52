import Foundation
@_spi(Training) import Wire

/// Makes the trained tables: codes traces with models that never forget, and writes what they
/// learnt.
enum CodecTraining {
  /// Trains on `traces`, in both profiles, and returns the text of TrainedTables+Data.swift.
  static func tables(from traces: [Trace]) throws -> String {
    let trainer = StreamTrainer()
    for profile in CodecProfile.allCases {
      for trace in traces {
        var run = CodecRun(trace: trace, profile: profile, rate: .hz60, recycling: false)
        try run.teach(trainer)
      }
    }
    return source(trainer.tables())
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
  /// Codes the whole trace, and a keyframe now and then, and lets the trainer read along.
  mutating func teach(_ trainer: StreamTrainer) throws {
    let trainee = trainer.follow(shape)
    var tick = shape.rate.interval * 7
    var bytes = 0
    var bodies: [StreamBody] = []
    var frame: [UInt8] = []
    for index in stride(from: 0, to: trace.ticks, by: Int(shape.rate.interval)) {
      trace.bodies(at: index, recycling: false, into: &bodies)
      frame.removeAll(keepingCapacity: true)
      encoder.encode(bodies, tick: tick, gravity: trace.gravity(at: index), into: &frame)
      if index == 0 {
        try trainee.take(keyframe: frame, opens: true)
      } else {
        try trainee.take(frame: frame, tick: tick)
        bytes += frame.count + 2
      }
      if index % 40 == 39 {
        frame.removeAll(keepingCapacity: true)
        encoder.keyframe(into: &frame)
        try trainee.take(keyframe: frame, opens: false)
      }
      tick += shape.rate.interval
    }
    trainer.add(bytes: bytes)
  }
}
