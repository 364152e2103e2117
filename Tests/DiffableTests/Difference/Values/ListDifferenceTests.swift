import Diffable
import DiffableTesting
import ListSupport
import Testing
import TestScope

@Suite("Lists are compared without a source")
struct ListDifferenceTests {
  struct Note: Identifiable, Hashable, Sendable {
    let id: Int
    var text = ""
  }

  @Test("identifiers")
  func identifiers() throws {
    let difference = try SnapshotDifference(from: ["a", "b", "c"], to: ["c", "a", "d"])
    #expect(difference.description == "-0:1 +0:2 0:0→0:1")
  }

  @Test("models of the same identity with other content are reconfigured")
  func models() throws {
    let old = (0..<5).map { Note(id: $0) }
    var new = old
    new[1].text = "changed"
    new[3].text = "changed and moved"
    new.insert(new.remove(at: 3), at: 0)
    let difference = try SnapshotDifference(fromModels: old, to: new, section: 2)
    #expect(difference.description == "2:3→2:0 ~2:0 ~2:2")
    #expect(try SnapshotDifference(from: old, to: new, by: \.id).itemReconfigures.isEmpty)
  }

  @Test("sequences that are no arrays")
  func sequences() throws {
    let difference = try SnapshotDifference(from: 0..<4, to: (0..<4).reversed())
    #expect(difference.itemMoves.count == 3)
    #expect(try SnapshotDifference(from: [Int](), to: EmptyCollection<Int>()).isEmpty)
  }

  @Test("an identifier that appears twice is an error that names its places, on either side")
  func duplicates() {
    let error = SnapshotError.duplicateItems([
      .init(
        identifier: AnyItemID(7),
        places: [ItemPath(section: 1, item: 0), ItemPath(section: 1, item: 2)])
    ])
    #expect(throws: error) { try SnapshotDifference(from: [7, 8, 7], to: [8], section: 1) }
    #expect(throws: error) { try SnapshotDifference(from: [8], to: [7, 8, 7], section: 1) }
    #expect(throws: error) { try SnapshotDifference(from: [7, 8, 7], to: [7, 8, 7], section: 1) }
    #expect(throws: error) {
      try SnapshotDifference(
        fromModels: [Note(id: 7)], to: [7, 8, 7].map { Note(id: $0) }, section: 1)
    }
  }

  @Test("all lists of a few elements, with repetitions, in which one to three hashes differ")
  func exhaustive() {
    for hashCount in 1...3 {
      let elements = (0..<3).map { FewHashes(number: $0, hashCount: hashCount) }
      // What is new may equal what stays, before it or further down.
      let lists = everySequence(of: elements, upTo: 4)
      for old in everySequence(of: elements, upTo: scoped(usual: 3, wide: 4)) {
        for new in lists { check(old, new) }
      }
    }
  }

  private func check(_ old: [FewHashes], _ new: [FewHashes]) {
    func isUnique(_ list: [FewHashes]) -> Bool { Set(list.map(\.number)).count == list.count }
    do throws(SnapshotError) {
      let difference = try SnapshotDifference(from: old, to: new)
      #expect(
        isUnique(old) && isUnique(new), "accepted: \(old.map(\.number)), \(new.map(\.number))")
      let (before, after) = (
        Snapshot(sections: [0], items: [old]), Snapshot(sections: [0], items: [new])
      )
      for violation in DifferenceLaw.violations(of: difference, from: before, to: after) {
        Issue.record("\(old.map(\.number)) → \(new.map(\.number)): \(violation)")
      }
    } catch {
      #expect(!isUnique(old) || !isUnique(new), "\(error)")
    }
  }
}
