import DiffableTesting
import Foundation

/// An identifier that random numbers determine.
protocol SeededIdentifier: Hashable, Sendable {
  init(_ random: inout SplitMix64)
}

extension UUID: SeededIdentifier {
  init(_ random: inout SplitMix64) {
    var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &bytes) { buffer in
      buffer.storeBytes(of: random.next(), toByteOffset: 0, as: UInt64.self)
      buffer.storeBytes(of: random.next(), toByteOffset: 8, as: UInt64.self)
    }
    self.init(uuid: bytes)
  }
}

extension Int: SeededIdentifier {
  init(_ random: inout SplitMix64) {
    self = Int(truncatingIfNeeded: random.next())
  }
}

extension String: SeededIdentifier {
  /// Too long for a small string.
  init(_ random: inout SplitMix64) {
    self = "identifier-\(random.next())"
  }
}

extension Array where Element: SeededIdentifier {
  /// Identifiers that a seed determines, always the same.
  static func seeded(_ count: Int, seed: UInt64) -> [Element] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in Element(&random) }
  }
}

extension Array {
  /// The same elements in storage of their own, as an app has them that maps its model again.
  func remapped() -> [Element] {
    var copy: [Element] = []
    copy.reserveCapacity(count)
    for element in self { copy.append(element) }
    return copy
  }
}
