package import Diffable
import DiffableQueries
import DiffableTerminal

/// A row of a list that is only long.
package struct NumberedRow: Identifiable, Codable, Equatable, Sendable {
  package let id: Int
  package var title: String
  /// How often it was changed.
  package var count = 0

  package init(id: Int) {
    self.id = id
    let trees = ["Alder", "Beech", "Cedar", "Elm", "Fir", "Hazel", "Larch", "Oak", "Pine", "Yew"]
    // A multiple of a prime, so that neighbours differ.
    title = "\(trees[id * 7 % trees.count]) \(id)"
  }
}

package typealias RowSource = ModelSource<String, NumberedRow>

extension ServedList {
  /// Rows with numbers.
  package static func rows(_ source: RowSource) -> ServedList {
    ServedList("rows", source) { search, rows in
      rows.filter(id: search) { search.matches($0.title) }.omittingEmptySections()
    }
  }
}

extension RowSource {
  /// Fills the list with rows from 1, a thousand in each section.
  package nonisolated func fill(_ count: Int) async throws {
    try await apply((0..<count).map { NumberedRow(id: $0 + 1) }) { row in
      "Rows \((row.id - 1) / 1000 * 1000 + 1) to \((row.id - 1) / 1000 * 1000 + 1000)"
    }
  }

  /// Makes a few changes: rows move, change and are replaced by others.
  package func shuffle(next: Int, using generator: inout some RandomNumberGenerator) throws {
    let dice = (0..<8).map { _ in Int(truncatingIfNeeded: generator.next() >> 33) }
    try update { draft in
      let items = Array(draft.snapshot.itemIdentifiers)
      guard items.count > 2 else { return }
      func any(_ index: Int) -> Int { items[dice[index] % items.count] }
      for index in 0..<3 {
        try draft.update(any(index)) { $0.count += 1 }
      }
      if any(3) != any(4) { try draft.snapshot.moveItem(any(3), beforeItem: any(4)) }
      try draft.insertItems([NumberedRow(id: next)], afterItem: any(5))
      draft.snapshot.deleteItems([any(6)])
    }
  }
}
