import Diffable
import DiffableTesting
import ListSupport
import Testing
import TestScope

/// A section that one side deletes goes unless the other side put something new into it, however it
/// was rearranged: one rule for lists and outlines.
@Suite("A deleted section goes, unless it was filled", .deadline) struct SectionUndoTests {
  private typealias State = Snapshot<Int, Int>
  private static let section = 7

  /// A list with the section as the last one, as a list or as an outline.
  private static func state(_ rows: [Int], levels: [Int]?, expanded: Bool = false) throws -> State {
    var state = State(sections: [0, section], items: [[50, 51], []])
    if let levels {
      let outline = try Outline(rows, levels.map { (level: $0, isExpanded: expanded) })
      try state.setOutline(outline, forSection: section)
    } else {
      try state.appendItems(rows, toSection: section)
    }
    return state
  }

  /// Merges the deletion of the section with what the other side made of it, in both directions.
  private func check(_ base: State, _ changed: State, filling items: [Int]) throws {
    var without = base
    without.deleteSections([Self.section])
    for (theirs, live) in [(without, changed), (changed, without)] {
      let merge = try live.merging(theirs, basedOn: base)
      let comment: Comment = "\(base) → \(theirs) onto \(live) gives \(merge)"
      let rows = merge.snapshot.rows(of: Self.section)
      #expect(rows.sorted() == items, comment)
      #expect(merge.snapshot.containsSection(Self.section) == !items.isEmpty, comment)
      #expect(merge.snapshot.items(inSection: 0).elementsEqual([50, 51]), comment)
      #expect(
        merge.snapshot.sectionIdentifiers == (items.isEmpty ? [0] : [0, Self.section]), comment)
      let contradiction: Contradiction = theirs == without ? .deletedButFilled : .filledButDeleted
      #expect(
        merge.conflicts.filter { if case .section = $0 { true } else { false } }
          == (items.isEmpty ? [] : [.section(Self.section, contradiction)]), comment)
      if !items.isEmpty {
        #expect(
          (merge.snapshot.outline(ofSection: Self.section) == nil)
            == (changed.outline(ofSection: Self.section) == nil), comment)
      }
    }
  }

  @Test func `Every rearrangement of every small section`() throws {
    let items = [1, 2, 3]
    let orders = everyPermutation(of: items)
    for order in orders {
      try check(Self.state(items, levels: nil), Self.state(order, levels: nil), filling: [])
    }
    for start in everyForest(of: 3) {
      for isExpanded in [false, true] {
        let base = try Self.state(items, levels: start, expanded: isExpanded)
        for order in orders {
          for levels in everyForest(of: 3) {
            try check(base, Self.state(order, levels: levels, expanded: true), filling: [])
          }
        }
      }
    }
  }

  @Test func `Every way to fill every small section`() throws {
    for order in everyPermutation(of: [1, 2, 9]) {
      try check(Self.state([1, 2], levels: nil), Self.state(order, levels: nil), filling: [9])
      for start in everyForest(of: 2) {
        for levels in everyForest(of: 3) {
          try check(
            Self.state([1, 2], levels: start), Self.state(order, levels: levels), filling: [9])
        }
      }
    }
  }

  @Test("Undo of deleting a section that others have made again leaves it where they have put it")
  func madeAgain() async throws {
    for (deleted, place) in (0..<4).flatMap({ deleted in (0..<4).map { (deleted, $0) } }) {
      var start = State()
      start.appendSections(0..<4)
      for section in 0..<4 { try start.appendItems([10 + section], toSection: section) }
      let source = try DataSourceActor<Int, Int>(start)
      let deletion = try await source.update { $0.deleteSections([deleted]) }
      try await source.update { snapshot in
        let rest = snapshot.sectionIdentifiers
        if place < rest.count {
          try snapshot.insertSections([deleted], beforeSection: rest[place])
        } else {
          snapshot.appendSections([deleted])
        }
        try snapshot.appendItems([90], toSection: deleted)
      }
      let live = await source.snapshot
      let undone = try await source.revert(deletion.change)
      let comment: Comment = "\(deleted), made again at \(place)"
      #expect(undone.finalSnapshot.sectionIdentifiers == live.sectionIdentifiers, comment)
      #expect(undone.finalSnapshot.containsItem(90), comment)
    }
  }
}
