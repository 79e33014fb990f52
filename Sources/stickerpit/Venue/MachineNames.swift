import Foundation
import Glibc
import Transport

/// What others on the network may call this machine.
enum MachineNames {
  /// Names and addresses that a certificate of this machine is for. A name that its owner may not
  /// have chosen with certificates in mind is left out if they can't hold it.
  static var subjects: SelfSignedCertificate.Subjects {
    let host = ProcessInfo.processInfo.hostName.lowercased()
    let own = host == "localhost" || !isName(host) ? [] : [host]
    // Phones and laptops find each other by names that end in .local (mDNS, RFC 6762).
    let local = own.filter { !$0.contains(".") }.map { "\($0).local" }
    return SelfSignedCertificate.Subjects(
      names: own + local + ["localhost"],
      addresses: ["127.0.0.1", "::1"] + addresses(AF_INET) + addresses(AF_INET6))
  }

  /// Whether a server that listens there is reached by all of them.
  static func areCalled(by host: String) -> Bool { host == "0.0.0.0" || host == "::" }

  /// RFC 1123: letters, digits and hyphens between dots.
  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 253
      && text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
        !label.isEmpty && label.utf8.count <= 63 && !label.hasPrefix("-") && !label.hasSuffix("-")
          && label.utf8.allSatisfy {
            (97...122).contains($0) || (48...57).contains($0) || $0 == 45
          }
      }
  }

  /// This machine's addresses of a family that others may reach: no loopback, and of IPv6 none that
  /// counts on one cable only (fe80::/10).
  static func addresses(_ family: Int32 = AF_INET) -> [String] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    var found: [String] = []
    for entry in sequence(first: list, next: { $0?.pointee.ifa_next }) {
      guard let interface = entry?.pointee, let address = interface.ifa_addr,
        Int32(address.pointee.sa_family) == family,
        interface.ifa_flags & UInt32(IFF_LOOPBACK) == 0,
        let text = numeric(address, family), !text.hasPrefix("fe80:")
      else { continue }
      found.append(text)
    }
    return found
  }

  private static func numeric(_ address: UnsafePointer<sockaddr>, _ family: Int32) -> String? {
    let isIPv4 = family == AF_INET
    let length = isIPv4 ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    guard
      getnameinfo(
        address, socklen_t(length), &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
    else { return nil }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
  }
}
