import Testing
import Wire

@testable import Server
@testable import Simulation

/// A server that lets one person tilt at a time tells everybody whose pit it is.
@Suite struct CaptainTests {
  private func tilt(_ probe: Probe, _ x: Int16) { probe.say(.tilt(x: x, y: 0)) }

  private func captain(_ probe: Probe) -> (number: UInt16, name: Name, ticksLeft: UInt16)? {
    guard case .captain(let person, let ticksLeft) = probe.tiltNotices.last else { return nil }
    return (person.id, person.name, ticksLeft)
  }

  @Test(arguments: [1, 2]) func everybodyIsToldWhosePitItIs(threads: Int) throws {
    let pit = try VirtualServer(networkThreads: threads, hasCaptain: true)
    let probes = (0..<3).map { _ in Probe(pit) }
    pit.advance(seconds: 0.5)
    #expect(probes.allSatisfy { $0.tiltNotices == [.nobody] })
    for step in 0..<85 {
      tilt(probes[1], 16_384)
      if step > 3 { tilt(probes[2], -16_384) }
      pit.advance(seconds: 0.25)
      if step == 20 {
        let first = try #require(probes[1].welcome)
        for probe in probes {
          let told = try #require(captain(probe))
          #expect(told.number == first.clientID && told.name == first.name)
          #expect(told.ticksLeft > 590 && probe.tiltNotices.count == 2)
        }
        #expect(probes[0].decoder.world.gravity.x > 16_000)
        // Who comes now is told what is left of the turn.
        let late = Probe(pit)
        pit.advance(seconds: 0.1)
        let told = try #require(captain(late))
        #expect(told.number == first.clientID && told.ticksLeft > 250 && told.ticksLeft < 300)
      }
    }
    // Twenty-one seconds: the first has had it, the second too, and the first has it again.
    let (first, second) = (probes[1].welcome?.clientID, probes[2].welcome?.clientID)
    for probe in probes {
      let clients = probe.tiltNotices.compactMap {
        if case .captain(let person, _) = $0 { person.id } else { nil }
      }
      #expect(clients == [first, second, first])
      #expect(probe.failures.isEmpty)
    }
  }

  @Test func whereEverybodyTiltsNobodyIsToldAnything() throws {
    let pit = try VirtualServer()
    let probe = Probe(pit)
    for _ in 0..<8 {
      pit.advance(seconds: 0.25)
      tilt(probe, 16_384)
    }
    #expect(probe.tiltNotices.isEmpty)
  }

  /// Cards are nobody's to tilt.
  @Test func aSceneThatNobodyTiltsHasNoCaptain() throws {
    let pit = try VirtualServer(hasCaptain: true)
    let probe = Probe(pit)
    pit.advance(seconds: 0.5)
    let cards = HostAct.begin(scene: Scene.toss.rawValue, bodies: 3, maxBodies: 90, seed: 2)
    #expect(pit.server.exchange.post(cards))
    pit.advance(seconds: 0.5)
    #expect(probe.tiltNotices == [.nobody, .everybody])
  }
}
