import Simulation
import Wire

/// Opens hands that hold on for too long, so that nobody keeps stickers from the others for ever:
/// 86 people could hold all 256 that a world lets be held.
///
/// A hand is opened by a release that the server adds to the tick's commands, so the record tells
/// it to a replica like any other command, and the core needs no rule and no clock for it.
struct HandLimits {
  /// The stamp of the server's own commands: a person's begin with 1.
  static let stamp: UInt32 = 0

  private struct Hold {
    let slot: UInt16
    let person: UInt16
    /// Awake nanoseconds.
    let since: UInt64
    var moved: UInt64
  }

  private let longest: UInt64
  private let longestStill: UInt64
  private let pause: UInt64
  /// Until when a person whose hand was opened takes hold of nothing, in awake nanoseconds. Those
  /// whose time is over go when hands are opened next.
  private var pauses: [UInt16: UInt64] = [:]
  /// In ascending order of slots, so that equal runs stay equal.
  private var holds: [Hold] = []

  init(_ limits: Limits) {
    longest = UInt64(limits.holdSeconds) * 1_000_000_000
    longestStill = UInt64(limits.stillHandSeconds) * 1_000_000_000
    pause = UInt64(limits.openedHandSeconds) * 1_000_000_000
  }

  /// Whether a person may take hold of something: otherwise whoever asks all the time would have a
  /// sticker back in the tick after its hand was opened.
  /// - Parameter now: awake nanoseconds.
  func mayGrab(_ person: UInt16, at now: UInt64) -> Bool {
    pauses[person].map { now >= $0 } ?? true
  }

  /// Notes what the commands that a tick carried out did to hands.
  /// - Parameter now: awake nanoseconds.
  mutating func note(_ carriedOut: [StampedCommand], at now: UInt64) {
    for stamped in carriedOut {
      switch stamped.command {
      case .grab(let slot, _, _, _): hold(slot, stamped.person, since: now)
      case .move(let slot, _, _):
        let index = index(of: slot)
        if index < holds.count, holds[index].slot == slot { holds[index].moved = now }
      case .release(let slot, _, _), .snap(let slot, _, _, _): remove(slot)
      case .leave: holds.removeAll { $0.person == stamped.person }
      case .drop, .throwSticker, .say: break
      }
    }
  }

  /// Notes that a person holds a sticker; its time begins.
  /// - Parameter now: awake nanoseconds.
  mutating func hold(_ slot: UInt16, _ person: UInt16, since now: UInt64) {
    remove(slot)
    holds.insert(Hold(slot: slot, person: person, since: now, moved: now), at: index(of: slot))
  }

  /// Appends the releases of hands whose time is over, of each person one a tick.
  /// - Parameter now: awake nanoseconds.
  /// - Returns: how many.
  mutating func openOverdue(at now: UInt64, into commands: inout [StampedCommand]) -> Int {
    let before = commands.count
    holds.removeAll { hold in
      guard now - hold.since > longest || now - hold.moved > longestStill,
        !commands[before...].contains(where: { $0.person == hold.person })
      else { return false }
      commands.append(
        StampedCommand(
          person: hold.person, sequence: Self.stamp,
          command: .release(slot: hold.slot, velocityX: 0, velocityY: 0)))
      return true
    }
    if commands.count > before {
      pauses = pauses.filter { $0.value > now }
      for opened in commands[before...] { pauses[opened.person] = now + pause }
    }
    return commands.count - before
  }

  /// Forgets hands that the host's acts opened.
  mutating func keep(where isHeld: (_ slot: UInt16, _ person: UInt16) -> Bool) {
    holds.removeAll { !isHeld($0.slot, $0.person) }
  }

  private mutating func remove(_ slot: UInt16) {
    let index = index(of: slot)
    if index < holds.count, holds[index].slot == slot { holds.remove(at: index) }
  }

  /// Where the slot's hold is, or belongs.
  private func index(of slot: UInt16) -> Int {
    var (low, high) = (0, holds.count)
    while low < high {
      let middle = (low + high) / 2
      if holds[middle].slot < slot { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
