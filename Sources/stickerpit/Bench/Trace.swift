import Foundation
import Wire

/// A recorded run of bodies: what `bench codec` codes.
///
/// `.npy` of ticks × bodies × 7 float32: x, y, angle, velocity, spin, asleep; x is NaN while the
/// body is not there. `.grav.npy` and `.kind.npy` beside it, and if there are any, `.size.npy` with
/// the bodies' sizes (else 40 pt) and `.meta.json` with the world's. A body that comes back after
/// it was away is another one in the same slot.
struct Trace {
  let name: String
  let ticks: Int
  let bodies: Int
  /// In points.
  let width: Double
  let height: Double
  private let states: TraceArray
  private let gravity: TraceArray
  private let kinds: [UInt8]
  private let sizes: [UInt8]
  /// By tick and slot: how many had the slot before; nil if nothing ever comes back.
  private let generations: [UInt8]?

  /// Gravity at full magnitude, pt/s².
  static let gravityMagnitude: UInt16 = 1000

  init(contentsOf path: String, gravity gravityPath: String?) throws {
    let stem = path.hasSuffix(".npy") ? String(path.dropLast(4)) : path
    name = URL(fileURLWithPath: stem).lastPathComponent
    states = try TraceArray(npy: stem + ".npy", elementBytes: 4)
    guard states.shape.count == 3, states.shape[2] == 7 else {
      throw Failure("\(stem).npy is not of the shape ticks × bodies × 7")
    }
    ticks = states.shape[0]
    bodies = states.shape[1]
    gravity = try TraceArray(npy: gravityPath ?? stem + ".grav.npy", elementBytes: 4)
    let kindArray = try TraceArray(npy: stem + ".kind.npy", elementBytes: 1)
    guard gravity.shape == [ticks, 2], kindArray.shape == [bodies] else {
      throw Failure("the gravity or kinds beside \(stem).npy are of another shape")
    }
    kinds = (0..<bodies).map { kindArray.byte($0) }
    sizes = try Trace.sizes(beside: stem, bodies: bodies)
    generations = Trace.generations(in: states)
    (width, height) = Trace.size(beside: stem) ?? (16_384, 16_384)
  }

  private static func sizes(beside stem: String, bodies: Int) throws -> [UInt8] {
    guard FileManager.default.fileExists(atPath: stem + ".size.npy") else {
      return Array(repeating: 40, count: bodies)
    }
    let array = try TraceArray(npy: stem + ".size.npy", elementBytes: 1)
    guard array.shape == [bodies] else { throw Failure("\(stem).size.npy is of another shape") }
    return (0..<bodies).map { array.byte($0) }
  }

  /// Counts how often each slot was left and taken again.
  private static func generations(in states: TraceArray) -> [UInt8]? {
    let bodies = states.shape[1]
    var table = [UInt8](repeating: 0, count: states.shape[0] * bodies)
    var hasReturned = false
    for body in 0..<bodies {
      var generation: UInt8 = 0
      var wasThere = false
      var isThere = false
      for tick in 0..<states.shape[0] {
        let isNow = !states.float((tick * bodies + body) * 7).isNaN
        if isNow && !isThere && wasThere { generation &+= 1 }
        wasThere = wasThere || isNow
        isThere = isNow
        table[tick * bodies + body] = generation
        hasReturned = hasReturned || generation > 0
      }
    }
    return hasReturned ? table : nil
  }

  private static func size(beside stem: String) -> (Double, Double)? {
    struct Meta: Decodable {
      let width: Double
      let height: Double

      enum CodingKeys: String, CodingKey {
        case width = "W"
        case height = "H"
      }
    }
    guard let data = FileManager.default.contents(atPath: stem + ".meta.json"),
      let meta = try? JSONDecoder().decode(Meta.self, from: data)
    else { return nil }
    return (meta.width, meta.height)
  }

  /// The stream that carries it.
  func shape(profile: CodecProfile, rate: FrameRate) -> StreamShape {
    StreamShape(
      profile: profile, rate: rate, width: UInt16(min(65_535, width.rounded(.up))),
      height: UInt16(min(65_535, height.rounded(.up))), gravity: Trace.gravityMagnitude,
      slots: bodies)
  }

  func gravity(at tick: Int) -> QuantizedGravity {
    func quantized(_ index: Int) -> Int16 {
      let scaled = Double(gravity.float(tick * 2 + index)) / Double(Trace.gravityMagnitude) * 16_384
      return Int16(max(-32_767, min(32_767, scaled.rounded())))
    }
    return QuantizedGravity(x: quantized(0), y: quantized(1))
  }

  /// The bodies of a tick, and of `recycling` a stream in which some are taken away and come back
  /// as others in the same slots.
  func bodies(at tick: Int, recycling: Bool, into list: inout [StreamBody]) {
    list.removeAll(keepingCapacity: true)
    for body in 0..<bodies {
      let start = (tick * bodies + body) * 7
      let x = states.float(start)
      guard !x.isNaN else { continue }
      var generation = Int(generations?[tick * self.bodies + body] ?? 0)
      if recycling {
        // Each is away for 20 of every 700 ticks, all at different times.
        let age = tick + body * 37
        guard age % 700 >= 20 else { continue }
        generation += age / 700
      }
      list.append(
        StreamBody(
          slot: UInt16(body), generation: UInt16(generation), kind: kinds[body],
          size: sizes[body],
          x: x, y: states.float(start + 1), angle: states.float(start + 2)))
    }
  }
}

/// The numbers of a `.npy` file, kept as mapped bytes.
struct TraceArray {
  let shape: [Int]
  private let data: Data
  private let offset: Int

  init(npy path: String, elementBytes: Int) throws {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped),
      data.count > 10, data[0] == 0x93
    else { throw Failure("cannot read \(path) as a .npy file") }
    let length = Int(data[8]) | Int(data[9]) << 8
    let header = String(decoding: data.dropFirst(10).prefix(length), as: UTF8.self)
    guard let open = header.firstIndex(of: "("), let close = header.firstIndex(of: ")") else {
      throw Failure("\(path) names no shape")
    }
    shape = header[header.index(after: open)..<close].split(separator: ",").compactMap {
      Int($0.trimmingCharacters(in: .whitespaces))
    }
    offset = 10 + length
    self.data = data
    guard data.count >= offset + shape.reduce(elementBytes, *) else {
      throw Failure("\(path) is shorter than its shape")
    }
  }

  func float(_ index: Int) -> Float {
    data.withUnsafeBytes {
      Float(bitPattern: $0.loadUnaligned(fromByteOffset: offset + 4 * index, as: UInt32.self))
    }
  }

  func byte(_ index: Int) -> UInt8 { data[offset + index] }
}
