import Foundation
import Simulation
import Testing
import Transport
import Wire

@testable import Server

/// What the host does, over several network threads, and what others see of it.
@Suite struct HostTests {
  private static let token = "the-token-of-the-host"

  private func hosted(
    threads: Int = 2, scene: Scene = .pit, bodies: Int? = nil, maxBodies: Int = 100,
    limits: Limits = Limits()
  ) throws -> VirtualServer {
    try VirtualServer(
      scene: scene, bodies: bodies, maxBodies: maxBodies, limits: limits, networkThreads: threads,
      hostToken: HostToken(Self.token))
  }

  /// Asks one of the threads.
  private func ask(
    _ pit: VirtualServer, _ method: String, _ path: String, _ query: String = "",
    on thread: Int = 0,
    token: String? = HostTests.token, isCrossSite: Bool = false, from address: String = "192.0.2.99"
  ) -> HTTPResponse {
    let request = HTTPRequest(
      method: method, path: HostDesk.path + path, query: query, remoteAddress: address,
      authorization: token.map { "Bearer " + $0 } ?? "", isCrossSite: isCrossSite)
    let (hub, later) = (pit.server.hubs[thread], HTTPLater { _ in })
    let reply =
      method == "POST"
      ? hub.act(on: request, later: later) : hub.respond(to: request, later: later)
    withExtendedLifetime(later) {}
    guard case .response(let response) = reply else {
      return .text("no answer", status: 0)
    }
    return response
  }

  @discardableResult
  private func act(
    _ pit: VirtualServer, _ path: String, _ query: String = "", on thread: Int = 0
  ) -> (status: Int, text: String) {
    let response = ask(pit, "POST", path, query, on: thread)
    return (response.status, String(decoding: response.body, as: UTF8.self))
  }

  private func page(_ pit: VirtualServer, _ name: String) throws -> [String: Any] {
    let response = ask(pit, "GET", name)
    #expect(response.status == 200 && response.contentType == "application/json")
    let object = try JSONSerialization.jsonObject(with: Data(response.body))
    return try #require(object as? [String: Any])
  }

  // MARK: Who may ask

  @Test func onlyTheHostIsAnswered() throws {
    let pit = try hosted()
    pit.advance(seconds: 0.1)
    for (method, path) in [("GET", "state"), ("POST", "freeze"), ("GET", "nothing")] {
      let none = ask(pit, method, path, token: nil, from: "192.0.2.50")
      #expect(none.status == 401 && none.headers == [.init("WWW-Authenticate", "Bearer")])
      #expect(ask(pit, method, path, isCrossSite: true).status == 403, "also with the token")
    }
    #expect(ask(pit, "GET", "state").status == 200 && ask(pit, "HEAD", "state").status == 200)
    #expect(ask(pit, "GET", "nothing").status == 404 && ask(pit, "POST", "nothing").status == 404)
    let wrong = (0..<7).map { _ in ask(pit, "GET", "state", token: "wrong").status }
    #expect(wrong == [401, 401, 401, 401, 401, 429, 429])
    #expect(ask(pit, "GET", "state").status == 200, "the right one is taken from there")
    #expect(ask(pit, "GET", "state", token: "wrong", from: "192.0.2.1").status == 401)
    pit.advance(seconds: 61)
    #expect(ask(pit, "GET", "state", token: "wrong").status == 401)
    let act = ask(pit, "GET", "freeze")
    #expect(act.status == 405 && act.headers == [.init("Allow", "POST")])
    let page = ask(pit, "POST", "state")
    #expect(page.status == 405 && page.headers == [.init("Allow", "GET, HEAD")])
  }

  /// Who shows no token is told to wait as soon as who shows a wrong one, and both together.
  @Test func missingTokensAreLimitedLikeWrongOnes() throws {
    let pit = try hosted()
    pit.advance(seconds: 0.1)
    func ask(_ token: String?, _ thread: Int, from address: String = "192.0.2.99") -> Int {
      self.ask(pit, "GET", "state", on: thread, token: token, from: address).status
    }
    let missing = (0..<1000).map { ask(nil, $0 % 2) }
    #expect(missing.prefix(5).allSatisfy { $0 == 401 })
    #expect(missing.dropFirst(5).allSatisfy { $0 == 429 })
    #expect(ask("wrong", 0) == 429, "they share one allowance")
    let refused = self.ask(pit, "POST", "freeze", token: nil)
    #expect(refused.headers == [.init("Retry-After", "60")])
    #expect(ask(Self.token, 1) == 200, "the host, behind the same address")
    #expect(ask(nil, 0, from: "192.0.2.1") == 401, "another address has its own")
    let acts = try #require(try page(pit, "audit")["acts"] as? [[String: String]])
    #expect(acts.count == 6 && acts.allSatisfy { $0["act"] == "refused" })
    #expect(acts.allSatisfy { $0["outcome"] == "no token" && $0["details"] == "state" })
    pit.advance(seconds: 61)
    #expect(ask(nil, 0) == 401)
  }

  @Test func aServerWithoutATokenHasNoHost() throws {
    let pit = try VirtualServer()
    #expect(ask(pit, "GET", "state").status == 404 && ask(pit, "POST", "freeze").status == 404)
    #expect(ask(pit, "GET", "state", token: nil).status == 404)
    pit.server.hostDesk.change(token: HostToken(Self.token))
    #expect(ask(pit, "GET", "state").status == 200)
    pit.server.hostDesk.change(token: nil)
    #expect(ask(pit, "GET", "state").status == 404)
  }

  @Test func everythingIsWrittenDown() throws {
    let pit = try hosted()
    act(pit, "kick", "person=7")
    act(pit, "gravity", "percent=50")
    act(pit, "gravity", "percent=500")
    _ = ask(pit, "GET", "state", token: "wrong-token-that-is-secret")
    let acts = try #require(try page(pit, "audit")["acts"] as? [[String: String]])
    #expect(acts.map { $0["act"] } == ["refused", "gravity", "gravity", "kick"])
    #expect(acts.map { $0["outcome"]!.prefix(4) } == ["wron", "400 ", "done", "404 "])
    #expect(acts[2]["details"] == "percent=50" && acts[2]["address"] == "192.0.2.99")
    #expect(!"\(acts)".contains("secret") && !"\(acts)".contains(Self.token))
  }

  // MARK: People

  @Test(arguments: [0, 1]) func whoIsKickedIsGoneAndTheTokenIsVoid(thread: Int) throws {
    let pit = try hosted()
    let (kicked, other) = (Probe(pit), Probe(pit))
    pit.advance(seconds: 0.5)
    let welcome = try #require(kicked.welcome)
    #expect(act(pit, "kick", "person=\(welcome.clientID)", on: thread).status == 200)
    #expect(act(pit, "kick", "person=\(welcome.clientID)", on: thread).status == 404, "only once")
    #expect(try page(pit, "people")["count"] as? Int == 1)
    // Before its thread has ended the connection the token is worth nothing either.
    let early = Probe(pit, hello: Hello(resumeToken: welcome.token))
    pit.advance(seconds: 0.5)
    #expect(kicked.closed?.code.rawValue == 4003)
    #expect(kicked.closed?.reason == "removed by the host")
    let late = Probe(pit, hello: Hello(resumeToken: welcome.token))
    pit.advance(seconds: 0.5)
    for probe in [early, late] {
      let new = try #require(probe.welcome)
      #expect(new.token != welcome.token && new.clientID != welcome.clientID)
      #expect(new.name != welcome.name)
    }
    #expect(other.closed == nil && other.people?.count == 3)
    let ended = pit.server.hubs.map { $0.traffic.ended[.removed] }
    #expect(ended.reduce(0, +) == 1)
  }

  /// The person is asked for by another thread at the moment in which the host says no.
  @Test func whoIsKickedOnTheWayToAnotherThreadIsGoneToo() throws {
    for moment in 0..<6 {
      let pit = try hosted()
      let first = Probe(pit)
      pit.advance(seconds: 0.5)
      let welcome = try #require(first.welcome)
      let second = Probe(pit, hello: Hello(resumeToken: welcome.token))
      while pit.server.hubs[1].waiting.isEmpty { pit.advance(seconds: 0.0005) }
      pit.advance(seconds: Double(moment) / 120)
      #expect(act(pit, "kick", "person=\(welcome.clientID)").status == 200)
      pit.advance(seconds: 0.5)
      #expect(first.closed != nil && second.closed?.code.rawValue == 4003, "moment \(moment)")
      #expect(pit.hub.directory.count == 0)
      #expect(pit.server.hubs.allSatisfy { $0.byPerson.isEmpty && $0.waiting.isEmpty })
      let third = Probe(pit, hello: Hello(resumeToken: welcome.token))
      pit.advance(seconds: 0.5)
      #expect(third.welcome != nil && third.welcome?.token != welcome.token)
    }
  }

  @Test func anAddressIsKeptOutForAWhile() throws {
    let pit = try hosted(threads: 3)
    let theirs = (0..<4).map { _ in Probe(pit, address: "2001:db8::\(5)") }
    let neighbour = Probe(pit, address: "2001:db8:0:1::5")
    pit.advance(seconds: 0.5)
    let id = try #require(theirs[0].welcome).clientID
    let (status, text) = act(pit, "ban", "person=\(id)&minutes=2", on: 2)
    #expect(status == 200 && text.contains("\"removed\":4"), "\(text)")
    pit.advance(seconds: 0.5)
    #expect(theirs.allSatisfy { $0.closed?.code.rawValue == 4003 } && neighbour.closed == nil)
    let token = try #require(theirs[1].welcome).token
    for hello in [Hello(), Hello(resumeToken: token)] {
      let probe = Probe(pit, hello: hello, address: "2001:db8::77")
      pit.advance(seconds: 0.5)
      #expect(probe.closed?.code.rawValue == 4003)
      #expect(probe.closed?.reason == "this address may join again in 2 minutes")
    }
    let bans = try #require(try page(pit, "state")["bans"] as? [[String: Any]])
    #expect(bans.count == 1 && bans[0]["address"] as? String == "2001:db8::5")
    pit.advance(seconds: 120)
    let later = Probe(pit, hello: Hello(resumeToken: token), address: "2001:db8::5")
    pit.advance(seconds: 0.5)
    #expect(later.welcome != nil && later.welcome?.token != token, "somebody new")
    #expect(pit.server.hubs.reduce(0) { $0 + $1.traffic.refused[.banned] } == 2)
  }

  @Test func aBanIsLifted() throws {
    let pit = try hosted()
    #expect(act(pit, "ban", "address=192.0.2.7&minutes=10").text.contains("\"removed\":0"))
    #expect(act(pit, "unban", "address=::ffff:192.0.2.7").status == 200, "the same address")
    #expect(act(pit, "unban", "address=192.0.2.7").status == 404)
    let probe = Probe(pit, address: "192.0.2.7")
    pit.advance(seconds: 0.5)
    #expect(probe.welcome != nil)
    for query in [
      "minutes=10", "address=x&minutes=10", "address=192.0.2.7&minutes=0",
      "address=192.0.2.7&minutes=1441", "person=1&address=192.0.2.7&minutes=1", "person=1",
    ] { #expect(act(pit, "ban", query).status == 400, "\(query)") }
  }

  @Test func whoWasHereComesBackThroughALockedDoor() throws {
    let pit = try hosted()
    let (first, second) = (Probe(pit), Probe(pit))
    pit.advance(seconds: 0.5)
    let token = try #require(first.welcome).token
    #expect(act(pit, "lock").status == 200)
    pit.advance(seconds: 0.5)
    #expect(second.hostNotices == [HostNotice(isLocked: true)])
    first.leave()
    let stranger = Probe(pit)
    pit.advance(seconds: 0.5)
    #expect(stranger.closed?.code == .tryAgainLater)
    #expect(stranger.closed?.reason == "joining is locked")
    let back = Probe(pit, hello: Hello(resumeToken: token))
    pit.advance(seconds: 0.5)
    #expect(back.welcome?.token == token && back.hostNotices == [HostNotice(isLocked: true)])
    act(pit, "unlock")
    pit.advance(seconds: 0.5)
    let newcomer = Probe(pit)
    pit.advance(seconds: 0.5)
    #expect(newcomer.welcome != nil && newcomer.hostNotices.isEmpty, "all is as ever")
    #expect(back.hostNotices.last == HostNotice())
  }

  @Test func namesAreTheHostsAndStay() throws {
    let pit = try hosted()
    let (one, other) = (Probe(pit), Probe(pit))
    pit.advance(seconds: 0.5)
    let welcome = try #require(one.welcome)
    let name = try Name("Zoë")
    #expect(act(pit, "rename", "person=\(welcome.clientID)&name=Zo%C3%AB", on: 1).status == 200)
    pit.advance(seconds: 0.5)
    #expect(one.renamed.map(\.name) == [name] && one.renamed[0].id == welcome.clientID)
    #expect(other.renamed.isEmpty)
    #expect(other.people?.listed.first { $0.id == welcome.clientID }?.name == name)
    one.leave()
    pit.advance(seconds: 0.5)
    // It comes back on another thread, and is taken over once more.
    for _ in 0..<2 {
      let back = Probe(pit, hello: Hello(resumeToken: welcome.token))
      pit.advance(seconds: 0.5)
      #expect(back.welcome?.name == name && back.renamed.isEmpty)
    }
    #expect(act(pit, "hide", "person=\(welcome.clientID)").status == 200)
    pit.advance(seconds: 0.5)
    let hidden = try Name("Somebody")
    #expect(other.people?.listed.first { $0.id == welcome.clientID }?.name == hidden)
    let people = try #require(try page(pit, "people")["people"] as? [[String: Any]])
    let shown = try #require(people.first { $0["id"] as? Int == Int(welcome.clientID) })
    #expect(shown["hidden"] as? Bool == true && shown["name"] as? String == "Somebody")
    #expect(act(pit, "rename", "person=\(welcome.clientID)&name=").status == 400)
    #expect(act(pit, "rename", "person=9999&name=a").status == 404)
    #expect(act(pit, "hide", "person=0").status == 400)
  }

  // MARK: What everybody is told

  @Test func announcementsAndTheStandingWorldAreToldToEverybody() throws {
    let pit = try hosted()
    let probes = (0..<4).map { _ in Probe(pit) }
    pit.advance(seconds: 0.5)
    #expect(probes.allSatisfy { $0.hostNotices.isEmpty }, "all is as ever")
    act(pit, "notice", "text=Pause")
    act(pit, "freeze", on: 1)
    pit.advance(seconds: 0.5)
    let told = HostNotice(isFrozen: true, announcement: try Announcement("Pause"))
    #expect(probes.allSatisfy { $0.hostNotices.last == told })
    let newcomer = Probe(pit)
    pit.advance(seconds: 0.5)
    #expect(newcomer.hostNotices == [told])
    act(pit, "notice")
    act(pit, "unfreeze")
    pit.advance(seconds: 0.5)
    #expect(probes.allSatisfy { $0.hostNotices.last == HostNotice() })
    #expect(act(pit, "notice", "text=" + String(repeating: "x", count: 121)).status == 400)
  }

  @Test func whoseReadsNothingIsToldLater() throws {
    let pit = try VirtualServer(
      faults: NetworkFaults(budgetBytes: 2048), hostToken: HostToken(Self.token))
    let probe = Probe(pit)
    pit.advance(seconds: 1)
    probe.connection!.isReading = false
    pit.advance(seconds: 3)
    act(pit, "lock")
    act(pit, "hide", "person=\(try #require(probe.welcome).clientID)")
    pit.advance(seconds: 1)
    #expect(probe.hostNotices.isEmpty)
    probe.connection!.isReading = true
    pit.advance(seconds: 2)
    #expect(probe.hostNotices == [HostNotice(isLocked: true)] && probe.renamed.count == 1)
  }

  // MARK: The world

  @Test func aSceneBeginsForEverybody() throws {
    let pit = try hosted()
    let probe = Probe(pit)
    pit.advance(seconds: 0.5)
    #expect(act(pit, "scene", "name=rain", on: 1).status == 200)
    pit.advance(seconds: 0.5)
    #expect(probe.welcome?.scene == Scene.rain.rawValue && probe.closed == nil)
    let state = try page(pit, "state")
    #expect(state["scene"] as? String == "rain" && state["bodies"] as? Int == 0)
    for query in [
      "", "name=moon", "name=rain&bodies=5", "name=gallery&bodies=9", "name=pit&size=1",
    ] {
      #expect(act(pit, "scene", query).status == 400, "\(query)")
    }
    #expect(act(pit, "scene", "name=gallery").status == 200)
    pit.advance(seconds: 0.5)
    #expect(act(pit, "clear").status == 409 && act(pit, "limits", "bodies=3").status == 409)
  }

  @Test func aWorldThatFollowersCantHaveIsRefused() throws {
    let pit = try hosted(maxBodies: 16_000)
    pit.advance(seconds: 0.1)
    let (status, text) = act(pit, "scene", "name=pit&bodies=8000")
    #expect(status == 409 && text.contains("4096"), "\(text)")
    #expect(act(pit, "scene", "name=pit&bodies=1000").status == 200)
    let large = try hosted(bodies: 8000, maxBodies: 16_000)
    large.advance(seconds: 0.1)
    #expect(act(large, "scene", "name=pit&bodies=7000").status == 200)
  }

  @Test func limitsHoldForEverybodyAndAgainstTheConfiguration() throws {
    let pit = try hosted(maxBodies: 50)
    let probes = (0..<2).map { _ in Probe(pit) }
    pit.advance(seconds: 0.5)
    for query in [
      "", "bodies=0", "bodies=51", "people=0", "people=4097", "commands=0", "commands=61",
      "commands=5&people=0",
    ] { #expect(act(pit, "limits", query).status == 400, "\(query)") }
    #expect(try page(pit, "state")["commandsPerSecond"] as? Int == 20, "all or nothing")
    #expect(act(pit, "limits", "people=2&commands=1&bodies=5").status == 200)
    pit.advance(seconds: 0.2)
    let third = Probe(pit)
    pit.advance(seconds: 0.5)
    #expect(third.closed?.code == .tryAgainLater && third.closed?.reason == "the pit is full")
    for _ in 0..<10 { probes[1].say(.drop(kind: 0, x: 800, y: 800)) }
    pit.advance(seconds: 0.5)
    let outcomes = probes[1].receipts.flatMap(\.commands).map(\.outcome)
    #expect(outcomes.count { $0 == .carriedOut } == 2 && outcomes.count { $0 == .leftOut } == 8)
    #expect(probes[1].closed == nil, "nobody is sent away for it")
    // The configuration is read again: what the host said holds on.
    var limits = Limits()
    limits.commandsPerSecond = 10
    pit.server.change(limits: limits, traffic: TrafficLimits(), keywords: .standard)
    pit.advance(seconds: 0.2)
    let state = try page(pit, "state")
    #expect(state["commandsPerSecond"] as? Int == 1 && state["peopleLimit"] as? Int == 2)
    #expect(state["bodyCap"] as? Int == 5 && state["mostBodies"] as? Int == 50)
  }

  @Test func moreCommandsThanConfiguredCanBeAllowed() throws {
    let pit = try hosted(bodies: 0)
    let probe = Probe(pit)
    pit.advance(seconds: 0.5)
    act(pit, "limits", "commands=60")
    pit.advance(seconds: 0.2)
    for _ in 0..<100 { probe.say(.drop(kind: 0, x: 800, y: 800)) }
    pit.advance(seconds: 0.5)
    #expect(probe.closed == nil)
    for _ in 0..<121 { probe.say(.drop(kind: 0, x: 800, y: 800)) }
    pit.advance(seconds: 0.5)
    #expect(probe.closed?.reason == "too many commands")
  }

  @Test func whoOpensAHandIsNeverHeldUp() throws {
    let pit = try hosted()
    let probe = Probe(pit)
    pit.advance(seconds: 0.5)
    act(pit, "limits", "commands=1")
    pit.advance(seconds: 0.2)
    probe.say(.drop(kind: 0, x: 800, y: 800))
    let body = try probe.grabFirst()
    pit.advance(seconds: 0.2)
    #expect(probe.holders.count == 1)
    probe.say(.release(slot: body.slot, velocityX: 0, velocityY: 0))
    pit.advance(seconds: 0.2)
    #expect(probe.holders.isEmpty)
  }

  @Test func tooManyActsAtOnceAreRefused() throws {
    let pit = try hosted()
    let statuses = (0..<100).map { _ in act(pit, "gravity", "percent=100").status }
    #expect(statuses.filter { $0 == 200 }.count == 64 && statuses.last == 503)
    let refused = ask(pit, "POST", "gravity", "percent=100")
    #expect(refused.headers == [.init("Retry-After", "1")])
    pit.advance(seconds: 0.2)
    #expect(act(pit, "gravity", "percent=100").status == 200)
    pit.advance(seconds: 0.1)
    #expect(try page(pit, "state")["gravity"] as? Int == 100)
  }
}
