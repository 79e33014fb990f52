/// Makes a composite's children of the behaviours that stand in braces, with `if` and `for` where
/// they are wanted.
@resultBuilder
public enum CompositeBuilder {
  /// A behaviour of any kind.
  public static func buildExpression<Kind: DynamicBehavior>(_ behavior: Kind) -> [Behavior] {
    [behavior.behavior]
  }

  /// One after the other.
  public static func buildBlock(_ parts: [Behavior]...) -> [Behavior] { joined(parts) }

  /// Those of each round of a loop.
  public static func buildArray(_ parts: [[Behavior]]) -> [Behavior] { joined(parts) }

  /// Those under an `if` without `else`.
  public static func buildOptional(_ part: [Behavior]?) -> [Behavior] { part ?? [] }

  /// Those of the first branch.
  public static func buildEither(first part: [Behavior]) -> [Behavior] { part }

  /// Those of the other branch.
  public static func buildEither(second part: [Behavior]) -> [Behavior] { part }

  private static func joined(_ parts: [[Behavior]]) -> [Behavior] {
    var all: [Behavior] = []
    for part in parts { all += part }
    return all
  }
}
