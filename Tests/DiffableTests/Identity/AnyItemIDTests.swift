import DiffableTesting
import TestScope
import Testing

@testable import Diffable

@Suite("Identifiers of any type") struct AnyItemIDTests {
  private struct Note: Hashable, Sendable {
    var id: Int
  }

  /// All hashes are equal, so that types tell values apart or nothing does.
  private struct Colliding: Hashable, Sendable, CustomStringConvertible {
    var id: Int
    var description: String { "colliding \(id)" }
    func hash(into hasher: inout Hasher) {}
  }

  private static let samples: [AnyItemID] = [
    AnyItemID(1), AnyItemID(2), AnyItemID(1 as UInt8), AnyItemID(1 as Int64), AnyItemID(1.0),
    AnyItemID("1"), AnyItemID("2"), AnyItemID(Substring("1")), AnyItemID(Character("1")),
    AnyItemID(Note(id: 1)), AnyItemID(Colliding(id: 1)), AnyItemID(Colliding(id: 2)),
    AnyItemID(Optional(1)), AnyItemID([1]), AnyItemID(Set([1])),
  ]

  @Test("Equal means the same type and an equal value of it")
  func equality() {
    for (left, a) in Self.samples.enumerated() {
      for (right, b) in Self.samples.enumerated() {
        #expect((a == b) == (left == right), "\(a) and \(b)")
      }
    }
    #expect(Set(Self.samples + Self.samples).count == Self.samples.count)
    #expect(AnyItemID(Note(id: 1)) == AnyItemID(Note(id: 1)))
    #expect(AnyItemID(0.0) == AnyItemID(-0.0), "as their type says")
    #expect(AnyItemID(Double.nan) != AnyItemID(Double.nan), "as their type says")
  }

  @Test("Equal identifiers have equal hashes, of the value and its type")
  func hashes() {
    for sample in Self.samples {
      #expect(sample.hashValue == AnyItemID(sample).hashValue)
    }
    #expect(AnyItemID(0.0).hashValue == AnyItemID(-0.0).hashValue)
    #expect(Set(Self.samples.map(\.hashValue)).count > Self.samples.count / 2)
    #expect(AnyItemID(1).hashValue != AnyItemID(1 as UInt8).hashValue)
  }

  @Test("Wrapping again gives the same identifier")
  func nesting() {
    let once = AnyItemID(Note(id: 1))
    let thrice = AnyItemID(AnyItemID(once))
    #expect(once == thrice && thrice.base is Note)
    #expect(Set([once, thrice, AnyItemID(AnyItemID(Note(id: 1)))]).count == 1)
  }

  @Test("It says what the wrapped identifier says of itself")
  func descriptions() {
    #expect("\(AnyItemID(Colliding(id: 3)))" == "colliding 3")
    #expect("\(AnyItemID("a"))" == "a")
    #expect((AnyItemID(1) as Any) as? any Encodable == nil, "no wire format could name the type")
  }

  @Test("Whole models as identifiers: an edit is a delete and an insert, a reload says otherwise")
  func wholeModels() async throws {
    struct Row: Hashable, Sendable {
      var id: Int
      var text: String
    }
    let source = DataSourceActor<String, Row>()
    let rows = [Row(id: 1, text: "milk"), Row(id: 2, text: "tea"), Row(id: 3, text: "rice")]
    func list(_ rows: [Row]) -> Snapshot<String, Row> {
      Snapshot<String, Row>(sections: ["main"], items: [rows])
    }
    try await source.apply(list(rows))
    var batches = source.updates(after: source.token(for: Revision(1))).makeAsyncIterator()
    var edited = rows
    edited[1].text = "green tea"
    try await source.apply(list(edited))
    #expect(await batches.next()?.difference.description == "-0:1 +0:1")
    try await source.apply(list([edited[2], edited[0], edited[1]]))
    #expect(await batches.next()?.difference.description == "0:2→0:0")
    try await source.update { snapshot in try snapshot.reconfigureItems([edited[1]]) }
    #expect(await batches.next()?.difference.description == "~0:2")
  }
}

@Suite("A map of identifiers, against a dictionary and the order in which keys came")
struct IdentifierMapTests {
  @Test("any script", arguments: 0..<UInt64(rounds(20)), [1, 3, 1_000])
  func scripts(seed: UInt64, hashCount: Int) {
    var random = SplitMix64(seed: seed)
    var map = IdentifierMap<FewHashes, Int>()
    var (values, order): ([Int: Int], [Int]) = ([:], [])
    for step in 0..<200 {
      let number = random.number(below: 24)
      let key = FewHashes(number: number, hashCount: hashCount)
      switch random.number(below: 3) {
      case 0:
        map[key] = nil
        values[number] = nil
        order.removeAll { $0 == number }
      case 1:
        map[key] = step
        if values.updateValue(step, forKey: number) == nil { order.append(number) }
      default:
        map.change(key, default: step) { $0 += 1 }
        if values[number] == nil { order.append(number) }
        values[number, default: step] += 1
      }
      let comment: Comment = "seed \(seed), step \(step)"
      #expect(map.count == values.count && map.isEmpty == values.isEmpty, comment)
      #expect(map.elements.map(\.key.number) == order, comment)
      #expect(map.elements.map(\.value) == order.map { values[$0] }, comment)
      #expect(map[key] == values[number], comment)
    }
  }

  @Test("a set keeps the first of equal keys, in order")
  func set() {
    var set = IdentifierSet([3, 1, 3, 2, 1])
    #expect(set.inOrder == [3, 1, 2] && set.count == 3)
    set.remove(1)
    #expect(!set.contains(1) && set.inOrder == [3, 2])
    let isNew = [set.insert(1), set.insert(2)]
    #expect(isNew == [true, false] && set.inOrder == [3, 2, 1])
  }
}
