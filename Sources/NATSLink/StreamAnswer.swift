import Foundation
import TickLog

/// What JetStream answers: JSON with a result or an error.
struct StreamAnswer {
  private struct Body: Decodable {
    struct Problem: Decodable {
      var code: Int?
      var errorCode: Int?
      var description: String?

      private enum CodingKeys: String, CodingKey {
        case code, description
        case errorCode = "err_code"
      }
    }
    struct State: Decodable {
      var firstSequence: UInt64
      var lastSequence: UInt64

      private enum CodingKeys: String, CodingKey {
        case firstSequence = "first_seq"
        case lastSequence = "last_seq"
      }
    }
    var error: Problem?
    var seq: UInt64?
    var state: State?
  }

  /// Of nats-server: the last sequence is another one than expected. Used for both headers.
  private static let wrongLastSequence = 10_071

  private let body: Body?
  private let hasNoResponder: Bool

  init(_ message: NATSMessage) {
    hasNoResponder = message.status == "503"
    body = try? JSONDecoder().decode(Body.self, from: Data(message.bytes))
  }

  var append: AppendAnswer {
    guard !hasNoResponder else { return .failed("JetStream does not answer") }
    if let error = body?.error {
      guard error.errorCode != Self.wrongLastSequence else { return .otherEnd }
      return .failed(error.description ?? "error \(error.errorCode ?? 0)")
    }
    return (body?.seq).map { .stored($0) } ?? .failed("an answer that can't be read")
  }

  /// The claim's revision; `.some(nil)` for somebody else's, nil for no answer that counts.
  var claim: UInt64?? {
    switch append {
    case .stored(let revision): .some(revision)
    case .otherEnd: .some(nil)
    case .failed: nil
    }
  }

  var state: (first: UInt64, last: UInt64)? {
    (body?.state).map { ($0.firstSequence, $0.lastSequence) }
  }

  /// What went wrong, in the server's words.
  var problem: String? {
    if hasNoResponder { return "JetStream is not enabled there (nats-server --jetstream)" }
    return body?.error.map { $0.description ?? "error \($0.errorCode ?? 0)" }
  }

  /// Whether there is no such stream: nobody stores what was sent, or knows the stream asked for.
  var hasNoStream: Bool { hasNoResponder || body?.error?.errorCode == 10_059 }

  /// Whether a stream of the name exists already, with other settings: it is used as it is.
  var isNameInUse: Bool { body?.error?.errorCode == 10_058 }
}
