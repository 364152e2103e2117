/// Writes JSON text piece by piece.
///
/// Numbers and texts are written here. All other values are written by an encoder of the user's, since
/// this package has none. An encoder that writes a whole delta spends most of its time on containers
/// and dynamic casts, which the fixed fields of a delta do not need.
struct JSONText {
  typealias Encode = (any Encodable) throws -> [UInt8]

  private(set) var bytes: [UInt8] = []
  /// Whether the next member or element is the first one.
  private var isFirst = true
  private let encode: Encode

  init(_ encode: @escaping Encode) {
    self.encode = encode
    // Most deltas change little.
    bytes.reserveCapacity(512)
  }

  /// Whether values of a type are written without the encoder.
  static func writes<Value>(_ type: Value.Type) -> Bool {
    type == Int.self || type == String.self
  }

  // MARK: Structure

  mutating func object(_ members: (inout JSONText) throws -> Void) rethrows {
    try enclosed("{", "}", members)
  }

  mutating func member(
    _ name: StaticString, _ value: (inout JSONText) throws -> Void
  ) rethrows {
    separate()
    bytes.append(UInt8(ascii: "\""))
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
    try value(&self)
  }

  mutating func array<Element>(
    _ elements: some Sequence<Element>, _ write: (inout JSONText, Element) throws -> Void
  ) rethrows {
    try enclosed("[", "]") { text in
      for element in elements {
        text.separate()
        try write(&text, element)
      }
    }
  }

  /// Writes an array of two or three numbers.
  mutating func array(_ first: Int, _ second: Int, _ third: Int? = nil) {
    enclosed("[", "]") { text in
      text.write(first)
      text.bytes.append(UInt8(ascii: ","))
      text.write(second)
      guard let third else { return }
      text.bytes.append(UInt8(ascii: ","))
      text.write(third)
    }
  }

  private mutating func enclosed(
    _ first: Unicode.Scalar, _ last: Unicode.Scalar, _ body: (inout JSONText) throws -> Void
  ) rethrows {
    bytes.append(UInt8(ascii: first))
    isFirst = true
    try body(&self)
    bytes.append(UInt8(ascii: last))
    isFirst = false
  }

  private mutating func separate() {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
  }

  // MARK: Values

  mutating func write(_ number: Int) {
    // Positions have few digits.
    guard number >= 0, number < 100_000_000 else {
      return bytes.append(contentsOf: String(number).utf8)
    }
    var divisor = 1
    while number / divisor > 9 { divisor *= 10 }
    while divisor > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
      divisor /= 10
    }
  }

  mutating func write(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { text in
      if text.contains(where: Self.mustBeEscaped) {
        for byte in text { append(escaping: byte) }
      } else {
        bytes.append(contentsOf: text)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Whether a byte of UTF-8 must not be in a JSON string as it is.
  private static func mustBeEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func append(escaping byte: UInt8) {
    guard Self.mustBeEscaped(byte) else { return bytes.append(byte) }
    bytes.append(UInt8(ascii: "\\"))
    guard byte < 0x20 else { return bytes.append(byte) }
    let digits = Array("0123456789abcdef".utf8)
    bytes.append(contentsOf: "u00".utf8)
    bytes.append(contentsOf: [digits[Int(byte >> 4)], digits[Int(byte & 15)]])
  }

  /// Writes a value of any type, by the encoder if need be.
  mutating func write<Value: Encodable>(_ value: Value) throws {
    if let number = value as? Int {
      write(number)
    } else if let text = value as? String {
      write(text)
    } else {
      bytes += try encode(value)
    }
  }

  /// Writes values of any type, with at most one call of the encoder.
  mutating func write<Value: Encodable>(_ values: [Value]) throws {
    // The types are the same where a cast is made. `as?` between arrays looks at more than the types.
    if Value.self == Int.self {
      array(unsafeBitCast(values, to: [Int].self)) { $0.write($1) }
    } else if Value.self == String.self {
      array(unsafeBitCast(values, to: [String].self)) { $0.write($1) }
    } else {
      bytes += try encode(values)
    }
  }
}
