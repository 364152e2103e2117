import DiffableTesting
import TestScope
import Testing

@testable import DiffableEngine

/// Indices of elements, each added once, against arrays without repetitions, from a few elements to many.
@Suite("Elements, each once, in the order in which they were added") struct DistinctElementTests {
  private let kernel = ElementKernel(String.self)

  private func insert(_ id: String, _ set: inout ElementIndex) {
    withUnsafePointer(to: id) { set.insert($0, hash: id.storedHash) }
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

  @Test("Random insertions, unions and filters", arguments: 0..<rounds(80 as UInt64))
  func randomEdits(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    // The text is longer than what a string holds in itself.
    func id() -> String { "an identifier in memory of its own: \(random.number(below: 24))" }
    var (set, plain) = (ElementIndex(kernel), [String]())
    for step in 0..<40 {
      switch random.number(below: 8) {
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

  @Test("A set of different elements has the same index", arguments: [0, 1, 8, 9, 30])
  func ofDifferentElements(count: Int) throws {
    let all = (0..<count).map { "\($0)" }
    let set = try #require(ElementIndex(HashedElements(hashing: all, kernel)))
    #expect(ids(set) == all)
    #expect((0..<count + 5).filter { contains("\($0)", set) } == Array(0..<count))
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
