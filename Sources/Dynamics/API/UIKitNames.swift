// UIKit's names, so that the compiler tells whoever ports a program what they are called here. None
// of them can be used. What has no counterpart of one name is in the article "UIKit's members and
// ours". Not for the page's module, which nobody ports.
#if !hasFeature(Embedded)

  /// UIKit's name of ``Animator``.
  @available(*, unavailable, renamed: "Animator")
  public typealias UIDynamicAnimator = Animator

  /// UIKit's name of ``Item``.
  @available(*, unavailable, renamed: "Item")
  public typealias UIDynamicItem = Item

  /// UIKit's name of ``CompositeBehavior``.
  @available(*, unavailable, renamed: "CompositeBehavior")
  public typealias UIDynamicBehavior = CompositeBehavior

  /// UIKit's name of ``GravityBehavior``.
  @available(*, unavailable, renamed: "GravityBehavior")
  public typealias UIGravityBehavior = GravityBehavior

  /// UIKit's name of ``CollisionBehavior``.
  @available(*, unavailable, renamed: "CollisionBehavior")
  public typealias UICollisionBehavior = CollisionBehavior

  /// UIKit's name of ``AttachmentBehavior``.
  @available(*, unavailable, renamed: "AttachmentBehavior")
  public typealias UIAttachmentBehavior = AttachmentBehavior

  /// UIKit's name of ``SnapBehavior``.
  @available(*, unavailable, renamed: "SnapBehavior")
  public typealias UISnapBehavior = SnapBehavior

  /// UIKit's name of ``PushBehavior``.
  @available(*, unavailable, renamed: "PushBehavior")
  public typealias UIPushBehavior = PushBehavior

  /// UIKit's name of ``ItemBehavior``.
  @available(*, unavailable, renamed: "ItemBehavior")
  public typealias UIDynamicItemBehavior = ItemBehavior

  /// UIKit's name of ``FieldBehavior``.
  @available(*, unavailable, renamed: "FieldBehavior")
  public typealias UIFieldBehavior = FieldBehavior

  /// UIKit's name of ``Region``.
  @available(*, unavailable, renamed: "Region")
  public typealias UIRegion = Region

  /// UIKit's name of ``BezierPath``.
  @available(*, unavailable, renamed: "BezierPath")
  public typealias UIBezierPath = BezierPath

  /// UIKit's name of ``Vector2``.
  @available(*, unavailable, renamed: "Vector2")
  public typealias UIOffset = Vector2

  /// UIKit's name of ``Insets``.
  @available(*, unavailable, renamed: "Insets")
  public typealias UIEdgeInsets = Insets

  /// A group is an item like others here.
  @available(*, unavailable, message: "Animator.addGroup(_:) returns the group's ItemID")
  public struct UIDynamicItemGroup {
    /// UIKit's name of `Animator.addGroup(_:)`.
    public init<List>(items: List) { fatalError() }
  }

  /// Instead of a delegate, a step tells what happened.
  @available(*, unavailable, message: "Animator.step() returns willResume and didPause")
  public protocol UIDynamicAnimatorDelegate {}

  /// Instead of a delegate, a step tells what happened.
  @available(*, unavailable, message: "Animator.step() returns began and ended contacts")
  public protocol UICollisionBehaviorDelegate {}

  /// UIKit's name of ``ItemShape``.
  @available(*, unavailable, renamed: "ItemShape")
  public typealias UIDynamicItemCollisionBoundsType = ItemShape

  extension Animator {
    /// UIKit's name of `init(referenceBounds:configuration:)`.
    @available(*, unavailable, renamed: "init(referenceBounds:)")
    public init<View>(referenceView: View) { fatalError() }

    /// UIKit's name of `add(_:)`.
    @available(*, unavailable, renamed: "add(_:)")
    public mutating func addBehavior<Kind: DynamicBehavior>(_ behavior: Kind) { fatalError() }

    /// UIKit's name of `remove(_:)`.
    @available(*, unavailable, renamed: "remove(_:)")
    public mutating func removeBehavior<Kind: DynamicBehavior>(
      _ handle: BehaviorHandle<Kind>
    ) { fatalError() }

    /// UIKit's name of `behaviorIDs`.
    @available(*, unavailable, renamed: "behaviorIDs")
    public var behaviors: [Behavior] { fatalError() }

    /// UIKit's name of `updateItem(_:usingCurrentState:)`.
    @available(*, unavailable, renamed: "updateItem(_:usingCurrentState:)")
    public mutating func updateItem(usingCurrentState item: ItemID) { fatalError() }

    /// Instead of a delegate, a step tells what happened.
    @available(*, unavailable, message: "step() returns willResume and didPause")
    public var delegate: Any? {
      get { fatalError() }
      set { fatalError() }
    }
  }

  extension Item {
    /// UIKit's name of `angle`.
    @available(*, unavailable, renamed: "angle")
    public var transform: Float {
      get { fatalError() }
      set { fatalError() }
    }

    /// UIKit's name of `shape`.
    @available(*, unavailable, renamed: "shape")
    public var collisionBoundingPath: ItemShape {
      get { fatalError() }
      set { fatalError() }
    }

    /// UIKit's name of `shape`.
    @available(*, unavailable, renamed: "shape")
    public var collisionBoundsType: ItemShape {
      get { fatalError() }
      set { fatalError() }
    }
  }

  extension CompositeBehavior {
    /// UIKit's name of `addChild(_:)`.
    @available(*, unavailable, renamed: "addChild(_:)")
    public mutating func addChildBehavior<Kind: DynamicBehavior>(_ child: Kind) { fatalError() }

    /// A composite in an animator is asked to let a child go there.
    @available(*, unavailable, message: "Animator.removeBehavior(_:) takes a child out")
    public mutating func removeChildBehavior<Kind: DynamicBehavior>(_ child: Kind) { fatalError() }

    /// UIKit's name of `children`.
    @available(*, unavailable, renamed: "children")
    public var childBehaviors: [Behavior] {
      get { fatalError() }
      set { fatalError() }
    }

    /// Closures are passed to a step.
    @available(*, unavailable, message: "pass it to Animator.step(composites:)")
    public var action: (() -> Void)? {
      get { fatalError() }
      set { fatalError() }
    }
  }

  extension DynamicBehavior {
    /// Closures are passed to a step.
    @available(*, unavailable, message: "pass it to Animator.step(action:)")
    public var action: (() -> Void)? {
      get { fatalError() }
      set { fatalError() }
    }
  }

  extension BehaviorHandle {
    /// A handle names the animator's copy, which the animator changes.
    @available(*, unavailable, message: "use Animator.addItem(_:to:)")
    public func addItem(_ item: ItemID) { fatalError() }

    /// A handle names the animator's copy, which the animator changes.
    @available(*, unavailable, message: "use Animator.removeItem(_:from:)")
    public func removeItem(_ item: ItemID) { fatalError() }
  }

  extension GravityBehavior {
    /// UIKit's name of `direction`.
    @available(*, unavailable, renamed: "direction")
    public var gravityDirection: Vector2 {
      get { fatalError() }
      set { fatalError() }
    }
  }

  extension CollisionBehavior {
    /// UIKit's name of `mode`.
    @available(*, unavailable, renamed: "mode")
    public var collisionMode: Mode {
      get { fatalError() }
      set { fatalError() }
    }

    /// Instead of a delegate, a step tells what happened.
    @available(*, unavailable, message: "step() returns began and ended contacts")
    public var collisionDelegate: Any? {
      get { fatalError() }
      set { fatalError() }
    }

    /// UIKit's name of `addBoundary(from:to:id:)`.
    @available(*, unavailable, renamed: "addBoundary(from:to:id:)")
    public mutating func addBoundary(
      withIdentifier id: BoundaryID, from start: Vector2, to end: Vector2
    ) { fatalError() }

    /// UIKit's name of `addBoundary(_:id:)`.
    @available(*, unavailable, renamed: "addBoundary(_:id:)")
    public mutating func addBoundary(
      withIdentifier id: BoundaryID, for path: BoundaryPath
    ) { fatalError() }

    /// UIKit's name of `boundary(id:)`.
    @available(*, unavailable, renamed: "boundary(id:)")
    public func boundary(withIdentifier id: BoundaryID) -> BoundaryPath? { fatalError() }

    /// UIKit's name of `removeBoundary(id:)`.
    @available(*, unavailable, renamed: "removeBoundary(id:)")
    public mutating func removeBoundary(withIdentifier id: BoundaryID) { fatalError() }
  }

  extension AttachmentBehavior {
    /// UIKit's name of `limit(item:offsetFromCenter:attachedTo:offsetFromCenter:)`.
    @available(*, unavailable, renamed: "limit(item:offsetFromCenter:attachedTo:offsetFromCenter:)")
    public static func limitAttachment(
      with item: ItemID, offsetFromCenter offset: Vector2, attachedTo other: ItemID,
      offsetFromCenter otherOffset: Vector2
    ) -> AttachmentBehavior { fatalError() }

    /// UIKit's name of `fixed(item:attachedTo:attachmentAnchor:)`.
    @available(*, unavailable, renamed: "fixed(item:attachedTo:attachmentAnchor:)")
    public static func fixedAttachment(
      with item: ItemID, attachedTo other: ItemID, attachmentAnchor point: Vector2
    ) -> AttachmentBehavior { fatalError() }

    /// UIKit's name of `pin(item:attachedTo:attachmentAnchor:)`.
    @available(*, unavailable, renamed: "pin(item:attachedTo:attachmentAnchor:)")
    public static func pinAttachment(
      with item: ItemID, attachedTo other: ItemID, attachmentAnchor point: Vector2
    ) -> AttachmentBehavior { fatalError() }

    /// UIKit's name of `sliding(item:attachedTo:attachmentAnchor:axisOfTranslation:)`.
    @available(
      *, unavailable,
      renamed: "sliding(item:attachedTo:attachmentAnchor:axisOfTranslation:)"
    )
    public static func slidingAttachment(
      with item: ItemID, attachedTo other: ItemID, attachmentAnchor point: Vector2,
      axisOfTranslation axis: Vector2
    ) -> AttachmentBehavior { fatalError() }

    /// UIKit's name of `sliding(item:attachmentAnchor:axisOfTranslation:)`.
    @available(*, unavailable, renamed: "sliding(item:attachmentAnchor:axisOfTranslation:)")
    public static func slidingAttachment(
      with item: ItemID, attachmentAnchor point: Vector2, axisOfTranslation axis: Vector2
    ) -> AttachmentBehavior { fatalError() }
  }

  extension PushBehavior {
    /// UIKit's name of `isActive`.
    @available(*, unavailable, renamed: "isActive")
    public var active: Bool {
      get { fatalError() }
      set { fatalError() }
    }

    /// UIKit's name of `direction`.
    @available(*, unavailable, renamed: "direction")
    public var pushDirection: Vector2 {
      get { fatalError() }
      set { fatalError() }
    }
  }

  extension ItemBehavior {
    /// A behaviour's value does not know its animator.
    @available(*, unavailable, message: "ask Animator.linearVelocity(of:)")
    public func linearVelocity(for item: ItemID) -> Vector2 { fatalError() }

    /// A behaviour's value does not know its animator.
    @available(*, unavailable, message: "ask Animator.angularVelocity(of:)")
    public func angularVelocity(for item: ItemID) -> Float { fatalError() }
  }

  extension FieldBehavior {
    /// UIKit's name of `linearGravity(direction:)`.
    @available(*, unavailable, renamed: "linearGravity(direction:)")
    public static func linearGravityField(direction: Vector2) -> FieldBehavior { fatalError() }

    /// UIKit's name of `radialGravity(position:)`.
    @available(*, unavailable, renamed: "radialGravity(position:)")
    public static func radialGravityField(position: Vector2) -> FieldBehavior { fatalError() }

    /// UIKit's name of `velocity(direction:)`.
    @available(*, unavailable, renamed: "velocity(direction:)")
    public static func velocityField(direction: Vector2) -> FieldBehavior { fatalError() }

    /// UIKit's name of `noise(smoothness:animationSpeed:)`.
    @available(*, unavailable, renamed: "noise(smoothness:animationSpeed:)")
    public static func noiseField(
      smoothness: Float, animationSpeed: Float
    ) -> FieldBehavior { fatalError() }

    /// UIKit's name of `turbulence(smoothness:animationSpeed:)`.
    @available(*, unavailable, renamed: "turbulence(smoothness:animationSpeed:)")
    public static func turbulenceField(
      smoothness: Float, animationSpeed: Float
    ) -> FieldBehavior { fatalError() }

    /// UIKit's name of `spring()`.
    @available(*, unavailable, renamed: "spring()")
    public static func springField() -> FieldBehavior { fatalError() }

    /// UIKit's name of `electric()`.
    @available(*, unavailable, renamed: "electric()")
    public static func electricField() -> FieldBehavior { fatalError() }

    /// UIKit's name of `magnetic()`.
    @available(*, unavailable, renamed: "magnetic()")
    public static func magneticField() -> FieldBehavior { fatalError() }

    /// UIKit's name of `vortex()`.
    @available(*, unavailable, renamed: "vortex()")
    public static func vortexField() -> FieldBehavior { fatalError() }

    /// UIKit's name of `drag()`.
    @available(*, unavailable, renamed: "drag()")
    public static func dragField() -> FieldBehavior { fatalError() }

    /// The closure is passed to the step.
    @available(
      *, unavailable,
      message: "use .custom() and pass the closure to Animator.step(field:)"
    )
    public static func field<Block>(evaluationBlock: Block) -> FieldBehavior { fatalError() }
  }

  extension Region {
    /// UIKit's name of `circle(radius:)`.
    @available(*, unavailable, renamed: "circle(radius:)")
    public init(radius: Float) { fatalError() }

    /// UIKit's name of `rectangle(width:height:)`.
    @available(*, unavailable, renamed: "rectangle(width:height:)")
    public init(size: Vector2) { fatalError() }

    /// UIKit's name of `union(_:)`.
    @available(*, unavailable, renamed: "union(_:)")
    public func byUnion(with region: Region) -> Region { fatalError() }

    /// UIKit's name of `difference(_:)`.
    @available(*, unavailable, renamed: "difference(_:)")
    public func byDifference(from region: Region) -> Region { fatalError() }

    /// UIKit's name of `intersection(_:)`.
    @available(*, unavailable, renamed: "intersection(_:)")
    public func byIntersection(with region: Region) -> Region { fatalError() }
  }

#endif
