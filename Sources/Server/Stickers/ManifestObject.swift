import Foundation

/// An object of a manifest, with its place in the file: every value is asked for by its key, and
/// what nobody may ask for is an error.
struct ManifestObject {
  let file: String
  /// Where it is, such as `stickers[3]`; empty for the whole file.
  let place: String
  private let values: [String: ManifestValue]

  /// Throws `StickerSetError` for anything but an object with no other keys than these.
  init(
    _ value: ManifestValue, file: String, place: String = "", keys: [String]
  ) throws(StickerSetError) {
    self.file = file
    self.place = place
    guard case .object(let values) = value else {
      throw StickerSetError(file, place, "must be an object, not \(value.kind)")
    }
    self.values = values
    // The first by its name: an object of JSON has no order.
    if let unknown = values.keys.filter({ !keys.contains($0) }).min() {
      throw refusal(unknown, "is not known here: there are \(keys.joined(separator: ", "))")
    }
  }

  /// Whether it has the key.
  func has(_ key: String) -> Bool { values[key] != nil }

  /// The name of a key as errors tell it.
  func path(_ key: String) -> String { place.isEmpty ? key : "\(place).\(key)" }

  func refusal(_ key: String, _ problem: String) -> StickerSetError {
    StickerSetError(file, path(key), problem)
  }

  /// The value of a key that must be there.
  func value(_ key: String) throws(StickerSetError) -> ManifestValue {
    guard let value = values[key] else { throw refusal(key, "is missing") }
    return value
  }

  /// A text of 1 to `most` bytes of UTF-8.
  func text(_ key: String, most: Int) throws(StickerSetError) -> String {
    let value = try value(key)
    guard case .text(let text) = value, !text.isEmpty, text.utf8.count <= most,
      !text.unicodeScalars.contains(where: { $0.value < 32 })
    else { throw refusal(key, "must be a text of 1 to \(most) bytes, not \(value.kind)") }
    return text
  }

  /// A number in units of `step`, rounded to a whole one; `usual` where the key is missing.
  func number(
    _ key: String, _ range: ClosedRange<UInt16>, per unit: Double, usual: UInt16
  ) throws(StickerSetError) -> UInt16 {
    guard let value = values[key] else { return usual }
    return try Self.number(value, range, per: unit) { refusal(key, $0) }
  }

  /// A number that must be there.
  func number(
    _ key: String, _ range: ClosedRange<UInt16>, per unit: Double
  ) throws(StickerSetError) -> UInt16 {
    try Self.number(try value(key), range, per: unit) { refusal(key, $0) }
  }

  /// A number of a range that is told in `unit`s of one.
  static func number(
    _ value: ManifestValue, _ range: ClosedRange<UInt16>, per unit: Double,
    _ refusal: (String) -> StickerSetError
  ) throws(StickerSetError) -> UInt16 {
    if case .number(let number) = value, number.isFinite, abs(number) < 1_000_000 {
      let whole = Int((number * unit).rounded())
      if let small = UInt16(exactly: whole), range.contains(small) { return small }
    }
    let (low, high) = (Double(range.lowerBound) / unit, Double(range.upperBound) / unit)
    throw refusal("must be a number of \(short(low)) to \(short(high)), not \(value.kind)")
  }

  static func short(_ number: Double) -> String { ManifestValue.number(number).kind }

  /// A list that must be there.
  func list(_ key: String, _ counts: ClosedRange<Int>, of what: String)
    throws(StickerSetError) -> [ManifestValue]
  {
    let value = try value(key)
    let wanted = "must be a list of \(counts.lowerBound) to \(counts.upperBound) \(what), not "
    guard case .list(let list) = value else { throw refusal(key, wanted + value.kind) }
    guard counts.contains(list.count) else { throw refusal(key, wanted + "of \(list.count)") }
    return list
  }
}
