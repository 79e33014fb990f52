import Dynamics
import Physics

// Somebody else's program: a ball falls for a second in a world of its own, then lands on the
// floor. Exits with 1 when the numbers are not the documented ones. The listings of Dynamics'
// documentation stand here and in PortedController.swift, so that they compile and do what they
// say.

var animator = try Animator(
  referenceBounds: Rect2(x: 0, y: 0, width: 320, height: 1000))
let ball = try animator.addItem(Item(.circle(diameter: 40), center: Vector2(160, 20)))

try animator.add(GravityBehavior(items: [ball]))
try animator.add(CollisionBehavior(items: [ball], translatesReferenceBoundsIntoBoundary: true))

for _ in 0..<60 { animator.step() }
// Half of 1000 pt/s² × (1 s)², and the half tick that stepping adds.
let fallen = animator.center(of: ball).y - 20
print("fallen in a second: \(fallen) pt")

var landings = 0
for _ in 0..<120 {
  for event in animator.step().began where event.other == .boundary(nil) { landings += 1 }
}
let resting = animator.center(of: ball).y
print("landed \(landings) time(s), rests at \(resting) pt, paused: \(animator.isPaused)")

// The same solver without the words.
var world = try PhysicsWorld()
let body = try world.addBody(BodyDefinition(shape: try .circle(radius: 20), position: .zero))
world.gravity = Vector2(0, 1000)
for _ in 0..<60 { world.step() }
let plain = world.body(body)!.position.y

// The controller of the porting article: the square meets the slope after 200 pt at 500 pt/s².
var controller = try PortedController()
var firstTouch = 0
for tick in 1...120 {
  controller.step()
  if firstTouch == 0 && !controller.redItems.isEmpty { firstTouch = tick }
}
try controller.tapped(at: Vector2(300, 100))
for _ in 0..<120 { controller.step() }
let snapped = controller.animator.center(of: controller.square)
try controller.touchBegan(at: Vector2(320, 80))
for tick in 1...30 {
  try controller.touchMoved(to: Vector2(320, 80 + Float(tick)))
  controller.step()
}
let grip = controller.animator.convert(Vector2(320, 110), to: controller.square)
try controller.touchEnded(velocity: Vector2(-1500, -200))
controller.step()
let tossed = controller.animator.linearVelocity(of: controller.square)
try controller.attitudeChanged(pitch: 0, roll: 1)
try controller.ledgeAppeared()
print("touched in tick \(firstTouch), snapped to \(snapped), held at \(grip), tossed \(tossed)")

var rain = try Rain()
for left in 0..<10 {
  try rain.drop(left: Float(left) * 40)
  for _ in 0..<20 { rain.animator.step() }
}
let inside = rain.animator.items(in: rain.animator.referenceBounds).count
let falls = bouncyFall([ball]).children.count == 2

// A change that tries, and a turn for each composite.
let low = Vector2(0, 900)
let high = Vector2(320, 900)
let ledges = try animator.add(CollisionBehavior(items: [ball]))
let pull = animator.behaviorIDs.compactMap { animator.handle($0, as: GravityBehavior.self) }[0]
try changeBehaviors(&animator, pull, ledges, from: low, to: high)
// The composite has a gravity of its own, and an animator has one gravity.
var falling = try Animator(referenceBounds: Rect2(x: 0, y: 0, width: 320, height: 1000))
let dropped = try falling.addItem(Item(.circle(diameter: 40), center: Vector2(160, 20)))
let bounce = try falling.add(bouncyFall([dropped]))
try stepWithActions(&falling, bounce, dropped)
try animator.update(ledges) { try addHill(to: &$0) }
let changed =
  try animator.behavior(ledges).boundaryIdentifiers == [7, 8]
  && falling.linearVelocity(of: dropped).x > 0.9

let isRight =
  abs(fallen - 500) < 5 && landings == 1 && abs(resting - 980) < 0.5 && plain == fallen
  && abs(firstTouch - 54) <= 1 && (snapped - Vector2(300, 100)).length < 0.01
  && (grip - Vector2(20, -20)).length < 1 && abs(tossed.x + 1500 / 35 * 100) < 45
  && inside == 10 && falls && changed && visitsAServer()
guard isRight else {
  print("these are not the documented numbers")
  throw Wrong.numbers
}

enum Wrong: Error { case numbers }
