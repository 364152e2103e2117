/// Writes one line of JSON (RFC 8259) with its keys in a fixed order.
struct JSONText {
  private(set) var bytes: [UInt8] = []

  mutating func null() { write("null") }

  mutating func number(_ value: Int) { write(String(value)) }

  mutating func string(_ value: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in value.utf8 { append(escaped: byte) }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes an object; `members` calls ``JSONObject/key(_:_:)`` for each of its keys.
  mutating func object(_ members: (inout JSONObject) -> Void) {
    bytes.append(UInt8(ascii: "{"))
    var object = JSONObject(text: self)
    bytes = []
    members(&object)
    self = object.text
    bytes.append(UInt8(ascii: "}"))
  }

  mutating func array<Element>(
    _ elements: some Sequence<Element>, _ write: (inout JSONText, Element) -> Void
  ) {
    bytes.append(UInt8(ascii: "["))
    var isFirst = true
    for element in elements {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      write(&self, element)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  fileprivate mutating func write(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func append(escaped byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): write("\\\"")
    case UInt8(ascii: "\\"): write("\\\\")
    case UInt8(ascii: "\n"): write("\\n")
    case UInt8(ascii: "\r"): write("\\r")
    case UInt8(ascii: "\t"): write("\\t")
    case 0..<0x20:
      let digits = String(byte, radix: 16)
      write("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
    default: bytes.append(byte)
    }
  }
}

/// The members of an object that is being written.
struct JSONObject {
  fileprivate var text: JSONText
  private var isEmpty = true

  fileprivate init(text: JSONText) {
    self.text = text
  }

  mutating func key(_ name: String, _ value: (inout JSONText) -> Void) {
    if !isEmpty { text.write(",") }
    isEmpty = false
    text.string(name)
    text.write(":")
    value(&text)
  }
}
