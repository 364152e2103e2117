import AppKit
import Diffable
import DiffableUI
import DiffableViews
import StandInSupport
import TestScope
import Testing

@Suite("A view of AppKit that may not be without a selected item", .deadline) @MainActor
struct RequiredSelectionTests {
  @Test("The controller knows what the view selects by itself", arguments: [StandInHabits.all, []])
  func known(habits: StandInHabits) async throws {
    let table = NSTableViewFixture(hasHeaders: habits == .all, habits: habits)
    table.view.allowsEmptySelection = false
    try await check(table)
    let collection = NSCollectionViewFixture(
      headerHeight: habits == .all ? 10 : 0, habits: habits)
    collection.view.allowsEmptySelection = false
    try await check(collection)
  }

  private func check(_ fixture: some ListViewFixture) async throws {
    let list = try await ShownSource(in: fixture)
    let controller = list.controller
    var told: Set<Int> = []
    controller.selectionHandler = { change in
      told.subtract(change.deselected)
      told.formUnion(change.selected)
    }
    func expectKnown(_ step: String) {
      let shown = Set(fixture.selectedPaths.compactMap(controller.itemIdentifier(for:)))
      #expect(controller.selectedItems == shown, "\(step)")
      #expect(told == shown, "\(step)")
      #expect(shown.isEmpty == (controller.snapshot.numberOfItems == 0), "\(step)")
    }
    expectKnown("nothing")
    // Every list of three rows after every other one, with each of its rows selected.
    let subsets = (0..<8).map { bits in (0..<3).filter { bits >> $0 & 1 == 1 } }
    let lists = try [Snapshot()] + subsets.map { try state($0) }
    for (old, new) in lists.flatMap({ old in lists.map { (old, $0) } }) {
      for selected in old.itemIdentifiers {
        try await list.apply(old)
        let step = "\(selected) of \(old.itemIdentifiers), then \(new.itemIdentifiers)"
        expectKnown(step)
        controller.deselect(controller.selectedItems)
        controller.select([selected])
        #expect(controller.selectedItems == [selected], "\(step)")
        expectKnown(step)
        try await list.apply(new)
        expectKnown(step)
        if new.containsItem(selected) {
          #expect(controller.selectedItems == [selected], "\(step)")
        }
      }
    }
    try await list.apply(state([1, 2, 3]))
    expectKnown("other rows")
    fixture.userTaps(ItemPath(section: 0, item: 2))
    #expect(controller.selectedItems == [3])
    expectKnown("the user selects another")
    // A collection view leaves the item selected, and a table selects one in the next update.
    controller.deselect([3])
    #expect(controller.selectedItems.isEmpty && told.isEmpty)
    try await list.apply(state([2, 3]))
    expectKnown("the program deselects all")
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }
}
