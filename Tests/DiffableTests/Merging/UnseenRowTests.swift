import TestScope
import Testing

@testable import Diffable

/// An edit that deletes sections and runs again, on what others have made of the list since.
@Suite("Rows that the writer of an edit has not seen stay, with their section")
struct UnseenRowTests {
  private typealias List = Snapshot<Int, Int>
  private typealias Edit = @Sendable (inout List) throws -> Void

  /// What others do.
  private static let edits: [Edit] = [
    { try $0.appendItems([9], toSection: 0) }, { try $0.moveItem(3, beforeItem: 1) },
    { try $0.moveItem(1, toSection: 1) }, { $0.deleteItems([2, 4]) },
    { list in
      list.appendSections([2])
      try list.appendItems([7], toSection: 2)
    },
  ]

  @Test("Every two changes by others, and every choice of deleted sections")
  func everyChange() throws {
    var base = List()
    base.appendSections([0, 1])
    try base.appendItems([1, 2], toSection: 0)
    try base.appendItems([3, 4], toSection: 1)
    base = base.resolved
    for first in Self.edits {
      for second in Self.edits {
        var state = base
        try first(&state)
        try? second(&state)
        state = state.resolved
        guard (try? state.validate()) != nil else { continue }
        for choice in 1..<8 {
          let gone = (0..<3).filter { choice & 1 << $0 != 0 }
          var (made, edited) = (base, state)
          made.deleteSections(gone)
          edited.deleteSections(gone)
          let kept = try edited.keepUnseenItems(
            of: state, basedOn: base, made, renamedByOthers: .init())
          for section in state.sectionIdentifiers {
            let rows = state.itemIdentifiers(inSection: section)
            let expected = rows.filter { row in
              guard gone.contains(section), let seen = base.sectionIdentifier(containingItem: row)
              else { return true }
              return seen != section && made.containsItem(row)
            }
            let comment: Comment = "\(state) without \(gone) is \(edited)"
            #expect(edited.itemIdentifiers(inSection: section) == expected, comment)
            let isKept = gone.contains(section) && !expected.isEmpty
            #expect(kept.contains(section) == isKept, comment)
            #expect(
              edited.containsSection(section) == (isKept || !gone.contains(section)), comment)
          }
        }
      }
    }
  }
}
