import Diffable
import DiffableTesting
import DiffableUI
import DiffableViews
import StandInSupport
import Testing
import UIKit

@Suite @MainActor
struct CollectionViewHostTests {
  typealias NumberCell = CollectionViewFixture.NumberCell
  typealias Controller = ListController<Int, Int, CollectionViewHost>

  let numbers = CellRegistration<NumberCell, Int> { cell, _, number in
    cell.number = number
    cell.configurations += 1
  }

  @Test("The host keeps the laws, and the view raises nothing", arguments: [300, 80, 60])
  func laws(height: Int) async {
    final class Title: UICollectionReusableView {}
    let fixture = CollectionViewFixture(height: height, headerHeight: height == 80 ? 10 : 0)
    let host = CollectionViewHost(collectionView: fixture.view)
    let kind = UICollectionView.elementKindSectionHeader
    let titles = SupplementaryRegistration<Title, Int>(elementKind: kind) { _, _, _ in }
    let header: Controller.SupplementaryProvider = { views, path, section in
      try views.dequeueConfiguredReusableSupplementary(using: titles, for: path, model: section)
    }
    let violations = await ListHostLaw.violations(
      of: host, seeds: 0..<UInt64(30 * effort), supplementaryProviders: [kind: header]
    ) { [numbers] cells, path, item in
      try cells.dequeueConfiguredReusableCell(using: numbers, for: path, item: item)
    }
    #expect(violations.isEmpty, "\(violations)")
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("Headers stay with their sections, and nothing is raised", arguments: 0..<20)
  func headers(seed: UInt64) async throws {
    final class Title: UICollectionReusableView { var text = "" }
    let fixture = CollectionViewFixture(height: 200, headerHeight: 10)
    let host = CollectionViewHost(collectionView: fixture.view)
    let titles = SupplementaryRegistration<Title, Int>(
      elementKind: UICollectionView.elementKindSectionHeader
    ) { view, _, section in view.text = "section \(section)" }
    let controller = makeController(host)
    controller.supplementaryProviders[UICollectionView.elementKindSectionHeader] = {
      views, path, section in
      try views.dequeueConfiguredReusableSupplementary(using: titles, for: path, model: section)
    }
    let source = try DataSourceActor<Int, Int>()
    var updates = source.updates().makeAsyncIterator()
    var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
    for _ in 0..<12 {
      let change = generator.random.element(of: SnapshotChange.allCases) ?? .mixed
      try await source.apply(generator.changing(await source.snapshot, by: change))
      guard await source.revision > (controller.revision ?? .empty),
        let batch = await updates.next()
      else { continue }
      await controller.show(batch)
      for index in 0..<controller.snapshot.numberOfSections {
        let path = ItemPath(section: index, item: 0)
        guard
          let view = host.supplementaryView(
            ofKind: UICollectionView.elementKindSectionHeader, at: path) as? Title
        else { continue }
        let section = try #require(controller.sectionIdentifier(for: index))
        #expect(view.text == "section \(section)", "seed \(seed)")
      }
    }
    #expect(fixture.exceptions.isEmpty, "seed \(seed): \(fixture.exceptions)")
  }

  private func makeController(_ host: CollectionViewHost) -> Controller {
    Controller(host: host) { [numbers] cells, path, item in
      try cells.dequeueConfiguredReusableCell(using: numbers, for: path, item: item)
    }
  }

  /// Lets a controller show a state and everything that has led to it.
  private func show(_ snapshot: Snapshot<Int, Int>, in controller: Controller) async throws {
    let batch = try UpdateBatch(from: controller.snapshot, to: snapshot)
    var continued = batch
    continued.base = controller.revision
    continued.target = Revision((controller.revision?.number ?? 0) + 1)
    await controller.show(continued)
  }

  @Test("A stage ends when the animation is over, and the next one waits for it")
  func stagesWait() async throws {
    let fixture = CollectionViewFixture()
    let host = CollectionViewHost(collectionView: fixture.view)
    let controller = makeController(host)
    try await show(state([1, 2, 3], [4]), in: controller)
    fixture.view.holdsCompletions = true
    var moved = try state([1, 2, 3, 5], [4])
    try moved.moveSection(101, beforeSection: 100)
    let showing = Task { try await show(moved, in: controller) }
    var endings = 0
    while controller.revision != Revision(2) {
      if !fixture.view.heldCompletions.isEmpty {
        endings += 1
        fixture.view.endUpdates()
      }
      await Task.yield()
    }
    try await showing.value
    // Items change and a section moves: that takes two stages.
    #expect(endings == 2)
    #expect(fixture.numbers == [4, 1, 2, 3, 5])
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("Outside of a window the view is reset")
  func withoutWindow() async throws {
    let fixture = CollectionViewFixture()
    fixture.view.show(in: nil)
    let host = CollectionViewHost(collectionView: fixture.view)
    let controller = makeController(host)
    try await show(state([1, 2]), in: controller)
    try await show(state([2, 3]), in: controller)
    fixture.view.show(in: fixture.window)
    #expect(fixture.numbers == [2, 3])
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("A registration for another class than one of cells is an error, not an exception")
  func wrongClass() async throws {
    final class NoCell: UIView {}
    let fixture = CollectionViewFixture()
    let host = CollectionViewHost(collectionView: fixture.view)
    let wrong = CellRegistration<NoCell, Int> { _, _, _ in }
    let controller = Controller(host: host) { [numbers] cells, path, item in
      guard item == 2 else {
        return try cells.dequeueConfiguredReusableCell(using: numbers, for: path, item: item)
      }
      _ = try cells.dequeueConfiguredReusableCell(using: wrong, for: path, item: item)
      return nil
    }
    var errors: [ListError] = []
    controller.errorHandler = { errors.append($0) }
    try await show(state([1, 2, 3]), in: controller)
    #expect(errors == [.wrongView(expected: "NoCell", found: "UICollectionViewCell")])
    #expect(fixture.numbers == [1, nil, 3])
    let placeholder = try #require(host.cell(at: ItemPath(section: 0, item: 1)))
    #expect(host.reuseIdentifier(of: placeholder) == nil)
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("A provider that fails after it has dequeued leaves one view for each question")
  func failureAfterDequeuing() async throws {
    struct Failure: Error {}
    let fixture = CollectionViewFixture()
    let host = CollectionViewHost(collectionView: fixture.view)
    let controller = Controller(host: host) { [numbers] cells, path, item in
      let cell = try cells.dequeueConfiguredReusableCell(using: numbers, for: path, item: item)
      if item == 2 { throw Failure() }
      return cell
    }
    try await show(state([1, 2, 3]), in: controller)
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
    let placeholder = try #require(host.cell(at: ItemPath(section: 0, item: 1)))
    #expect(host.reuseIdentifier(of: placeholder) == nil)
    try await show(state([1, 3]), in: controller)
    try await show(state([1, 3, 4]), in: controller)
    // The view that stood in is a cell like any other again.
    #expect(fixture.numbers == [1, 3, 4])
    let cell = try #require(host.cell(at: ItemPath(section: 0, item: 2)))
    #expect(host.reuseIdentifier(of: cell) != nil)
  }

  @Test("What the user selects is selected in the controller, and the other way round")
  func selection() async throws {
    let fixture = CollectionViewFixture()
    fixture.view.allowsMultipleSelection = true
    let host = CollectionViewHost(collectionView: fixture.view)
    let controller = makeController(host)
    try await show(state([1, 2, 3]), in: controller)
    fixture.view.userTaps(at: IndexPath(item: 1, section: 0))
    #expect(controller.selectedItems == [2])
    try await show(state([2, 1, 3]), in: controller)
    #expect(fixture.view.indexPathsForSelectedItems == [IndexPath(item: 0, section: 0)])
    controller.select([3])
    #expect(fixture.view.indexPathsForSelectedItems?.count == 2)
    fixture.view.userTaps(at: IndexPath(item: 0, section: 0))
    #expect(controller.selectedItems == [3])
    try await show(state([1, 2]), in: controller)
    #expect(controller.selectedItems.isEmpty)
  }

  @Test("A view that is scrolled keeps its first item in its place")
  func anchors() async throws {
    let fixture = CollectionViewFixture(height: 60)
    let host = CollectionViewHost(collectionView: fixture.view)
    let controller = makeController(host)
    try await show(state(Array(0..<20)), in: controller)
    fixture.view.userScrolls(to: CGPoint(x: 0, y: 110))
    try await show(state([50, 51] + Array(0..<20)), in: controller)
    #expect(fixture.view.contentOffset.y == 150)
    #expect(fixture.numbers == [5, 6, 7, 8])
    host.keepsPosition = false
    try await show(state([60] + [50, 51] + Array(0..<20)), in: controller)
    #expect(fixture.view.contentOffset.y == 150)
  }

  @Test("Prefetching is passed on, and cancelled")
  func prefetching() async throws {
    let fixture = CollectionViewFixture(height: 40)
    let host = CollectionViewHost(collectionView: fixture.view)
    let controller = makeController(host)
    var fetched: [Int] = []
    var cancelled: [Int] = []
    controller.prefetchHandler = { fetched += $0 }
    controller.prefetchCancellationHandler = { cancelled += $0 }
    try await show(state(Array(0..<40)), in: controller)
    #expect(fetched == [2, 3])
    fixture.view.userScrolls(to: CGPoint(x: 0, y: 400))
    #expect(fetched == [2, 3, 22, 23])
    #expect(cancelled == [2, 3])
  }
}
