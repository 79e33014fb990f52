import Foundation

/// Files of numpy's format, version 1.0.
enum NumpyFile {
  static func write(_ values: [Float], shape: [Int], to path: String) throws {
    let data = values.withUnsafeBytes { Data($0) }
    try write(header("<f4", shape) + data, to: path)
  }

  static func write(_ values: [UInt8], shape: [Int], to path: String) throws {
    try write(header("|u1", shape) + Data(values), to: path)
  }

  static func write(_ data: Data, to path: String) throws {
    do {
      try data.write(to: URL(fileURLWithPath: path))
    } catch {
      throw Failure("cannot write \(path)")
    }
  }

  /// Padded so that the numbers begin at a multiple of 64 bytes.
  private static func header(_ type: String, _ shape: [Int]) -> Data {
    let lengths = shape.map { String($0) }.joined(separator: ", ") + (shape.count == 1 ? "," : "")
    var text = "{'descr': '\(type)', 'fortran_order': False, 'shape': (\(lengths)), }"
    text += String(repeating: " ", count: 63 - (10 + text.utf8.count) % 64) + "\n"
    let length = UInt16(text.utf8.count)
    return Data([0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(length & 255), UInt8(length >> 8)])
      + Data(text.utf8)
  }
}
