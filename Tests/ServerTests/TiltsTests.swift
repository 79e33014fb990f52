import Testing
import Wire

@testable import Server
@testable import Simulation

/// Everybody is told how people tilt, for the dots in their bowls.
@Suite struct TiltsTests {
  private func tilt(_ probe: Probe, x: Int16 = 0, y: Int16 = 0) { probe.say(.tilt(x: x, y: y)) }

  @Test(arguments: [1, 2]) func everybodyIsToldWhoTiltsHow(threads: Int) throws {
    let pit = try VirtualServer(networkThreads: threads)
    let probes = (0..<3).map { _ in Probe(pit) }
    pit.advance(seconds: 0.5)
    #expect(probes.allSatisfy { $0.tilts.isEmpty })
    let people = try probes.map { try #require($0.welcome).clientID }
    for _ in 0..<8 {
      tilt(probes[0], x: 16_384)
      tilt(probes[1], y: -8192)
      pit.advance(seconds: 0.25)
    }
    let both = [
      PersonTilt(person: people[0], x: 64, y: 0), PersonTilt(person: people[1], x: 0, y: -32),
    ].sorted { $0.person < $1.person }
    // What stays the same is told once, also to whoever comes later.
    let late = Probe(pit)
    pit.advance(seconds: 0.3)
    #expect((probes + [late]).allSatisfy { $0.tilts == [both] })
    // Whoever leaves tilts no longer; who says nothing more fades away.
    probes[0].leave()
    pit.advance(seconds: 0.5)
    #expect(late.tilts.last == both.filter { $0.person == people[1] })
    pit.advance(seconds: 3)
    #expect(late.tilts.count == 3 && late.tilts.last == [])
    #expect((probes + [late]).allSatisfy { $0.failures.isEmpty } && pit.hub.notices.isEmpty)
  }

  /// A crowd's dots are few, and told less often: they must not cost what frames cost. Screens that
  /// only watch are told them, too, and so they count.
  @Test(arguments: [0, 40]) func ofACrowdADozenAreToldEachTwoSeconds(screens: Int) throws {
    let pit = try VirtualServer()
    let probes = (0..<110).map { number in
      Probe(
        pit, hello: Hello(isWatching: number < screens), address: "192.0.2.\(number % 100)")
    }
    pit.advance(seconds: 1)
    let before = probes.map(\.tilts.count)
    for step in 0..<120 {
      for (index, probe) in probes.enumerated() where index >= screens {
        tilt(probe, x: Int16((index + step) % 32) * 512)
      }
      pit.advance(seconds: 0.1)
    }
    for (probe, before) in zip(probes, before) {
      #expect((5...6).contains(probe.tilts.count - before), "in twelve seconds")
      #expect(probe.tilts.last?.count == WireLimits.shownTilts)
    }
    #expect(probes.allSatisfy { $0.failures.isEmpty })
  }

  /// Where one person has the pit the others' tilts mean nothing, and cards are nobody's to tilt.
  @Test(arguments: [true, false]) func whereTiltsDoNotCountNoneIsTold(hasCaptain: Bool) throws {
    let pit = try VirtualServer(scene: hasCaptain ? .pit : .toss, hasCaptain: hasCaptain)
    let probe = Probe(pit)
    for _ in 0..<8 {
      pit.advance(seconds: 0.25)
      tilt(probe, x: 16_384)
    }
    #expect(probe.tilts.isEmpty && probe.failures.isEmpty)
  }
}
