import DiffableTesting
import TestScope
import Testing

@testable import Diffable
@testable import DiffableEngine

@Suite("Elements have the numbers by which they came, and each is there once")
struct ElementIndexTests {
  @Test(arguments: [0, 1, 8, 9, 30, 100])
  func `Made of many at once, if each is there once`(count: Int) throws {
    let names = (0..<count).map { "row \($0)" }
    let index = try #require(ElementIndex(HashedElements(hashing: names, kernel)))
    #expect(ids(index) == names)
    #expect(names.indices.allSatisfy { index.number(of: names[$0]) == $0 })
    #expect((0..<count + 5).filter { contains("row \($0)", index) } == Array(0..<count))
    #expect(index.number(of: "row \(count)") == nil)
    guard let twice = names.last else { return }
    #expect(ElementIndex(HashedElements(hashing: names + [twice], kernel)) == nil)
  }

  @Test func `What is added again has the number of the last time`() {
    let kernel = ElementKernel(Int.self)
    var random = SplitMix64(seed: 12)
    var index = ElementIndex(kernel)
    var numbers: [Int: Int] = [:]
    for number in 0..<2_000 {
      let element = random.number(below: 700)
      withUnsafePointer(to: element) { index.set($0, hash: element.storedHash) }
      numbers[element] = number
      #expect(index.count == number + 1 && index.distinctCount == numbers.count)
    }
    #expect((0..<700).allSatisfy { index.number(of: $0) == numbers[$0] })
    // What is new as well.
    for element in 700..<3_000 {
      withUnsafePointer(to: element) { index.set($0, hash: element.storedHash) }
      numbers[element] = index.count - 1
    }
    #expect((0..<3_000).allSatisfy { index.number(of: $0) == numbers[$0] })
    #expect(index.distinctCount == numbers.count)
  }

  // MARK: Elements that are added once each, in the order in which they came

  private let kernel = ElementKernel(String.self)

  private func insert(_ id: String, _ set: inout ElementIndex) {
    withUnsafePointer(to: id) { set.insert($0, hash: id.storedHash) }
  }

  private func replace(_ old: String, with new: String, _ set: inout ElementIndex) -> Bool {
    withUnsafePointer(to: old) { old in
      withUnsafePointer(to: new) { new in
        set.replace(
          old, hash: old.pointee.storedHash, with: new, hash: new.pointee.storedHash)
      }
    }
  }

  private func contains(_ id: String, _ set: ElementIndex) -> Bool {
    withUnsafePointer(to: id) { set.contains($0, hash: id.storedHash) }
  }

  private func ids(_ set: ElementIndex?) -> [String] {
    var ids: [String] = []
    set?.forEach { element, hash in
      ids.append(element.assumingMemoryBound(to: String.self).pointee)
      #expect(hash == ids.last?.storedHash)
    }
    return ids
  }

  @Test("Random insertions, replacements, unions and filters", arguments: 0..<rounds(80 as UInt64))
  func randomEdits(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    // The text is longer than what a string holds in itself.
    func id() -> String { "an identifier in memory of its own: \(random.number(below: 24))" }
    var (set, plain) = (ElementIndex(kernel), [String]())
    for step in 0..<40 {
      switch random.number(below: 12) {
      case 0:
        var (other, others) = (ElementIndex(kernel), [String]())
        for _ in 0..<random.number(below: 12) { others.append(id()) }
        for id in others { insert(id, &other) }
        let copy = set
        _ = set.formUnion(other.elements)
        #expect(ids(copy) == plain, "a copy stays, seed \(seed), step \(step)")
        for id in others where !plain.contains(id) { plain.append(id) }
      case 1:
        let gone = Set((0..<random.number(below: 20)).map { _ in id() })
        let kept = set.filter { element, _ in
          !gone.contains(element.assumingMemoryBound(to: String.self).pointee)
        }
        plain.removeAll { gone.contains($0) }
        #expect((kept == nil) == (plain.isEmpty && set.count > 0), "seed \(seed), step \(step)")
        set = kept ?? ElementIndex(kernel)
      case 2, 3, 4, 5:
        let (old, new, copy, before) = (id(), id(), set, plain)
        let place = plain.contains(new) ? nil : plain.firstIndex(of: old)
        #expect(replace(old, with: new, &set) == (place != nil), "seed \(seed), step \(step)")
        if let place { plain[place] = new }
        #expect(ids(copy) == before, "a copy stays, seed \(seed), step \(step)")
      default:
        let id = id()
        insert(id, &set)
        if !plain.contains(id) { plain.append(id) }
      }
      #expect(ids(set) == plain && set.count == plain.count, "seed \(seed), step \(step)")
      let asked = id()
      #expect(contains(asked, set) == plain.contains(asked), "seed \(seed), step \(step)")
    }
  }

  @Test(arguments: [1, 8, 9, 200])
  func `Replaced again and again, each is found by its last name only`(count: Int) {
    var set = ElementIndex(kernel)
    for number in 0..<count { insert("\(number) of 0", &set) }
    for round in 1...40 {
      for number in 0..<count {
        #expect(replace("\(number) of \(round - 1)", with: "\(number) of \(round)", &set))
      }
      #expect((0..<count).allSatisfy { set.number(of: "\($0) of \(round)") == $0 })
      #expect((0..<count).allSatisfy { !contains("\($0) of \(round - 1)", set) })
    }
    #expect(set.count == count && set.distinctCount == count)
  }

  @Test("An element that does not equal itself is never found")
  func lawless() {
    let kernel = ElementKernel(Double.self)
    var set = ElementIndex(kernel)
    for _ in 0..<20 { withUnsafePointer(to: Double.nan) { set.insert($0, hash: 1) } }
    #expect(set.count == 20)
    #expect(withUnsafePointer(to: Double.nan) { !set.contains($0, hash: 1) })
  }
}

@Suite("Searches in buffers")
struct SearchTests {
  @Test("Every bound in every short buffer, with keys alone and repeated")
  func exhaustive() {
    for width in [1, 3] {
      for count in 0...70 {
        let keys = (0..<count).map { Int64($0 / width * 2) }
        for bound in -1...Int64(2 * count + 1) {
          let found = keys.withUnsafeBufferPointer { $0.count(upTo: bound, by: \.self) }
          #expect(found == keys.filter { $0 <= bound }.count, "\(count) keys, bound \(bound)")
        }
      }
    }
  }

  @Test("A hash at every place of every range, alone and with another one behind it")
  func hashes() {
    // Longer than several blocks that are compared at a time.
    let count = 70
    for place in 0..<count {
      for other in [place, place + 1, place + 16] where other < count {
        var hashes = Array(repeating: 7 as UInt32, count: count)
        (hashes[place], hashes[other]) = (9, 9)
        hashes.withUnsafeBufferPointer { hashes in
          for lower in 0..<18 {
            for upper in lower...count where isInScope(upper, usual: 3) {
              let found = hashes.firstIndex(ofHash: 9, in: lower..<upper)
              let expected = [place, other].first { lower <= $0 && $0 < upper }
              guard found != expected else { continue }
              Issue.record("\(lower)..<\(upper) with \(place) and \(other): \(found ?? -1)")
            }
          }
        }
      }
    }
  }
}
