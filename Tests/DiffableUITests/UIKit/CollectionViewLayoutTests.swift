import Diffable
import DiffableLayout
import DiffableTesting
import DiffableUI
import DiffableViews
import StandInSupport
import Testing
import UIKit
import TestScope

@Suite(.deadline) @MainActor
struct CollectionViewLayoutTests {
  final class NumberCell: UICollectionViewCell {
    var number = 0

    /// Cells want a height that depends on what they show.
    static func height(of number: Int) -> CGFloat {
      number == endless ? .infinity : CGFloat(10 + abs(number) % 7 * 5)
    }
    /// The number of a cell that wants more than there is.
    static let endless = 1_000_000

    override func preferredLayoutAttributesFitting(
      _ layoutAttributes: UICollectionViewLayoutAttributes
    ) -> UICollectionViewLayoutAttributes {
      layoutAttributes.frame.size.height = Self.height(of: number)
      return layoutAttributes
    }
  }
  final class Title: UICollectionReusableView {}
  /// The rows of an app that uses the layout without a host.
  final class Numbers: NSObject, UICollectionViewDataSource {
    func collectionView(
      _ collectionView: UICollectionView, numberOfItemsInSection section: Int
    ) -> Int { 40 }

    func collectionView(
      _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell {
      let cell = collectionView.dequeueReusableCell(withReuseIdentifier: "number", for: indexPath)
      (cell as? NumberCell)?.number = indexPath.item
      return cell
    }
  }
  @MainActor final class Model {
    var shift = 0
  }

  /// A view with a layout in a window, and what it raises.
  @MainActor
  final class Fixture {
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 100, height: 1000))
    let layout: DiffableCollectionViewLayout
    let view: UICollectionView
    let dataSource: CollectionViewDiffableDataSource<Int, Int>
    private(set) var exceptions: [StandInException] = []

    init(
      _ description: CompositionalLayout, height: Int = 200, habits: StandInHabits = .all
    ) {
      layout = DiffableCollectionViewLayout(description)
      view = UICollectionView(
        frame: CGRect(x: 0, y: 0, width: 100, height: CGFloat(height)),
        collectionViewLayout: layout)
      view.habits = habits
      view.show(in: window)
      let cells = UICollectionView.CellRegistration<NumberCell, Int> { cell, _, number in
        cell.number = number
      }
      dataSource = CollectionViewDiffableDataSource(collectionView: view) { view, path, number in
        view.dequeueConfiguredReusableCell(using: cells, for: path, item: number)
      }
      let titles = UICollectionView.SupplementaryRegistration<Title>(elementKind: "title") {
        _, _, _ in
      }
      dataSource.supplementaryViewProvider = { view, _, path in
        view.dequeueConfiguredReusableSupplementary(using: titles, for: path)
      }
      view.exceptionHandler = { [unowned self] in exceptions.append($0) }
    }

    func cell(of number: Int) -> UICollectionViewCell? {
      dataSource.indexPath(for: number).flatMap { view.cellForItem(at: $0) }
    }
  }

  static func rows(height: LayoutDimension) -> LayoutSection {
    let size = LayoutSize(width: .fractionalWidth(1), height: height)
    return LayoutSection(
      group: .vertical(layoutSize: size, subitems: [LayoutItem(layoutSize: size)]))
  }

  private static func titled(_ section: LayoutSection, isPinned: Bool = false) -> LayoutSection {
    var section = section
    var title = LayoutBoundarySupplementaryItem(
      layoutSize: LayoutSize(width: .fractionalWidth(1), height: .absolute(15)),
      elementKind: "title", alignment: .top)
    title.pinToVisibleBounds = isPinned
    section.boundarySupplementaryItems = [title]
    return section
  }

  @Test("Views are where the solver says, whatever is shown", arguments: 0..<10)
  func frames(seed: UInt64) async throws {
    let fixture = Fixture(
      CompositionalLayout(section: Self.titled(Self.rows(height: .absolute(20)))))
    var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
    for step in 0..<rounds(8) {
      let change = generator.random.element(of: SnapshotChange.allCases) ?? .mixed
      let state = generator.changing(fixture.dataSource.snapshot(), by: change)
      try await fixture.dataSource.apply(state)
      let solved = try fixture.layout.layout.solve(
        fixture.dataSource.snapshot(),
        in: LayoutEnvironment(width: 100, height: 200, scale: 2))
      #expect(Double(fixture.view.contentSize.height) == solved.contentSize.height)
      for path in fixture.view.indexPathsForVisibleItems {
        let frame = try #require(
          solved.frame(for: ItemPath(section: path.section, item: path.item)))
        let cell = try #require(fixture.view.cellForItem(at: path))
        #expect(
          cell.frame == CGRect(x: frame.x, y: frame.y, width: frame.width, height: frame.height),
          "seed \(seed), step \(step)")
      }
      let visible = solved.elements(
        in: LayoutRect(x: 0, y: 0, width: 100, height: 200), rule: .uiKit)
      let cellCount = visible.count { $0.element.kind == nil }
      #expect(fixture.view.visibleCells.count == cellCount, "seed \(seed), step \(step)")
    }
    #expect(fixture.exceptions.isEmpty, "seed \(seed): \(fixture.exceptions)")
  }

  @Test(
    "Cells that size themselves are as high as they want, also after updates",
    arguments: StandInHabits.combinations)
  func selfSizing(habits: StandInHabits) async throws {
    let fixture = Fixture(
      CompositionalLayout(section: Self.rows(height: .estimated(20))), habits: habits)
    try await fixture.dataSource.apply(state(Array(0..<5)))
    try await fixture.dataSource.apply(state([9, 3, 1, 0, 4]))
    var y: CGFloat = 0
    for number in [9, 3, 1, 0, 4] {
      let cell = try #require(fixture.cell(of: number))
      #expect(cell.frame.origin.y == y)
      #expect(cell.frame.height == NumberCell.height(of: number))
      y += cell.frame.height
    }
    #expect(fixture.view.contentSize.height == y)
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("Without a host, what is at the top stays when rows before it are measured")
  func anchored() throws {
    let numbers = Numbers()
    let view = UICollectionView(
      frame: CGRect(x: 0, y: 0, width: 100, height: 100),
      collectionViewLayout: DiffableCollectionViewLayout(
        CompositionalLayout(section: Self.rows(height: .estimated(20)))))
    view.register(NumberCell.self, forCellWithReuseIdentifier: "number")
    view.dataSource = numbers
    let window = UIWindow(frame: view.frame)
    view.show(in: window)
    func place(of number: Int) throws -> CGFloat {
      let cell = try #require(view.cellForItem(at: IndexPath(item: number, section: 0)))
      return cell.frame.origin.y - view.contentOffset.y
    }
    view.userScrolls(to: CGPoint(x: 0, y: 400))
    let first = try #require(view.indexPathsForVisibleItems.map(\.item).min())
    #expect(first > 10)
    for number in (7...first).reversed() {
      // The row before it comes into sight, and is not as high as was estimated.
      let offset = try view.contentOffset.y + place(of: number) - 5
      view.userScrolls(to: CGPoint(x: 0, y: offset))
      #expect(try place(of: number) == 5, "\(number)")
    }
  }

  @Test("Sizes that were measured are kept when items come before them")
  func measuredSizesMove() async throws {
    let fixture = Fixture(
      CompositionalLayout(section: Self.rows(height: .estimated(20))), height: 100)
    try await fixture.dataSource.apply(state(Array(0..<30)))
    fixture.view.userScrolls(to: CGPoint(x: 0, y: 200))
    let measured = try #require(fixture.layout.solved)
    try await fixture.dataSource.apply(state([50] + Array(0..<30)))
    let path = try #require(fixture.dataSource.indexPath(for: 3))
    let frame = try #require(
      fixture.layout.solved?.frame(for: ItemPath(section: path.section, item: path.item)))
    // It is not on the screen, so that nobody can have measured it again.
    #expect(fixture.cell(of: 3) == nil)
    #expect(frame.height == Double(NumberCell.height(of: 3)))
    #expect(measured.frame(for: ItemPath(section: 0, item: 3))?.height == frame.height)
  }

  @Test("Sizes that were measured are kept when bars and margins of the view change")
  func measuredSizesInOtherSpaces() async throws {
    let fixture = Fixture(
      CompositionalLayout(section: Self.rows(height: .estimated(20))), height: 100)
    try await fixture.dataSource.apply(state(Array(0..<40)))
    fixture.view.userScrolls(to: CGPoint(x: 0, y: 60))
    fixture.view.userScrolls(to: CGPoint(x: 0, y: 300))
    let (before, offset) = (try #require(fixture.layout.solved), fixture.view.contentOffset)
    let path = ItemPath(section: 0, item: 3)
    func expectKept() throws {
      let solved = try #require(fixture.layout.solved)
      #expect(fixture.cell(of: 3) == nil)
      #expect(solved.frame(for: path)?.height == Double(NumberCell.height(of: 3)))
      for item in 0...15 {
        let path = ItemPath(section: 0, item: item)
        #expect(solved.frame(for: path) == before.frame(for: path), "\(item)")
      }
      #expect(fixture.view.contentOffset == offset)
    }
    fixture.view.systemChangesInsets(
      safeArea: UIEdgeInsets(top: 30, left: 0, bottom: 10, right: 0))
    #expect(fixture.layout.solved?.environment.safeArea.top == 30)
    try expectKept()
    fixture.view.systemChangesInsets(margins: UIEdgeInsets(top: 5, left: 9, bottom: 0, right: 7))
    try expectKept()
    // In another width they would have other heights.
    fixture.view.systemResizes(to: CGSize(width: 90, height: 100))
    #expect(fixture.cell(of: 3) == nil)
    #expect(fixture.layout.solved?.frame(for: path)?.height == 20)
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test(
    "Sizes that were measured go where their items have gone, in an update of moves alone",
    arguments: StandInHabits.combinations)
  func measuredSizesOfMoves(habits: StandInHabits) async throws {
    let fixture = Fixture(
      CompositionalLayout(section: Self.rows(height: .estimated(20))), height: 100, habits: habits)
    try await fixture.dataSource.apply(state(Array(0..<30), Array(30..<40)))
    let moved = [0, 1, 2] + Array(4..<30)
    try await fixture.dataSource.apply(state(moved + [3], Array(30..<40)))
    let layout = try #require(fixture.layout.solved)
    #expect(fixture.cell(of: 3) == nil)
    let frame = layout.frame(for: ItemPath(section: 0, item: 29))
    #expect(frame?.height == Double(NumberCell.height(of: 3)))
    #expect(layout.itemCounts == [30, 10])
    // From one section to another, the counts of both change.
    try await fixture.dataSource.apply(state(moved, [3] + Array(30..<40)))
    #expect(fixture.layout.solved?.itemCounts == [29, 11])
    let other = fixture.layout.solved?.frame(for: ItemPath(section: 1, item: 0))
    #expect(other?.height == Double(NumberCell.height(of: 3)))
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test(
    "Another safe area or other margins are enough to lay out anew",
    arguments: [StandInHabits.all, []])
  func insets(habits: StandInHabits) async throws {
    var section = Self.rows(height: .absolute(20))
    section.contentInsetsReference = .safeArea
    let fixture = Fixture(CompositionalLayout(section: section), habits: habits)
    // The view tells its delegate.
    let host = CollectionViewHost(collectionView: fixture.view)
    let numbers = CellRegistration<NumberCell, Int> { cell, _, number in cell.number = number }
    let controller = ListController<Int, Int, CollectionViewHost>(host: host) {
      cells, path, item in
      try cells.dequeueConfiguredReusableCell(using: numbers, for: path, item: item)
    }
    await controller.show(try UpdateBatch(from: Snapshot(), to: state([1])))
    let path = ItemPath(section: 0, item: 0)
    #expect(host.cell(at: path)?.frame.origin.x == 0)
    let bars = UIEdgeInsets(top: 0, left: 30, bottom: 0, right: 10)
    fixture.view.systemChangesInsets(safeArea: bars)
    #expect(host.cell(at: path)?.frame.origin.x == 30)
    #expect(host.cell(at: path)?.frame.width == 60)

    section.contentInsetsReference = .layoutMargins
    fixture.layout.layout = CompositionalLayout(section: section)
    fixture.view.layoutIfNeeded()
    #expect(host.cell(at: path)?.frame.origin.x == 8)
    fixture.view.systemChangesInsets(margins: UIEdgeInsets(top: 0, left: 25, bottom: 0, right: 25))
    if habits == [] {
      // Nobody is told of margins but the view and its controller.
      fixture.layout.invalidateLayoutIfSpaceChanged()
      fixture.view.layoutIfNeeded()
    }
    #expect(host.cell(at: path)?.frame.origin.x == 25)
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("What is reconfigured is measured again")
  func reconfigured() async throws {
    let layout = DiffableCollectionViewLayout(
      CompositionalLayout(section: Self.rows(height: .estimated(20))))
    let view = UICollectionView(
      frame: CGRect(x: 0, y: 0, width: 100, height: 100), collectionViewLayout: layout)
    let window = UIWindow(frame: view.frame)
    view.show(in: window)
    let host = CollectionViewHost(collectionView: view)
    let model = Model()
    let numbers = CellRegistration<NumberCell, Int> { cell, _, number in
      cell.number = number + model.shift
    }
    let controller = ListController<Int, Int, CollectionViewHost>(host: host) {
      cells, path, item in
      try cells.dequeueConfiguredReusableCell(using: numbers, for: path, item: item)
    }
    let source = try DataSourceActor<Int, Int>(state([1, 2]))
    var batches = source.updates().makeAsyncIterator()
    await controller.show(try #require(await batches.next()))
    model.shift = 3
    _ = try await source.update { try $0.reconfigureItems([1]) }
    await controller.show(try #require(await batches.next()))
    view.layoutIfNeeded()
    #expect(host.cell(at: ItemPath(section: 0, item: 0))?.frame.height == NumberCell.height(of: 4))
    #expect(host.cell(at: ItemPath(section: 0, item: 1))?.frame.height == NumberCell.height(of: 2))
  }

  @Test("A header stays in sight while its section does")
  func pinnedHeader() async throws {
    let section = Self.titled(Self.rows(height: .absolute(20)), isPinned: true)
    let fixture = Fixture(CompositionalLayout(section: section), height: 100)
    try await fixture.dataSource.apply(state(Array(0..<20), Array(20..<40)))
    fixture.view.userScrolls(to: CGPoint(x: 0, y: 130))
    let title = fixture.view.supplementaryView(
      forElementKind: "title", at: IndexPath(item: 0, section: 0))
    #expect(title?.frame.origin.y == 130)
    #expect(
      fixture.layout.layoutAttributesForSupplementaryView(
        ofKind: "title", at: IndexPath(item: 0, section: 0))?.frame.origin.y == 130)
    // A layout without anything pinned is not made anew for every point.
    let plain = Fixture(CompositionalLayout(section: Self.rows(height: .absolute(20))))
    try await plain.dataSource.apply(state([1]))
    #expect(
      !plain.layout.shouldInvalidateLayout(
        forBoundsChange: CGRect(x: 0, y: 9, width: 100, height: 200)))
    #expect(
      plain.layout.shouldInvalidateLayout(
        forBoundsChange: CGRect(x: 0, y: 0, width: 50, height: 200)))
  }

  @Test("A layout that failed is tried again with the next state")
  func recovery() async throws {
    let rows = Self.rows(height: .absolute(20))
    let fixture = Fixture(CompositionalLayout(sections: [rows]))
    var errors = 0
    fixture.layout.errorHandler = { _ in errors += 1 }
    try await fixture.dataSource.apply(state([1, 2]))
    try await fixture.dataSource.apply(state([1, 2], [3]))
    #expect(errors > 0 && fixture.view.visibleCells.isEmpty, "the second section has no layout")
    try await fixture.dataSource.apply(state([1, 2, 4]))
    fixture.view.layoutIfNeeded()
    #expect(fixture.view.visibleCells.count == 3)
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("What cannot be laid out is told, and shown empty")
  func errors() async throws {
    let fixture = Fixture(CompositionalLayout(sections: []))
    var errors: [LayoutError] = []
    fixture.layout.errorHandler = { errors.append($0) }
    try await fixture.dataSource.apply(state([1, 2]))
    #expect(!errors.isEmpty)
    #expect(fixture.view.visibleCells.isEmpty)
    fixture.layout.layout = CompositionalLayout(section: Self.rows(height: .absolute(20)))
    fixture.view.layoutIfNeeded()
    #expect(fixture.view.visibleCells.count == 2)
  }
}
