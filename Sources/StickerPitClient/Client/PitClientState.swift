import Simulation
import Wire

/// Where a client is on its way to the world.
public enum PitClientState: Equatable, Sendable {
  /// It has no connection and wants none: before `connect()` and after `disconnect()`.
  case idle
  /// A connection is being made, or the server's welcome is awaited.
  case connecting
  /// The server has welcomed the client.
  case online
  /// The connection was lost for this reason; the next attempt comes by itself.
  case waiting(PitClientError)
  /// The connection ended for a reason that another attempt would meet again; `connect()` tries all
  /// the same.
  case ended(PitClientError)
}

/// What can go wrong between a client and a server. The description is one sentence.
public enum PitClientError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The server speaks another version of the protocol; the words name both. The app has to be
  /// updated, or the server.
  case otherVersion(String)
  /// The same person came by another connection, which goes on instead.
  case replaced
  /// The host removed this person, or keeps the address out; the server's words may say how long.
  case removed(String)
  /// The server refuses this client for another reason: a close code in 4000…4099, with its words.
  case refused(code: UInt16, reason: String)
  /// The server closed the connection, or it was lost (code 1006): the code of RFC 6455 and the
  /// server's words.
  case closed(code: UInt16, reason: String)
  /// The connection could not be made, or its link gave it up; in words.
  case linkFailed(String)
  /// The server ends and is probably started again.
  case restarting
  /// Nothing came for 5 s, or no welcome within 10 s of an attempt.
  case silence
  /// A message that is none of this protocol. The connection is given up.
  case malformedMessage(WireError)
  /// A frame of the state stream that can't be read or doesn't fit. The last picture stays, and the
  /// client has asked for the whole world.
  case malformedFrame(WireError)
  /// A part of the log that can't be carried out, or after which the world is not the server's. The
  /// client has asked for the whole world.
  case brokenLog(ReplicaError)
  /// The whole world was asked for and did not come within 5 s. The connection is given up.
  case noWorld

  /// One sentence for people.
  public var description: String {
    switch self {
    case .otherVersion(let words): "the server speaks another version: \(words)"
    case .replaced: "the same person plays on another connection"
    case .removed(let words): words.isEmpty ? "the host removed this person" : words
    case .refused(let code, let reason): "the server refuses this client (\(code)): \(reason)"
    case .closed(let code, let reason): "the connection ended (\(code)) \(reason)"
    case .linkFailed(let words): "no connection: \(words)"
    case .restarting: "the server is being restarted"
    case .silence: "the server says nothing"
    case .malformedMessage(let error): "the server said what can't be read: \(error)"
    case .malformedFrame(let error): "a frame can't be read: \(error)"
    case .brokenLog(let error): "the log can't be followed: \(error)"
    case .noWorld: "the world did not come"
    }
  }
}
