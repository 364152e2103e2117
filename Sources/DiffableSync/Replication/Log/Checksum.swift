/// A checksum of what a log stores, by which it notices that bytes were changed.
///
/// It is FNV-1a with 64 bits: it detects accidents, not attacks.
package struct Checksum: Hashable, Sendable {
  /// The checksum of what was added.
  package private(set) var bits: UInt64 = 0xCBF2_9CE4_8422_2325

  /// Creates the checksum of no bytes.
  package init() {}

  /// Creates the checksum of bytes.
  package init(of bytes: [UInt8]) {
    add(bytes)
  }

  /// Adds bytes.
  package mutating func add(_ bytes: some Sequence<UInt8>) {
    var sum = bits
    for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
    bits = sum
  }

  /// Adds a number.
  package mutating func add(_ number: Int) {
    var number = UInt64(bitPattern: Int64(number))
    for _ in 0..<8 {
      add(CollectionOfOne(UInt8(truncatingIfNeeded: number)))
      number >>= 8
    }
  }

  /// Adds text, and whether there is one.
  ///
  /// The length is added too, so that two texts in a row have another checksum than one.
  package mutating func add(_ text: String?) {
    add(text?.utf8.count ?? -1)
    if let text { add(text.utf8) }
  }
}
