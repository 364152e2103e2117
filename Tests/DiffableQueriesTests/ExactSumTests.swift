import DiffableTesting
import TestScope
import Testing

@testable import DiffableQueries

@Suite("A sum is exact, and rounded once") struct ExactSumTests {
  static let numbers: [Double] = [
    0, 1, -1, 0.1, -0.1, 3, 1e16, -1e16, 1e308, -1e308, .greatestFiniteMagnitude,
    -.greatestFiniteMagnitude, .leastNonzeroMagnitude, -.leastNonzeroMagnitude,
    .leastNormalMagnitude, 0x1p53, 0x1p-53, 0x1.8p-1, 0x1p52 + 0.5, 0x1.fffffffffffffp0,
  ]

  private static func isSame(_ left: Double, _ right: Double) -> Bool {
    left.bitPattern == right.bitPattern || left.isNaN && right.isNaN
  }

  private static func sum(_ numbers: [Double]) -> ExactSum {
    var sum = ExactSum()
    for number in numbers { sum.add(number) }
    return sum
  }

  @Test func `Of any three numbers, in one piece and in two`() {
    for first in Self.numbers {
      for second in Self.numbers {
        for third in Self.numbers {
          let plain = PlainSum.of([first, second, third])
          var parts = Self.sum([third])
          parts.add(Self.sum([first, second]))
          guard Self.isSame(Self.sum([first, second, third]).value, plain),
            Self.isSame(parts.value, plain)
          else {
            Issue.record("\(first) + \(second) + \(third) is \(plain), not \(parts.value)")
            return
          }
        }
      }
    }
  }

  @Test("Of random bits, in any order and in any parts", arguments: 1...rounds(48 as UInt64))
  func random(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let count = 1 + random.number(below: 40)
    // Exponents that are near each other, now and then.
    let spread = UInt64(1) << UInt64(random.number(below: 11))
    var numbers = (0..<count).map { _ in
      let exponent = (random.next() % spread + 1000) % 2047
      return Double(
        sign: random.chance(oneIn: 2) ? .minus : .plus, exponentBitPattern: UInt(exponent),
        significandBitPattern: random.next() & ((1 << 52) - 1))
    }
    let plain = PlainSum.of(numbers)
    for _ in 0..<8 {
      numbers.shuffle(using: &random)
      let cut = random.number(below: count + 1)
      var sum = Self.sum(Array(numbers[..<cut]))
      sum.add(Self.sum(Array(numbers[cut...])))
      #expect(Self.isSame(sum.value, plain), "seed \(seed): \(numbers)")
    }
    // What is taken away again leaves nothing.
    #expect(Self.sum(numbers + numbers.map { -$0 }).value == 0)
  }

  @Test("Of a narrower type, also where the nearest `Double` is halfway between two of its numbers")
  func narrow() {
    let numbers: [Float] = [0, 1, -1, 0x1p-24, -0x1p-24, 0x1p-60, -0x1p-60, 0x1.000002p0, 3e38]
    let rule = FloatingRule<Float>()
    for first in numbers {
      for second in numbers {
        for third in numbers {
          var sum = rule.empty
          rule.add([first, second, third], to: &sum)
          let plain = Float(PlainSum.of([first, second, third].map(Double.init), precision: 23))
          #expect(rule.value(of: sum) == plain, "\(first) + \(second) + \(third)")
        }
      }
    }
  }

  /// A number, half of what is between it and the next one, and something that decides: in all places
  /// that the three can have in digits.
  private func expectDecided<Number: BinaryFloatingPoint>(
    in _: Number.Type, sum: ([Number]) -> Number
  ) {
    for place in 0..<32 {
      let even = Number(sign: .plus, exponent: Number.Exponent(60 + place), significand: 1)
      let half = even.ulp / 2
      for distance in 1...130 where isInScope(place + distance, usual: 7) {
        let power = Number(sign: .plus, exponent: -Number.Exponent(distance), significand: 1)
        let least = half * power
        for start in [even, even.nextUp] {
          let sums = [[least, half, start], [start, half, -least], [-least, -start, -half]]
          #expect(
            sums.map(sum) == [start.nextUp, start, -start.nextUp],
            "\(start), half and \(distance) places below")
        }
      }
      #expect(sum([even, half]) == even)
      #expect(sum([even.nextUp, half]) == even.nextUp.nextUp)
    }
  }

  @Test func `However small a number is, it decides what is exactly half`() {
    expectDecided(in: Double.self) { Self.sum($0).value }
    let rule = FloatingRule<Float>()
    expectDecided(in: Float.self) { numbers in
      var sum = rule.empty
      rule.add(numbers[...], to: &sum)
      return rule.value(of: sum)
    }
  }

  @Test("A quotient is rounded once, also below the least normal number")
  func quotients() {
    let divisors = [2, 3, 10, 1 << 32 + 1, .max / 2]
    for first in Self.numbers {
      for second in Self.numbers {
        let sum = Self.sum([first, second])
        for divisor in divisors {
          let plain = PlainSum.of([first, second], dividedBy: divisor)
          guard Self.isSame(sum.divided(by: divisor), plain) else {
            Issue.record("(\(first) + \(second)) / \(divisor) is \(plain)")
            return
          }
        }
      }
    }
  }

  @Test("A quotient of random bits", arguments: 1...rounds(48 as UInt64))
  func randomQuotient(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<16 {
      // Half of them are near the least normal number, where a quotient has fewer bits than others.
      let exponents = random.chance(oneIn: 2) ? 70 : 2047
      let numbers = (0..<1 + random.number(below: 4)).map { _ in
        Double(
          sign: random.chance(oneIn: 2) ? .minus : .plus,
          exponentBitPattern: UInt(random.number(below: exponents)),
          significandBitPattern: random.next() & ((1 << 52) - 1))
      }
      let divisor = Int(random.next() >> (2 + random.next() % 61)) + 1
      let plain = PlainSum.of(numbers, dividedBy: divisor)
      #expect(
        Self.isSame(Self.sum(numbers).divided(by: divisor), plain),
        "seed \(seed): \(numbers) / \(divisor)")
    }
  }

  @Test func `What is not finite`() {
    for (numbers, sum) in [
      ([.infinity, 1], Double.infinity), ([-.infinity, 1e308], -.infinity),
      ([.infinity, -.infinity], .nan), ([.nan, 1], .nan), ([.nan, .infinity], .nan),
      ([-0.0, -0.0], 0), ([], 0),
    ] {
      #expect(Self.isSame(Self.sum(numbers).value, sum), "\(numbers)")
    }
  }

  @Test func `Integers of any size, and averages of what is too large together`() {
    for number in [0, 1, -1, Int.max, .min, .max - 1, 1 << 53 + 1] {
      var sum = ExactSum()
      sum.add(number)
      #expect(sum.value == Double(number))
      sum.add(number)
      sum.add(1)
      sum.add(-1)
      #expect(sum.divided(by: 2) == Double(number))
    }
    let large = Self.sum([.greatestFiniteMagnitude, .greatestFiniteMagnitude])
    #expect(large.value == .infinity && large.divided(by: 2) == .greatestFiniteMagnitude)
  }
}
