import Dynamics
import Physics

/// A ledge of the rain: solid along its top edge, gone 1.5 s after it was touched, back 2 s after
/// that contact ended.
struct Ledge: Sendable {
  /// The boundary's number, 1…6.
  let id: BoundaryID
  /// The ends of the top edge in points.
  let left: Vector2
  let right: Vector2
  var isThere = true
  /// The item whose contact counts until the ledge is back.
  private var toucher: ItemID?
  private var touchedTick: UInt32 = 0
  /// When that contact ended.
  private var leftTick: UInt32?

  /// 1.5 s from the first contact's beginning to the ledge's end.
  static let vanishTicks: UInt32 = 90
  /// 2 s from that contact's end to the ledge's return.
  static let returnTicks: UInt32 = 120

  /// The article's six, whose 060 and 030 are meant as decimal numbers.
  static let all = [
    Ledge(1, Vector2(60, 580), Vector2(180, 580)), Ledge(2, Vector2(100, 480), Vector2(200, 480)),
    Ledge(3, Vector2(140, 240), Vector2(230, 240)), Ledge(4, Vector2(30, 390), Vector2(130, 390)),
    Ledge(5, Vector2(200, 340), Vector2(290, 340)), Ledge(6, Vector2(280, 150), Vector2(380, 150)),
  ]

  private init(_ id: Int32, _ left: Vector2, _ right: Vector2) {
    self.id = BoundaryID(id)
    self.left = left
    self.right = right
  }

  var path: BoundaryPath { .segment(left, right) }

  func vanishes(at tick: UInt32) -> Bool {
    toucher != nil && tick == touchedTick &+ Ledge.vanishTicks
  }

  /// The share of the time from the first contact to the end that has passed, 0…1.
  func wear(at tick: UInt32) -> Float {
    guard toucher != nil, isThere else { return 0 }
    let passed = Float(tick &- touchedTick) / Float(Ledge.vanishTicks)
    return passed < 1 ? passed : 1
  }

  func returns(at tick: UInt32) -> Bool {
    guard let leftTick else { return false }
    return tick == leftTick &+ Ledge.returnTicks
  }

  /// The first contact counts; others are ignored until the ledge is back.
  mutating func touched(by item: ItemID, at tick: UInt32) {
    guard toucher == nil else { return }
    toucher = item
    touchedTick = tick
  }

  /// The contact's end, unless it ended before and this is another touch of the same item.
  mutating func left(by item: ItemID, at tick: UInt32) {
    guard toucher == item, leftTick == nil else { return }
    leftTick = tick
  }

  /// The ledge's own end, or the item's, ends the contact too.
  mutating func noteAbsence(at tick: UInt32, of isGone: (ItemID) -> Bool) {
    guard let toucher, leftTick == nil else { return }
    if !isThere || isGone(toucher) { leftTick = tick }
  }

  /// The ledge is back as if nothing had been.
  mutating func restore() {
    isThere = true
    toucher = nil
    leftTick = nil
  }

  func write<Sink: WordSink>(_ sink: inout Sink) {
    sink.put(isThere)
    sink.put(toucher.map { UInt32($0.slot) << 16 | UInt32($0.generation) })
    sink.put(touchedTick)
    sink.put(leftTick)
  }

  mutating func read(_ reader: inout PitReader) throws(PitError) {
    isThere = try reader.word(upTo: 1) == 1
    toucher = try reader.optionalWord().map { ItemID(word: $0) }
    touchedTick = try reader.word()
    leftTick = try reader.optionalWord()
  }
}
