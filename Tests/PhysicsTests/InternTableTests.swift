import Testing

@testable import Physics

/// Numbers of shared values: whoever looks at all of them gives the same ones.
@Suite struct InternTableTests {
  /// The table as it would be without an index.
  private struct Model {
    var values: [(value: BodyShape, uses: Int)] = []

    mutating func take(_ value: BodyShape) -> UInt16 {
      let known = values.firstIndex { $0.uses > 0 && $0.value == value }
      guard let number = known ?? values.firstIndex(where: { $0.uses == 0 }) else {
        values.append((value, 1))
        return UInt16(values.count - 1)
      }
      values[number] = (value, known == nil ? 1 : values[number].uses + 1)
      return UInt16(number)
    }
  }

  @Test(arguments: [20, 700]) func numbersAreThoseOfASearchThroughAll(distinct: Int) throws {
    var table = InternTable(blank: BodyShape.blank)
    var model = Model()
    var random = RandomGenerator(seed: UInt64(distinct))
    let shapes = try (0..<distinct).map { try BodyShape.circle(radius: 1 + Float($0) * 0.5) }
    for step in 0..<20_000 {
      // Grows for a while, then shrinks.
      if random.nextFloat(0, 1) < (step / 4000 % 2 == 0 ? 0.7 : 0.3) {
        let shape = shapes[Int(random.nextFloat(0, Float(distinct) - 0.001))]
        #expect(table.take(shape) == model.take(shape))
      } else if let number = held(model, &random) {
        table.drop(UInt16(number))
        model.values[number].uses -= 1
      }
      if step % 997 == 0 {
        // A copy has no index, and makes one of its own.
        var copy = InternTable(blank: BodyShape.blank)
        copy.copy(table)
        swap(&copy, &table)
      }
    }
    #expect(table.count == model.values.count && table.count > distinct / 2)
    for (number, entry) in model.values.enumerated() {
      #expect(Int(table.uses[number]) == entry.uses && table[UInt16(number)] == entry.value)
    }
  }

  private func held(_ model: Model, _ random: inout RandomGenerator) -> Int? {
    guard !model.values.isEmpty else { return nil }
    let number = Int(random.nextFloat(0, Float(model.values.count) - 0.001))
    return model.values[number].uses > 0 ? number : nil
  }

  /// −0 equals 0, and is the same value.
  @Test func zerosOfBothSignsAreOne() {
    var table = InternTable(blank: BodyProperties())
    var properties = BodyProperties()
    for user in 0..<100 {
      properties.userData = UInt32(user)
      _ = table.take(properties)
    }
    properties.friction = -0.0
    #expect(table.take(properties) == 99)
  }
}
