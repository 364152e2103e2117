import Diffable
import DiffableLayout
import DiffableTesting
import DiffableUI
import DiffableViews
import StandInSupport
import TestScope
import Testing
import UIKit

/// A row that is read from right to left is the mirror image of one that is read from left to right.
@Suite(.deadline) @MainActor
struct RightToLeftTests {
  /// A view and its mirror image.
  enum Pair: CaseIterable, Sendable {
    case uiKit, appKit

    var plain: ListViewKind { self == .uiKit ? .uiCollectionRow : .nsCollectionRow }
    var mirrored: ListViewKind { self == .uiKit ? .uiMirroredRow : .nsMirroredRow }
  }

  @Test("Whatever happens, both show the same rows at the same distance from where they begin")
  func mirrorImage() async throws {
    for pair in Pair.allCases {
      for seed in 0..<rounds(16 as UInt64) {
        let fixtures = [pair.plain, pair.mirrored].map {
          $0.makeFixture(height: 90, sizesItself: !seed.isMultiple(of: 2))
        }
        var expected: [String] = []
        for fixture in fixtures {
          let seen = try await run(fixture, seed)
          if expected.isEmpty { expected = seen }
          let step = zip(expected, seen).enumerated().first { $1.0 != $1.1 }
          #expect(step == nil, "\(pair), seed \(seed)")
          #expect(fixture.exceptions.isEmpty, "\(pair), seed \(seed): \(fixture.exceptions)")
        }
      }
    }
  }

  /// Runs a random program; returns what is on the screen after each step.
  private func run<Fixture: ListViewFixture>(
    _ fixture: Fixture, _ seed: UInt64
  ) async throws -> [String] {
    var random = SplitMix64(seed: seed)
    var items = Array(0..<(random.element(of: [2, 5, 30]) ?? 30))
    let list = try await ShownSource(in: fixture, state(items))
    list.controller.sticksToEnd = random.chance(oneIn: 2)
    // A host knows that a view says where it is scrolled to once it has been scrolled.
    fixture.userScrolls(to: 1)
    fixture.userScrolls(to: 0)
    var result = [picture(fixture)]
    for step in 0..<16 {
      let item = random.element(of: items) ?? 0
      let viewport = fixture.host.viewport
      let event = random.number(below: 8)
      switch event {
      case 0:
        list.controller.scroll(
          to: item, at: random.element(of: ListScrollPosition.allCases) ?? .top,
          isAnimated: random.chance(oneIn: 2))
        fixture.timePasses(untilScrollingEnds: true)
      case 1: list.controller.sticksToEnd.toggle()
      case 2: list.controller.scroll(to: random.chance(oneIn: 2) ? .start : .end)
      case 3:
        // Which rows beyond the screen have been measured is not the same in both.
        let end = max(0, viewport.contentLength - viewport.length)
        let offset = viewport.offset + Double(random.number(below: 121) - 60)
        fixture.userScrolls(to: Int(max(0, min(offset, end))))
      case 4: fixture.resizes(toHeight: random.element(of: [40, 60, 90, 120]) ?? 60)
      default:
        let place = random.number(below: items.count + 1)
        items.insert(contentsOf: (0..<3).map { 100 * (step + 1) + $0 }, at: place)
        items.removeAll { $0 % 7 == random.number(below: 7) }
        if random.chance(oneIn: 8) { items.shuffle(using: &random) }
        if random.chance(oneIn: 8) { items.removeAll() }
        let half = items.count / 2
        try await list.apply(
          state(Array(items[..<half]), Array(items[half...])),
          presentation: random.element(of: [.animated, .inPlace, .reset]) ?? .animated)
      }
      result.append("\(event): \(picture(fixture))")
    }
    return result
  }

  private func picture(_ fixture: some ListViewFixture) -> String {
    let viewport = fixture.host.viewport
    // What is shorter than the view lies at its left edge in both.
    guard viewport.contentLength > viewport.length else { return "\(fixture.numbers)" }
    return zip(fixture.numbers, viewport.rows).map { number, row in
      "\(number ?? -1) at \(row.span.lowerBound - viewport.offset)"
    }.joined(separator: ", ") + ", \(viewport.anchor)"
  }

  @Test("A list opens at its beginning, and a batch leaves it there", arguments: [false, true])
  func beginning(keepsPosition: Bool) async throws {
    let ui = CollectionViewFixture(height: 100, isHorizontal: true, isMirrored: true)
    ui.host.keepsPosition = keepsPosition
    let uiList = try await ShownSource(in: ui)
    try await uiList.apply(state(Array(0..<50)))
    #expect(ui.view.contentOffset.x == 900)
    #expect(ui.view.cellForItem(at: IndexPath(item: 0, section: 0))?.frame.minX == 980)
    #expect(ui.host.viewport.isAtStart)
    try await uiList.apply(state(Array(0..<60)))
    #expect(ui.view.contentOffset.x == 1100)
    // Away from there, the offset stays, or the row.
    ui.userScrolls(to: 200)
    try await uiList.apply(state(Array(-5..<60)))
    #expect(ui.host.viewport.offset == (keepsPosition ? 300 : 200))
    // What is shorter than the view is all visible.
    try await uiList.apply(state([1, 2]))
    #expect(ui.host.viewport.offset == 0 && ui.host.viewport.isAtEnd)
    #expect(ui.exceptions.isEmpty)

    let ns = NSCollectionViewFixture(height: 100, isHorizontal: true, isMirrored: true)
    ns.host.keepsPosition = keepsPosition
    let nsList = try await ShownSource(in: ns)
    try await nsList.apply(state(Array(0..<50)))
    #expect(ns.left == 900)
    try await nsList.apply(state(Array(0..<60)))
    #expect(ns.left == 1100)
    ns.userScrolls(to: 200)
    try await nsList.apply(state(Array(-5..<60)))
    #expect(ns.host.viewport.offset == (keepsPosition ? 300 : 200))
    #expect(ns.exceptions.isEmpty)
  }

  @Test("If a cell at the beginning is measured, the list stays there")
  func measuredAtBeginning() throws {
    let size = LayoutSize(width: .estimated(100), height: .fractionalHeight(1))
    let layout = DiffableCollectionViewLayout(
      CompositionalLayout(
        section: LayoutSection(
          group: .horizontal(layoutSize: size, subitems: [LayoutItem(layoutSize: size)])),
        configuration: LayoutConfiguration(scrollDirection: .horizontal)))
    let view = UICollectionView(
      frame: CGRect(x: 0, y: 0, width: 100, height: 50), collectionViewLayout: layout)
    view.ownLayoutDirection = .rightToLeft
    let cells = Cells()
    view.dataSource = cells
    view.layoutIfNeeded()
    func correction(ofItem item: Int, width: CGFloat) throws -> CGFloat {
      let attributes = try #require(
        layout.layoutAttributesForItem(at: IndexPath(item: item, section: 0)))
      let preferred = UICollectionViewLayoutAttributes(forCellWith: attributes.indexPath)
      preferred.frame = attributes.frame
      preferred.frame.size.width = width
      return layout.invalidationContext(
        forPreferredLayoutAttributes: preferred, withOriginalAttributes: attributes
      ).contentOffsetAdjustment.x
    }
    view.contentOffset.x = 900
    #expect(try correction(ofItem: 0, width: 120) == 20)
    view.contentOffset.x = 420
    // What is before the visible part does not move it; what is after it is pushed away.
    #expect(try correction(ofItem: 1, width: 130) == 0)
    #expect(try correction(ofItem: 8, width: 70) == -30)
    // What is shorter than the view does not scroll it.
    view.systemResizes(to: CGSize(width: 2000, height: 50))
    view.contentOffset.x = 0
    #expect(try correction(ofItem: 0, width: 140) == 0)
  }

  /// Ten cells that are as wide as they are said to be.
  private final class Cells: NSObject, UICollectionViewDataSource {
    func collectionView(
      _ collectionView: UICollectionView, numberOfItemsInSection section: Int
    ) -> Int { 10 }

    func collectionView(
      _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell {
      collectionView.register(UICollectionViewCell.self, forCellWithReuseIdentifier: "cell")
      return collectionView.dequeueReusableCell(withReuseIdentifier: "cell", for: indexPath)
    }
  }

  @Test("A layout that runs from left to right all the same is followed from there")
  func unmirroredLayouts() async throws {
    let ui = CollectionViewFixture(height: 100, isHorizontal: true)
    ui.view.ownLayoutDirection = .rightToLeft
    let uiList = try await ShownSource(in: ui, state(Array(0..<50)))
    #expect(ui.view.contentOffset.x == 0)
    uiList.controller.scroll(to: 20, at: .top)
    #expect(ui.view.contentOffset.x == 400)
    try await uiList.apply(state(Array(-5..<50)))
    #expect(ui.view.contentOffset.x == 500)

    let ns = NSCollectionViewFixture(height: 100, habits: [], isHorizontal: true, isMirrored: true)
    let nsList = try await ShownSource(in: ns, state(Array(0..<50)))
    #expect(ns.left == 0)
    nsList.controller.scroll(to: 20, at: .top)
    #expect(ns.left == 400)
  }
}
