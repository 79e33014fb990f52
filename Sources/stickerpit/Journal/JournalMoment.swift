import ArgumentParser
import Foundation
import TickLog

/// A moment in a journal: a tick, a time of day, or so long before its end.
struct JournalMoment: ExpressibleByArgument, Equatable {
  enum Kind: Equatable {
    case tick(UInt64)
    /// Milliseconds since 1970.
    case time(UInt64)
    /// Ticks before the end.
    case beforeEnd(UInt64)
  }

  let kind: Kind

  init?(argument: String) {
    if let tick = UInt64(argument), tick <= UInt64(Int64.max) {
      kind = .tick(tick)
    } else if argument.hasPrefix("-"), let ticks = Self.ticks(argument.dropFirst()) {
      kind = .beforeEnd(ticks)
    } else if let date = try? Date(argument, strategy: .iso8601), date.timeIntervalSince1970 >= 0 {
      kind = .time(UInt64(date.timeIntervalSince1970 * 1000))
    } else {
      return nil
    }
  }

  /// A length such as 90s, 10m or 2h.
  private static func ticks(_ text: Substring) -> UInt64? {
    guard let unit = text.last, let seconds = ["s": 1, "m": 60, "h": 3600][unit],
      let count = UInt64(text.dropLast()), count < 1_000_000_000
    else { return nil }
    return count * UInt64(seconds) * 60
  }

  /// The tick that is meant.
  func position(in journal: Journal) throws -> UInt64 {
    switch kind {
    case .tick(let tick): tick
    case .beforeEnd(let ticks): journal.last - min(ticks, journal.last)
    case .time(let time): try journal.position(at: time) ?? journal.last
    }
  }

  /// A time for people.
  /// - Parameter time: milliseconds since 1970.
  static func words(_ time: UInt64?) -> String {
    guard let time else { return "unknown" }
    return Date(timeIntervalSince1970: Double(time / 1000)).formatted(.iso8601)
  }
}

extension ArgumentHelp {
  /// What a moment is for, and how to write one.
  static func moment(_ meaning: String) -> ArgumentHelp {
    ArgumentHelp(
      stringLiteral: meaning
        + ": a tick, a time such as 2026-01-31T20:00:00Z, or -90s, -10m or -2h before the end.")
  }
}
