import Transport

/// Whom the host lets in. It stands in the directory, so that it is asked in the same moment in
/// which somebody is let in, whatever the thread.
struct Gate: Sendable {
  var bans = Bans()
  /// Whether nobody new may join. Who was here may come back.
  var isLocked = false
  /// The most people at a time. Beyond it neither newcomers nor those who were here get in; nobody
  /// is sent away.
  var mostPeople = Int.max
}

/// Where somebody comes from.
struct ClientAddress: Sendable, Equatable {
  /// The numeric address, as it is shown to the host.
  let text: String
  /// What limits and bans count by.
  let prefix: AddressPrefix
}

extension Connection {
  var clientAddress: ClientAddress { ClientAddress(text: remoteAddress, prefix: addressPrefix) }
}

/// Addresses that may not join for a while.
struct Bans: Sendable {
  /// Bans at a time: more than a host looks through, and a page of JSON.
  static let most = 500

  private struct Ban {
    /// As the host or the connection wrote it.
    let address: String
    /// Monotonic nanoseconds.
    let until: UInt64
  }

  private var list: [AddressPrefix: Ban] = [:]

  /// Bans an address prefix; one that is banned already from now on as long as this says.
  /// - Parameters:
  ///   - address: one that has the prefix, to be shown.
  ///   - now: monotonic nanoseconds.
  /// - Returns: false when there are ``most``.
  mutating func add(_ prefix: AddressPrefix, _ address: String, minutes: Int, at now: UInt64)
    -> Bool
  {
    assert(minutes > 0 && prefix.isAddress)
    forgetExpired(at: now)
    guard list[prefix] != nil || list.count < Self.most else { return false }
    list[prefix] = Ban(address: address, until: now + UInt64(minutes) * 60_000_000_000)
    return true
  }

  /// Lifts a ban; false when there is none.
  mutating func lift(_ prefix: AddressPrefix, at now: UInt64) -> Bool {
    forgetExpired(at: now)
    return list.removeValue(forKey: prefix) != nil
  }

  /// Seconds for which an address is still banned, 1 or more; nil if it isn't.
  func secondsLeft(of prefix: AddressPrefix, at now: UInt64) -> Int? {
    guard let ban = list[prefix], ban.until > now else { return nil }
    return Self.seconds(from: now, to: ban.until)
  }

  /// All of them, the one that ends first at the front.
  func all(at now: UInt64) -> [(address: String, seconds: Int)] {
    list.values.filter { $0.until > now }
      .sorted { ($0.until, $0.address) < ($1.until, $1.address) }
      .map { ($0.address, Self.seconds(from: now, to: $0.until)) }
  }

  private mutating func forgetExpired(at now: UInt64) {
    list = list.filter { $0.value.until > now }
  }

  private static func seconds(from now: UInt64, to until: UInt64) -> Int {
    Int((until - now + 999_999_999) / 1_000_000_000)
  }
}
