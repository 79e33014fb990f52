import CNATS
import Foundation
import Synchronization
import TickLog

/// A message as it came.
struct NATSMessage {
  let subject: String
  let bytes: [UInt8]
  /// Its number in the stream that stored it.
  let sequence: UInt64?
  /// The status of a message without content, such as 404.
  let status: String?

  /// Whether it says that there is no such message.
  var isMissing: Bool { status == "404" }

  init(subject: String, bytes: [UInt8], sequence: UInt64?, status: String?) {
    (self.subject, self.bytes) = (subject, bytes)
    (self.sequence, self.status) = (sequence, status)
  }

  fileprivate init(_ message: OpaquePointer) {
    subject = natsMsg_GetSubject(message).map { String(cString: $0) } ?? ""
    let count = Int(natsMsg_GetDataLength(message))
    bytes =
      natsMsg_GetData(message).map { data in
        Array(UnsafeRawBufferPointer(start: data, count: count))
      } ?? []
    sequence = Self.header("Nats-Sequence", message).flatMap { UInt64($0) }
    status = Self.header("Status", message)
  }

  private static func header(_ name: String, _ message: OpaquePointer) -> String? {
    var value: UnsafePointer<CChar>?
    guard natsMsgHeader_Get(message, name, &value) == NATS_OK else { return nil }
    return value.map { String(cString: $0) }
  }
}

/// A connection to NATS through libnats, which connects again by itself for as long as it takes.
///
/// Sendable because libnats may be called from any thread.
final class NATSConnection: @unchecked Sendable {
  /// Milliseconds for the first connection and for each answer that is waited for.
  private static let patience: Int64 = 5000
  /// Milliseconds between two tries to connect again, and at most as much again by chance, so that
  /// a hundred edges don't come at once.
  private static let pause: Int64 = 100
  /// Messages that wait for this process at most: of the log, those of nine minutes. What is lost
  /// behind them is asked for by its number.
  private static let mostPending: Int32 = 32_768
  /// Pings that are sent each second; without two answers the connection counts as lost.
  private static let pingInterval: Int64 = 1000

  private let settings: JetStreamLink.Settings
  private var connection: OpaquePointer!
  /// Begins every reply subject.
  let inbox: String
  private let handlers = Mutex<Handlers>(Handlers())

  private struct Handlers {
    var onChange: (@Sendable (Bool) -> Void)?
    /// The C pointers as numbers, which may cross threads.
    var subscriptions: [UInt] = []
    var isClosed = false
  }

  /// A closure that C can carry.
  private final class Box {
    let handle: @Sendable (NATSMessage) -> Void
    init(_ handle: @escaping @Sendable (NATSMessage) -> Void) { self.handle = handle }
  }

  init(_ settings: JetStreamLink.Settings) throws(ClusterError) {
    self.settings = settings
    inbox = "_INBOX.\(String(UInt64.random(in: .min ... .max), radix: 36))"
    var options: OpaquePointer?
    defer { natsOptions_Destroy(options) }
    try check(natsOptions_Create(&options))
    try setServers(options)
    try check(natsOptions_SetName(options, "stickerpit"))
    try check(natsOptions_SetTimeout(options, Self.patience))
    try check(natsOptions_SetMaxReconnect(options, -1))
    try check(natsOptions_SetReconnectWait(options, Self.pause))
    try check(natsOptions_SetReconnectJitter(options, Self.pause, Self.pause))
    try check(natsOptions_SetPingInterval(options, Self.pingInterval))
    try check(natsOptions_SetMaxPingsOut(options, 2))
    // A tick waits for nothing: it is written at once instead of by a thread that collects.
    try check(natsOptions_SetSendAsap(options, true))
    if let file = settings.credentials {
      try check(natsOptions_SetUserCredentialsFromFiles(options, file, nil))
    }
    // Else libnats would go on without, where the server has none, and tell it the password.
    if settings.wantsTLS { try check(natsOptions_SetSecure(options, true)) }
    if let file = settings.authority {
      try check(natsOptions_LoadCATrustedCertificates(options, file))
    }
    let this = Unmanaged.passUnretained(self).toOpaque()
    let isGone: natsConnectionHandler = { _, this in NATSConnection.at(this).changed(to: false) }
    let isBack: natsConnectionHandler = { _, this in NATSConnection.at(this).changed(to: true) }
    try check(natsOptions_SetDisconnectedCB(options, isGone, this))
    try check(natsOptions_SetReconnectedCB(options, isBack, this))
    try check(natsConnection_Connect(&connection, options))
  }

  private func setServers(_ options: OpaquePointer?) throws(ClusterError) {
    let urls = settings.url.split(separator: ",").map { strdup(String($0)) }
    defer { for url in urls { free(url) } }
    var pointers = urls.map { UnsafePointer($0) }
    try check(natsOptions_SetServers(options, &pointers, Int32(urls.count)))
  }

  private static func at(_ pointer: UnsafeMutableRawPointer?) -> NATSConnection {
    Unmanaged<NATSConnection>.fromOpaque(pointer!).takeUnretainedValue()
  }

  private func changed(to isUp: Bool) {
    handlers.withLock { $0.isClosed ? nil : $0.onChange }?(isUp)
  }

  /// Has a closure told when the connection is lost and when it is there again.
  func onChange(_ tell: @escaping @Sendable (Bool) -> Void) {
    handlers.withLock { $0.onChange = tell }
  }

  private func check(_ status: natsStatus) throws(ClusterError) {
    guard status != NATS_OK else { return }
    let why = natsStatus_GetText(status).map { String(cString: $0) } ?? "\(status.rawValue)"
    throw .unreachable(settings.shownURL, why: why)
  }

  func subscribe(
    _ subject: String, _ handle: @escaping @Sendable (NATSMessage) -> Void
  ) throws(ClusterError) {
    let box = Unmanaged.passRetained(Box(handle))
    var subscription: OpaquePointer?
    let receive: natsMsgHandler = { _, _, message, box in
      defer { natsMsg_Destroy(message) }
      Unmanaged<Box>.fromOpaque(box!).takeUnretainedValue().handle(NATSMessage(message!))
    }
    try check(
      natsConnection_Subscribe(&subscription, connection, subject, receive, box.toOpaque()))
    try check(natsSubscription_SetPendingLimits(subscription, Self.mostPending, -1))
    let number = UInt(bitPattern: subscription)
    handlers.withLock { $0.subscriptions.append(number) }
  }

  /// Sends a message. Without a connection it waits in libnats for as long as its memory for that
  /// (8 MB) lasts, or is lost: whoever needs an answer asks again.
  func publish(
    _ subject: String, _ bytes: [UInt8], reply: String? = nil, headers: [String: String] = [:]
  ) {
    var message: OpaquePointer?
    let status = bytes.withUnsafeBytes { raw in
      natsMsg_Create(
        &message, subject, reply, raw.baseAddress?.assumingMemoryBound(to: CChar.self),
        Int32(raw.count))
    }
    guard status == NATS_OK else { return }
    defer { natsMsg_Destroy(message) }
    for (name, value) in headers { natsMsgHeader_Set(message, name, value) }
    natsConnection_PublishMsg(connection, message)
  }

  /// Makes a stream, if there is none of its name.
  func make(_ stream: StreamSettings) throws(ClusterError) {
    let request = stream.request
    var reply: OpaquePointer?
    let status = request.withUnsafeBytes { raw in
      natsConnection_Request(
        &reply, connection, StreamNames.create(stream.name), raw.baseAddress, Int32(raw.count),
        Self.patience)
    }
    defer { natsMsg_Destroy(reply) }
    guard status != NATS_NO_RESPONDERS else {
      throw .unreachable(
        settings.shownURL, why: "JetStream is not enabled there (nats-server --jetstream)")
    }
    try check(status)
    let answer = StreamAnswer(NATSMessage(reply!))
    if let problem = answer.problem, !answer.isNameInUse {
      throw .unreachable(settings.shownURL, why: "stream \(stream.name): \(problem)")
    }
  }

  /// Sends what waits, and ends the connection. Nothing is told afterwards. A callback may still be
  /// under way, so the closures live as long as the process: there are four of them.
  func close() {
    let subscriptions = handlers.withLock { handlers in
      defer { (handlers.isClosed, handlers.subscriptions) = (true, []) }
      return handlers.subscriptions
    }
    natsConnection_FlushTimeout(connection, 1000)
    for number in subscriptions { natsSubscription_Destroy(OpaquePointer(bitPattern: number)) }
    natsConnection_Close(connection)
  }
}
