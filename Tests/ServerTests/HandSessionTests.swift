import Simulation
import Testing
import Transport
import Wire

@testable import Server

/// Grabs and words of sessions: whose they are, how they end, and what is too much.
@Suite struct HandSessionTests {
  @Test func everybodySeesWhoHoldsWhatAndWhereItGoes() throws {
    let pit = try VirtualServer()
    let (one, other) = (Probe(pit), Probe(pit))
    pit.advance(seconds: 1)
    let body = try one.grabFirst()
    pit.advance(seconds: 0.1)
    let id = try #require(one.welcome).clientID
    #expect(one.holders == [SceneryHolder(slot: body.slot, client: id)])
    #expect(other.holders == one.holders)
    for _ in 0..<10 {
      one.say(.move(slot: body.slot, x: 2880, y: 2400))
      pit.advance(seconds: 0.05)
    }
    let held = try #require(other.decoder.world.bodies.first { $0.slot == body.slot })
    #expect(abs(held.x - 5760) < 400 && abs(held.y - 4800) < 400)
    one.say(.release(slot: body.slot, velocityX: 0, velocityY: 0))
    pit.advance(seconds: 0.1)
    #expect(other.holders.isEmpty)
    #expect(one.failures.isEmpty && other.failures.isEmpty)
  }

  @Test func whoComesTooLateIsToldAndNobodyElse() throws {
    let pit = try VirtualServer()
    let (one, other) = (Probe(pit), Probe(pit))
    pit.advance(seconds: 1)
    let body = try one.grabFirst()
    pit.advance(seconds: 0.1)
    _ = try other.grabFirst()
    pit.advance(seconds: 0.1)
    let holder = try #require(one.welcome).clientID
    #expect(other.events == [.grabRefused(slot: body.slot, holder: holder)])
    #expect(one.events.isEmpty)
    #expect(other.closed == nil)
  }

  @Test func aGrabEndsWithItsSession() throws {
    let pit = try VirtualServer()
    let (one, watcher) = (Probe(pit), Probe(pit))
    pit.advance(seconds: 1)
    _ = try one.grabFirst()
    pit.advance(seconds: 0.1)
    #expect(watcher.holders.count == 1)
    one.leave()
    pit.advance(seconds: 0.1)
    #expect(watcher.holders.isEmpty)
  }

  @Test func aGrabEndsWhenItsPersonIsSentAway() throws {
    let pit = try VirtualServer()
    let (one, watcher) = (Probe(pit), Probe(pit))
    pit.advance(seconds: 1)
    _ = try one.grabFirst()
    pit.advance(seconds: 0.1)
    one.say(bytes: [0xFF])
    pit.advance(seconds: 0.1)
    #expect(one.closed?.code == .protocolError)
    #expect(watcher.holders.isEmpty)
  }

  @Test func aGrabEndsWhenItsTokenIsShownElsewhere() throws {
    let pit = try VirtualServer()
    let (one, watcher) = (Probe(pit), Probe(pit))
    pit.advance(seconds: 1)
    _ = try one.grabFirst()
    pit.advance(seconds: 0.1)
    let welcome = try #require(one.welcome)
    let again = Probe(pit, hello: Hello(resumeToken: welcome.token))
    pit.advance(seconds: 0.2)
    #expect(again.welcome?.clientID == welcome.clientID)
    #expect(watcher.holders.isEmpty)
    _ = try again.grabFirst()
    pit.advance(seconds: 0.1)
    #expect(watcher.holders.map(\.client) == [welcome.clientID])
  }

  @Test func manyFingersAreNotSlowedByEachOther() throws {
    let pit = try VirtualServer(bodies: 30)
    let probes = (0..<30).map { _ in Probe(pit) }
    pit.advance(seconds: 0.1)
    let starts = probes[0].decoder.world.bodies
    for (body, probe) in zip(starts, probes) {
      probe.say(
        .grab(
          slot: body.slot, generation: body.generation, x: Int16(body.x / 2),
          y: Int16(body.y / 2)))
    }
    pit.advance(seconds: 0.1)
    #expect(probes[0].holders.count == 30)
    // Sixty moves a second each, far more than the sixteen commands of a tick, all upwards. What
    // is held by others is in the way of some.
    for step in 1...60 {
      for (body, probe) in zip(starts, probes) {
        let y = Int16(body.y / 2 - Int32(step) * 8)
        probe.say(.move(slot: body.slot, x: Int16(body.x / 2), y: y))
      }
      pit.advance(seconds: 1.0 / 60)
    }
    pit.advance(seconds: 0.05)
    let ends = probes[0].decoder.world.bodies
    var followed = 0
    for (start, end) in zip(starts, ends) where start.y > 120 * 16 {
      #expect(abs(end.x - start.x) < 16 * 18)
      #expect(abs(end.y - (start.y - 60 * 16)) < 16 * 18)
      followed += 1
    }
    #expect(followed > 20)
    #expect(probes.allSatisfy { $0.closed == nil })
  }

  @Test func keywordsRainAndNobodySeesTheWords() throws {
    let pit = try VirtualServer(scene: .rain)
    let (one, other) = (Probe(pit), Probe(pit))
    pit.advance(seconds: 0.5)
    one.say(.say(try Words("nothing of note")))
    pit.advance(seconds: 0.5)
    #expect(other.decoder.world.bodies.isEmpty && other.events.isEmpty)
    one.say(.say(try Words("Oh, HAPPY  Birthday to you!")))
    pit.advance(seconds: 0.5)
    let number = try #require(one.welcome).clientID
    #expect(other.events == [.rainBegan(keyword: Sticker.cake, client: number)])
    #expect(one.events == other.events)
    let kinds = other.decoder.world.bodies.map(\.kind)
    #expect(kinds.count > 5 && kinds.allSatisfy { $0 == Sticker.cake })
    #expect(other.decoder.world.scenery.boundaries.count == 10)
  }

  @Test func tooManyWordsOrMovesEndTheSession() throws {
    let pit = try VirtualServer()
    let (talker, waver, calm) = (Probe(pit), Probe(pit), Probe(pit))
    pit.advance(seconds: 0.5)
    for _ in 0..<5 { talker.say(.say(try Words("so cold"))) }
    for _ in 0..<361 { waver.say(.move(slot: 0, x: 0, y: 0)) }
    for _ in 0..<4 { calm.say(.say(try Words("so cold"))) }
    pit.advance(seconds: 0.2)
    #expect(talker.closed?.code == .policy && talker.closed?.reason == "too many words")
    #expect(waver.closed?.code == .policy && waver.closed?.reason == "too many moves")
    #expect(calm.closed == nil)
  }

  @Test func wordsThatAreNoneEndTheSession() throws {
    for bytes: [UInt8] in [[0x0A], [0x0A, 0xFF], [0x0A] + Array(repeating: 0x61, count: 65)] {
      let pit = try VirtualServer()
      let probe = Probe(pit)
      pit.advance(seconds: 0.2)
      probe.say(bytes: bytes)
      pit.advance(seconds: 0.2)
      #expect(probe.closed?.code == .protocolError)
    }
  }
}
