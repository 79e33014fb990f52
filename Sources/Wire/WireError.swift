/// Why bytes were refused. Decoding never traps: any bytes give a value or one of these.
public enum WireError: Error, Equatable, Sendable {
  /// A message without bytes.
  case empty
  /// The first byte names no message of this direction.
  case unknownType(UInt8)
  /// The bytes ended inside a field.
  case truncated
  /// Bytes, or padding bits that are not zero, follow the message's end.
  case trailing
  /// More bytes than the limit of `WireLimits` allows.
  case tooLong(Int)
  /// A hello of another version; what follows the version is not read.
  case otherVersion(UInt16)
  /// A field holds a value that it must not hold.
  case outOfRange(WireField)
  /// A delta builds on another tick than the last one that was decoded: frames are missing.
  case gap(last: UInt32, base: UInt32)
  /// A delta came before any keyframe.
  case noKeyframe
}

/// The field that a `WireError.outOfRange` speaks of.
public enum WireField: UInt8, Sendable {
  case version, stream, rate, kind, name, people, noticeKind, flags, base
  case slot, generation, size, coordinate, count, length, scenery, held, profile
  case words, events, eventKind, keyword, receipts, outcome, person, command, packing
  case act, announcement, tiltRule, tilt
}
