import CLibWebSockets
import Foundation
import Glibc

/// Asks one thing of a server over HTTP, and waits for the answer: for commands, not for servers.
///
/// ```swift
/// let client = try HTTPClient(url: "http://localhost:8080")
/// let answer = try client.ask("GET", "/healthz")
/// ```
///
/// It speaks by libwebsockets, as the WebSocket client does, so that nothing else has to be
/// installed for it. It follows no redirection, because what it carries may be a secret.
public struct HTTPClient: Sendable {
  /// What a server answered.
  public struct Answer: Sendable, Equatable {
    /// Status code.
    public var status: Int
    public var body: [UInt8]
  }

  /// Bytes of an answer that are taken; a page of five hundred people has a tenth of them.
  public static let mostBytes = 1 << 20

  private let url: ClientURL
  private let caFile: String?

  /// - Parameters:
  ///   - url: `http://host:port` or `https://host:port`; what follows is left out.
  ///   - caFile: PEM certificates that are trusted besides those of the system, such as the one
  ///     that the server made for itself.
  public init(url: String, caFile: String? = nil) throws(TransportError) {
    self.url = try ClientURL(http: url)
    if let caFile, access(caFile, R_OK) != 0 {
      throw .caFileUnreadable(path: caFile, reason: String(cString: strerror(errno)))
    }
    self.caFile = caFile
  }

  /// Asks, and waits for the whole answer: at most 15 s for each step of it. Not to be called on
  /// more than one thread at a time.
  ///
  /// - Parameters:
  ///   - method: such as `GET`, or `POST` without a body.
  ///   - path: encoded, with its query.
  ///   - headers: further header lines.
  /// - Throws: ``TransportError/refused(_:)`` or ``TransportError/connectionFailed(_:)``.
  public func ask(
    _ method: String, _ path: String, headers: [HTTPResponse.Header] = []
  ) throws(TransportError) -> Answer {
    let call = HTTPCall(url: url, method: method, path: path, headers: headers)
    // What it has to say is in the errors; otherwise it would go to standard error by itself.
    let log = ServiceLog.add { _ in }
    defer { ServiceLog.remove(log) }
    let caPath = caFile.flatMap { strdup($0) }
    defer { free(caPath) }
    let loop = try ServiceLoop(
      owner: call, subprotocol: "none", receiveBufferBytes: HTTPCall.receiveBufferBytes
    ) { info in
      guard url.isSecure else { return }
      info.options |= UInt64(LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT)
      info.client_ssl_ca_filepath = caPath.map { UnsafePointer($0) }
    }
    call.loop = loop
    try loop.start()
    loop.wake()
    call.ended.wait()
    loop.stop()
    return try call.outcome.get()
  }
}

/// One request and its answer. Everything but `ended` and `outcome`, which are read after it,
/// happens on the loop's thread.
private final class HTTPCall: ServicePeer, ServiceLoopOwner, @unchecked Sendable {
  static let receiveBufferBytes = 16_384

  let ended = DispatchSemaphore(value: 0)
  private(set) var outcome: Result<HTTPClient.Answer, TransportError> = .failure(
    .connectionFailed("there was no answer"))
  unowned(unsafe) var loop: ServiceLoop!
  private let url: ClientURL
  private let method: String
  private let path: String
  private let headers: [HTTPResponse.Header]
  private var hasBegun = false
  private var hasEnded = false
  private var socket: OpaquePointer?
  private var status = 0
  private var body: [UInt8] = []

  init(url: ClientURL, method: String, path: String, headers: [HTTPResponse.Header]) {
    (self.url, self.method, self.path, self.headers) = (url, method, path, headers)
  }

  // MARK: The loop

  func servicePrepares(tls context: OpaquePointer) {}
  func serviceTicked() {}
  func serviceStoodStill(_ nanoseconds: UInt64) {}
  func serviceTurned() -> Bool { false }
  func serviceStops() {}
  var serviceIsEmpty: Bool { true }

  func serviceWoken() {
    guard !hasBegun else { return }
    hasBegun = true
    if !connect() { end(.failure(.connectionFailed("no connection could be started"))) }
  }

  private func connect() -> Bool {
    url.host.withCString { address in
      url.authority.withCString { authority in
        path.withCString { path in
          method.withCString { method in
            ServiceLoop.plainProtocol.withCString { name in
              var info = lws_client_connect_info()
              info.context = loop.context
              info.vhost = loop.host
              info.address = address
              info.port = Int32(url.port)
              info.path = path
              info.host = authority
              info.method = method
              info.local_protocol_name = name
              info.opaque_user_data = opaque
              let tls = url.isSecure ? LCCSCF_USE_SSL.rawValue : 0
              info.ssl_connection = Int32(tls | LCCSCF_HTTP_NO_FOLLOW_REDIRECT.rawValue)
              return lws_client_connect_via_info(&info) != nil
            }
          }
        }
      }
    }
  }

  private func end(_ outcome: Result<HTTPClient.Answer, TransportError>) {
    guard !hasEnded else { return }
    hasEnded = true
    self.outcome = outcome
    ended.signal()
  }

  // MARK: The socket

  override func handle(
    _ reason: lws_callback_reasons, socket: OpaquePointer, input: UnsafeMutableRawPointer?,
    length: Int
  ) -> Int32 {
    switch reason {
    case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER:
      return addHeaders(socket, input, length)
    case LWS_CALLBACK_ESTABLISHED_CLIENT_HTTP:
      status = Int(lws_http_client_http_response(socket))
    case LWS_CALLBACK_RECEIVE_CLIENT_HTTP: return read(socket)
    case LWS_CALLBACK_RECEIVE_CLIENT_HTTP_READ:
      guard body.count + length <= HTTPClient.mostBytes else {
        end(.failure(.connectionFailed("the answer is too long")))
        return -1
      }
      body.append(contentsOf: UnsafeRawBufferPointer(start: input, count: length))
    case LWS_CALLBACK_COMPLETED_CLIENT_HTTP:
      end(.success(HTTPClient.Answer(status: status, body: body)))
      return -1
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
      let text = UnsafeRawBufferPointer(start: input, count: length).prefix { $0 != 0 }
      end(.failure(failure(String(decoding: text, as: UTF8.self))))
    case LWS_CALLBACK_CLOSED_CLIENT_HTTP, LWS_CALLBACK_WSI_DESTROY:
      end(.failure(.connectionFailed("it ended during the answer")))
    default: break
    }
    return 0
  }

  private func addHeaders(
    _ socket: OpaquePointer, _ input: UnsafeMutableRawPointer?, _ length: Int
  ) -> Int32 {
    guard let place = input?.assumingMemoryBound(to: UnsafeMutablePointer<UInt8>?.self),
      let start = place.pointee
    else { return -1 }
    let end = start + length
    for header in headers {
      let name = Array((header.name.lowercased() + ":").utf8) + [0]
      let value = Array(header.value.utf8)
      guard lws_add_http_header_by_name(socket, name, value, Int32(value.count), place, end) == 0
      else { return -1 }
    }
    return 0
  }

  private func read(_ socket: OpaquePointer) -> Int32 {
    let before = Int(stickerpit_lws_pre())
    let room = 2048
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: before + room) { buffer in
      var start: UnsafeMutablePointer<CChar>? = buffer.baseAddress! + before
      var count = Int32(room)
      return lws_http_client_read(socket, &start, &count) < 0 ? -1 : 0
    }
  }

  private func failure(_ reason: String) -> TransportError {
    if reason == "Unable to connect" { return .refused("\(url.host):\(url.port)") }
    guard !reason.contains("SSL") else {
      return .connectionFailed(
        "TLS was not agreed on: is the server's certificate trusted, and does the port speak TLS?")
    }
    return .connectionFailed(reason)
  }
}
