import Diffable
import DiffableLayout
import DiffableTesting
import DiffableUI
import DiffableViews
import StandInSupport
import TestScope
import Testing
import UIKit

/// Sections that scroll across a view of UIKit stay where their reader is, as the view does.
@Suite(.deadline) @MainActor
struct ShelfLawTests {
  final class NumberCell: UICollectionViewCell {
    var number = 0
    var sizesItself = false

    static func width(of number: Int) -> CGFloat { CGFloat(15 + abs(number) % 5 * 10) }

    override func preferredLayoutAttributesFitting(
      _ layoutAttributes: UICollectionViewLayoutAttributes
    ) -> UICollectionViewLayoutAttributes {
      if sizesItself { layoutAttributes.frame.size.width = Self.width(of: number) }
      return layoutAttributes
    }
  }

  private final class MirroredView: UICollectionView {
    override var effectiveUserInterfaceLayoutDirection: UIUserInterfaceLayoutDirection {
      .rightToLeft
    }
  }

  /// A view of shelves, each of 30 points height, and what it raises.
  @MainActor
  final class Fixture {
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 100, height: 1000))
    let layout: DiffableCollectionViewLayout
    let view: UICollectionView
    let host: CollectionViewHost
    private let isMirrored: Bool
    private(set) var exceptions: [StandInException] = []
    private(set) lazy var controller = ListController<Int, Int, CollectionViewHost>(host: host) {
      [unowned self] cells, path, item in
      try cell(cells, path, item)
    }
    private var batches = BatchSequence<Int, Int>()
    private let cells: CellRegistration<NumberCell, Int>

    init(
      _ behavior: OrthogonalScrollingBehavior, width: LayoutDimension = .absolute(40),
      height: Int = 100, isMirrored: Bool = false
    ) {
      self.isMirrored = isMirrored
      let isEstimated = if case .estimated = width { true } else { false }
      cells = CellRegistration { cell, _, number in
        cell.number = number
        cell.sizesItself = isEstimated
      }
      let size = LayoutSize(width: width, height: .absolute(30))
      var shelf = LayoutSection(
        group: .horizontal(layoutSize: size, subitems: [LayoutItem(layoutSize: size)]))
      shelf.orthogonalScrollingBehavior = behavior
      layout = DiffableCollectionViewLayout(CompositionalLayout(section: shelf))
      let frame = CGRect(x: 0, y: 0, width: 100, height: CGFloat(height))
      view =
        isMirrored
        ? MirroredView(frame: frame, collectionViewLayout: layout)
        : UICollectionView(frame: frame, collectionViewLayout: layout)
      view.show(in: window)
      host = CollectionViewHost(collectionView: view)
      view.exceptionHandler = { [unowned self] in exceptions.append($0) }
    }

    func cell(
      _ cells: CellDequeuer<UICollectionViewCell>, _ path: ItemPath, _ item: Int
    ) throws(ListError) -> UICollectionViewCell {
      try cells.dequeueConfiguredReusableCell(using: self.cells, for: path, item: item)
    }

    func show(
      _ snapshot: Snapshot<Int, Int>, presentation: Presentation = .animated
    ) async throws {
      await controller.show(try batches.next(snapshot, presentation: presentation))
      view.layoutIfNeeded()
    }

    func scroll(_ section: Int, to offset: Double, isOver: Bool = true) {
      layout.scrollSection(section, to: offset)
      if isOver { layout.endScrolling(ofSection: section, velocity: 0, draggedFrom: offset) }
      view.layoutIfNeeded()
    }

    /// How far the cells of a section are from the leading edge, in the order of their places.
    func places(ofSection section: Int) -> [(item: Int, x: Double)] {
      view.indexPathsForVisibleItems.filter { $0.section == section }.compactMap { path in
        guard let cell = view.cellForItem(at: path) as? NumberCell else { return nil }
        let x = isMirrored ? 100 - cell.frame.maxX : cell.frame.minX
        return x < 100 && x > -cell.frame.width ? (cell.number, Double(x)) : nil
      }
      .sorted { $0.x < $1.x }
    }

    func items(ofSection section: Int) -> [Int] { places(ofSection: section).map(\.item) }
  }

  @Test(
    "The laws of hosts hold for sections that scroll across the view",
    arguments: OrthogonalScrollingBehavior.allCases, [LayoutDimension.absolute(40), .estimated(30)])
  func laws(behavior: OrthogonalScrollingBehavior, width: LayoutDimension) async {
    for height in [100, 20] {
      let fixture = Fixture(behavior, width: width, height: height)
      let violations = await ListHostLaw.violations(
        of: fixture.host, seeds: 0..<UInt64(rounds(10))
      ) { [unowned fixture] cells, path, item in
        try fixture.cell(cells, path, item)
      }
      // If all visible items of a section go, it does not always show what was around them.
      let others = violations.filter { !$0.explanation.contains("next to the rows that have gone") }
      #expect(others.isEmpty, "\(others)")
      #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
    }
  }

  @Test(
    "Of the items that are visible in a section, those that a batch does not move stay",
    arguments: [
      OrthogonalScrollingBehavior.continuous, .groupPaging, .continuousGroupLeadingBoundary,
    ],
    [LayoutDimension.absolute(40), .estimated(30)])
  func batches(behavior: OrthogonalScrollingBehavior, width: LayoutDimension) async throws {
    for seed in 0..<rounds(40 as UInt64) {
      let fixture = Fixture(behavior, width: width, isMirrored: !seed.isMultiple(of: 2))
      var random = SplitMix64(seed: seed)
      var next = 100
      var shelves = [Array(0..<20), Array(20..<40)]
      try await fixture.show(state(of: shelves))
      for step in 0..<8 {
        fixture.scroll(0, to: Double(random.number(below: 500)))
        let before = fixture.places(ofSection: 0)
        let wasAtEnd = before.contains { $0.item == shelves[0].last }
        let wasAtStart = fixture.layout.offset(ofSection: 0) == 0
        // Items come and go everywhere but among the visible ones, and another section moves.
        let visible = Set(before.map(\.item))
        for _ in 0..<3 {
          let place = random.number(below: shelves[0].count + 1)
          let isInside =
            (1..<shelves[0].count).contains(place)
            && visible.contains(shelves[0][place - 1]) && visible.contains(shelves[0][place])
          guard !isInside else { continue }
          if random.chance(oneIn: 2) || shelves[0].count < 15 {
            shelves[0].insert(next, at: place)
            next += 1
          } else if place < shelves[0].count, !visible.contains(shelves[0][place]) {
            shelves[0].remove(at: place)
          }
        }
        try await fixture.show(
          state(of: shelves), presentation: random.chance(oneIn: 3) ? .reset : .animated)
        let after = fixture.places(ofSection: 0)
        if wasAtStart {
          #expect(fixture.layout.offset(ofSection: 0) == 0, "seed \(seed), step \(step)")
          continue
        }
        let start = try #require(before.first { $0.x >= 0 })
        let now = after.first { $0.item == start.item }
        // Near its end, a section has nothing more to show, and a group may not be where one rests.
        let isAtEnd = wasAtEnd || after.contains { $0.item == shelves[0].last }
        // An item that begins before the section's edge, and is wider than was estimated, counts as one
        // that became narrower: no more of it is hidden than the estimate.
        let isNarrowed = width == .estimated(30) && before[0].x < -29
        #expect(
          now?.x == start.x || (isAtEnd || isNarrowed) && now != nil,
          "seed \(seed), step \(step): \(before) → \(after)")
      }
      #expect(fixture.exceptions.isEmpty, "seed \(seed): \(fixture.exceptions)")
    }
  }

  @Test("A section that the user drags is not moved to a group by a batch")
  func dragged() async throws {
    let fixture = Fixture(.groupPaging)
    try await fixture.show(state(Array(0..<20)))
    fixture.scroll(0, to: 90, isOver: false)
    try await fixture.show(state([50, 51] + Array(0..<20)))
    #expect(fixture.layout.offset(ofSection: 0) == 170)
    fixture.layout.endScrolling(ofSection: 0, velocity: 0, draggedFrom: 160)
    #expect(fixture.layout.offset(ofSection: 0) == 160)
  }

  @Test("A moved item does not take its section along, and a section takes its place along")
  func moves() async throws {
    let fixture = Fixture(.continuous)
    try await fixture.show(state(Array(0..<20), Array(20..<40)))
    fixture.scroll(0, to: 200)
    #expect(fixture.items(ofSection: 0) == [5, 6, 7])
    try await fixture.show(state(Array(0..<5) + Array(6..<20) + [5], Array(20..<40)))
    #expect(fixture.items(ofSection: 0) == [4, 6, 7])
    // It leaves for another section.
    try await fixture.show(state(Array(0..<4) + Array(6..<20) + [5], [4] + Array(20..<40)))
    #expect(fixture.items(ofSection: 0) == [3, 6, 7])
    for presentation in [Presentation.animated, .reset] {
      var moved = fixture.controller.snapshot
      try moved.moveSection(100, afterSection: 101)
      try await fixture.show(moved, presentation: presentation)
      #expect(fixture.items(ofSection: 1) == [3, 6, 7])
      #expect(fixture.layout.offset(ofSection: 0) == 0)
      try moved.moveSection(100, beforeSection: 101)
      try await fixture.show(moved, presentation: presentation)
      #expect(fixture.items(ofSection: 0) == [3, 6, 7])
    }
  }

  @Test("A row that is scrolled to is visible in its section, too")
  func scrolling() async throws {
    for behavior in OrthogonalScrollingBehavior.allCases where behavior != .none {
      for width in [LayoutDimension.absolute(40), .estimated(30)] {
        let fixture = Fixture(behavior, width: width, height: 60)
        // An empty view opens there.
        fixture.controller.scroll(to: 35)
        try await fixture.show(state(Array(0..<20), Array(20..<40), Array(40..<60), [60]))
        #expect(fixture.items(ofSection: 1).contains(35), "\(behavior), \(width)")
        for item in [12, 58, 3, 39, 21] {
          fixture.controller.scroll(to: item)
          fixture.view.layoutIfNeeded()
          let path = try #require(fixture.controller.itemPath(for: item))
          #expect(fixture.items(ofSection: path.section).contains(item), "\(behavior), \(width)")
        }
        #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
      }
    }
  }
}
