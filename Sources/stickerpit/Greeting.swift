import Foundation
import Glibc
import Server

/// What a person reads when the server is up: where to point a browser, and where a phone.
struct Greeting {
  let configuration: ServerConfiguration
  let port: UInt16
  let adminPort: UInt16?
  let bodyCap: Int
  /// From where the world goes on; nil for a new one.
  let resumedTick: UInt64?

  var text: String {
    let scheme = configuration.tls == nil ? "http" : "https"
    var lines = ["Sticker Pit is open:", "  here            \(scheme)://localhost:\(port)"]
    if configuration.host == "0.0.0.0" || configuration.host == "::" {
      for address in Self.addresses() {
        lines.append("  on the network  \(scheme)://\(address):\(port)")
      }
      if configuration.tls == nil {
        lines.append(
          "  Phones have motion sensors only over https: 'make run TLS=1' makes a certificate.")
      }
    }
    if let admin = configuration.admin, let adminPort {
      let host = admin.host.contains(":") ? "[\(admin.host)]" : admin.host
      lines.append("  for monitoring  http://\(host):\(adminPort)/metrics")
    }
    if configuration.pit.scene == .pit {
      lines.append("  Room for \(bodyCap) stickers; a new one then takes the oldest one's place.")
    } else {
      lines.append("  The scene is \(configuration.pit.scene.name).")
    }
    if let journal = configuration.journal {
      let state = resumedTick.map { "goes on after tick \($0)" } ?? "is new"
      lines.append("  The world is kept in \(journal.folder) and \(state).")
    }
    return lines.joined(separator: "\n")
  }

  /// This machine's IPv4 addresses that others may reach, loopback left out.
  static func addresses() -> [String] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    var found: [String] = []
    for entry in sequence(first: list, next: { $0?.pointee.ifa_next }) {
      guard let interface = entry?.pointee, let address = interface.ifa_addr,
        address.pointee.sa_family == sa_family_t(AF_INET),
        interface.ifa_flags & UInt32(IFF_LOOPBACK) == 0
      else { continue }
      var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      guard
        getnameinfo(
          address, socklen_t(MemoryLayout<sockaddr_in>.size), &text, socklen_t(text.count), nil, 0,
          NI_NUMERICHOST) == 0
      else { continue }
      found.append(String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))
    }
    return found
  }
}
