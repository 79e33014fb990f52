import Foundation

@testable import Wire

/// What a value means, as JSON: for golden files that somebody with another language can check
/// against. Cases and fields keep their Swift names; numbers are the wire's own.
enum Meaning {
  /// The value as `JSONSerialization` takes it; nil for an absent optional.
  static func of(_ value: Any) -> Any? {
    switch value {
    case let name as Name: return name.text
    case let text as String: return text
    case let token as SessionToken: return (0..<16).map { token.byte(at: $0) }.hex
    case let rate as FrameRate: return Int(rate.rawValue)
    case let number as any BinaryInteger: return Int(number)
    case let flag as Bool: return flag
    case let list as [Any]: return list.compactMap { of($0) }
    default: return ofReflected(value)
    }
  }

  private static func ofReflected(_ value: Any) -> Any? {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional: return mirror.children.first.flatMap { of($0.value) }
    case .enum:
      guard let payload = mirror.children.first else { return "\(value)" }
      var fields = of(payload.value) as? [String: Any] ?? [:]
      if fields.isEmpty { fields["value"] = of(payload.value) }
      fields["case"] = payload.label
      return fields
    default:
      var fields: [String: Any] = [:]
      for child in mirror.children {
        fields[child.label!.trimmingCharacters(in: ["."])] = of(child.value)
      }
      // A number in a type of its own is that number, text that is kept as bytes is that text.
      if fields.count == 1, let raw = fields["rawValue"] { return raw }
      if fields.count == 1, let text = fields["utf8"] as? [Int] {
        return String(decoding: text.map { UInt8($0) }, as: UTF8.self)
      }
      return fields
    }
  }

  /// A world as `/api/world` tells it, but with the profile's own steps.
  static func of(world: LatticeWorld) -> [String: Any] {
    [
      "tick": Int(world.tick), "gravity": [Int(world.gravity.x), Int(world.gravity.y)],
      "bodies": world.bodies.map { of($0)! }, "boundaries": of(world.scenery.boundaries)!,
      "holders": of(world.scenery.holders)!, "rods": of(world.scenery.rods)!,
    ]
  }

  /// Text in which equal meanings are equal.
  static func text(_ object: Any) throws -> String {
    let data = try JSONSerialization.data(
      withJSONObject: object, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    return String(decoding: data, as: UTF8.self) + "\n"
  }
}
