import Dynamics
import DynamicsScenes
import Testing

/// The debug drawing.
@Suite struct DrawingTests {
  @Test func aPictureHasItsGoldenBytes() throws {
    var animator = try Animator(referenceBounds: Rect2(x: 0, y: 0, width: 300, height: 200))
    let ball = try animator.addItem(Item(.circle(diameter: 40), center: Vector2(60, 179.9)))
    let card = try animator.addItem(
      Item(
        .rectangle(width: 50, height: 30, cornerRadius: 4), center: Vector2(150, 100), angle: 0.5))
    let drop = try animator.addItem(
      Item(
        .path([Vector2(-20, 15), Vector2(20, 15), Vector2(0, -25)], growth: 3),
        center: Vector2(240, 60), tag: 9))
    _ = try animator.addItem(Item(.ellipse(width: 30, height: 20), center: Vector2(20, 20)))
    try animator.add(GravityBehavior(items: [ball]))
    var walls = CollisionBehavior(items: [ball], translatesReferenceBoundsIntoBoundary: true)
    try walls.addBoundary(from: Vector2(0, 120), to: Vector2(80, 140), id: 1)
    try walls.addBoundary(
      .path([Vector2(200, 190), Vector2(250, 150), Vector2(290, 190)], closed: true), id: 2)
    try walls.addBoundary(.rectangle(Rect2(x: 100, y: 150, width: 30, height: 10)), id: 3)
    try animator.add(walls)
    try animator.add(ItemBehavior(items: [card], isAnchored: true))
    try animator.add(SnapBehavior(item: drop, snapTo: Vector2(200, 80)))
    try animator.add(
      AttachmentBehavior(
        item: drop, offsetFromCenter: Vector2(10, 0), attachedTo: card,
        offsetFromCenter: Vector2(0, -15)))
    var field = FieldBehavior.drag(items: [drop])
    field.position = Vector2(220, 100)
    field.region = Region.circle(radius: 60).difference(.rectangle(width: 20, height: 10))
    try animator.add(field)
    animator.step()
    #expect(animator.events.began.count == 1)
    #expect(animator.svg() == Self.golden)
  }

  @Test func everyKindIsDrawn() throws {
    var scene = try EverythingScene()
    for _ in 0..<20 { try scene.step() }
    let drawing = scene.animator.svg()
    for kind in ["bounds", "boundary", "item", "anchored", "motion", "tie", "snap", "field"] {
      #expect(drawing.contains("class=\"\(kind)\""), "no \(kind)")
    }
  }

  @Test func numbersAreWrittenToTheHundredth() throws {
    var animator = try Animator(referenceBounds: Rect2(x: -5, y: 0, width: 100, height: 50))
    _ = try animator.addItem(
      Item(.circle(diameter: 10), center: Vector2(-0.006, 33.333), angle: .pi / 2, tag: 7))
    let drawing = animator.svg()
    #expect(drawing.contains("viewBox=\"-25 -20 140 90\""))
    #expect(drawing.contains("<g transform=\"translate(-0.01,33.33) rotate(90)\">"))
    #expect(drawing.contains("<title>item 0/0 tag 7</title>"))
    #expect(drawing.contains("<ellipse class=\"idle\" rx=\"5\" ry=\"5\"/>"))
    #expect(drawing == animator.svg())
  }

  @Test func contactsOfTheLastStepAreDrawn() throws {
    var animator = try Scenes.empty(width: 200, height: 100)
    let ball = try animator.addItem(Scenes.ball(at: Vector2(50, 79)))
    try animator.add(GravityBehavior(items: [ball]))
    try animator.add(
      CollisionBehavior(items: [ball], translatesReferenceBoundsIntoBoundary: true))
    var contacts = 0
    for _ in 0..<30 {
      animator.step()
      if animator.svg().contains("<circle class=\"contact\" cx=\"50\"") { contacts += 1 }
    }
    #expect(contacts == 1)
  }

  /// Looked at in a browser. Whoever changes the drawing on purpose looks at the new one.
  private static let golden = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="-20 -20 340 240">
    <style>
    path,rect,ellipse,circle{fill:none;stroke:#345;vector-effect:non-scaling-stroke}
    .bounds{stroke:#bbb;stroke-dasharray:4}
    .boundary{stroke:#b40;stroke-width:2}
    .item{fill:#8cf8}
    .anchored{fill:#567}
    .idle{stroke:#999;stroke-dasharray:2}
    .motion{stroke:#080}
    .tie{stroke:#a0a}
    .snap{stroke:#a0a;stroke-dasharray:2}
    .field{stroke:#caa;stroke-dasharray:8}
    .contact{stroke:#f00}
    </style>
    <rect class="bounds" x="0" y="0" width="300" height="200"/>
    <rect class="boundary" x="0" y="0" width="300" height="200"/>
    <path class="boundary" d="M0,120L80,140"/>
    <path class="boundary" d="M200,190L250,150L290,190Z"/>
    <rect class="boundary" x="100" y="150" width="30" height="10"/>
    <circle class="field" cx="220" cy="100" r="4"/>
    <circle class="field" cx="220" cy="100" r="60"/>
    <rect class="field" x="210" y="95" width="20" height="10"/>
    <g transform="translate(60,180) rotate(0)">
    <title>item 0/0 tag 0</title>
    <ellipse class="item" rx="20" ry="20"/>
    <path class="item" d="M0,0L20,0"/>
    </g>
    <g transform="translate(150,100) rotate(28.65)">
    <title>item 1/0 tag 0</title>
    <rect class="anchored" x="-25" y="-15" width="50" height="30" rx="4"/>
    <path class="anchored" d="M0,0L25,0"/>
    </g>
    <g transform="translate(240.13,60.6) rotate(-0.94)">
    <title>item 2/0 tag 9</title>
    <g stroke-linejoin="round" opacity="0.3" stroke-width="6">
    <path style="vector-effect:none;stroke-width:inherit" d="M-20,15L20,15L0,-25Z"/>
    </g>
    <path class="item" d="M-20,15L20,15L0,-25Z"/>
    <path class="item" d="M0,0L23,0"/>
    </g>
    <path class="motion" d="M240.13,60.6L241.83,67.23"/>
    <g transform="translate(20,20) rotate(0)">
    <title>item 3/0 tag 0</title>
    <ellipse class="idle" rx="15" ry="10"/>
    <path class="idle" d="M0,0L15,0"/>
    </g>
    <path class="snap" d="M240.13,60.6L200,80"/>
    <circle class="snap" cx="200" cy="80" r="3"/>
    <path class="tie" d="M250.12,60.43L157.19,86.84"/>
    <circle class="tie" cx="250.12" cy="60.43" r="2"/>
    <circle class="tie" cx="157.19" cy="86.84" r="3"/>
    <circle class="contact" cx="60" cy="199.97" r="2"/>
    <path class="contact" d="M60,199.97L60,189.97"/>
    </svg>

    """
}
