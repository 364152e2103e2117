import Diffable
import DiffableLayout
import DiffableTesting
import DiffableUI
import DiffableViews
import StandInSupport
import UIKit

/// A cell whose width depends on its number.
final class ShelfCell: UICollectionViewCell {
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

/// A view of shelves, each of 30 points height, and what it raises.
@MainActor
final class ShelfFixture {
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
  private let cells: CellRegistration<ShelfCell, Int>

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
    view = UICollectionView(
      frame: CGRect(x: 0, y: 0, width: 100, height: CGFloat(height)),
      collectionViewLayout: layout)
    if isMirrored { view.ownLayoutDirection = .rightToLeft }
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

  /// Whether a section is scrolled to its first rest offset.
  func isAtStart(_ section: Int) -> Bool {
    let offset = Double(layout.offset(ofSection: section))
    return offset == layout.solved?.orthogonalRow(ofSection: section)?.initialOffset
  }

  /// How far the cells of a section are from the leading edge, in the order of their places.
  func places(ofSection section: Int) -> [(item: Int, x: Double)] {
    view.indexPathsForVisibleItems.filter { $0.section == section }.compactMap { path in
      guard let cell = view.cellForItem(at: path) as? ShelfCell else { return nil }
      let x = isMirrored ? 100 - cell.frame.maxX : cell.frame.minX
      return x < 100 && x > -cell.frame.width ? (cell.number, Double(x)) : nil
    }
    .sorted { $0.x < $1.x }
  }

  func items(ofSection section: Int) -> [Int] { places(ofSection: section).map(\.item) }
}
