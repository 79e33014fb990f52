/// A drawing of an animator for debugging.
extension Animator {
  /// The animator as an SVG picture, for looking at what a program or a test has made: a pure
  /// function of the state and of the last step's events, the same bytes on every machine.
  ///
  /// The picture shows the reference bounds and 20 pt around them, a unit a point. Items are drawn
  /// with their outlines and a line from the centre to the right, filled when they are simulated,
  /// dark when they are anchored; from their centres goes the way of the next tenth of a second. It
  /// further shows boundaries, attachments with the points that they hold, snaps with their points,
  /// regions and positions of fields, and the places where contacts began in the last step. Each
  /// item's title is its name, as in `item 3/0`, and its tag. The colours stand in the picture's
  /// style sheet, by class.
  public func svg() -> String {
    var text = SVGText()
    beginDrawing(&text)
    for slot in order { drawBehind(behaviorRecords[Int(slot)].value, &text) }
    for slot in 0..<items.count where items[slot].exists && items[slot].members.isEmpty {
      drawItem(slot, &text)
    }
    for slot in 0..<items.count where items[slot].exists && !items[slot].members.isEmpty {
      drawItem(slot, &text)
    }
    for slot in order { drawBefore(behaviorRecords[Int(slot)].value, &text) }
    for event in events.began {
      text.circle("contact", at: event.point, radius: 2)
      text.line("contact", from: event.point, to: event.point - event.normal * 10)
    }
    text.add("</svg>\n")
    return String(decoding: text.bytes, as: UTF8.self)
  }

  private func beginDrawing(_ text: inout SVGText) {
    text.add("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"")
    text.add(referenceBounds.x - 20)
    text.add(" ")
    text.add(referenceBounds.y - 20)
    text.add(" ")
    text.add(referenceBounds.width + 40)
    text.add(" ")
    text.add(referenceBounds.height + 40)
    text.add(
      """
      ">
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

      """)
    drawRectangle("bounds", referenceBounds, &text)
  }

  private func drawRectangle(_ kind: StaticString, _ r: Rect2, _ text: inout SVGText) {
    text.open("rect", kind)
    text.attribute("x", r.x)
    text.attribute("y", r.y)
    text.attribute("width", r.width)
    text.attribute("height", r.height)
    text.add("/>\n")
  }

  // MARK: Items

  private func drawItem(_ slot: Int, _ text: inout SVGText) {
    let (state, record) = (state(slot), items[slot])
    beginFrame(state.center, state.rotation, &text)
    text.add("<title>item ")
    text.add(whole: Int64(slot))
    text.add("/")
    text.add(whole: Int64(record.generation))
    text.add(" tag ")
    text.add(whole: Int64(record.tag))
    text.add("</title>\n")
    let kind: StaticString =
      record.body == nil ? "idle" : record.properties.isAnchored ? "anchored" : "item"
    drawOutline(record.outline, kind, &text)
    text.line(kind, from: .zero, to: Vector2(record.outline.size.x * 0.5, 0))
    text.add("</g>\n")
    let way = state.velocity * 0.1
    // What would be shorter than the picture's hundredths can't be seen.
    guard way.length > 0.02 else { return }
    text.line("motion", from: state.center, to: state.center + way)
  }

  /// What comes until `</g>` is drawn about a place and turned.
  private func beginFrame(_ center: Vector2, _ rotation: Rotation, _ text: inout SVGText) {
    text.add("<g transform=\"translate(")
    text.add(center)
    text.add(") rotate(")
    text.add(rotation.angle * 180 / DeterministicMath.pi)
    text.add(")\">\n")
  }

  private func drawOutline(_ outline: ItemShape, _ kind: StaticString, _ text: inout SVGText) {
    switch outline {
    case .rectangle(let width, let height, let cornerRadius):
      text.open("rect", kind)
      text.attribute("x", width * -0.5)
      text.attribute("y", height * -0.5)
      text.attribute("width", width)
      text.attribute("height", height)
      text.attribute("rx", cornerRadius)
      text.add("/>\n")
    case .ellipse(let width, let height):
      text.open("ellipse", kind)
      text.attribute("rx", width * 0.5)
      text.attribute("ry", height * 0.5)
      text.add("/>\n")
    case .path(let corners, let growth):
      // What the growth adds is a stroke round the corners.
      if growth > 0 {
        text.add("<g stroke-linejoin=\"round\" opacity=\"0.3\" stroke-width=\"")
        text.add(2 * growth)
        text.add("\">\n<path style=\"vector-effect:none;stroke-width:inherit\" d=\"")
        for (i, corner) in corners.enumerated() {
          text.add(i == 0 ? "M" : "L")
          text.add(corner)
        }
        text.add("Z\"/>\n</g>\n")
      }
      text.polygon(kind, corners, closed: true)
    case .compound(let parts):
      for part in parts {
        beginFrame(part.center, part.rotation, &text)
        drawOutline(part.shape, kind, &text)
        text.add("</g>\n")
      }
    }
  }

  // MARK: Behaviours

  /// What lies behind the items.
  private func drawBehind(_ value: Behavior, _ text: inout SVGText) {
    switch value {
    case .collision(let walls):
      if let insets = walls.referenceInsets {
        drawRectangle("boundary", insets.applied(to: referenceBounds), &text)
      }
      for entry in walls.entries {
        switch entry.path {
        case .segment(let a, let b): text.line("boundary", from: a, to: b)
        case .path(let points, let closed): text.polygon("boundary", points, closed: closed)
        case .rectangle(let r): drawRectangle("boundary", r, &text)
        }
      }
    case .field(let field):
      text.circle("field", at: field.position, radius: 4)
      for operation in field.region.program { drawRegion(operation, field.position, &text) }
    default: break
    }
  }

  private func drawRegion(
    _ operation: Region.Operation, _ position: Vector2, _ text: inout SVGText
  ) {
    switch operation {
    case .circle(let radius): text.circle("field", at: position, radius: radius)
    case .rectangle(let half):
      let corner = position - half
      drawRectangle(
        "field", Rect2(x: corner.x, y: corner.y, width: half.x * 2, height: half.y * 2), &text)
    case .infinite, .inverse, .union, .difference, .intersection: break
    }
  }

  /// What lies before the items.
  private func drawBefore(_ value: Behavior, _ text: inout SVGText) {
    switch value {
    case .snap(let snap):
      for item in snap.items {
        text.line("snap", from: state(Int(item.slot)).center, to: snap.snapPoint)
      }
      text.circle("snap", at: snap.snapPoint, radius: 3)
    case .attachment(let tie):
      guard let joint = tie.joint, let anchors = world.anchors(of: joint.id) else { return }
      let other = tie.items.count == 2 ? anchors.b : tie.anchorPoint
      text.line("tie", from: anchors.a, to: other)
      text.circle("tie", at: anchors.a, radius: 2)
      text.circle("tie", at: other, radius: 3)
    default: break
    }
  }
}
