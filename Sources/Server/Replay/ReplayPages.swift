import Foundation
import Simulation
import Synchronization
import TickLog
import Transport

/// Gives pages what they show the past with: what there is, and the stretches of it.
///
/// | path | answer |
/// |---|---|
/// | `/` | sends on to `/?replay`, by which a page knows what it shows |
/// | `/api/replay` | JSON: the extent, the world, where and how fast to begin |
/// | `/api/replay/stretch?at=P` | the stretch that holds a position: see `bytes(of:)` |
final class ReplayPages: ListenerDelegate, Sendable {
  private let past: JournalPast
  private let extent: JournalPast.Extent
  private let summary: String
  private let stickers: StickerFolder?
  /// Stretches that are asked for and not read yet.
  private let waiting = Atomic(0)
  /// As many as a hundred pages that are opened at once ask for; each takes some milliseconds.
  private static let mostWaiting = 200
  private let run: Worker.Run
  private let log: @Sendable (String) -> Void

  /// - Parameters:
  ///   - start: the position that pages begin at, and the speed with which they do.
  ///   - stickers: the pictures of the world's stickers; without them pages show our own.
  ///   - run: runs something on another thread, where the journal is read.
  ///   - log: receives a line for what can't be read.
  init(
    _ past: JournalPast, start: UInt64, speed: Double, stickers: StickerFolder?,
    run: @escaping Worker.Run,
    log: @escaping @Sendable (String) -> Void
  ) throws(JournalError) {
    self.past = past
    self.run = run
    self.log = log
    let extent = try past.extent()
    guard let first = try past.stretch(holding: extent.first),
      let world = try? Replica(snapshot: first.snapshot.bytes)
    else { throw .noSnapshot(past.path) }
    self.extent = extent
    self.stickers = stickers
    if let stickers, world.pit.stickers != stickers.set { throw .otherStickers(past.path) }
    if stickers == nil, world.pit.stickers != nil {
      log("the world's stickers are of a set: --stickers names its folder, or pages show others")
    }
    let summary = Summary(
      first: extent.first, last: extent.last, firstTime: extent.firstTime,
      lastTime: extent.lastTime, start: start, speed: speed, scene: Int(world.pit.scene.rawValue),
      width: Int(world.pit.worldSize.x), height: Int(world.pit.worldSize.y),
      stickers: stickers?.digits ?? "")
    let text = try? JSONEncoder().encode(summary)
    self.summary = String(decoding: text ?? Data(), as: UTF8.self)
  }

  /// What `/api/replay` tells. Positions are ticks, times milliseconds since 1970, lengths points.
  private struct Summary: Encodable {
    let first: UInt64
    let last: UInt64
    let firstTime: UInt64
    let lastTime: UInt64
    let start: UInt64
    let speed: Double
    let scene: Int
    let width: Int
    let height: Int
    /// The set of the pit's stickers, as `/sets/` has it; empty for our own.
    let stickers: String
  }

  func respond(to request: HTTPRequest, later: HTTPLater) -> HTTPReply {
    switch request.path {
    case "/" where !request.query.hasPrefix("replay"), "/index.html":
      var answer = HTTPResponse.text("the past is at ?replay\n", status: 302)
      answer.headers.append(.init("Location", "./?replay"))
      return .response(answer)
    case "/api/replay": return .response(.json(summary))
    case "/api/replay/stretch":
      let digits = request.query.dropFirst("at=".count)
      guard request.query.hasPrefix("at="), digits.first != "+", let position = UInt64(digits)
      else { return .response(Self.refusal(400, "ask for /api/replay/stretch?at=POSITION")) }
      guard waiting.load(ordering: .relaxed) < Self.mostWaiting else {
        return .response(Self.refusal(503, "too many ask: try again"))
      }
      waiting.add(1, ordering: .relaxed)
      run { [self] in
        later.complete(stretch(holding: position))
        waiting.subtract(1, ordering: .relaxed)
      }
      return .later
    default: return stickers?.answer(to: request.path).map { .response($0) } ?? .file
    }
  }

  private func stretch(holding position: UInt64) -> HTTPResponse {
    do throws(JournalError) {
      guard position <= extent.last, let stretch = try past.stretch(holding: position) else {
        return Self.refusal(404, "tick \(position) is not in the journal")
      }
      return HTTPResponse(contentType: "application/octet-stream", body: Self.bytes(of: stretch))
    } catch {
      log("the journal can't be read: \(error)")
      return Self.refusal(500, "the journal can't be read there")
    }
  }

  /// A stretch as it is sent, all numbers little endian: 64 bits each of the position of its
  /// snapshot, the time when that was written and the position of the next stretch (0 for none),
  /// then 32 bits with the snapshot's length, the snapshot, and the records.
  static func bytes(of stretch: JournalPast.Stretch) -> [UInt8] {
    let snapshot = stretch.snapshot
    var bytes: [UInt8] = []
    bytes.reserveCapacity(28 + snapshot.bytes.count + stretch.records.count)
    for number in [snapshot.position, snapshot.time, stretch.next ?? 0] {
      withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
    withUnsafeBytes(of: UInt32(snapshot.bytes.count).littleEndian) { bytes.append(contentsOf: $0) }
    return bytes + snapshot.bytes + stretch.records
  }

  private static func refusal(_ status: Int, _ text: String) -> HTTPResponse {
    .json("{\"error\":\"\(text)\"}\n", status: status)
  }

  // Nobody plays here.

  func connectionOpened(_ connection: any Connection) {
    connection.close(.policy, reason: "this server shows the past")
  }

  func connection(_ connection: any Connection, received bytes: UnsafeRawBufferPointer) {}
  func connectionClosed(_ connection: any Connection) {}
}
