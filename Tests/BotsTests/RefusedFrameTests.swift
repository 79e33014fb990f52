import Testing
import Transport
import Wire

@testable import Bots

/// What a bot does after a frame that it has to refuse.
@Suite struct RefusedFrameTests {
  /// A line that notes what the bot says.
  private final class Line: Connection {
    let id: UInt64 = 1
    let remoteAddress = "127.0.0.1"
    var addressPrefix: AddressPrefix { AddressPrefix(remoteAddress) }
    var session: AnyObject?
    let end = ConnectionEnd()
    var isReading = true
    func shrinkReceiveBuffer() {}
    private(set) var heard: [ClientMessage] = []
    private(set) var isClosed = false

    func send(_ frame: OutgoingFrame) -> SendStatus {
      if let message = frame.withPayload({ try? ClientMessage.decode($0) }) {
        heard.append(message)
      }
      return .sent
    }

    func close(_ code: CloseCode, reason: String) { isClosed = true }

    var requests: Int {
      heard.count { $0 == .stream(kind: .state, rate: .hz30, profile: .visual) }
    }
  }

  private let line = Line()
  private let encoder = StreamEncoder(
    StreamShape(profile: .visual, rate: .hz30, width: 720, height: 960, slots: 8))
  private let bot: Bot

  init() {
    bot = Bot(
      index: 0, options: BotOptions(count: 1, seconds: 60, rate: .hz30, profile: .visual), now: 0)
    bot.opened(line, now: 0)
  }

  private func hear(_ message: ServerMessage, at second: Double, _ tally: inout BotTally) {
    var bytes: [UInt8] = []
    message.encode(into: &bytes)
    hear(bytes, at: second, &tally)
  }

  private func hear(_ bytes: [UInt8], at second: Double, _ tally: inout BotTally) {
    bytes.withUnsafeBytes {
      bot.received($0, now: UInt64(second * 1e9), into: &tally)
    }
  }

  private func frame(_ tick: UInt32) -> [UInt8] {
    var bytes: [UInt8] = []
    let body = StreamBody(
      slot: 0, generation: 0, kind: 0, size: 40, x: 100 + Float(tick), y: 300, angle: 0)
    encoder.encode([body], tick: tick, gravity: .down, into: &bytes)
    return bytes
  }

  private var welcome: ServerMessage {
    get throws {
      .welcome(
        Welcome(
          clientID: 1, colour: 0, name: try Name("Fox"), token: SessionToken(low: 1, high: 2),
          tick: 0, worldWidth: 720, worldHeight: 960, scene: 0, bodyCap: 8))
    }
  }

  @Test func aKeyframeMendsARefusal() throws {
    var tally = BotTally()
    hear(try welcome, at: 0, &tally)
    hear(frame(1), at: 0.1, &tally)
    #expect(tally.report.errors == 0)
    _ = frame(3)
    for tick in [UInt32(5), 7, 9] { hear(frame(tick), at: 0.2, &tally) }
    #expect(tally.report.errors == 1, "one refusal, however many frames come after it")
    #expect(tally.report.gaps > 0)
    #expect((tally.report.keyframeRequests, line.requests) == (1, 1))
    bot.act(now: 2_300_000_000, into: &tally)
    #expect((tally.report.keyframeRequests, line.requests) == (2, 2), "asked again after 2 s")
    var keyframe: [UInt8] = []
    encoder.keyframe(into: &keyframe)
    hear(keyframe, at: 2.4, &tally)
    bot.act(now: 60_000_000_000, into: &tally)
    #expect((tally.report.keyframeRequests, tally.report.errors) == (2, 1))
    #expect(!line.isClosed)
  }

  @Test func withoutAKeyframeItConnectsAnew() throws {
    var tally = BotTally()
    hear(try welcome, at: 0, &tally)
    hear(frame(1), at: 0.1, &tally)
    _ = frame(3)
    hear(frame(5), at: 0.2, &tally)
    bot.act(now: 5_100_000_000, into: &tally)
    #expect(!line.isClosed)
    bot.act(now: 5_300_000_000, into: &tally)
    #expect(line.isClosed && bot.leaving)
    #expect(tally.report.errors == 2)
  }
}
