import Testing

@testable import stickerpit

/// What a running server takes over of a configuration that was read again.
@Suite struct ConfigurationChangeTests {
  @Test func whatCanChangeDoesAndTheRestIsNamed() {
    let running = ServeConfiguration()
    var wanted = running
    wanted.port = 9000
    wanted.limits.connectionsPerAddress = 600
    wanted.limits.connections = 9000
    wanted.traffic.requestsBurstPerAddress = 5
    wanted.traffic.visitors = 10
    wanted.origins = ["https://a.example"]
    wanted.trustedProxies = ["10.0.0.0/8", "fd00::/8"]
    let change = ConfigurationChange(from: running, to: wanted)
    #expect(
      change.applied == [
        "origin: none → https://a.example", "trusted-proxy: none → 10.0.0.0/8, fd00::/8",
        "limits.connections-per-address: 512 → 600",
        "limits.traffic.requests-burst-per-address: 40000 → 5",
      ])
    #expect(
      change.postponed == [
        "port: needs a restart", "limits.connections: needs a restart",
        "limits.traffic.visitors: needs a restart",
      ])
    var values = running
    values.limits.connectionsPerAddress = 600
    values.traffic.requestsBurstPerAddress = 5
    values.origins = wanted.origins
    values.trustedProxies = wanted.trustedProxies
    #expect(change.values == values)
    #expect(ConfigurationChange(from: running, to: running).applied == [])
  }

  /// The room for all connections was made at the start, and nobody is told of more than that.
  @Test func anAddressGetsNoMoreConnectionsThanThereAre() {
    var running = ServeConfiguration()
    running.limits.connections = 1000
    var wanted = running
    (wanted.limits.connections, wanted.limits.connectionsPerAddress) = (5000, 2000)
    let change = ConfigurationChange(from: running, to: wanted)
    #expect(change.applied == ["limits.connections-per-address: 512 → 1000"])
    #expect(change.values.limits.connectionsPerAddress == 1000)
    let postponed = [
      "limits.connections: needs a restart",
      "limits.connections-per-address: 2000 needs a restart, "
        + "until then limits.connections is 1000",
    ]
    #expect(change.postponed == postponed)
    let again = ConfigurationChange(from: change.values, to: wanted)
    #expect(again.applied == [] && again.postponed == postponed && again.values == change.values)
  }

  @Test func whatHoldsForNewConnectionsAndWhatIsNotReadIsSaid() {
    var running = ServeConfiguration()
    var wanted = running
    wanted.limits.helloSeconds = 9
    wanted.limits.tiltsPerSecond = 30
    wanted.traffic.framesPerSecond = 100
    let change = ConfigurationChange(from: running, to: wanted)
    #expect(change.applied.count == 3)
    #expect(
      change.remarks == [
        "for new connections only: limits.tilts-per-second, limits.traffic.frames-per-second"
      ])
    (running.tokenKeyFile, running.stickers) = ("key", "set")
    #expect(
      ConfigurationChange(from: running, to: running).remarks == [
        "not read again before a restart: token-key-file, stickers"
      ])
    (running.natsAuthority, running.natsCredentials) = ("ca", "credentials")
    #expect(
      ConfigurationChange(from: running, to: running).remarks == [
        "not read again before a restart: token-key-file, stickers, nats-ca",
        "not read again before the next connection to NATS: nats-credentials",
      ])
    #expect(ConfigurationChange(from: wanted, to: wanted).remarks == [])
    let each = Setting.all.filter(\.isOfEachConnection)
    #expect(each.count == 13 && each.allSatisfy(\.changesWhileRunning))
  }

  @Test func aServerWithoutTLSStaysWithout() {
    var (plain, secure) = (ServeConfiguration(), ServeConfiguration())
    (secure.tlsCertificate, secure.tlsKey) = ("a.pem", "a.key")
    for (one, other) in [(plain, secure), (secure, plain)] {
      let change = ConfigurationChange(from: one, to: other)
      #expect(change.values == one && change.applied == [] && change.postponed.count == 2)
    }
    plain = secure
    plain.tlsCertificate = "b.pem"
    let change = ConfigurationChange(from: secure, to: plain)
    #expect(change.values == plain && change.applied == ["tls-cert: a.pem → b.pem"])
  }

  /// Every key that a server says it takes over is copied, and no other.
  @Test func everyLiveKeyIsCopied() {
    for setting in Setting.all where setting.range != nil {
      var wanted = ServeConfiguration()
      let old = setting.value(in: wanted)
      let range = setting.range!
      let text = "\(old == .number(range.lowerBound) ? range.upperBound : range.lowerBound)"
      do { try setting.set(text, in: &wanted) } catch { Issue.record("\(setting.key)") }
      let change = ConfigurationChange(from: ServeConfiguration(), to: wanted)
      let isTaken = setting.value(in: change.values) == setting.value(in: wanted)
      #expect(isTaken == setting.changesWhileRunning, "\(setting.key)")
    }
  }
}
