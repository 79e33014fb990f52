import Dynamics
import Testing

/// The article "Porting a view controller" as code, so that it compiles and does what it says.
@Suite struct PortingTests {
  struct Controller {
    var animator: Animator
    let square: ItemID
    let pendulum: ItemID
    let fall: BehaviorHandle<GravityBehavior>
    let walls: BehaviorHandle<CollisionBehavior>
    let rope: BehaviorHandle<AttachmentBehavior>
    var snap: BehaviorHandle<SnapBehavior>?
    let slope = BoundaryID(1)

    init() throws {
      animator = try Animator(referenceBounds: Rect2(x: 0, y: 0, width: 400, height: 640))
      square = try animator.addItem(
        Item(.rectangle(width: 100, height: 100), center: Vector2(100, 100)))
      pendulum = try animator.addItem(
        Item(.rectangle(width: 40, height: 40), center: Vector2(200, 200)))

      var gravity = GravityBehavior(items: [square, pendulum])
      gravity.setAngle(.pi / 2, magnitude: 0.5)
      fall = try animator.add(gravity)

      var collision = CollisionBehavior(items: [square])
      collision.translatesReferenceBoundsIntoBoundary = true
      try collision.addBoundary(.segment(Vector2(0, 300), Vector2(300, 600)), id: slope)
      walls = try animator.add(collision)

      var swing = AttachmentBehavior(item: pendulum, attachedToAnchor: Vector2(100, 200))
      swing.length = 100
      rope = try animator.add(swing)

      var properties = ItemBehavior(items: [square])
      properties.elasticity = 0.6
      properties.friction = 0.2
      try animator.add(properties)
    }

    mutating func tapped(at point: Vector2) throws {
      if let snap {
        try animator.update(snap) { $0.snapPoint = point }
      } else {
        snap = try animator.add(SnapBehavior(item: square, snapTo: point))
      }
    }
  }

  @Test func theControllerDoesWhatItSays() throws {
    var controller = try Controller()
    var touchedSlope = 0
    for tick in 1...240 {
      for contact in controller.animator.step().began
      where contact.other == .boundary(controller.slope) {
        #expect(contact.item == controller.square)
        if touchedSlope == 0 { touchedSlope = tick }
      }
      let arm = controller.animator.center(of: controller.pendulum) - Vector2(100, 200)
      #expect(isClose(arm.length, 100, within: 0.001))
    }
    // The square's lower left corner at (50, 150) is over the slope at (50, 350): 200 pt at
    // 500 pt/s² take 0.894 s.
    #expect(abs(touchedSlope - 54) <= 1)
    try controller.tapped(at: Vector2(300, 100))
    controller.animator.step(times: 120)
    try controller.tapped(at: Vector2(200, 80))
    controller.animator.step(times: 120)
    #expect(controller.animator.center(of: controller.square) == Vector2(200, 80))
    #expect(controller.animator.angle(of: controller.square) == 0)
    try controller.animator.update(controller.fall) { $0.angle = 0 }
    controller.animator.step(times: 5)
    #expect(controller.animator.isRunning)
  }
}
