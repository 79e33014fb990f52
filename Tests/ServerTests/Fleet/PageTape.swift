import Foundation
import Play

/// Everything that one page's module was called with, in lines of text, and every second a hash of
/// all that it answered: the messages for the server, each picture's stickers, and how following
/// goes. Whoever calls the module the same way must hear the same, natively and in WebAssembly.
///
/// The first line says when the first picture was made, how many nanoseconds lie between two, and
/// how many there are; a picture comes before whatever is due at its time. The other lines are what
/// `Call` lists, after the nanoseconds since the line before, and hashes, which begin with `=`, the
/// number of pictures until then.
struct PageTape {
  enum Call: Equatable {
    /// The connection opens: all is forgotten, and a hello asks for a kind of stream.
    case hello(UInt8)
    case message([UInt8])
    case clock
    case recover
    case spent(Double)
    case stream(UInt8)
    case deed(FleetPerson.Deed)
  }

  /// A line: something to do, or what must have been heard.
  enum Line: Equatable {
    case call(Call, at: UInt64)
    case heard(String, pictures: Int)
  }

  let interval: UInt64
  private(set) var firstPicture: UInt64?
  private(set) var pictures = 0
  private(set) var lines: [Line] = []
  /// Pictures after which a rollback was under way; not in the text.
  private(set) var spread = 0
  private var heard: [UInt8] = []

  private static let picturesInHash = 60
  /// Of how following goes: those that playing changes.
  private static let numbers = 16

  /// - Parameter interval: nanoseconds from one picture to the next.
  init(interval: UInt64) { self.interval = interval }

  mutating func add(_ call: Call, at now: UInt64) { lines.append(.call(call, at: now)) }

  mutating func hear(_ bytes: [UInt8]) { heard += bytes }

  mutating func noteSpread() { spread += 1 }

  /// A picture was made. Now and then everything that was heard is hashed.
  mutating func pass(_ now: UInt64, _ numbers: [Double]) {
    let first = firstPicture ?? now
    firstPicture = first
    precondition(now == first + UInt64(pictures) * interval, "pictures are regular")
    pictures += 1
    guard pictures % Self.picturesInHash == 0 else { return }
    numbers.prefix(Self.numbers).withUnsafeBytes { heard += Array($0) }
    lines.append(.heard(String(SHA256.hex(heard).prefix(16)), pictures: pictures))
    heard = []
  }

  // MARK: Text

  var text: String {
    var (text, last) = ("\(firstPicture ?? 0) \(interval) \(pictures)\n", UInt64(0))
    for line in lines {
      switch line {
      case .heard(let hash, let pictures): text += "= \(pictures) \(hash)\n"
      case .call(let call, let now):
        text += "\(now - last) \(Self.text(of: call))\n"
        last = now
      }
    }
    return text
  }

  private static func text(of call: Call) -> String {
    switch call {
    case .hello(let kind): "hello \(kind)"
    case .message(let bytes): "m \(Data(bytes).base64EncodedString())"
    case .clock: "clock"
    case .recover: "recover"
    case .spent(let milliseconds): "spent \(milliseconds)"
    case .stream(let kind): "stream \(kind)"
    case .deed(let deed): text(of: deed)
    }
  }

  private static func text(of deed: FleetPerson.Deed) -> String {
    switch deed {
    case .tilt(let x, let y): "tilt \(x) \(y)"
    case .drop(let kind, let x, let y): "drop \(kind) \(short(x)) \(short(y))"
    case .toss(let x, let y, let velocityX, let velocityY):
      "throw \(short(x)) \(short(y)) \(short(velocityX)) \(short(velocityY))"
    case .grab(let slot, let x, let y): "grab \(slot) \(short(x)) \(short(y))"
    case .move(let slot, let x, let y): "move \(slot) \(short(x)) \(short(y))"
    case .release(let slot, let velocityX, let velocityY):
      "release \(slot) \(short(velocityX)) \(short(velocityY))"
    case .snap(let slot, let x, let y): "snap \(slot) \(short(x)) \(short(y))"
    case .say(let words): "say \(words)"
    }
  }

  /// People do things in whole points.
  private static func short(_ number: Float) -> Int { Int(number) }

  /// A tape that was written as text; nil for anything else.
  init?(text: String) {
    let lines = text.split(separator: "\n")
    let head = lines.first?.split(separator: " ").compactMap { UInt64($0) } ?? []
    guard head.count == 3 else { return nil }
    interval = head[1]
    firstPicture = head[0]
    pictures = Int(head[2])
    var now: UInt64 = 0
    for line in lines.dropFirst() {
      let words = line.split(separator: " ", maxSplits: 2).map(String.init)
      guard words.count >= 2 else { return nil }
      if words[0] == "=" {
        guard words.count == 3, let pictures = Int(words[1]) else { return nil }
        self.lines.append(.heard(words[2], pictures: pictures))
      } else {
        let rest = words.count == 3 ? words[2] : ""
        guard let wait = UInt64(words[0]), let call = Self.call(words[1], rest) else { return nil }
        now += wait
        self.lines.append(.call(call, at: now))
      }
    }
  }

  private static func call(_ name: String, _ rest: String) -> Call? {
    switch name {
    case "hello": return UInt8(rest).map { .hello($0) }
    case "m": return Data(base64Encoded: rest).map { .message([UInt8]($0)) }
    case "clock": return .clock
    case "recover": return .recover
    case "spent": return Double(rest).map { .spent($0) }
    case "stream": return UInt8(rest).map { .stream($0) }
    case "say": return .deed(.say(rest))
    default: return deed(name, rest.split(separator: " ").compactMap { Float($0) }).map(Call.deed)
    }
  }

  private static func deed(_ name: String, _ numbers: [Float]) -> FleetPerson.Deed? {
    switch (name, numbers.count) {
    case ("tilt", 2): return .tilt(x: numbers[0], y: numbers[1])
    case ("drop", 3): return .drop(kind: Int32(numbers[0]), x: numbers[1], y: numbers[2])
    case ("throw", 4):
      return .toss(x: numbers[0], y: numbers[1], velocityX: numbers[2], velocityY: numbers[3])
    case ("grab", 3): return .grab(slot: Int32(numbers[0]), x: numbers[1], y: numbers[2])
    case ("move", 3): return .move(slot: Int32(numbers[0]), x: numbers[1], y: numbers[2])
    case ("release", 3):
      return .release(slot: Int32(numbers[0]), velocityX: numbers[1], velocityY: numbers[2])
    case ("snap", 3): return .snap(slot: Int32(numbers[0]), x: numbers[1], y: numbers[2])
    default: return nil
    }
  }
}

extension PageTape {
  /// Calls a fresh module as the tape says; returns the tape of what was heard now.
  func replayed() -> PageTape {
    var driver = PageDriver()
    driver.tape = PageTape(interval: interval)
    var next = firstPicture ?? 0
    func pictures(upTo time: UInt64) {
      while next <= time {
        driver.sample(now: next)
        next += interval
      }
    }
    for line in lines {
      switch line {
      case .heard: break
      case .call(let call, let now):
        pictures(upTo: now)
        driver.carryOut(call, now: now)
      }
    }
    pictures(upTo: (firstPicture ?? 0) + UInt64(max(self.pictures - 1, 0)) * interval)
    return driver.tape!
  }
}

extension PageDriver {
  /// Does what a line of a tape says.
  fileprivate mutating func carryOut(_ call: PageTape.Call, now: UInt64) {
    switch call {
    case .hello(let kind): _ = hello(kind == 1 ? .replica : .state, now: now)
    case .message(let bytes): _ = bytes.withUnsafeBytes { receive($0, now: now) }
    case .clock: _ = clock(now: now)
    case .recover: _ = recover(now: now)
    case .spent(let milliseconds): spent(milliseconds, now: now)
    case .stream(let kind): _ = stream(kind == 1 ? .replica : .state, now: now)
    case .deed(let deed): _ = act(deed, now: now)
    }
  }
}
