/// A random number generator with the same results on every platform and with every toolchain.
///
/// Print the seed with every failure, so that the failure can be reproduced. The type has its own
/// drawing functions because those of the standard library may change their results for the same
/// bits.
///
/// Source: Steele, Lea and Flood, “Fast splittable pseudorandom number generators” (2014), with
/// the constants of Stafford's mixer 13. Not for cryptography.
public struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates the generator for a seed.
  public init(seed: UInt64) {
    state = seed
  }

  /// The next 64 random bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// A random number from 0 up to, but not including, a bound; 0 if the bound is not positive.
  ///
  /// The probabilities of the numbers differ by less than `bound` parts in 2⁶⁴.
  public mutating func number(below bound: Int) -> Int {
    guard bound > 0 else { return 0 }
    return Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// Returns `true` once in `count` times on average.
  public mutating func chance(oneIn count: Int) -> Bool {
    number(below: count) == 0
  }

  /// A random element, or `nil` if there is none.
  package mutating func element<Element>(of elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[number(below: elements.count)]
  }

  /// The elements in random order; all orders are equally likely.
  ///
  /// Source: Fisher and Yates, as in Knuth, volume 2, algorithm 3.4.2 P.
  public mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
    var elements = elements
    for last in elements.indices.dropFirst().reversed() {
      elements.swapAt(last, number(below: last + 1))
    }
    return elements
  }

  /// Some of the elements, in their order: each is included once in `count` times on average.
  public mutating func sample<Element>(_ elements: [Element], oneIn count: Int) -> [Element] {
    elements.filter { _ in chance(oneIn: count) }
  }
}
