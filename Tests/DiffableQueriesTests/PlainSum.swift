/// The exact sum of numbers, bit by bit, rounded once to the nearest number, or to an even one between two.
enum PlainSum {
  /// The number of bits below the least number, for quotients.
  private static let fraction = 128

  /// - Parameters:
  ///   - divisor: What the sum is divided by before it is rounded.
  ///   - precision: The number of bits after the first one.
  static func of(_ numbers: [Double], dividedBy divisor: Int = 1, precision: Int = 52) -> Double {
    let strange = numbers.filter { !$0.isFinite }
    if !strange.isEmpty {
      let sum = strange.reduce(0, +)
      return sum.isNaN ? .nan : sum
    }
    // How often each power of two is there, from the least one on.
    var bits = Array(repeating: 0, count: fraction + 2200)
    for number in numbers where number != 0 {
      var rest = number.magnitude
      // All bits of a number are between its first one and the last that it can have.
      let last = max(-1074, Int(number.exponent) - 52)
      for place in stride(from: Int(number.exponent), through: last, by: -1) {
        let power = Double(sign: .plus, exponent: place, significand: 1)
        guard rest >= power else { continue }
        rest -= power
        bits[fraction + place + 1074] += number < 0 ? -1 : 1
      }
    }
    carry(&bits)
    let isNegative = bits.last.map { $0 < 0 } ?? false
    if isNegative {
      for index in bits.indices { bits[index].negate() }
      carry(&bits)
    }
    divide(&bits, by: divisor)
    let sum = rounded(bits, precision)
    return isNegative ? -sum : sum
  }

  private static func carry(_ bits: inout [Int]) {
    for index in 0..<bits.count - 1 {
      let digit = bits[index] & 1
      bits[index + 1] += (bits[index] - digit) / 2
      bits[index] = digit
    }
  }

  /// Divides bit by bit, as on paper; what is left sets the last bit.
  private static func divide(_ bits: inout [Int], by divisor: Int) {
    var rest = 0
    for index in bits.indices.reversed() {
      rest = rest * 2 + bits[index]
      bits[index] = rest < divisor ? 0 : 1
      if rest >= divisor { rest -= divisor }
    }
    if rest > 0 { bits[0] = 1 }
  }

  private static func rounded(_ bits: [Int], _ precision: Int) -> Double {
    guard let top = bits.lastIndex(of: 1) else { return 0 }
    let last = max(fraction, top - precision)
    var significand: UInt64 = 0
    for index in stride(from: top, through: last, by: -1) {
      significand = significand << 1 | UInt64(bits[index])
    }
    if bits[last - 1] == 1, significand & 1 == 1 || bits[..<(last - 1)].contains(1) {
      significand += 1
    }
    return Double(sign: .plus, exponent: last - fraction - 1074, significand: Double(significand))
  }
}
