import Simulation
import Wire

/// Inputs that clients mean for later ticks, until it is their turn.
///
/// A page that foretells its own touch names the tick for which it foretold it. What comes in time
/// waits here; what comes late is never put here, so it counts in the next tick.
struct InputSchedule {
  /// The most ticks that an input waits: a page names the tick at which its input arrives, and a
  /// little more for a line that is not steady. One second is more than any of that.
  static let mostTicksAhead = 60

  private struct Entry {
    let input: Exchange.Input
    /// Its place among all entries there ever were.
    let order: UInt64
  }

  /// When a person left: of that person's entries those before `order` are void.
  private struct Left {
    let tick: UInt32
    let order: UInt64
  }

  /// By tick, modulo their number, which is more than any input waits.
  private var slots = [[Entry]](repeating: [], count: 64)
  private let limits: Limits
  private var count = 0
  /// Entries of each person that wait.
  private var counts: [UInt16: Int] = [:]
  private var order: UInt64 = 0
  private var left: [UInt16: Left] = [:]

  init(_ limits: Limits) {
    assert(slots.count > Self.mostTicksAhead)
    self.limits = limits
  }

  /// Keeps an input for a tick if that is one of the next `mostTicksAhead` after `now` and there is
  /// room for it.
  /// - Returns: whether it is kept; otherwise its turn is now.
  mutating func add(_ input: Exchange.Input, for tick: UInt32, now: UInt32) -> Bool {
    let ahead = tick.ticks(since: now)
    let own = counts[input.person] ?? 0
    guard ahead > 0, ahead <= Self.mostTicksAhead, count < limits.waitingAimedInputs,
      own < limits.waitingAimedInputsPerClient
    else { return false }
    counts[input.person] = own + 1
    slots[index(of: tick)].append(Entry(input: input, order: order))
    order += 1
    count += 1
    return true
  }

  /// Somebody left: whatever was meant for later is void.
  mutating func leave(_ person: UInt16, now: UInt32) {
    if count > 0 { left[person] = Left(tick: now, order: order) }
  }

  /// Replaces `due` by the inputs of a tick, in the order in which they came.
  mutating func take(for tick: UInt32, into due: inout [Exchange.Input]) {
    due.removeAll(keepingCapacity: true)
    let index = index(of: tick)
    for entry in slots[index] where !isVoid(entry) { due.append(entry.input) }
    for entry in slots[index] { discount(entry.input.person) }
    count -= slots[index].count
    assert(count >= 0 && counts.count <= count)
    slots[index].removeAll(keepingCapacity: true)
    guard !left.isEmpty else { return }
    left = left.filter { tick.ticks(since: $0.value.tick) <= Self.mostTicksAhead }
  }

  private mutating func discount(_ person: UInt16) {
    let rest = counts[person]! - 1
    counts[person] = rest == 0 ? nil : rest
  }

  private func isVoid(_ entry: Entry) -> Bool {
    guard !left.isEmpty, let left = left[entry.input.person] else { return false }
    return entry.order < left.order
  }

  private func index(of tick: UInt32) -> Int { Int(tick) & (slots.count - 1) }
}
