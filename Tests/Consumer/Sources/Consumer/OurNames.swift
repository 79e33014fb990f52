import AppleNames
import Dynamics
import Physics
import StickerPitClient

// What apps do that import our libraries beside SwiftUI and UIKit: they write our types' names
// without a module. A name that AppleNames has, too, is ambiguous, and then this file does not
// compile. A test of the house, PublicNamesTests, sees to it that no public type is missing.

/// All public types of Physics, Dynamics and StickerPitClient.
enum OurNames {
  // Physics
  typealias OurBodyDefinition = BodyDefinition
  typealias OurBodyID = BodyID
  typealias OurBodyKind = BodyKind
  typealias OurBodyProperties = BodyProperties
  typealias OurBodyShape = BodyShape
  typealias OurBodyState = BodyState
  typealias OurCompoundShape = CompoundShape
  typealias OurBoundary = Boundary
  typealias OurBoundaryID = BoundaryID
  typealias OurBoundaryProperties = BoundaryProperties
  typealias OurContactEvent = ContactEvent
  typealias OurContactEvents = ContactEvents
  typealias OurContactPartner = ContactPartner
  typealias OurDebugDrawing = DebugDrawing
  typealias OurDebugStyle = DebugStyle
  typealias OurDeterministicMath = DeterministicMath
  typealias OurJointDefinition = JointDefinition
  typealias OurJointID = JointID
  typealias OurJointState = JointState
  typealias OurPhysicsError = PhysicsError
  typealias OurPhysicsLimit = PhysicsLimit
  typealias OurPhysicsWorld = PhysicsWorld
  typealias OurQueryFilter = QueryFilter
  typealias OurRandomGenerator = RandomGenerator
  typealias OurRayHit = RayHit
  typealias OurRect2 = Rect2
  typealias OurRefusedNumber = RefusedNumber
  typealias OurRotation = Rotation
  typealias OurSVGDrawing = SVGDrawing
  typealias OurSensorEvent = SensorEvent
  typealias OurSensorEvents = SensorEvents
  typealias OurTouchingPartner = TouchingPartner
  typealias OurVector2 = Vector2
  typealias OurWorldConfiguration = WorldConfiguration

  // Dynamics
  typealias OurAnimator = Animator
  typealias OurAttachmentBehavior = AttachmentBehavior
  typealias OurBehavior = Behavior
  typealias OurBehaviorHandle = BehaviorHandle
  typealias OurBehaviorID = BehaviorID
  typealias OurBezierPath = BezierPath
  typealias OurBoundaryPath = BoundaryPath
  typealias OurCollisionBehavior = CollisionBehavior
  typealias OurCollisionEvent = CollisionEvent
  typealias OurCollisionPartner = CollisionPartner
  typealias OurCompositeBehavior = CompositeBehavior
  typealias OurCompositeBuilder = CompositeBuilder
  typealias OurDynamicBehavior = DynamicBehavior
  typealias OurDynamicsError = DynamicsError
  typealias OurFieldBehavior = FieldBehavior
  typealias OurFieldSample = FieldSample
  typealias OurGravityBehavior = GravityBehavior
  typealias OurInsets = Insets
  typealias OurItem = Item
  typealias OurItemBehavior = ItemBehavior
  typealias OurItemID = ItemID
  typealias OurItemListBehavior = ItemListBehavior
  typealias OurItemProperties = ItemProperties
  typealias OurItemShape = ItemShape
  typealias OurItemState = ItemState
  typealias OurPushBehavior = PushBehavior
  typealias OurRegion = Region
  typealias OurSnapBehavior = SnapBehavior
  typealias OurStepEvents = StepEvents

  // StickerPitClient
  typealias OurLinkEvent = LinkEvent
  typealias OurLinkInbox = LinkInbox
  typealias OurPitClient = PitClient
  typealias OurPitClientError = PitClientError
  typealias OurPitClientState = PitClientState
  typealias OurPitClock = PitClock
  typealias OurPitFinger = PitFinger
  typealias OurPitFit = PitFit
  typealias OurPitHappening = PitHappening
  typealias OurPitLine = PitLine
  typealias OurPitLink = PitLink
  typealias OurPitPicture = PitPicture
  typealias OurPitVector = PitVector
  typealias OurPitWorld = PitWorld
  typealias OurScreenTurn = ScreenTurn
  typealias OurSticker = Sticker
}

/// Names of UIKit that Dynamics declares as unavailable, so that they say what to write instead:
/// where UIKit is imported they are UIKit's. Were they ours here, none could be used.
enum UIKitsNames {
  typealias TheirUIAttachmentBehavior = UIAttachmentBehavior
  typealias TheirUIBezierPath = UIBezierPath
  typealias TheirUICollisionBehavior = UICollisionBehavior
  typealias TheirUICollisionBehaviorDelegate = UICollisionBehaviorDelegate
  typealias TheirUIDynamicAnimator = UIDynamicAnimator
  typealias TheirUIDynamicAnimatorDelegate = UIDynamicAnimatorDelegate
  typealias TheirUIDynamicBehavior = UIDynamicBehavior
  typealias TheirUIDynamicItem = UIDynamicItem
  typealias TheirUIDynamicItemBehavior = UIDynamicItemBehavior
  typealias TheirUIDynamicItemCollisionBoundsType = UIDynamicItemCollisionBoundsType
  typealias TheirUIDynamicItemGroup = UIDynamicItemGroup
  typealias TheirUIEdgeInsets = UIEdgeInsets
  typealias TheirUIFieldBehavior = UIFieldBehavior
  typealias TheirUIGravityBehavior = UIGravityBehavior
  typealias TheirUIOffset = UIOffset
  typealias TheirUIPushBehavior = UIPushBehavior
  typealias TheirUIRegion = UIRegion
  typealias TheirUISnapBehavior = UISnapBehavior
}
