/// A behaviour made of child behaviours. A UIKit subclass of `UIDynamicBehavior`.
///
/// Where UIKit subclasses, this package writes a function that returns a composite:
///
/// ```swift
/// func bouncyFall(_ items: [ItemID]) -> CompositeBehavior {
///   CompositeBehavior {
///     GravityBehavior(items: items, magnitude: 2)
///     ItemBehavior(items: items, elasticity: 0.6)
///   }
/// }
/// ```
///
/// The children come right after their parent in the depth-first order, and go with it. An item
/// that is added to a composite in an animator is added to all children that list items.
public struct CompositeBehavior: DynamicBehavior {
  /// The behaviours it is made of, in order of addition.
  public internal(set) var children: [Behavior]

  /// No children yet.
  public init() { children = [] }

  /// Made of the behaviours that stand in the braces, of any kinds, in this order.
  public init(@CompositeBuilder _ children: () -> [Behavior]) { self.children = children() }

  /// Made of these children in their envelopes.
  public init(children: [Behavior]) { self.children = children }

  /// Adds a child, before the composite is in an animator. Afterwards `Animator.addChild` does.
  public mutating func addChild<Kind: DynamicBehavior>(_ child: Kind) {
    children.append(child.behavior)
  }
}

/// Makes a composite's children of the behaviours that stand in braces, with `if` and `for` where
/// they are wanted. Types are named there, as in `FieldBehavior.drag()`: Swift takes a line that
/// begins with a dot for a part of the line before.
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
