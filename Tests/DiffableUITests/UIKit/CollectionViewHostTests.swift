import Diffable
import DiffableLayout
import DiffableTesting
import DiffableUI
import DiffableViews
import StandInSupport
import TestScope
import Testing
import UIKit

@Suite(.deadline) @MainActor
struct CollectionViewHostTests {
  typealias NumberCell = CollectionViewFixture.NumberCell
  typealias Controller = ListController<Int, Int, CollectionViewHost>

  let numbers = CellRegistration<NumberCell, Int> { cell, _, number in
    cell.number = number
    cell.configurations += 1
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
      try Task.checkCancellation()
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

  @Test("A registration for another kind of supplementary views makes views of the kind asked for")
  func otherKind() async throws {
    typealias Title = CollectionViewFixture.Title
    let fixture = CollectionViewFixture(headerHeight: 10)
    let list = try await ShownSource(in: fixture)
    let titles = SupplementaryRegistration<Title, Int>(elementKind: "footer") { view, _, section in
      view.number = section
      view.configurations += 1
    }
    list.controller.supplementaryProviders[fixture.headerKind] = { views, path, section in
      try views.dequeueConfiguredReusableSupplementary(using: titles, for: path, model: section)
    }
    try await list.apply(state([1], [2]))
    let headers = (0..<2).map { section in
      fixture.host.supplementaryView(
        ofKind: fixture.headerKind, at: ItemPath(section: section, item: 0)) as? Title
    }
    #expect(headers.map { $0?.number } == [100, 101])
    for header in headers { header?.configurations = 0 }
    try await list.update { try $0.reconfigureSections([101]) }
    #expect(headers.map { $0?.configurations } == [0, 1])
    let second = ItemPath(section: 1, item: 0)
    #expect(
      fixture.host.supplementaryView(ofKind: fixture.headerKind, at: second) === headers[1])
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("Badges of a reconfigured section are configured again, even if groups number them")
  func badges() async throws {
    typealias Badge = CollectionViewFixture.Title
    let row = LayoutItem(
      layoutSize: LayoutSize(width: .fractionalWidth(1), height: .absolute(20)))
    var pair = LayoutGroup.vertical(
      layoutSize: LayoutSize(width: .fractionalWidth(1), height: .absolute(40)),
      repeatingSubitem: row, count: 2)
    pair.supplementaryItems = [
      LayoutSupplementaryItem(
        layoutSize: LayoutSize(width: .absolute(8), height: .absolute(8)), elementKind: "badge",
        containerAnchor: LayoutAnchor(edges: [.top, .trailing]))
    ]
    let view = UICollectionView(
      frame: CGRect(x: 0, y: 0, width: 100, height: 100),
      collectionViewLayout: DiffableCollectionViewLayout(
        CompositionalLayout(section: LayoutSection(group: pair))))
    let window = UIWindow(frame: view.frame)
    view.show(in: window)
    let host = CollectionViewHost(collectionView: view)
    let controller = makeController(host)
    let badges = SupplementaryRegistration<Badge, Int>(elementKind: "badge") { view, _, _ in
      view.configurations += 1
    }
    controller.supplementaryProviders["badge"] = { views, path, section in
      try views.dequeueConfiguredReusableSupplementary(using: badges, for: path, model: section)
    }
    var shown = try state(Array(0..<40), Array(40..<80))
    try await show(shown, in: controller)
    view.userScrolls(to: CGPoint(x: 0, y: 400))
    let paths = (10...12).map { ItemPath(section: 0, item: $0) }
    let first = RangeSet(0..<1)
    #expect(host.visibleSupplementaryViewPaths(ofKind: "badge", inSections: first) == paths)
    let views = try paths.map {
      try #require(host.supplementaryView(ofKind: "badge", at: $0) as? Badge)
    }
    for view in views { view.configurations = 0 }
    try shown.reconfigureSections([100])
    try await show(shown, in: controller)
    #expect(views.map(\.configurations) == [1, 1, 1])
    #expect(zip(paths, views).allSatisfy { host.supplementaryView(ofKind: "badge", at: $0) === $1 })
    try controller.reconfigureSupplementaryViews(ofKind: "badge", inSections: [101])
    #expect(views.map(\.configurations) == [1, 1, 1])
    // Wherever a badge is at an edge of the view, it covers no row.
    for offset in stride(from: 400, to: 440, by: 3) {
      view.userScrolls(to: CGPoint(x: 0, y: offset))
      #expect(host.viewport.covered == Viewport.Covered(), "\(offset)")
    }
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

  @Test("Several items are selected where the view allows it")
  func multipleSelection() async throws {
    let fixture = CollectionViewFixture()
    fixture.view.allowsMultipleSelection = true
    let list = try await ShownSource(in: fixture, state([1, 2, 3]))
    fixture.userTaps(ItemPath(section: 0, item: 1))
    list.controller.select([3])
    #expect(
      fixture.selectedPaths == [ItemPath(section: 0, item: 1), ItemPath(section: 0, item: 2)])
    fixture.userTaps(ItemPath(section: 0, item: 1))
    #expect(list.controller.selectedItems == [3])
    // While the view is edited, another property of it says so.
    for (isEditing, usual, edited) in [
      (true, false, true), (true, true, false), (false, false, true),
    ] {
      fixture.view.isEditing = isEditing
      fixture.view.allowsMultipleSelection = usual
      fixture.view.allowsMultipleSelectionDuringEditing = edited
      #expect(fixture.host.allowsMultipleSelection == (isEditing ? edited : usual))
    }
  }

  @Test("While a view has another data source it is not updated; afterwards it shows the list")
  func otherDataSource() async throws {
    final class Skeleton: NSObject, UICollectionViewDataSource {
      func collectionView(
        _ collectionView: UICollectionView, numberOfItemsInSection section: Int
      ) -> Int { 7 }

      func collectionView(
        _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
      ) -> UICollectionViewCell {
        collectionView.dequeueReusableCell(withReuseIdentifier: "skeleton", for: indexPath)
      }
    }
    let fixture = CollectionViewFixture()
    fixture.view.register(UICollectionViewCell.self, forCellWithReuseIdentifier: "skeleton")
    let list = try await ShownSource(in: fixture, state([1, 2, 3]))
    let own = fixture.view.dataSource
    let skeleton = Skeleton()
    fixture.view.dataSource = skeleton
    fixture.view.layoutIfNeeded()
    try await list.apply(state([1, 4]))
    try await list.apply(state([1, 4], [5]))
    fixture.view.layoutIfNeeded()
    #expect(fixture.itemCounts == [7])
    fixture.view.dataSource = own
    fixture.view.layoutIfNeeded()
    #expect(fixture.numbers == [1, 4, 5])
    try await list.apply(state([4], [5]))
    #expect(fixture.numbers == [4, 5])
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }
}
