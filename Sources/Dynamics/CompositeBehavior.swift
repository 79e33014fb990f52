/// A behaviour made of child behaviours. A UIKit subclass of `UIDynamicBehavior`.
///
/// Where UIKit subclasses, this package writes a function that returns a composite:
///
/// ```swift
/// func bouncyFall(_ items: [ItemID]) -> CompositeBehavior {
///   var material = ItemBehavior(items: items)
///   material.elasticity = 0.6
///   return CompositeBehavior(children: [.gravity(GravityBehavior(items: items)), .item(material)])
/// }
/// ```
///
/// The children come right after their parent in the depth-first order, and go with it.
public struct CompositeBehavior: DynamicBehavior {
  /// The behaviours it is made of, in order of addition.
  public internal(set) var children: [Behavior]

  /// Made of these children.
  public init(children: [Behavior] = []) { self.children = children }

  /// Adds a child, before the composite is in an animator. Afterwards `Animator.addChild` does.
  public mutating func addChild<Kind: DynamicBehavior>(_ child: Kind) {
    children.append(child.behavior)
  }
}
