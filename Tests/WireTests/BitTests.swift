import Testing

@testable import Wire

@Suite struct BitTests {
  private func written(_ body: (inout BitWriter) -> Void) -> [UInt8] {
    var bytes: [UInt8] = []
    BitWriter.append(to: &bytes, body)
    return bytes
  }

  private func read<Value>(
    _ bytes: [UInt8], _ body: (inout BitReader) throws(WireError) -> Value
  ) throws -> Value {
    try decodeArray(bytes) { (raw) throws(WireError) in
      var reader = BitReader(raw)
      return try body(&reader)
    }
  }

  @Test func fieldsFillBytesFromTheLowestBit() {
    let bytes = written { writer in
      writer.write(1, bits: 1)
      writer.write(0b101, bits: 3)
      writer.write(0xABCD, bits: 16)
    }
    #expect(bytes == [0b1101_1011, 0b1011_1100, 0b0000_1010])
  }

  @Test func everyWidthComesBack() throws {
    for width in 1...32 {
      let all = UInt32.max >> UInt32(32 - width)
      let bytes = written { writer in
        writer.write(1, bits: 3)
        writer.write(.max, bits: width)
        writer.write(0x5555_5555, bits: width)
      }
      let values = try read(bytes) { (reader) throws(WireError) in
        [try reader.read(bits: 3), try reader.read(bits: width), try reader.read(bits: width)]
      }
      #expect(values == [1, all, 0x5555_5555 & all])
    }
  }

  @Test func signedFieldsKeepTheirSign() throws {
    for (value, width) in [(Int32(-1), 2), (-512, 10), (511, 10), (.min, 32), (.max, 32)] {
      let bytes = written { $0.write(signed: value, bits: width) }
      let back = try read(bytes) { (reader) throws(WireError) in
        try reader.read(signedBits: width)
      }
      #expect(back == value)
    }
  }

  @Test func smallNumbersTakeFewBits() throws {
    for (value, bits) in [(UInt32(0), 1), (1, 3), (2, 3), (3, 5), (6, 5), (7, 7), (65_535, 33)] {
      let bytes = written { $0.write(small: value) }
      #expect(bytes.count == (bits + 7) / 8)
      let back = try read(bytes) { (reader) throws(WireError) in
        let value = try reader.readSmall()
        #expect(reader.remainingBits == bytes.count * 8 - bits)
        try reader.finish()
        return value
      }
      #expect(back == value)
    }
  }

  @Test func endlessZerosAreNoNumber() {
    #expect(throws: WireError.outOfRange(.length)) {
      try read([0, 0, 0, 0]) { (reader) throws(WireError) in try reader.readSmall() }
    }
    #expect(throws: WireError.truncated) {
      try read([0, 0]) { (reader) throws(WireError) in try reader.readSmall() }
    }
  }

  @Test func fillingBitsMustBeZero() throws {
    #expect(throws: WireError.trailing) {
      try read([0b10]) { (reader) throws(WireError) in
        _ = try reader.read(bits: 1)
        try reader.finish()
      }
    }
  }
}
