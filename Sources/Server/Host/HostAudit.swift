import DequeModule
import Foundation

/// What was done in the host's name, and who tried without the token; the newest of each. Those who
/// only try have room of their own: they can't make the server forget what the host did.
struct HostAudit: Sendable {
  struct Entry: Sendable, Equatable {
    /// Milliseconds since 1970.
    var time: UInt64
    /// The address from which it was asked.
    var address: String
    /// What it was; `refused` for whoever showed a wrong token or none.
    var act: String
    /// The request's parameters, or what was asked for.
    var details: String
    /// `done`, or why not.
    var outcome: String

    /// When it was, as ISO 8601 has it, in UTC.
    var timeText: String {
      Date(timeIntervalSince1970: Double(time / 1000)).formatted(.iso8601)
    }
  }

  /// Acts and tries that are kept: an evening of a busy host, 100 to 500 bytes each.
  static let mostActs = 150
  static let mostTries = 50
  /// Characters of an entry's details: the longest are an announcement's.
  static let mostDetails = 200

  private var acts: Deque<(place: UInt64, entry: Entry)> = []
  private var tries: Deque<(place: UInt64, entry: Entry)> = []
  private var count: UInt64 = 0

  mutating func addAct(_ entry: Entry) {
    count += 1
    acts.append((count, entry))
    if acts.count > Self.mostActs { acts.removeFirst() }
  }

  mutating func addTry(_ entry: Entry) {
    count += 1
    tries.append((count, entry))
    if tries.count > Self.mostTries { tries.removeFirst() }
  }

  /// All that is kept, the newest first.
  var newest: [Entry] {
    (Array(acts) + Array(tries)).sorted { $0.place > $1.place }.map(\.entry)
  }

  /// A text as an entry shows it: without what would break a line, and not too long.
  static func shown(_ text: some StringProtocol) -> String {
    let scalars = text.unicodeScalars.prefix(mostDetails).map { scalar -> Unicode.Scalar in
      HostText.isBad(scalar) ? "\u{FFFD}" : scalar
    }
    return String(String.UnicodeScalarView(scalars))
  }
}
