import Testing

@testable import Transport

/// Who gets a TLS handshake, and when.
@Suite struct HandshakeQueueTests {
  private static func look(_ bytes: some Sequence<UInt8>) -> ClientHello {
    Array(bytes).withUnsafeBytes { ClientHello($0) }
  }

  /// The same handshake message in records of so many bytes each.
  private static func split(_ hello: [UInt8], _ size: Int) -> [UInt8] {
    let message = Array(hello[5...])
    return stride(from: 0, to: message.count, by: size).flatMap { start in
      let part = message[start..<min(start + size, message.count)]
      return [22, 3, 1, UInt8(part.count >> 8), UInt8(part.count & 255)] + part
    }
  }

  @Test func aClientHelloIsCompleteWithItsLastByte() {
    let hello = TLSClient().hello()
    #expect(hello.count > 100)
    for count in 0..<hello.count {
      #expect(Self.look(hello[..<count]) == .incomplete, "\(count)")
    }
    #expect(Self.look(hello) == .complete && Self.look(hello + [1, 2, 3]) == .complete)
    for size in [1, 2, 3, 50] {
      let records = Self.split(hello, size)
      #expect(Self.look(records) == .complete && Self.look(records.dropLast()) == .incomplete)
    }
    #expect(Self.look("GET / HTTP/1.1\r\n".utf8) == .somethingElse)
    #expect(Self.look([0x80, 1]) == .somethingElse)
    let endless = (0..<400).flatMap { _ in [22, 3, 1, 0, 40] + [UInt8](repeating: 255, count: 40) }
    #expect(Self.look(endless[..<16_000]) == .incomplete && Self.look(endless) == .tooLong)
  }

  @Test func addressesTakeTurns() {
    var queue = FairQueue<String>()
    let (crowd, one, two) = (
      AddressPrefix("192.0.2.1"), AddressPrefix("192.0.2.2"), AddressPrefix("192.0.2.3")
    )
    for number in 0..<5 { queue.append("crowd \(number)", of: crowd) }
    queue.append("one", of: one)
    queue.append("two 0", of: two)
    queue.append("two 1", of: two)
    let last = queue.popLast(of: crowd)
    let only = queue.popLast(of: one)
    #expect(last == "crowd 4" && only == "one" && queue.count == 6)
    var order: [String] = []
    while let next = queue.popFirst() { order.append(next) }
    #expect(order == ["crowd 0", "two 0", "crowd 1", "two 1", "crowd 2", "crowd 3"])
    let nobody = queue.popLast(of: crowd)
    #expect(nobody == nil && queue.count == 0)
  }

  private static func withSecureListener(
    _ change: (inout ListenerConfiguration) -> Void, _ body: (WebSocketListener) throws -> Void
  ) throws {
    let files = try Certificate.make()
    defer { files.remove() }
    let listener = try LiveServer().listen {
      VisitorTests.letStay(&$0)
      $0.tls = .init(certificate: files.certificate, key: files.key)
      change(&$0)
    }
    try body(listener)
    listener.stop()
  }

  @Test func aFloodOfHelloesDelaysOnlyItsOwnAddress() throws {
    try Self.withSecureListener {
      $0.traffic.handshakesPerSecond = 4
      $0.traffic.handshakesBurst = 1
    } _: { listener in
      let hello = TLSClient().hello()
      let flood = (0..<400).map { _ in RawClient(port: listener.port) }
      for client in flood { client.send(hello) }
      eventually("they wait") { listener.visitorCount == 400 }
      let phone = RawClient(port: listener.port, source: 2)
      phone.send(hello)
      #expect(phone.readByte() == 22, "the server's answer")
      #expect(flood.filter { $0.hasSomething() }.count < 300)
    }
  }

  @Test func whoSaysNothingOrLeavesCostsNobodyATurn() throws {
    try Self.withSecureListener {
      $0.traffic.handshakesPerSecond = 1
      $0.traffic.handshakesBurst = 1
    } _: { listener in
      let hello = TLSClient().hello()
      let silent = (0..<300).map { _ in RawClient(port: listener.port) }
      let slow = (0..<300).map { _ in RawClient(port: listener.port) }
      for client in slow { client.send(Array(hello.dropLast())) }
      for _ in 0..<300 { RawClient(port: listener.port).send(hello) }
      let phone = RawClient(port: listener.port)
      phone.send(hello)
      #expect(phone.readByte() == 22, "of 900 before it, none takes a second")
      withExtendedLifetime((silent, slow)) {}
    }
  }

  /// Two rounds of a handshake.
  private static func shakeHandsTwice(_ groups: String, _ port: UInt16) -> (first: Int, second: Int)
  {
    let (tls, client) = (TLSClient(groups: groups), RawClient(port: port))
    client.send(tls.hello())
    let first = client.readSome()
    client.send(tls.hello(after: first))
    return (first.count, client.readSome().count)
  }

  @Test func browsersAreNotAskedTwiceAndOthersOnlyAtAPace() throws {
    try Self.withSecureListener {
      $0.traffic.repeatedHelloesPerSecond = 1
      $0.traffic.repeatedHelloesBurst = 1
    } _: { listener in
      for groups in ["X25519:P-384", "P-256:X25519"] {
        let client = RawClient(port: listener.port)
        client.send(TLSClient(groups: groups).hello())
        #expect(client.readSome().count > 500, "the certificate is in it")
      }
      let asked = (0..<20).map { _ in
        Self.shakeHandsTwice("P-384:P-256", listener.port)
      }
      #expect(asked.allSatisfy { $0.first < 200 }, "a request for another share")
      #expect(asked[0].second > 500, "\(asked)")
      #expect(asked.contains { $0.second < 200 }, "an alert")
    }
  }

  @Test func theQueueHasRoomForEverybodyElse() throws {
    try Self.withSecureListener {
      $0.traffic.visitors = 20
      $0.traffic.visitorsPerAddress = 15
    } _: { listener in
      let hello = TLSClient().hello()
      let crowd = (0..<40).map { RawClient(port: listener.port, source: $0 < 25 ? 1 : 2) }
      #expect(crowd[0].waitForEnd(), "the oldest of those who say nothing")
      eventually("the queue is full") { listener.visitorCount == 20 }
      for source in UInt8(1)...3 {
        let phone = RawClient(port: listener.port, source: source)
        phone.send(hello)
        #expect(phone.readByte() == 22)
      }
      withExtendedLifetime(crowd) {}
    }
  }

  @Test func aQueueFullOfHelloesLosesTheLastOfItsLargestAddress() throws {
    try Self.withSecureListener {
      $0.traffic.visitors = 20
      $0.traffic.visitorsPerAddress = 20
      $0.traffic.handshakesPerSecond = 1
      $0.traffic.handshakesBurst = 1
    } _: { listener in
      let hello = TLSClient().hello()
      let flood = (0..<60).map { _ in RawClient(port: listener.port) }
      for client in flood { client.send(hello) }
      eventually("the queue is full") { listener.visitorCount >= 20 }
      let phone = RawClient(port: listener.port, source: 2)
      phone.send(hello)
      #expect(phone.readByte() == 22)
      withExtendedLifetime(flood) {}
    }
  }
}
