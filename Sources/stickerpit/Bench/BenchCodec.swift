import ArgumentParser
import Foundation
import Wire

/// Codes recorded traces with the state stream's codec and reports bytes, errors and times.
struct BenchCodec: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "codec",
    abstract: "Code a trace frame by frame, decode every frame in a second instance, compare.",
    discussion: """
      A trace is a .npy of ticks × bodies × 7 float32: x, y, angle, velocity, spin, asleep; x is NaN
      while a body is not there. Its .kind.npy and .grav.npy, and a .meta.json with W and H, stand
      beside it. Bytes a tick are a frame's payload plus 2, the first frame left out.
      """)

  enum Profile: String, ExpressibleByArgument, CaseIterable {
    case strict, visual

    var codec: CodecProfile { self == .strict ? .strict : .visual }
  }

  @Option(help: "The trace; may be given more than once.")
  var trace: [String]

  @Option(help: "Gravity by tick, if not beside the trace.")
  var gravity: String?

  @Option(help: "Frames a second: 60, 30, 20 or 10.")
  var hz: UInt8 = 60

  @Option(help: "What is kept: strict or visual.")
  var profile = Profile.strict

  @Flag(help: "Take bodies away and bring others in their slots, all the time.")
  var recycle = false

  @Flag(help: "Hold calm frames back as the server does, and tell headers from content.")
  var served = false

  @Option(help: "Write the messages of the trace to this file and time their decoding.")
  var record: String?

  @Option(help: "Train the codec's tables on the traces and write them to this Swift file.")
  var train: String?

  @Flag(help: "Print one JSON object for each trace on standard output.")
  var json = false

  func validate() throws {
    guard FrameRate(rawValue: hz) != nil else {
      throw ValidationError("--hz must be 60, 30, 20 or 10, not \(hz)")
    }
    guard !trace.isEmpty else { throw ValidationError("--trace FILE is missing") }
  }

  func run() throws {
    let traces = try trace.map { try Trace(contentsOf: $0, gravity: gravity) }
    if let train { return try write(CodecTraining.tables(from: traces), to: train) }
    for trace in traces {
      if served {
        Output.result(try servedLine(of: trace))
        continue
      }
      if let record {
        var run = RecordRun(trace: trace, profile: profile.codec, rate: FrameRate(rawValue: hz)!)
        try run.run(writingTo: record)
        Output.result(try line(of: trace, run.report))
        continue
      }
      var run = CodecRun(
        trace: trace, profile: profile.codec, rate: FrameRate(rawValue: hz)!, recycling: recycle)
      try run.run()
      Output.result(json ? try line(of: run.trace, run.report) : text(of: run))
    }
  }

  private func write(_ text: String, to path: String) throws {
    do {
      try text.write(toFile: path, atomically: true, encoding: .utf8)
    } catch {
      throw Failure("cannot write \(path)")
    }
  }

  private func servedLine(of trace: Trace) throws -> String {
    var run = ServedRun(trace: trace, profile: profile.codec, rate: FrameRate(rawValue: hz)!)
    try run.run()
    guard !json else { return try line(of: trace, run.report) }
    let report = run.report
    return String(
      format:
        "%@, %@, %d Hz: %.1f messages a second; %.2f bytes of headers, %.2f of content a frame",
      trace.name, profile.rawValue, Int(hz), report.messagesPerS, report.headerBytesPerTick,
      report.contentBytesPerTick)
  }

  /// What was run, and what came out.
  private struct Line<Report: Encodable>: Encodable {
    let trace: String
    let profile: String
    let hz: UInt8
    let bodies: Int
    let report: Report

    func encode(to encoder: Encoder) throws {
      var fields = encoder.container(keyedBy: LineKeys.self)
      try fields.encode(trace, forKey: .trace)
      try fields.encode(profile, forKey: .profile)
      try fields.encode(hz, forKey: .hz)
      try fields.encode(bodies, forKey: .bodies)
      try report.encode(to: encoder)
    }
  }

  private enum LineKeys: String, CodingKey {
    case trace, profile, hz, bodies
  }

  private func line(of trace: Trace, _ report: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let line = Line(
      trace: trace.name, profile: profile.rawValue, hz: hz, bodies: trace.bodies, report: report)
    return String(decoding: try encoder.encode(line), as: UTF8.self)
  }

  private func text(of run: CodecRun) -> String {
    let report = run.report
    func short(_ value: Double, _ digits: Int = 1) -> String {
      String(format: "%.\(digits)f", value)
    }
    return """
      \(run.trace.name), \(profile.rawValue), \(hz) Hz: \
      \(short(report.bytesPerTick)) bytes a frame, \
      \(short(report.kbitPerS)) kbit/s, \(short(report.bitsPerMovingBody, 2)) bits a moving body
        error: \(short(report.maxErrorPt, 3)) pt at most, \(short(report.rmsErrorPt, 4)) pt rms
        keyframe: \(short(report.keyframeBytes, 0)) bytes, at most \(report.keyframeBytesMax); \
      catch-up frame: \(short(report.catchUpBytes, 0)), over skipped ones \
      \(short(report.skipBytes, 0)); least frame: \(report.leastBytes)
        time: \(short(report.encodeNsPerBody, 0)) ns a body to encode, \
      \(short(report.decodeNsPerBody, 0)) to decode
      """
  }
}
