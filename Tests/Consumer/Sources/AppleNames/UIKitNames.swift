// The types of UIKit whose names Dynamics declares, too, as unavailable (its UIKitNames.swift). All
// others of UIKit and CoreGraphics begin with a prefix that no type of ours has.

public enum UIAttachmentBehavior {}
public enum UIBezierPath {}
public enum UICollisionBehavior {}
public enum UICollisionBehaviorDelegate {}
public enum UIDynamicAnimator {}
public enum UIDynamicAnimatorDelegate {}
public enum UIDynamicBehavior {}
public enum UIDynamicItem {}
public enum UIDynamicItemBehavior {}
public enum UIDynamicItemCollisionBoundsType {}
public enum UIDynamicItemGroup {}
public enum UIEdgeInsets {}
public enum UIFieldBehavior {}
public enum UIGravityBehavior {}
public enum UIOffset {}
public enum UIPushBehavior {}
public enum UIRegion {}
public enum UISnapBehavior {}
