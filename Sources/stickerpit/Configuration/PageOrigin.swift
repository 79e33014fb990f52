import Glibc
import Transport

/// Where a page comes from, as browsers say it in the `Origin` header: scheme, host and port.
struct PageOrigin: Equatable {
  /// As browsers write it, because the header is compared with it letter by letter: in lower case,
  /// and without the port that the scheme has anyway.
  let text: String

  /// Whether a browser finds a page there.
  var isOfTheWeb: Bool { text.hasPrefix("https://") || text.hasPrefix("http://") }

  /// The host, in brackets if it is an IPv6 address.
  var host: String {
    let place = text[text.firstRange(of: "://")!.upperBound...]
    return Self.split(place).map { String($0.host) } ?? ""
  }

  /// Ports that browsers leave out.
  private static let usualPorts: [String: UInt16] = ["http": 80, "https": 443]

  /// Reads `scheme://host` or `scheme://host:port`; nil for anything else, such as a bare name, one
  /// with a path, or `*`.
  init?(_ given: String) {
    guard given.utf8.allSatisfy({ $0 > 32 && $0 < 127 }) else { return nil }
    let lowered = given.lowercased()
    guard let mark = lowered.firstRange(of: "://") else { return nil }
    let scheme = lowered[..<mark.lowerBound]
    guard Self.isScheme(scheme), let place = Self.split(lowered[mark.upperBound...]),
      let host = Self.host(place.host)
    else { return nil }
    var whole = "\(scheme)://\(host)"
    if let digits = place.port {
      guard let port = Self.port(digits) else { return nil }
      if port != Self.usualPorts[String(scheme)] { whole += ":\(port)" }
    }
    text = whole
  }

  /// RFC 3986 §3.1. Browsers' extensions and apps have schemes of their own. Those of WebSockets
  /// are where a page connects to, never where it comes from.
  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.first, first.isLetter, text != "ws", text != "wss" else { return false }
    return text.allSatisfy { $0.isLetter || $0.isNumber || "+-.".contains($0) }
  }

  /// What stands before the port's colon, and behind it if there is one.
  private static func split(_ place: Substring) -> (host: Substring, port: Substring?)? {
    var end = place.firstIndex(of: ":") ?? place.endIndex
    if place.hasPrefix("[") {
      // The colons in brackets are those of an IPv6 address.
      guard let bracket = place.firstIndex(of: "]") else { return nil }
      end = place.index(after: bracket)
    }
    let rest = place[end...]
    if rest.isEmpty { return (place, nil) }
    guard rest.hasPrefix(":") else { return nil }
    return (place[..<end], rest.dropFirst())
  }

  /// A name or an address, as browsers write it.
  private static func host(_ text: Substring) -> String? {
    if text.hasPrefix("[") { return address(text.dropFirst().dropLast()).map { "[\($0)]" } }
    let name = String(text)
    guard ListenerConfiguration.isAllowedHost(name), !name.contains(where: { "*[]".contains($0) }),
      !name.hasPrefix("."), !endsInNumber(name) || isIPv4(name)
    else { return nil }
    return name
  }

  /// What browsers take for an IPv4 address, and write with four decimal numbers: `127.1` too.
  private static func endsInNumber(_ name: String) -> Bool {
    let last = name.split(separator: ".").last ?? ""
    return last.hasPrefix("0x") || !last.isEmpty && last.allSatisfy(\.isNumber)
  }

  private static func isIPv4(_ name: String) -> Bool {
    var address = in_addr()
    return inet_pton(AF_INET, name, &address) == 1
  }

  /// An IPv6 address in its shortest form; nil for one with an IPv4 address in it, which browsers
  /// and the C library write differently.
  private static func address(_ text: Substring) -> String? {
    var address = in6_addr()
    var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_pton(AF_INET6, String(text), &address) == 1,
      inet_ntop(AF_INET6, &address, &buffer, socklen_t(buffer.count)) != nil
    else { return nil }
    let text = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    return text.contains(".") ? nil : text
  }

  private static func port(_ digits: Substring) -> UInt16? {
    guard digits.utf8.allSatisfy({ (48...57).contains($0) }), let port = UInt16(digits), port > 0
    else { return nil }
    return port
  }
}
