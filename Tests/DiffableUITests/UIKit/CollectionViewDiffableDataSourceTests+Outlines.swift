import Diffable
import DiffableTesting
import DiffableUI
import TestScope
import Testing
import UIKit

extension CollectionViewDiffableDataSourceTests {
  @Test("An outline is applied to a section, folded and unfolded as the handlers say")
  func outlines() async throws {
    let fixture = CollectionViewFixture()
    let dataSource = fixture.makeDataSource()
    var outline = try Outline([1, 2])
    try outline.append([11, 12], to: 1)
    try await dataSource.apply(outline, to: 100)
    #expect(fixture.numbers == [1, 2])
    #expect(dataSource.snapshot(for: 100).items == [1, 11, 12, 2])

    var told: [String] = []
    dataSource.sectionSnapshotHandlers.shouldExpandItem = { $0 == 1 }
    dataSource.sectionSnapshotHandlers.willExpandItem = { told.append("expand \($0)") }
    dataSource.sectionSnapshotHandlers.willCollapseItem = { told.append("collapse \($0)") }
    await withCheckedContinuation { done in dataSource.expandItems([1, 2]) { done.resume() } }
    #expect(fixture.numbers == [1, 11, 12, 2])
    await withCheckedContinuation { done in dataSource.collapseItems([1]) { done.resume() } }
    #expect(fixture.numbers == [1, 2])
    #expect(told == ["expand 1", "collapse 1"])

    dataSource.sectionSnapshotHandlers.snapshotForExpandingParent = { _, old in
      var new = old
      try? new.append([13])
      return new
    }
    await withCheckedContinuation { done in dataSource.expandItems([1]) { done.resume() } }
    #expect(fixture.numbers == [1, 11, 12, 13, 2])
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test(
    "Rows are unfolded with new children in any order, and others are ignored",
    arguments: [[2, 1, 99], [1, 2, 99], [99, 2, 1, 3]])
  func unfolding(items: [Int]) async throws {
    let fixture = CollectionViewFixture()
    let dataSource = fixture.makeDataSource()
    var outline = try Outline([2, 3])
    try outline.append([1, 4], to: 2)
    try outline.append([12], to: 1)
    try await dataSource.apply(outline, to: 100)
    dataSource.sectionSnapshotHandlers.snapshotForExpandingParent = { parent, old in
      var new = old
      if parent == 1 { try? new.append([1000]) }
      return new
    }
    await withCheckedContinuation { done in dataSource.expandItems(items) { done.resume() } }
    #expect(fixture.numbers == [2, 1, 12, 1000, 4, 3])
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test(
    "Rows that the children of others bring get theirs as well, in any order",
    arguments: everyOrderedSubset(of: [1, 2, 3]).filter { $0.count == 3 })
  func unfoldingWhatComes(items: [Int]) async throws {
    let fixture = CollectionViewFixture()
    let dataSource = fixture.makeDataSource()
    try await dataSource.apply(try Outline([1]), to: 100)
    dataSource.sectionSnapshotHandlers.snapshotForExpandingParent = { parent, _ in
      var new = Outline<Int>()
      try? new.append([parent + 1])
      return new
    }
    await withCheckedContinuation { done in dataSource.expandItems(items) { done.resume() } }
    #expect(fixture.numbers == [1, 2, 3, 4])
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("The user folds and unfolds rows by their disclosures, as far as the handlers allow it")
  func disclosures() async throws {
    /// What the cells ask, once it is there.
    @MainActor final class Rows {
      weak var dataSource: DataSource?
    }
    let fixture = CollectionViewFixture()
    let rows = Rows()
    let registration = UICollectionView.CellRegistration<NumberCell, Int> { cell, _, number in
      cell.number = number
      cell.configurations += 1
      cell.showDisclosure(rows.dataSource?.disclosure(of: number), options: .init(style: .cell)) {
        rows.dataSource?.toggleExpansion(of: number)
      }
    }
    let dataSource = DataSource(collectionView: fixture.view) { view, path, item in
      view.dequeueConfiguredReusableCell(using: registration, for: path, item: item)
    }
    rows.dataSource = dataSource
    func cell(_ number: Int) -> NumberCell? {
      dataSource.indexPath(for: number).flatMap { fixture.view.cellForItem(at: $0) } as? NumberCell
    }
    var outline = try Outline([1, 2])
    try outline.append([11, 12], to: 1)
    try outline.append([111], to: 11)
    try await dataSource.apply(outline, to: 100)
    let first = try #require(cell(1))
    #expect(first.drawnDisclosure == Disclosure(sign: .collapsed))
    #expect(cell(2)?.drawnDisclosure == Disclosure())
    #expect(first.configurations == 1)

    var told: [String] = []
    dataSource.sectionSnapshotHandlers.shouldCollapseItem = { $0 == 1 }
    dataSource.sectionSnapshotHandlers.willExpandItem = { told.append("expand \($0)") }
    dataSource.sectionSnapshotHandlers.willCollapseItem = { told.append("collapse \($0)") }
    first.userTapsOutlineDisclosure()
    try await wait { fixture.numbers == [1, 11, 12, 2] }
    try await wait { first.drawnDisclosure.sign == .expanded }
    // It is the same cell, which was configured again.
    #expect(cell(1) === first)
    #expect(first.configurations == 2)
    #expect(cell(11)?.drawnDisclosure == Disclosure(level: 1, sign: .collapsed))

    cell(11)?.userTapsOutlineDisclosure()
    try await wait { fixture.numbers == [1, 11, 111, 12, 2] }
    #expect(cell(111)?.drawnDisclosure == Disclosure(level: 2))
    cell(11)?.userTapsOutlineDisclosure()
    // There is nothing to fold.
    dataSource.toggleExpansion(of: 2) { Issue.record("Nothing was done") }
    first.userTapsOutlineDisclosure()
    try await wait { fixture.numbers == [1, 2] }
    try await wait { first.drawnDisclosure.sign == .collapsed }
    #expect(told == ["expand 1", "expand 11", "collapse 1"])
    #expect(dataSource.snapshot(for: 100).isExpanded(11))

    // A section that is a list again has nothing to unfold.
    try await dataSource.apply(state([1, 2]))
    _ = try await dataSource.source.updateOrder { try $0.removeOutline(ofSection: 100) }
    try await wait { dataSource.disclosure(of: 1) == nil }
    #expect(dataSource.snapshot(for: 100).items == [1, 2])
    #expect(cell(1)?.drawnDisclosure == Disclosure())
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("A row that an update is about to rename unfolds by its former identifier")
  func renamedDisclosure() async throws {
    let fixture = CollectionViewFixture()
    let dataSource = fixture.makeDataSource()
    var outline = try Outline([1, 2])
    try outline.append([11], to: 1)
    try await dataSource.apply(outline, to: 100)
    fixture.view.holdsCompletions = true
    _ = try await dataSource.source.updateOrder { snapshot in
      try snapshot.renameItem(1, to: 10)
      snapshot.deleteItems([2])
    }
    try await wait { !fixture.view.heldCompletions.isEmpty }
    #expect(dataSource.indexPath(for: 1) == IndexPath(item: 0, section: 0))
    dataSource.toggleExpansion(of: 1)
    fixture.view.holdsCompletions = false
    fixture.view.endUpdates()
    try await wait { fixture.numbers == [10, 11] }
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }
}
