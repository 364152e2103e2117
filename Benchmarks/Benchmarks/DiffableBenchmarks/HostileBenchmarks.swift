import Benchmark
import Diffable
import DiffableTesting
import Foundation

/// Identifiers that are hard to hash, to compare or to tell apart, against what `Dictionary` makes
/// of them.
func registerHostileBenchmarks() {
  registerHostile("equal-hashes", EqualHash.self, count: 1_000)
  registerHostile("thousand-a-hash", ThousandAHash.self, count: 10_000)
  registerHostile("slow-equality", SlowEquality.self, count: 10_000)
  registerHostile("long-strings", LongString.self, count: 2_000)
  registerHostile("boxed", Boxed.self, count: 100_000)
}

private func registerHostile<ID: SeededIdentifier>(_ name: String, _ type: ID.Type, count: Int) {
  compareWithDictionary("hostile/\(name)-scattered/\(count)") {
    Workload<ID>.scattered(
      count: count, deleted: count / 10, inserted: count / 10, moved: count / 50)
  }
  compareWithDictionary("hostile/\(name)-shuffled/\(count)") {
    Workload<ID>.shuffled(count: count)
  }
}

/// Every identifier has the same hash.
private struct EqualHash: SeededIdentifier {
  let number: UInt64

  init(_ random: inout SplitMix64) { number = random.next() }

  func hash(into hasher: inout Hasher) {}
}

/// As many hashes as there are thousands of identifiers.
private struct ThousandAHash: SeededIdentifier {
  let number: UInt64

  init(_ random: inout SplitMix64) { number = random.next() }

  func hash(into hasher: inout Hasher) { hasher.combine(number % 10) }
}

/// A value that is compared field by field, and differs in the last.
private struct SlowEquality: SeededIdentifier {
  let fields: [UInt64]

  init(_ random: inout SplitMix64) {
    fields = [UInt64](repeating: 7, count: 200) + [random.next()]
  }

  static func == (left: SlowEquality, right: SlowEquality) -> Bool {
    zip(left.fields, right.fields).allSatisfy { $0 == $1 }
  }

  func hash(into hasher: inout Hasher) { hasher.combine(fields.last) }
}

/// Ten kilobytes that differ in the last few.
private struct LongString: SeededIdentifier {
  let text: String

  init(_ random: inout SplitMix64) {
    text = String(repeating: "0123456789", count: 1_000) + String(random.next())
  }
}

/// A value in an object.
private final class Boxed: SeededIdentifier {
  let number: UInt64

  init(_ random: inout SplitMix64) { number = random.next() }

  static func == (left: Boxed, right: Boxed) -> Bool { left.number == right.number }

  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
