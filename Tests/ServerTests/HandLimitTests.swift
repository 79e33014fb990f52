import Testing
import Wire

@testable import Server

/// Nobody holds a sticker for ever.
@Suite struct HandLimitTests {
  @Test func aHandThatDoesNotMoveOpens() throws {
    var limits = Limits()
    limits.stillHandSeconds = 3
    let pit = try VirtualServer(limits: limits)
    let (still, lively) = (Probe(pit), Probe(pit))
    pit.advance(seconds: 2)
    let bodies = still.decoder.world.bodies
    for (probe, body) in zip([still, lively], bodies) { probe.grab(body) }
    pit.advance(seconds: 0.1)
    #expect(lively.holders.count == 2)
    for _ in 0..<6 {
      lively.say(.move(slot: bodies[1].slot, x: 800, y: 800))
      pit.advance(seconds: 0.5)
    }
    #expect(lively.holders.map(\.client) == [lively.welcome?.clientID])
    #expect(pit.server.exchange.health.openedHands == 1)
    // Nobody else took it, so the same hand may, but not at once.
    still.grab(try #require(still.decoder.world.bodies.first { $0.slot == bodies[0].slot }))
    pit.advance(seconds: 0.1)
    #expect(lively.holders.count == 1, "asking all the time does not bring it back")
    lively.say(.move(slot: bodies[1].slot, x: 810, y: 800))
    for _ in 0..<10 {
      lively.say(.move(slot: bodies[1].slot, x: 800, y: 800))
      pit.advance(seconds: 1)
    }
    let again = try #require(still.decoder.world.bodies.first { $0.slot == bodies[0].slot })
    still.grab(again)
    pit.advance(seconds: 0.1)
    #expect(lively.holders.count == 2)
    #expect(still.closed == nil && still.failures.isEmpty)
  }

  @Test func aHandThatHoldsTooLongOpens() throws {
    var limits = Limits()
    limits.holdSeconds = 4
    let pit = try VirtualServer(limits: limits)
    let probe = Probe(pit)
    pit.advance(seconds: 2)
    // Three fingers: all open, one tick after the other.
    let bodies = probe.decoder.world.bodies.prefix(3)
    for body in bodies { probe.grab(body) }
    pit.advance(seconds: 0.1)
    #expect(probe.holders.count == 3)
    for step in 0..<45 {
      for body in bodies { probe.say(.move(slot: body.slot, x: Int16(800 + step), y: 800)) }
      pit.advance(seconds: 0.1)
    }
    #expect(probe.holders.isEmpty)
    #expect(pit.server.exchange.health.openedHands == 3)
  }

  /// Eighty-six people hold as many stickers as a world lets be held, and don't keep them.
  @Test func aCrowdCanNotHoldEverything() throws {
    let pit = try VirtualServer(bodies: 300, maxBodies: 300)
    let crowd = (0..<86).map { _ in Probe(pit, hello: Hello(rate: .hz10)) }
    let guest = Probe(pit)
    pit.advance(seconds: 1)
    for (index, probe) in crowd.enumerated() {
      for body in guest.decoder.world.bodies[(3 * index)..<min(3 * index + 3, 300)] {
        probe.grab(body)
      }
    }
    pit.advance(seconds: 2)
    #expect(guest.holders.count == 256)
    let wanted = guest.decoder.world.bodies[290]
    guest.grab(wanted)
    pit.advance(seconds: 0.1)
    #expect(!guest.holders.contains { $0.slot == wanted.slot })
    pit.advance(seconds: 31)
    #expect(guest.holders.isEmpty)
    guest.grab(try #require(guest.decoder.world.bodies.first { $0.slot == wanted.slot }))
    pit.advance(seconds: 0.1)
    #expect(guest.holders.count == 1)
  }
}
