import Transport
import Wire

@testable import Server

/// A client that says what a test tells it to, and remembers what it heard.
final class Probe: ClientDelegate {
  private(set) var connection: (any Connection)?
  private(set) var welcome: Welcome?
  private(set) var welcomes = 0
  private(set) var people: (count: UInt16, listed: [Person])?
  private(set) var peopleNotices = 0
  private(set) var hostNotices: [HostNotice] = []
  private(set) var renamed: [Person] = []
  private(set) var codes: [NoticeCode] = []
  private(set) var tiltNotices: [TiltNotice] = []
  private(set) var tilts: [[PersonTilt]] = []
  private(set) var echoes: [ClockEcho] = []
  private(set) var events: [WireEvent] = []
  private(set) var eventTicks: [UInt32] = []
  private(set) var receipts: [Receipt] = []
  private(set) var lateTilts: [LateTilt] = []
  private(set) var returnDelays: [UInt16] = []
  private(set) var decoder = StreamDecoder()
  private(set) var frames: [StateFrameInfo] = []
  private(set) var closed: (code: CloseCode, reason: String)?
  private(set) var failures: [WireError] = []

  private let clients: () -> MemoryClients
  private let hello: Hello?

  /// - Parameters:
  ///   - hello: what to say as soon as the connection is open; nil for nothing.
  ///   - address: where it connects from.
  init(_ pit: VirtualServer, hello: Hello? = Hello(), address: String = "127.0.0.1") {
    self.hello = hello
    var pool: MemoryClients?
    clients = { pool! }
    pool = pit.network.clients(self)
    pool!.connect(from: address)
  }

  func say(_ message: ClientMessage) {
    var bytes: [UInt8] = []
    message.encode(into: &bytes)
    say(bytes: bytes)
  }

  func say(bytes: [UInt8]) {
    _ = connection?.send(OutgoingFrame(copying: bytes))
  }

  /// Takes hold of the first body where it is.
  func grabFirst() throws -> LatticeBody {
    let body = decoder.world.bodies[0]
    grab(body)
    return body
  }

  /// Takes hold of a body where it is.
  func grab(_ body: LatticeBody) {
    say(
      .grab(
        slot: body.slot, generation: body.generation, x: Int16(body.x / 2), y: Int16(body.y / 2)))
  }

  /// Who holds what, as the stream tells it.
  var holders: [SceneryHolder] { decoder.world.scenery.holders }

  func leave() {
    connection?.close(.normal, reason: "")
  }

  func clientOpened(_ connection: any Connection) {
    self.connection = connection
    if let hello { say(.hello(hello)) }
  }

  func client(_ connection: any Connection, received bytes: UnsafeRawBufferPointer) {
    do throws(WireError) {
      switch try ServerMessage.decode(bytes) {
      case .frame: frames.append(try decoder.decode(bytes))
      case .welcome(let welcome):
        self.welcome = welcome
        welcomes += 1
        // What belongs to the world before is forgotten, as a page does.
        decoder = StreamDecoder()
      case .clockEcho(let echo): echoes.append(echo)
      case .notice(.people(let count, let listed)):
        people = (count, listed)
        peopleNotices += 1
      case .notice(.host(let notice)): hostNotices.append(notice)
      case .notice(.renamed(let person)): renamed.append(person)
      case .notice(.tilt(let notice)): tiltNotices.append(notice)
      case .notice(.tilts(let told)): tilts.append(told)
      case .notice(.message(let code)): codes.append(code)
      case .events(let happened):
        events.append(contentsOf: happened.events)
        eventTicks.append(contentsOf: happened.events.map { _ in happened.tick })
      case .receipt(let receipt): receipts.append(receipt)
      case .lateTilt(let tilt): lateTilts.append(tilt)
      case .comeBack(let milliseconds): returnDelays.append(milliseconds)
      case .records, .snapshot: failures.append(.unknownType(bytes[0]))
      }
    } catch {
      failures.append(error)
    }
  }

  func clientClosed(_ connection: any Connection, code: CloseCode, reason: String) {
    self.connection = nil
    closed = (code, reason)
  }

  func clientFailed(_ id: UInt64, error: TransportError) {}
}

extension VirtualServer {
  /// Asks by HTTP, and lets what takes longer be made; nil for a file.
  func ask(
    _ path: String, _ query: String = "", from address: String = "127.0.0.1"
  ) -> HTTPResponse? {
    let answer = LateAnswer()
    let request = HTTPRequest(path: path, query: query, remoteAddress: address)
    switch network.respond(to: request, later: HTTPLater { answer.response = $0 }) {
    case .file: return nil
    case .response(let response): return response
    case .later:
      advance(seconds: 0.002)
      return answer.response
    }
  }
}

/// An answer that may come later.
final class LateAnswer: @unchecked Sendable {
  var response: HTTPResponse?
}
