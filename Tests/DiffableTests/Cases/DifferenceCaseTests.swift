import Diffable
import DiffableTesting
import Foundation
import Testing

/// A transition that some other library tests, with the least number of each operation.
struct DifferenceCase: Decodable, Sendable, CustomTestStringConvertible {
  let name: String
  let from: [SectionCase]
  let to: [SectionCase]
  let optimum: Optimum?
  let invalidInput: Bool?
  let invalidReason: String?

  struct Optimum: Decodable, Equatable, Sendable {
    var itemInserts, itemDeletes, itemMoves: Int
    var sectionInserts, sectionDeletes, sectionMoves: Int
  }

  var testDescription: String { name }
}

@Suite("Transitions that the field tests take the least number of operations")
struct DifferenceCaseTests {
  static let cases = Result { try fixture("diff", of: DifferenceCase.self) }

  @Test("337 valid transitions")
  func optima() throws {
    let valid = try Self.cases.get().filter { $0.optimum != nil }
    #expect(valid.count == 337)
    for example in valid {
      let old = Snapshot(example.from)
      var new = Snapshot(example.to)
      let reconfigured = itemsWithOtherContent(example)
      try new.reconfigureItems(reconfigured)
      let difference = try new.difference(from: old)
      #expect(operations(in: difference, old, new) == example.optimum, "\(example.name)")
      #expect(
        Set(difference.itemReconfigures.compactMap(new.itemIdentifier(for:)))
          == reconfigured.filter { isListed($0, old, new) }, "\(example.name)")
      let violations = DifferenceLaw.violations(from: old, to: new)
      #expect(violations.isEmpty, "\(example.name): \(violations)")
      for profile in [ListProfile.collectionView, .tableView, .movesApart, .sequential] {
        let breaches = try ListSimulator.violations(from: old, to: new, profile: profile)
        #expect(breaches.isEmpty, "\(example.name): \(breaches)")
      }
    }
  }

  @Test("26 inputs with duplicates are refused with every duplicate named")
  func invalid() throws {
    let invalid = try Self.cases.get().filter { $0.invalidInput == true }
    #expect(invalid.count == 26)
    for example in invalid {
      let (old, new) = (Snapshot(example.from), Snapshot(example.to))
      let duplicates = [example.from, example.to].map(duplicates(in:))
      let side = duplicates[0].isEmpty ? 1 : 0
      let error = #expect(throws: SnapshotError.self, "\(example.name)") {
        try new.difference(from: old)
      }
      #expect(
        Set(error?.identifiers.map(\.description) ?? []) == duplicates[side], "\(example.name)")
    }
  }

  /// Duplicate sections if there are any, else duplicate items.
  private func duplicates(in sections: [SectionCase]) -> Set<String> {
    func repeated(_ ids: [String]) -> Set<String> {
      Set(Dictionary(grouping: ids) { $0 }.filter { $0.value.count > 1 }.keys)
    }
    let ids = repeated(sections.map(\.id))
    return ids.isEmpty ? repeated(sections.flatMap { $0.items.map(\.id) }) : ids
  }

  private func itemsWithOtherContent(_ example: DifferenceCase) -> Set<String> {
    let contents = Dictionary(
      uniqueKeysWithValues: example.from.flatMap(\.items).map { ($0.id, $0.content) })
    let changed = example.to.flatMap(\.items).filter { item in
      contents[item.id].map { $0 != item.content } ?? false
    }
    return Set(changed.map(\.id))
  }

  /// Answers whether an item is a change of its own: an item that comes or goes with its section is
  /// not, nor is one that it exchanges with a section that stays.
  private func isListed(
    _ item: String, _ old: Snapshot<String, String>, _ new: Snapshot<String, String>
  ) -> Bool {
    guard let from = old.sectionIdentifier(containingItem: item),
      let to = new.sectionIdentifier(containingItem: item)
    else { return false }
    return new.containsSection(from) && old.containsSection(to)
  }

  /// Counts as the cases do: the items of sections that come and go count as well, and one that
  /// both snapshots have is a move.
  private func operations(
    in difference: SnapshotDifference, _ old: Snapshot<String, String>,
    _ new: Snapshot<String, String>
  ) -> DifferenceCase.Optimum {
    let crossing = old.itemIdentifiers.filter { new.containsItem($0) && !isListed($0, old, new) }
    let deletedSections = old.sectionIdentifiers.filter { !new.containsSection($0) }
    let insertedSections = new.sectionIdentifiers.filter { !old.containsSection($0) }
    return DifferenceCase.Optimum(
      itemInserts: difference.itemInserts.count - crossing.count
        + insertedSections.reduce(0) { $0 + new.numberOfItems(inSection: $1) },
      itemDeletes: difference.itemDeletes.count - crossing.count
        + deletedSections.reduce(0) { $0 + old.numberOfItems(inSection: $1) },
      itemMoves: difference.itemMoves.count + crossing.count,
      sectionInserts: difference.sectionInserts.ranges.reduce(0) { $0 + $1.count },
      sectionDeletes: difference.sectionDeletes.ranges.reduce(0) { $0 + $1.count },
      sectionMoves: difference.sectionMoves.count)
  }
}
