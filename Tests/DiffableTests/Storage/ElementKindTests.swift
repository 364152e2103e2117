import DiffableTesting
import ListSupport
import Testing
import TestScope

@testable import Diffable
@testable import DiffableEngine

/// Laws of storage, which holds elements as bytes, with every kind of type that Swift has.
@Suite("Identifiers of every kind of type")
struct ElementKindTests {
  @Test("Numbers")
  func numbers() throws { try expectLaws { $0 } }

  @Test("Strings, small ones and others")
  func strings() throws {
    try expectLaws { $0 % 2 == 0 ? "\($0)" : "a string that has memory of its own \($0)" }
  }

  @Test("Enumerations with payloads of several kinds")
  func payloads() throws {
    try expectLaws { number -> Loaded in
      switch number % 4 {
      case 0: .number(number)
      case 1: .text("the text of number \(number), which is long")
      case 2: .both(number, Counted(number, PayloadCensus()))
      default: .flags([true, false], UInt8(truncatingIfNeeded: number), number)
      }
    }
  }

  @Test("Existentials")
  func existentials() throws {
    try expectLaws { $0 % 2 == 0 ? AnyItemID($0) : AnyItemID("number \($0)") }
  }

  @Test("Optionals")
  func optionals() throws { try expectLaws { $0 == 0 ? nil : Optional("number \($0)") } }

  @Test("Elements that are aligned as much as any type is")
  func aligned() throws {
    #expect(MemoryLayout<Aligned>.alignment == MemoryLayout<SIMD16<Int64>>.alignment)
    try expectLaws { Aligned(lanes: SIMD16(repeating: Int64($0))) }
  }

  @Test("Elements of one byte, and of bytes of which one means nothing")
  func bytes() throws {
    try expectLaws(upTo: 200) { UInt8($0) }
    try expectLaws(upTo: 200) { Odd(letter: UInt8($0), number: UInt16($0)) }
  }

  @Test("Objects, of which none is lost and none is kept")
  func objects() throws {
    let census = PayloadCensus()
    try expectLaws { Counted($0, census) }
    #expect(census.population == 0)
  }

  @Test("An element without any size")
  func zeroSized() throws {
    #expect(MemoryLayout<Nothing>.size == 0)
    var live = LiveState<Int, Nothing>()
    var snapshot = Snapshot<Int, Nothing>()
    snapshot.appendSections([0, 1])
    try snapshot.appendItems([Nothing()], toSection: 1)
    _ = try live.apply(snapshot, duplicates: .reject)
    #expect(live.snapshot.itemPath(for: Nothing()) == ItemPath(section: 1, item: 0))
    try snapshot.appendItems([Nothing()], toSection: 0)
    #expect(throws: SnapshotError.self) { try live.apply(snapshot, duplicates: .reject) }
    _ = try live.update(duplicates: .reject) { $0.deleteItems([Nothing()]) }
    #expect(live.snapshot.numberOfItems == 0)
    #expect(try SnapshotDifference(from: [Nothing()], to: [Nothing()]).isEmpty)
    #expect(throws: SnapshotError.self) {
      try SnapshotDifference(from: [Nothing()], to: [Nothing(), Nothing()])
    }
  }

  /// Random applies and edits, beside a plain array.
  private func expectLaws<ID: Hashable & Sendable>(
    upTo limit: Int = .max, _ make: (Int) -> ID
  ) throws {
    for seed in 0..<UInt64(rounds(2)) {
      var random = SplitMix64(seed: seed)
      var live = LiveState<Int, ID>()
      var numbers: [Int] = []
      var next = 0
      func new() -> Int {
        next += 1
        return next % limit
      }
      for step in 0..<30 {
        let comment: Comment = "seed \(seed), step \(step)"
        let old = live.snapshot.detached
        var list = numbers
        switch random.number(below: 6) {
        case 0: list = random.shuffled(list)
        case 1: list.reverse()
        case 2: list.removeAll { _ in random.chance(oneIn: 3) }
        default:
          let come = (0..<random.number(below: min(limit / 40, 150))).map { _ in new() }
          list.removeAll { come.contains($0) }
          list.insert(contentsOf: come, at: random.number(below: list.count + 1))
        }
        if random.chance(oneIn: 2) || numbers.isEmpty {
          var snapshot = Snapshot<Int, ID>()
          snapshot.appendSections([0])
          try snapshot.appendItems(list.map(make))
          _ = try live.apply(snapshot, duplicates: .reject)
          // Both are arrays: they are compared as values.
          var former = Snapshot<Int, ID>()
          former.appendSections([0])
          try former.appendItems(numbers.map(make))
          let difference = try snapshot.difference(from: former)
          #expect(
            try former.applying(difference, insertsFrom: snapshot).itemIdentifiers
              == list.map(make), comment)
          numbers = list
        } else {
          _ = try live.update(duplicates: .reject) { draft in
            for _ in 0..<random.number(below: 12) where !numbers.isEmpty {
              let place = random.number(below: numbers.count)
              let anchor = make(numbers[place])
              let number = new()
              if random.chance(oneIn: 2), !numbers.contains(number) {
                try draft.insertItems([make(number)], beforeItem: anchor)
                numbers.insert(number, at: place)
              } else {
                draft.deleteItems([anchor])
                numbers.remove(at: place)
              }
            }
          }
        }
        #expect(live.snapshot.itemIdentifiers == numbers.map(make), comment)
        for place in [0, numbers.count / 2, numbers.count - 1] where numbers.indices.contains(place)
        {
          #expect(
            live.snapshot.itemPath(for: make(numbers[place])) == ItemPath(section: 0, item: place),
            comment)
        }
        let difference = live.snapshot.difference(fromValid: old, marks: .init())
        #expect(
          try old.applying(difference, insertsFrom: live.snapshot).itemIdentifiers
            == numbers.map(make), comment)
      }
      try expectOutlines(of: Array(0..<min(limit, 120)), make, &random)
    }
  }

  /// The rows of an outline are elements as well.
  private func expectOutlines<ID: Hashable & Sendable>(
    of numbers: [Int], _ make: (Int) -> ID, _ random: inout SplitMix64
  ) throws {
    var outline = Outline<ID>()
    try outline.append(numbers.prefix(10).map(make))
    for number in numbers.dropFirst(10) {
      try outline.append([make(number)], to: make(random.number(below: number)))
    }
    outline.expand(numbers.filter { _ in random.chance(oneIn: 2) }.map(make))
    #expect(Set(outline.items) == Set(numbers.map(make)))
    #expect(outline.visibleItems == outline.items.filter(outline.isVisible))
    let snapshot = try Snapshot<Int, ID>(outline, in: 0)
    #expect(snapshot.itemIdentifiers == outline.visibleItems)
  }
}

private enum Loaded: Hashable {
  case number(Int)
  case text(String)
  case both(Int, Counted)
  case flags([Bool], UInt8, Int)
}

private struct Aligned: Hashable {
  var lanes: SIMD16<Int64>
}

private struct Odd: Hashable {
  let letter: UInt8
  let number: UInt16
}

private struct Nothing: Hashable {}

/// An object that is counted as long as it lives, and equal by its number.
private final class Counted: Hashable, Sendable {
  let number: Int
  private let payload: Payload

  init(_ number: Int, _ census: PayloadCensus) {
    (self.number, payload) = (number, Payload(census))
  }

  static func == (left: Counted, right: Counted) -> Bool { left.number == right.number }

  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
