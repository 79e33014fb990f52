#if canImport(Darwin)
  import Foundation
  import Wire

  @available(iOS 13, macOS 10.15, tvOS 13, watchOS 6, *)
  extension PitClient {
    /// A client that connects to an address.
    /// - Parameters:
    ///   - url: such as `wss://pit.example/ws`. One with `ws:` needs an exception in the app's
    ///     Info.plist (App Transport Security).
    ///   - wishes: what it wants to be sent.
    ///   - token: that of an earlier client, to be the same person again.
    public convenience init(
      url: URL, _ wishes: Wishes = Wishes(), token: SessionToken? = nil
    ) {
      self.init(wishes, token: token) { URLSessionLink(url) }
    }
  }

  /// A link on Apple's systems, on `URLSessionWebSocketTask`.
  @available(iOS 13, macOS 10.15, tvOS 13, watchOS 6, *)
  public final class URLSessionLink: PitLink, @unchecked Sendable {
    private let inbox = LinkInbox()
    private let task: URLSessionWebSocketTask

    /// Twice the largest message that a server sends: with less the task ends the connection.
    private static let mostMessageBytes = 2 << 20

    /// Connects to a server's address, such as `wss://pit.example/ws`.
    public init(_ url: URL) {
      let opening = Opening()
      // Without a queue of ours the session makes one that does one thing after the other.
      let session = URLSession(configuration: .ephemeral, delegate: opening, delegateQueue: nil)
      task = session.webSocketTask(with: url, protocols: [PitClient.subprotocol])
      opening.link = self
      task.maximumMessageSize = Self.mostMessageBytes
      task.resume()
      receive()
    }

    deinit { task.cancel(with: .normalClosure, reason: nil) }

    /// Sends a message; if it can't, the task ends, and `take()` tells of it.
    public func send(_ message: [UInt8]) {
      task.send(.data(Data(message))) { _ in }
    }

    /// Takes what happened since the last call.
    public func take() -> [LinkEvent] { inbox.take() }

    /// Ends the connection.
    public func close() { task.cancel(with: .normalClosure, reason: nil) }

    /// Waits for the next message, which the task hands over one at a time.
    private func receive() {
      task.receive { [weak self] result in
        guard let self else { return }
        switch result {
        case .success(.data(let data)):
          if inbox.put(.message([UInt8](data))) { receive() } else { close() }
        case .success:
          inbox.put(.failed("the server sent text"))
          close()
        case .failure: break  // The delegate is told how it ended.
        }
      }
    }

    /// The session's delegate. The session holds it until the task has ended, and so it must not
    /// hold the link.
    private final class Opening: NSObject, URLSessionWebSocketDelegate, @unchecked Sendable {
      weak var link: URLSessionLink?

      func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
        didOpenWithProtocol protocol: String?
      ) {
        link?.inbox.put(.opened)
      }

      func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
      ) {
        let words = String(decoding: reason ?? Data(), as: UTF8.self)
        link?.inbox.put(.closed(code: UInt16(clamping: closeCode.rawValue), reason: words))
      }

      func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
      ) {
        let words = error?.localizedDescription ?? "the connection ended"
        link?.inbox.put(.failed(words))
        // Only then does the session let go of its delegate.
        session.finishTasksAndInvalidate()
      }
    }
  }
#endif
