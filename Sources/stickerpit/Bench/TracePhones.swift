import Physics

/// Phones that sway, twenty as a rule, each in its own way and all in a common one; each reports 15
/// times a second. Second-order noise, integrated at 60 Hz, as in the reference traces.
struct TracePhones {
  private struct Phone {
    var angle: Float
    var speed: Float = 0
    var reported: Float
    let phase: Int
  }

  private var phones: [Phone] = []
  private var common: Float = 0
  private var commonSpeed: Float = 0

  private let sway: Float

  /// Phones that don't sway still tremble.
  init(count: Int = 20, sways: Bool, chance: inout RandomGenerator) {
    sway = sways ? 1 : 0
    for _ in 0..<count {
      let angle = TracePhones.normal(&chance) * 0.2 * sway
      phones.append(Phone(angle: angle, reported: angle, phase: Int(chance.next(below: 4))))
    }
  }

  /// The mean of what they reported last.
  mutating func gravity(at tick: Int, chance: inout RandomGenerator) -> Vector2 {
    let step: Float = 1 / 60
    let kick = 2.6 * step.squareRoot() * sway
    commonSpeed +=
      (-3.2 * commonSpeed - 2.56 * common) * step + kick * TracePhones.normal(&chance) * 0.75
    common += commonSpeed * step
    var sum = Vector2(0, 0)
    for index in phones.indices {
      var phone = phones[index]
      phone.speed +=
        (-4.4 * phone.speed - 4.84 * phone.angle) * step + kick * TracePhones.normal(&chance)
      phone.angle += phone.speed * step
      if (tick + phone.phase) % 4 == 0 {
        phone.reported = common + phone.angle + TracePhones.normal(&chance) * 0.015
      }
      sum += Vector2(
        DeterministicMath.sine(phone.reported), DeterministicMath.cosine(phone.reported))
      phones[index] = phone
    }
    return sum / Float(phones.count)
  }

  /// Whose report came in a tick, by their number, and the angle that they told.
  func reports(at tick: Int) -> [(phone: Int, angle: Float)] {
    phones.enumerated().compactMap { phone in
      (tick + phone.element.phase) % 4 == 0 ? (phone.offset, phone.element.reported) : nil
    }
  }

  /// About normal: twelve uniform numbers less six.
  static func normal(_ chance: inout RandomGenerator) -> Float {
    var sum: Float = -6
    for _ in 0..<12 { sum += chance.nextFloat() }
    return sum
  }
}
