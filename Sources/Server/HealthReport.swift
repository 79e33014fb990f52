import Foundation

/// The body of `/healthz`.
struct HealthReport: Encodable {
  struct Microseconds: Encodable {
    let p50, p99, max: UInt64
  }

  let status = "ok"
  let tick: UInt32
  /// Seconds from the first tick's deadline to the last one's.
  let elapsed: Double
  let ticksLost: UInt64
  let late: Microseconds
  let took: Microseconds
  let bodies: Int
  let people: Int
  let frames, keyframes, catchUps, skipped, bytes: Int
  /// Frames that were made, while `frames` and those beside it count how often they were sent.
  let encoded: EncodedFrames
  let droppedInputs, droppedCommands, refusedCommands: Int

  init(health: TickHealth, people: Int, traffic: Traffic) {
    tick = health.tick
    elapsed = Double(health.deadline - health.started) / 1e9
    ticksLost = health.lost
    late = Microseconds(p50: health.lateMedian, p99: health.late99, max: health.lateMaximum)
    took = Microseconds(p50: health.tookMedian, p99: health.took99, max: health.tookMaximum)
    bodies = health.bodies
    self.people = people
    frames = traffic.frames
    keyframes = traffic.keyframes
    catchUps = traffic.catchUps
    skipped = traffic.skipped
    bytes = traffic.bytes
    encoded = health.encoded
    droppedInputs = health.droppedInputs
    droppedCommands = health.droppedCommands
    refusedCommands = traffic.refusedCommands
  }

  func json() -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = [.sortedKeys]
    // Every member is a number or a plain text: encoding them can't fail.
    return try! Array(encoder.encode(self)) + [UInt8(ascii: "\n")]
  }
}
