import Dynamics
import Testing

@Suite struct RefusalTests {
  @Test func errorsNameTheValueAndTheRange() throws {
    var animator = try Scenes.empty()
    let item = try animator.addItem(Scenes.square())
    let heavy = refusal { try animator.add(ItemBehavior(items: [item], density: 0)) }
    #expect(heavy?.property == .density && heavy?.value == 0 && heavy?.allowed == 0.01...10_000)
    let far = refusal { try animator.setCenter(Vector2(3, 2e5), of: item) }
    #expect(far?.property == .position && far?.value == 2e5 && far?.allowed == -1e5...1e5)
    let region = FieldBehavior.drag(items: [item])
    var field = region
    field.region = .circle(radius: -3)
    let round = refusal { try animator.add(field) }
    #expect(round?.property == .region && round?.value == -3)
    var configuration = WorldConfiguration.default
    configuration.contactFrequency = 500
    let stiff = refusal {
      _ = try Animator(
        referenceBounds: Rect2(x: 0, y: 0, width: 9, height: 9), configuration: configuration)
    }
    #expect(stiff?.property == .configuration && stiff?.value == 500)
    #expect(stiff?.allowed.upperBound == 120)
  }

  @Test func itemsMayBeAsLargeAsScreensAndAsThinAsHairlines() throws {
    var animator = try Scenes.empty(width: 9000, height: 9000)
    let shapes: [ItemShape] = [
      .rectangle(width: 1366, height: 1024), .rectangle(width: 8192, height: 0.5),
      .rectangle(width: 8192, height: 8192, cornerRadius: 4096),
      .rectangle(width: 0.5, height: 0.5), .circle(diameter: 8192), .circle(diameter: 0.5),
      .ellipse(width: 0.5, height: 2000), .ellipse(width: 8192, height: 2.1),
      .path([
        Vector2(-4096, -4096), Vector2(4096, -4096), Vector2(4096, 4096), Vector2(-4096, 4096),
      ]),
      .path([Vector2(0, 0), Vector2(0.5, 0), Vector2(0.25, 0.433)]),
    ]
    for shape in shapes {
      let item = try animator.addItem(Item(shape, center: Vector2(4500, 4500)))
      try animator.add(GravityBehavior(items: [item]))
      try animator.add(
        CollisionBehavior(items: [item], translatesReferenceBoundsIntoBoundary: true))
      animator.step(times: 240)
      let state = animator.state(of: item)
      // Thin ellipses stand on their tips and fall over; the others lie as they were.
      if abs(state.angle) < 0.01, case .rectangle = shape {
        #expect(abs(state.center.y + shape.size.y / 2 - 9000) < 1, "\(shape)")
      }
      #expect(state.center.y < 9001 && state.center.y > 4400, "\(shape)")
      var bytes: [UInt8] = []
      animator.save(into: &bytes)
      #expect(try Animator.restore(from: bytes).stateHash() == animator.stateHash(), "\(shape)")
      try animator.removeItem(item)
      animator.removeAllBehaviors()
    }
  }

  @Test func whatAnAttachmentWouldIgnoreIsRefused() throws {
    var animator = try Scenes.empty()
    let (a, b) = (
      try animator.addItem(Scenes.square()), try animator.addItem(Scenes.square(at: .zero))
    )
    let rod = AttachmentBehavior(item: a, attachedToAnchor: .zero)
    let bar = AttachmentBehavior(item: a, attachedTo: b)
    let rope = AttachmentBehavior.limit(item: a, attachedTo: b)
    let weld = AttachmentBehavior.fixed(item: a, attachedTo: b, attachmentAnchor: Vector2(5, 5))
    let pin = AttachmentBehavior.pin(item: a, attachedToAnchor: .zero)
    let rail = AttachmentBehavior.sliding(
      item: a, attachmentAnchor: .zero, axisOfTranslation: Vector2(1, 0))
    let cases: [(AttachmentBehavior, DynamicsError.Property, (inout AttachmentBehavior) -> Void)] =
      [
        (rod, .range, { $0.attachmentRange = 0...1 }),
        (rod, .frictionTorque, { $0.frictionTorque = 1 }),
        (bar, .anchorPoint, { $0.anchorPoint = Vector2(1, 1) }),
        (rope, .frequency, { $0.frequency = 1 }), (rope, .damping, { $0.damping = 1 }),
        (rope, .range, { $0.attachmentRange = 0...1 }), (weld, .length, { $0.length = 5 }),
        (weld, .frequency, { $0.frequency = 1 }), (pin, .length, { $0.length = 5 }),
        (pin, .frequency, { $0.frequency = 1 }), (rail, .frictionTorque, { $0.frictionTorque = 1 }),
        (rail, .length, { $0.length = 5 }),
      ]
    for (attachment, property, change) in cases {
      let error = DynamicsError.meaninglessProperty(property, of: attachment.kind)
      var bad = attachment
      change(&bad)
      #expect(throws: error, "\(property) of \(attachment.kind)") { try animator.add(bad) }
      let handle = try animator.add(attachment)
      #expect(throws: error, "\(property) of \(attachment.kind)") {
        try animator.update(handle) { change(&$0) }
      }
      try animator.remove(handle)
    }
    // A joint stays where it was made.
    let handle = try animator.add(weld)
    #expect(throws: DynamicsError.meaninglessProperty(.anchorPoint, of: .fixed)) {
      try animator.update(handle) { $0.anchorPoint.x += 1 }
    }
  }

  @Test func aStaleItemsTrapNamesIt() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var animator = try Animator(referenceBounds: Rect2(x: 0, y: 0, width: 9, height: 9))
      let item = try animator.addItem(Item(.circle(diameter: 1), center: .zero))
      try animator.removeItem(item)
      _ = try animator.addItem(Item(.circle(diameter: 1), center: .zero))
      _ = animator.center(of: item)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("no item 0/0") && text.contains("item 0/1"), "\(text)")
  }
}
