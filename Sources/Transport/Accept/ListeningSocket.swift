import CLibWebSockets
import Glibc

/// Bound and listening TCP sockets for a host and a port.
struct ListeningSocket {
  /// Connections that may wait to be accepted: a whole venue that reloads at once.
  private static let backlog: Int32 = 4096

  let descriptors: [Int32]
  let port: UInt16

  /// Binds every address that the host's name stands for, all on one port.
  static func open(
    host: String, port: UInt16, sharing: ListenerConfiguration.PortSharing
  ) throws(TransportError) -> ListeningSocket {
    let addresses = try resolve(host)
    if sharing == .first, port != 0 {
      let probe = try bindAll(addresses, host: host, port: port, isShared: false)
      for descriptor in probe.descriptors { close(descriptor) }
    }
    return try bindAll(addresses, host: host, port: port, isShared: sharing != .exclusive)
  }

  /// Goes on with sockets that listen already, as a service manager hands them over. Each caller
  /// gets descriptors of its own for them; the given ones stay open.
  static func adopt(_ given: [Int32]) throws(TransportError) -> ListeningSocket {
    precondition(!given.isEmpty)
    var descriptors: [Int32] = []
    do {
      for descriptor in given { descriptors.append(try copy(descriptor)) }
    } catch {
      for descriptor in descriptors { close(descriptor) }
      throw error
    }
    return ListeningSocket(descriptors: descriptors, port: boundPort(descriptors[0]))
  }

  private static func copy(_ given: Int32) throws(TransportError) -> Int32 {
    guard option(given, SO_ACCEPTCONN) == 1,
      [AF_INET, AF_INET6].contains(option(given, SO_DOMAIN)),
      option(given, SO_TYPE) == Int32(SOCK_STREAM.rawValue)
    else {
      throw .badConfiguration(
        "descriptor \(given), which was handed over, is no listening TCP socket: use ListenStream= "
          + "with a port or an address and a port")
    }
    let descriptor = fcntl(given, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0, fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0
    else {
      let code = errno
      if descriptor >= 0 { close(descriptor) }
      throw .setupFailed("descriptor \(given): \(String(cString: strerror(code)))")
    }
    return descriptor
  }

  /// A socket's option; -1 for what is no socket.
  private static func option(_ descriptor: Int32, _ name: Int32) -> Int32 {
    var value: Int32 = -1
    var length = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : -1
  }

  private static func bindAll(
    _ addresses: [Address], host: String, port: UInt16, isShared: Bool
  ) throws(TransportError) -> ListeningSocket {
    var descriptors: [Int32] = []
    var port = port
    do {
      for address in addresses {
        let descriptor = try bind(
          address, host: host, port: port, isShared: isShared, acceptsIPv4: host == "::")
        descriptors.append(descriptor)
        if port == 0 { port = boundPort(descriptor) }
      }
    } catch {
      for descriptor in descriptors { close(descriptor) }
      throw error
    }
    return ListeningSocket(descriptors: descriptors, port: port)
  }

  private static func bind(
    _ address: Address, host: String, port: UInt16, isShared: Bool, acceptsIPv4: Bool
  ) throws(TransportError) -> Int32 {
    let descriptor = stickerpit_tcp_socket(address.family)
    guard descriptor >= 0 else { throw failure(errno, host: host, port: port) }
    // Lets a restarted server have its port back at once; two listeners stay impossible.
    setOption(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
    if isShared { setOption(descriptor, SOL_SOCKET, SO_REUSEPORT, 1) }
    if address.family == AF_INET6 {
      setOption(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, acceptsIPv4 ? 0 : 1)
    }
    let result = address.withPort(port) { pointer, length in
      Glibc.bind(descriptor, pointer, length) == 0 ? listen(descriptor, backlog) : -1
    }
    guard result == 0 else {
      let code = errno
      close(descriptor)
      throw failure(code, host: host, port: port)
    }
    return descriptor
  }

  private static func failure(_ code: Int32, host: String, port: UInt16) -> TransportError {
    switch code {
    case EADDRINUSE: .portInUse(host: host, port: port)
    case EACCES, EPERM: .portNotPermitted(host: host, port: port)
    default: .addressUnavailable(host: host, reason: String(cString: strerror(code)))
    }
  }

  static func setOption(_ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: Int32) {
    var value = value
    setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  private static func boundPort(_ descriptor: Int32) -> UInt16 {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { storage in
      let raw = UnsafeMutableRawPointer(storage)
      getsockname(descriptor, raw.assumingMemoryBound(to: sockaddr.self), &length)
      // The port stands at the same place for both families.
      return UInt16(bigEndian: raw.assumingMemoryBound(to: sockaddr_in.self).pointee.sin_port)
    }
  }
}

extension ListeningSocket {
  /// One address of a host.
  struct Address {
    let family: Int32
    private let storage: sockaddr_storage
    private let length: socklen_t

    init(_ info: addrinfo) {
      family = info.ai_family
      length = info.ai_addrlen
      var storage = sockaddr_storage()
      memcpy(&storage, info.ai_addr, Int(info.ai_addrlen))
      self.storage = storage
    }

    func withPort<Result>(
      _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
      var copy = storage
      return withUnsafeMutablePointer(to: &copy) { copy in
        let raw = UnsafeMutableRawPointer(copy)
        raw.assumingMemoryBound(to: sockaddr_in.self).pointee.sin_port = port.bigEndian
        return body(raw.assumingMemoryBound(to: sockaddr.self), length)
      }
    }
  }

  private static func resolve(_ host: String) throws(TransportError) -> [Address] {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_PASSIVE
    var list: UnsafeMutablePointer<addrinfo>?
    let result = getaddrinfo(host, nil, &hints, &list)
    guard result == 0, list != nil else {
      throw .addressUnavailable(host: host, reason: String(cString: gai_strerror(result)))
    }
    defer { freeaddrinfo(list) }
    var addresses: [Address] = []
    var next = list
    while let info = next {
      addresses.append(Address(info.pointee))
      next = info.pointee.ai_next
    }
    return addresses
  }
}

/// A peer's address as the kernel tells it.
enum SocketAddress {
  /// The address without its port; nil where there is none, as of a Unix socket.
  static func numeric(_ storage: inout sockaddr_storage) -> NumericAddress? {
    withUnsafePointer(to: &storage) { storage in
      let raw = UnsafeRawPointer(storage)
      switch Int32(storage.pointee.ss_family) {
      case AF_INET:
        let address = raw.assumingMemoryBound(to: sockaddr_in.self).pointee.sin_addr
        return NumericAddress(isIPv4: true, bits: UInt128(UInt32(bigEndian: address.s_addr)))
      case AF_INET6:
        let address = raw.assumingMemoryBound(to: sockaddr_in6.self).pointee.sin6_addr
        return NumericAddress(
          isIPv4: false, bits: withUnsafeBytes(of: address) { NumericAddress.number($0) })
      default:
        return nil
      }
    }
  }
}
