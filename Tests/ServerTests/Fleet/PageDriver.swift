import Play
import Wire

@testable import PageModule
@testable import Simulation

/// Calls the page's module as its scripts do, natively, and keeps what it is told and what it
/// answers, if that is wanted: then node can call the module the same way (`PageTape`).
struct PageDriver {
  private(set) var page = Page()
  var tape: PageTape?
  /// Ticks that were run when the time for them was last told.
  private var paidTicks: UInt32 = 0

  /// What the page is to draw.
  var instances: [StickerInstance] { page.instances }

  /// Forgets the connection before, and says hello for a kind of stream.
  mutating func hello(_ kind: StreamKind, now: UInt64) -> [UInt8] {
    tape?.add(.hello(kind.rawValue), at: now)
    page.reset()
    paidTicks = 0
    return answer(page.hello(rate: 60, profile: 0, kind: Int32(kind.rawValue), now: ms(now)))
  }

  /// Takes a message in; returns what the module answers, see `Page.receive`.
  mutating func receive(_ message: UnsafeRawBufferPointer, now: UInt64) -> Int32 {
    tape?.add(.message(Array(message)), at: now)
    guard page.input.reserve(message.count) else { return -1 }
    page.input.copy(message, at: 0)
    let code = page.receive(length: Int32(message.count), now: ms(now))
    tape?.hear([UInt8(truncatingIfNeeded: code)])
    // Nobody reads what happened here, and a page that does forgets it then.
    page.events.removeAll(keepingCapacity: true)
    return code
  }

  /// Makes a picture.
  mutating func sample(now: UInt64) {
    _ = page.sample(at: ms(now))
    guard tape != nil else { return }
    page.instances.withUnsafeBytes { tape!.hear(Array($0)) }
    if page.follower?.prediction?.isUnderWay == true { tape!.noteSpread() }
    tape!.pass(now, page.followingNumbers ?? [])
  }

  /// Tells, as a page does after each picture, what the ticks since the last time would have taken
  /// where one takes `cost` milliseconds.
  mutating func pay(_ cost: Double, now: UInt64) {
    guard let counted = page.follower?.prediction?.statistics else { return }
    let run = counted.confirmed &+ counted.predicted
    // Who changes to the log again counts anew.
    let ticks = run < paidTicks ? run : run - paidTicks
    paidTicks = run
    spent(cost * Double(ticks), now: now)
  }

  /// Tells what the calls since the last time took.
  mutating func spent(_ milliseconds: Double, now: UInt64) {
    tape?.add(.spent(milliseconds), at: now)
    page.follower?.spent(milliseconds, now: ms(now))
    tape?.hear([page.follower?.budget.isTooMuch == true ? 1 : 0])
  }

  /// A question for the clock.
  mutating func clock(now: UInt64) -> [UInt8] {
    tape?.add(.clock, at: now)
    return answer(page.clock(now: ms(now)))
  }

  /// Asks for a kind of stream.
  mutating func stream(_ kind: StreamKind, now: UInt64) -> [UInt8] {
    tape?.add(.stream(kind.rawValue), at: now)
    return answer(page.stream(rate: 60, profile: 0, kind: Int32(kind.rawValue)))
  }

  /// What to do about frames that were refused, see `Page.recoveryStep`.
  mutating func recover(now: UInt64) -> Int32 {
    tape?.add(.recover, at: now)
    let step = page.recoveryStep(now: ms(now))
    tape?.hear([UInt8(step)])
    return step
  }

  /// Does what the person does.
  mutating func act(_ deed: FleetPerson.Deed, now: UInt64) -> [UInt8] {
    tape?.add(.deed(deed), at: now)
    switch deed {
    case .tilt(let x, let y): return answer(page.tilt(x: x, y: y))
    case .drop(let kind, let x, let y): return answer(page.drop(kind: kind, x: x, y: y))
    case .toss(let x, let y, let velocityX, let velocityY):
      return answer(page.throwSticker(x: x, y: y, velocityX: velocityX, velocityY: velocityY))
    case .grab(let slot, let x, let y): return answer(page.grab(slot: slot, x: x, y: y))
    case .move(let slot, let x, let y): return answer(page.move(slot: slot, x: x, y: y))
    case .release(let slot, let velocityX, let velocityY):
      return answer(page.release(slot: slot, velocityX: velocityX, velocityY: velocityY))
    case .snap(let slot, let x, let y): return answer(page.snap(slot: slot, x: x, y: y))
    case .say(let words):
      let bytes = Array(words.utf8)
      guard page.input.reserve(bytes.count) else { return [] }
      bytes.withUnsafeBytes { page.input.copy($0, at: 0) }
      return answer(page.say(length: Int32(bytes.count)))
    }
  }

  /// What the module wrote for the server.
  private mutating func answer(_ count: Int32) -> [UInt8] {
    let bytes = Array(page.output.bytes[..<Int(count)])
    tape?.hear(bytes)
    return bytes
  }

  /// Milliseconds, as a page has the time.
  private func ms(_ nanoseconds: UInt64) -> Double { Double(nanoseconds) / 1e6 }
}
