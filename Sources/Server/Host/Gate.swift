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
