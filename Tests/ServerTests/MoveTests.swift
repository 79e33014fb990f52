import Simulation
import Testing
import Wire

@testable import Server

/// Moves on their way to the tick thread: however many are sent, few arrive.
@Suite struct MoveTests {
  private func move(
    _ person: UInt16, _ sequence: UInt32, slot: UInt16, x: Int16 = 0
  ) -> StampedCommand {
    StampedCommand(person: person, sequence: sequence, command: .move(slot: slot, x: x, y: 0))
  }

  private func drop(_ person: UInt16, _ sequence: UInt32) -> StampedCommand {
    StampedCommand(person: person, sequence: sequence, command: .drop(kind: 0, x: 0, y: 0))
  }

  /// A page that reconnects while it drags moves under the same number at once.
  @Test func aMoveAfterItsPersonLeftAndCameBackFindsItsPlace() {
    var queue = CommandQueue(limits: Limits())
    var commands: [StampedCommand] = []
    for round in 0..<4 {
      let first = UInt32(round * 10 + 1)
      let isWanted = queue.add(drop(7, first))
      let isMoved = queue.add(move: move(7, first + 1, slot: 0), of: 0)
      #expect(isWanted && isMoved)
      queue.leave(7, sequence: first + 2)
      commands.removeAll()
      queue.take(into: &commands)
      #expect(commands.map(\.command) == [.leave])
      let isMovedAgain = queue.add(move: move(7, first + 3, slot: 0, x: 5), of: 0)
      #expect(isMovedAgain)
      commands.removeAll()
      queue.take(into: &commands)
      #expect(commands == [move(7, first + 3, slot: 0, x: 5)])
    }
  }

  @Test func whoGivesManyCommandsKeepsNobodyWaitingForAllOfThem() {
    var queue = CommandQueue(limits: Limits())
    for person in 1...24 {
      for sequence in 1...20 { _ = queue.add(drop(UInt16(person), UInt32(sequence))) }
    }
    let isAdded = queue.add(drop(99, 1))
    #expect(isAdded)
    var ticks = 0
    var commands: [StampedCommand] = []
    while !commands.contains(drop(99, 1)) {
      queue.take(into: &commands)
      ticks += 1
    }
    #expect(ticks == 2, "one command of each of 24 others comes first, 16 a tick")
    #expect(commands.count == 32)
  }

  @Test func fiveHundredFloodersCostATickThreeMovesEach() {
    let exchange = Exchange(limits: Limits())
    var posted = (0..<500).map { _ in PostedInputs() }
    for round in 0..<355 {
      for person in posted.indices {
        let slot = UInt16((round * 7 + person) % 256)
        exchange.lanes[0].post(
          .command(move(UInt16(person + 1), UInt32(round + 1), slot: slot)), &posted[person])
        exchange.lanes[0].post(
          .tilt(person: UInt16(person + 1), x: Int16(round), y: 0), &posted[person])
      }
    }
    var inputs = exchange.takenInputs()
    #expect(inputs.count == 500 * (3 + 1))
    for input in inputs {
      if case .tilt(_, let x, _, _) = input { #expect(x == 354) }
    }
  }

  @Test func theLastMoveOfEachFingerArrives() {
    let exchange = Exchange(limits: Limits())
    var posted = PostedInputs()
    for sequence in 1...30 {
      let slot = UInt16(sequence % 3)
      exchange.lanes[0].post(
        .command(move(1, UInt32(sequence), slot: slot, x: Int16(sequence))), &posted)
    }
    var inputs = exchange.takenInputs()
    let arrived = inputs.compactMap { input -> UInt32? in
      if case .command(let stamped, _) = input { stamped.sequence } else { nil }
    }
    #expect(Set(arrived) == [28, 29, 30])
    // The next batch begins anew.
    exchange.lanes[0].post(.command(move(1, 31, slot: 0)), &posted)
    inputs = exchange.takenInputs()
    #expect(inputs.count == 1)
  }

  @Test func whatWasMovedBeforeAReleaseStays() {
    let exchange = Exchange(limits: Limits())
    var posted = PostedInputs()
    exchange.lanes[0].post(.command(move(1, 1, slot: 4, x: 10)), &posted)
    exchange.lanes[0].post(
      .command(
        StampedCommand(
          person: 1, sequence: 2, command: .release(slot: 4, velocityX: 0, velocityY: 0))),
      &posted)
    exchange.lanes[0].post(.command(move(1, 3, slot: 4, x: 99)), &posted)
    var inputs = exchange.takenInputs()
    #expect(inputs.count == 3)
  }

  @Test func noMoveOvertakesItsPersonsGrab() {
    var limits = Limits()
    limits.commandsPerTick = 2
    var queue = CommandQueue(limits: limits)
    var refused = 0
    for sequence in 1...3 where !queue.add(drop(1, UInt32(sequence))) { refused += 1 }
    for sequence in 4...9 where !queue.add(move: move(1, UInt32(sequence), slot: 5), of: 5) {
      refused += 1
    }
    if !queue.add(move: move(2, 1, slot: 6), of: 6) { refused += 1 }
    #expect(refused == 0)
    var taken: [StampedCommand] = []
    queue.take(into: &taken)
    #expect(taken == [drop(1, 1), drop(1, 2), move(2, 1, slot: 6)])
    #expect(queue.isWaiting(1) && !queue.isWaiting(2))
    taken.removeAll()
    queue.take(into: &taken)
    #expect(taken == [drop(1, 3), move(1, 9, slot: 5)])
  }

  @Test func whatAPersonWantedBeforeTheyLeftIsVoid() {
    var queue = CommandQueue(limits: Limits())
    _ = queue.add(drop(1, 1))
    _ = queue.add(move: move(1, 2, slot: 5), of: 5)
    queue.leave(1, sequence: 3)
    _ = queue.add(drop(1, 4))
    _ = queue.add(drop(2, 1))
    var taken: [StampedCommand] = []
    queue.take(into: &taken)
    taken.sort { $0.precedes($1) }
    let leave = StampedCommand(person: 1, sequence: 3, command: .leave)
    #expect(taken == [leave, drop(1, 4), drop(2, 1)])
  }

  @Test func movesOfWhatNobodyHoldsMeanNothing() throws {
    let pit = try VirtualServer(bodies: 30)
    let (holder, waver) = (Probe(pit), Probe(pit))
    pit.advance(seconds: 1)
    let body = try holder.grabFirst()
    pit.advance(seconds: 0.1)
    for slot in 0..<100 { waver.say(.move(slot: UInt16(slot), x: 800, y: 800)) }
    holder.say(.move(slot: body.slot, x: Int16(body.x / 2), y: Int16(body.y / 2 - 80)))
    pit.advance(seconds: 0.2)
    // Three fingers' moves at a time, of which nothing is said.
    #expect(pit.server.exchange.health.idleMoves == 3)
    #expect(waver.receipts.isEmpty)
    #expect(waver.closed == nil)
    let held = try #require(holder.decoder.world.bodies.first { $0.slot == body.slot })
    #expect(abs(held.y - (body.y - 160)) < 40)
  }
}

extension Exchange {
  /// What the tick thread gets.
  func takenInputs() -> [Input] {
    var arrivals: [Arrival] = []
    var demand = StreamKey.all.map { _ in StreamDemand() }
    takeInputs(into: &arrivals, &demand, FrameSteps())
    return arrivals.map(\.input)
  }
}
