/// The exact sum of any floating-point numbers, however many and however different.
///
/// It is a whole number of the least one that is greater than zero, 2⁻¹⁰⁷⁴, in digits of 32 bits. A digit has
/// room for carries, which are passed on before there can be too many:
///
///     2⁶⁴ + 1 − 2⁶⁴    digits 1 · 2³²ⁿ, 1 · 2³²⁽ⁿ⁺²⁾, then −1 at the same place: 1 is left
///
/// So a sum depends on its numbers alone, and not on their order. It is rounded once, when it is read.
///
/// Invariants:
/// 1. The sum of what is finite is Σ `digits[i]` · 2^(32 · (`first` + i) − 1074).
/// 2. After `additions` numbers, no digit is outside of ±(`additions` + 1) · 2³³.
struct ExactSum: Sendable {
  private var digits: [Int64] = []
  private var first = 0
  private var additions = 0
  /// What is not finite: that leads to infinity, or to no number at all.
  private var hasNaN = false
  private var hasInfinity = (plus: false, minus: false)

  init() {}

  mutating func add(_ number: Double) {
    guard number.isFinite else {
      if number.isNaN {
        hasNaN = true
      } else if number > 0 {
        hasInfinity.plus = true
      } else {
        hasInfinity.minus = true
      }
      return
    }
    guard number != 0 else { return }
    let field = number.exponentBitPattern
    // The number is bits · 2^(shift − 1074).
    let bits = number.significandBitPattern | (field == 0 ? 0 : 1 << 52)
    let shift = field == 0 ? 0 : Int(field) - 1
    add(bits, at: shift, isNegative: number < 0)
  }

  /// Adds an integer, however large.
  mutating func add<Number: BinaryInteger>(_ number: Number) {
    var shift = 1074
    for word in number.magnitude.words {
      let halves = (UInt64(word) & 0xffff_ffff, UInt64(word) >> 32)
      if halves.0 != 0 { add(halves.0, at: shift, isNegative: number < 0) }
      if halves.1 != 0 { add(halves.1, at: shift + 32, isNegative: number < 0) }
      shift += UInt.bitWidth
    }
  }

  mutating func add(_ other: ExactSum) {
    hasNaN = hasNaN || other.hasNaN
    hasInfinity.plus = hasInfinity.plus || other.hasInfinity.plus
    hasInfinity.minus = hasInfinity.minus || other.hasInfinity.minus
    guard !other.digits.isEmpty else { return }
    reserve(other.first..<other.first + other.digits.count, additions: other.additions + 1)
    for (place, digit) in other.digits.enumerated() { digits[other.first - first + place] += digit }
  }

  /// Adds at most 53 bits, from a place on.
  private mutating func add(_ bits: UInt64, at shift: Int, isNegative: Bool) {
    let (place, offset) = (shift / 32, UInt64(shift % 32))
    reserve(place..<place + 3, additions: 1)
    let low = (bits & 0xffff_ffff) << offset
    let high = (bits >> 32) << offset
    let index = place - first
    let sign: Int64 = isNegative ? -1 : 1
    digits[index] += sign * Int64(low & 0xffff_ffff)
    digits[index + 1] += sign * (Int64(low >> 32) + Int64(high & 0xffff_ffff))
    digits[index + 2] += sign * Int64(high >> 32)
  }

  /// Makes room for digits, and for what will be added to each.
  private mutating func reserve(_ places: Range<Int>, additions count: Int) {
    if additions + count > 1 << 28 {
      carry()
      additions = 1
    }
    additions += count
    if digits.isEmpty { first = places.lowerBound }
    if places.lowerBound < first {
      digits.insert(contentsOf: repeatElement(0, count: first - places.lowerBound), at: 0)
      first = places.lowerBound
    }
    let missing = places.upperBound - first - digits.count
    if missing > 0 { digits.append(contentsOf: repeatElement(0, count: missing)) }
  }

  /// Passes carries on, so that all digits but the last are from 0 to 2³² − 1.
  private mutating func carry() {
    var carry: Int64 = 0
    for index in digits.indices {
      let digit = digits[index] + carry
      digits[index] = digit & 0xffff_ffff
      carry = digit >> 32
    }
    // Less than 2³² in size, unless it is the sign.
    if carry != 0 { digits.append(carry) }
  }

  /// The sum, rounded to the nearest number.
  var value: Double { divided(by: 1) }

  /// The sum, divided by a positive number, and rounded once.
  func divided(by divisor: Int) -> Double {
    read(dividedBy: divisor) { bits, exponent in
      // Numbers below 2⁻¹⁰²² have less than 53 bits. A sum there is one of them; a quotient is rounded.
      let cut = -1074 - exponent
      guard cut > 11 else {
        return Double(sign: .plus, exponent: exponent, significand: Double(bits))
      }
      guard cut <= 64 else { return 0 }
      let half: UInt64 = 1 << UInt64(cut - 1)
      let (kept, rest) = (bits >> UInt64(cut), bits & (half | (half - 1)))
      let isUp = rest > half || rest == half && kept & 1 == 1
      return Double(bitPattern: isUp ? kept + 1 : kept)
    }
  }

  /// The sum as a number that a narrower type rounds as it would the sum.
  ///
  /// What is cut off sets the last of 53 bits, by “rounding to odd” (Boldo and Melquiond, 2008). The nearest
  /// number may be halfway between two of the narrower type although the sum is not. So the narrower type must
  /// have two bits less.
  var oddValue: Double {
    read(dividedBy: 1) { bits, exponent in
      let odd = bits & ~0x7ff | (bits & 0x7ff == 0 ? 0 : 0x800)
      return Double(sign: .plus, exponent: exponent, significand: Double(odd))
    }
  }

  /// What a function makes of the first 64 bits of a quotient, and of the exponent of the last of them.
  ///
  /// - Complexity: O(1): there are at most 74 digits.
  private func read(
    dividedBy divisor: Int, _ number: (_ bits: UInt64, _ exponent: Int) -> Double
  ) -> Double {
    if hasNaN || hasInfinity.plus && hasInfinity.minus { return .nan }
    if hasInfinity.plus { return .infinity }
    if hasInfinity.minus { return -.infinity }
    var exact = self
    exact.carry()
    let isNegative = exact.digits.last.map { $0 < 0 } ?? false
    if isNegative {
      for index in exact.digits.indices { exact.digits[index].negate() }
      exact.carry()
    }
    exact.divide(by: divisor)
    let (magnitude, exponent) = exact.leadingBits
    guard magnitude != 0 else { return 0 }
    let result = number(magnitude, exponent - 1074)
    return isNegative ? -result : result
  }

  /// Divides a sum that is not negative and whose carries were passed on.
  ///
  /// What is left sets the last bit of all. A divisor has less than 64 bits, and four more digits have 128. So all of
  /// the first 64 bits are there, and that bit is none of them.
  private mutating func divide(by divisor: Int) {
    guard divisor > 1 else { return }
    digits.insert(contentsOf: repeatElement(0, count: 4), at: 0)
    first -= 4
    let divisor = UInt64(divisor)
    var rest: UInt64 = 0
    for index in digits.indices.reversed() {
      let digit = UInt64(truncatingIfNeeded: digits[index])
      // The rest is less than the divisor, so the quotient is less than 2³².
      let (quotient, left) = divisor.dividingFullWidth((rest >> 32, rest << 32 | digit))
      (digits[index], rest) = (Int64(truncatingIfNeeded: quotient), left)
    }
    if rest != 0 { digits[0] |= 1 }
  }

  /// The first 64 bits of a sum that is not negative and whose carries were passed on, and the exponent of the
  /// last of them.
  ///
  /// If something follows them, the last bit is set. It decides nothing but that two numbers are not equally
  /// near.
  private var leadingBits: (magnitude: UInt64, exponent: Int) {
    guard let top = digits.lastIndex(where: { $0 != 0 }) else { return (0, 0) }
    func digit(_ index: Int) -> UInt64 { index < 0 ? 0 : UInt64(truncatingIfNeeded: digits[index]) }
    let empty = UInt64(32 - (64 - digit(top).leadingZeroBitCount))
    let leading = digit(top) << 32 | digit(top - 1)
    let rest = digit(top - 2)
    var magnitude = leading << empty | rest >> (32 - empty)
    let isCut = rest << (32 + empty) != 0 || digits[..<Swift.max(0, top - 2)].contains { $0 != 0 }
    if isCut { magnitude |= 1 }
    return (magnitude, 32 * (first + top - 1) - Int(empty))
  }
}
