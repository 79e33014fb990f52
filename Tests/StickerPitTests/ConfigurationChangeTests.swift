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
