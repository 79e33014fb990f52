import Glibc

/// Numeric text of a peer's address.
enum SocketAddress {
  /// The address without its port; an IPv4 address mapped into IPv6 is written as IPv4.
  static func text(_ storage: inout sockaddr_storage) -> String {
    var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    withUnsafePointer(to: &storage) { storage in
      let raw = UnsafeRawPointer(storage)
      switch Int32(storage.pointee.ss_family) {
      case AF_INET:
        var address = raw.assumingMemoryBound(to: sockaddr_in.self).pointee.sin_addr
        inet_ntop(AF_INET, &address, &buffer, socklen_t(buffer.count))
      case AF_INET6:
        var address = raw.assumingMemoryBound(to: sockaddr_in6.self).pointee.sin6_addr
        inet_ntop(AF_INET6, &address, &buffer, socklen_t(buffer.count))
      default:
        break
      }
    }
    let text = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    let mapped = "::ffff:"
    return text.hasPrefix(mapped) && text.contains(".")
      ? String(text.dropFirst(mapped.count)) : text
  }
}
