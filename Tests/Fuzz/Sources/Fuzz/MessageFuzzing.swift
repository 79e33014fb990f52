import Simulation
import Wire

/// Messages in both directions: what decodes must encode to the same bytes again, so that there is
/// one form for each meaning.
enum MessageFuzzing {
  static func decodeClient(_ bytes: UnsafeRawBufferPointer) {
    guard let message = try? ClientMessage.decode(bytes) else { return }
    var again: [UInt8] = []
    message.encode(into: &again)
    precondition(again.elementsEqual(bytes), "a client message has two forms")
  }

  static func decodeServer(_ bytes: UnsafeRawBufferPointer) {
    guard let message = try? ServerMessage.decode(bytes) else { return }
    switch message {
    // Others read what is behind their type bytes: the streams', the packing's and the records'.
    case .frame, .snapshot, .records: return
    default: break
    }
    var again: [UInt8] = []
    message.encode(into: &again)
    precondition(again.elementsEqual(bytes), "a server message has two forms")
  }

  static func clientSeeds() throws -> [[UInt8]] {
    let token = SessionToken(low: 0x0706_0504_0302_0100, high: 0x0F0E_0D0C_0B0A_0908)
    let messages: [ClientMessage] = [
      .hello(Hello()), .hello(Hello(rate: .hz20, profile: .visual, resumeToken: token)),
      .tilt(x: 4096, y: -16_384), .drop(kind: 3, x: 2880, y: 80),
      .throwSticker(x: 2880, y: 3840, velocityX: 600, velocityY: -1200), .clock(stamp: 0x0102_0304),
      .grab(slot: 4, generation: 1, x: 4450, y: 2050),
      .move(slot: 4, x: 2880, y: 3840), .release(slot: 4, velocityX: 600, velocityY: -1200),
      .snap(slot: 4, generation: 1, x: 2880, y: 3840), .say(try Words("生日快乐! Rain")),
      .stream(kind: .state, rate: .hz20, profile: .visual),
      .aimed(at: 1009, message: .move(slot: 4, x: 2880, y: 3840)),
      .report(ClientReport(rollbacks: 12, replayedTicks: 96)),
    ]
    let played = try FuzzScene(.strict).messages(300).client
    return (messages + played.prefix(60)).map { message in
      var bytes: [UInt8] = []
      message.encode(into: &bytes)
      return bytes
    }
  }

  static func serverSeeds() throws -> [[UInt8]] {
    let people = [
      Person(id: 7, colour: 0xFF8040, name: try Name("Fox")),
      Person(id: 2, colour: 0x2060C0, name: try Name("Büffel 雪🐙")),
    ]
    let contact = WireContact(slot: 0, other: 0x8001, x: 800, y: 3200)
    let events: [WireEvent] = [
      .rainBegan(keyword: 19, client: 7), .floorWarning, .floorOpened, .floorClosed,
      .contactBegan(contact), .contactEnded(contact), .grabRefused(slot: 4, holder: 2),
    ]
    let welcome = Welcome(
      clientID: 7, colour: 0xFF8040, name: try Name("Fox"), token: SessionToken(low: 1, high: 2),
      tick: 1000, worldWidth: 720, worldHeight: 960, scene: 0, bodyCap: 331)
    let messages: [ServerMessage] = [
      .welcome(welcome), .clockEcho(ClockEcho(stamp: 1, tick: 1002, microseconds: 8300)),
      .notice(.people(count: 2, listed: people)), .notice(.message(.slowedDown)),
      .events(WireEvents(tick: 1002, events: events)),
    ]
    let played = try Scene.allCases.flatMap { scene in
      try FuzzScene(.strict, scene: scene).messages(400).server.prefix(20)
    }
    return (messages + played).map { message in
      var bytes: [UInt8] = []
      message.encode(into: &bytes)
      return bytes
    }
  }
}
