import Dynamics

/// A list of messages whose cells lag behind the finger, the more the farther from it they are, and
/// swing back: each hangs on a spring to the place that the layout gives it.
struct SpringyList {
  var animator: Animator
  private(set) var cells: [ItemID] = []
  let rowHeight: Float

  init(count: Int, width: Float = 320, rowHeight: Float = 44) throws {
    self.rowHeight = rowHeight
    animator = try Animator(
      referenceBounds: Rect2(x: 0, y: 0, width: width, height: Float(count) * rowHeight))
    for row in 0..<count {
      let frame = Rect2(
        x: 0, y: Float(row) * rowHeight, width: width, height: rowHeight)
      let cell = try animator.addItem(Item(frame: frame, tag: UInt32(row)))
      try animator.add(
        AttachmentBehavior(
          item: cell, attachedToAnchor: frame.center, length: 0, frequency: 1, damping: 0.8))
      cells.append(cell)
    }
  }

  /// Scrolls the list by `delta` under a finger at `touch`, both in points along y. Cells under the
  /// finger come along at once, those 1500 pt away and farther have the whole way to make good.
  mutating func scroll(by delta: Float, touch: Float) throws {
    for cell in cells {
      let center = animator.center(of: cell)
      let lag = min(abs(touch - center.y) / 1500, 1)
      try animator.setCenter(center + Vector2(0, delta * lag), of: cell)
    }
  }
}
