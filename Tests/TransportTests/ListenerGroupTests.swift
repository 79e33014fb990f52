import Foundation
import Glibc
import Testing

@testable import Transport

/// Several network threads behind one port.
@Suite struct ListenerGroupTests {
  private let servers = (0..<3).map { _ in LiveServer() }

  private func listen(
    _ change: (inout ListenerConfiguration) -> Void = { _ in }
  ) throws -> ListenerGroup {
    var configuration = ListenerConfiguration(host: "127.0.0.1", port: 0)
    change(&configuration)
    let group = ListenerGroup(configuration: configuration, delegates: servers)
    try group.start()
    return group
  }

  private func counts(_ count: KeyPath<LiveServer.State, Int>) -> [Int] {
    servers.map { server in server.state.withLock { $0[keyPath: count] } }
  }

  @Test func connectionsAreSpreadAndEachStaysWhereItIs() throws {
    let group = try listen()
    let clients = (0..<60).map { _ in RawClient(port: group.port) }
    #expect(clients.allSatisfy { $0.shakeHands().status == 101 })
    eventually("all are known") { counts(\.opened).reduce(0, +) == 60 }
    #expect(!counts(\.opened).contains(0), "the kernel spreads them: \(counts(\.opened))")
    group.wake()
    eventually("all threads are woken") { !counts(\.wakes).contains(0) }
    for client in clients { client.hangUp() }
    eventually("all are gone") { counts(\.closed) == counts(\.opened) }
    group.stop()
  }

  /// However the connections of an address fall on the threads, it has as many in all.
  @Test func whatAnAddressMayHaveIsCountedTogether() throws {
    let group = try listen { ($0.maximumConnections, $0.maximumConnectionsPerAddress) = (15, 12) }
    let clients = (0..<30).map { _ in RawClient(port: group.port) }
    let statuses = clients.map { $0.shakeHands().status }
    #expect(statuses.count { $0 == 101 } == 12 && statuses.count { $0 == 429 } == 18)
    let others = (0..<6).map { _ in RawClient(port: group.port, source: 2) }
    #expect(others.map { $0.shakeHands().status }.sorted() == [101, 101, 101, 503, 503, 503])
    // Who leaves makes room, on whichever thread.
    for (client, status) in zip(clients, statuses) where status == 101 { client.hangUp() }
    eventually("there is room again") { RawClient(port: group.port).shakeHands().status == 101 }
    group.stop()
  }

  @Test func whatAnAddressMayAskIsCountedTogether() throws {
    let group = try listen {
      $0.traffic.requestsPerSecondPerAddress = 1
      $0.traffic.requestsBurstPerAddress = 20
    }
    let statuses = (0..<60).map { _ in RawClient.ask("/healthz", port: group.port).status }
    let answered = statuses.count { $0 == 200 }
    // Twenty at once, and one for each second that the test took.
    #expect(answered >= 20 && answered < 50, "\(statuses)")
    group.stop()
  }

  @Test func aSessionIsResumedOnEveryThread() throws {
    let files = try Certificate.make()
    defer { files.remove() }
    let session = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: session) }
    let group = try listen { $0.tls = .init(certificate: files.certificate, key: files.key) }
    _ = try ResumptionTests.connect(port: group.port, ["-tls1_3", "-sess_out", session])
    // That nine connections in a row fall on the one thread of three happens once in 20 000 runs.
    for _ in 0..<9 {
      let again = try ResumptionTests.connect(port: group.port, ["-tls1_3", "-sess_in", session])
      #expect(again.contains("{\"ok\":true}") && again.contains("Reused, "))
    }
    group.stop()
  }

  @Test func aPortInUseLeavesNothingRunning() throws {
    let first = try LiveServer().listen()
    let group = ListenerGroup(
      configuration: ListenerConfiguration(host: "127.0.0.1", port: first.port),
      delegates: servers)
    #expect(throws: TransportError.portInUse(host: "127.0.0.1", port: first.port)) {
      try group.start()
    }
    first.stop()
    // And while a group listens, nobody else can, by accident.
    let running = try listen()
    let other = ListenerGroup(
      configuration: ListenerConfiguration(host: "127.0.0.1", port: running.port),
      delegates: servers)
    #expect(throws: TransportError.portInUse(host: "127.0.0.1", port: running.port)) {
      try other.start()
    }
    running.stop()
  }
}
