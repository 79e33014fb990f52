import Testing

@testable import Transport

/// Listeners that go on by another configuration.
@Suite struct ChangeTests {
  @Test func allListenersGoOnByTheNewConfiguration() throws {
    var configuration = ListenerConfiguration(host: "127.0.0.1", port: 0)
    let servers = [LiveServer(), LiveServer()]
    let group = ListenerGroup(configuration: configuration, delegates: servers)
    try group.start()
    let stays = RawClient(port: group.port)
    #expect(stays.shakeHands().status == 101)
    configuration.trustedProxies = ["127.0.0.1"]
    configuration.allowedOrigins = ["https://a.example"]
    configuration.maximumConnectionsPerAddress = 1
    configuration.traffic.requestsPerSecondPerAddress = 1
    configuration.traffic.requestsBurstPerAddress = 30
    #expect(try !group.change(configuration), "there is no certificate")
    // Both threads take it over when they are woken; the kernel chooses who answers.
    eventually("both believe their proxy") {
      (0..<10).allSatisfy { number in
        let address = "203.0.113.\(number)"
        return RawClient.ask(
          "/echo", port: group.port, headers: ["X-Forwarded-For: \(address)"]
        ).text == "GET  \(address)"
      }
    }
    let foreign = RawClient(port: group.port)
    foreign.send("PROXY TCP4 192.0.2.1 127.0.0.1 1 2\r\n")
    #expect(foreign.shakeHands(origin: "https://a.example").status == 101)
    let second = RawClient(port: group.port)
    second.send("PROXY TCP4 192.0.2.1 127.0.0.1 1 2\r\n")
    #expect(second.shakeHands().status == 429)
    let statuses = (0..<40).map { _ in
      RawClient.ask("/echo", port: group.port, headers: ["X-Forwarded-For: 192.0.2.2"]).status
    }
    #expect(statuses.filter { $0 == 200 }.count >= 30 && statuses.contains(429), "\(statuses)")
    stays.sendFrame(2, [7])
    #expect(stays.readFrame()?.payload == [7], "who was there stays")
    withExtendedLifetime(foreign) {}
    group.stop()
  }

  @Test func aWrongConfigurationChangesNothing() throws {
    let (files, others) = (try Certificate.make(), try Certificate.make())
    defer {
      files.remove()
      others.remove()
    }
    var configuration = ListenerConfiguration(host: "127.0.0.1", port: 0)
    configuration.tls = .init(certificate: files.certificate, key: files.key)
    let group = ListenerGroup(configuration: configuration, delegates: [LiveServer()])
    try group.start()
    configuration.allowedHosts = ["pit.example"]
    for tls in [
      ListenerConfiguration.TLSFiles(certificate: others.certificate, key: files.key),
      .init(certificate: "/nowhere", key: files.key), .init(certificate: files.key, key: files.key),
    ] {
      configuration.tls = tls
      #expect(throws: TransportError.self) { try group.change(configuration) }
    }
    #expect(RawClient.ask("/echo", port: group.port, host: "pit.example").status == 421)
    configuration.tls = .init(certificate: others.certificate, key: others.key)
    #expect(try group.change(configuration), "another certificate")
    #expect(try !group.change(configuration), "the same one")
    eventually("its names are known") {
      RawClient.ask("/echo", port: group.port, host: "pit.example").status == 308
    }
    group.stop()
  }
}
