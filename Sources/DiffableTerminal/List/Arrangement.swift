import Diffable
import DiffableLayout
import DiffableViews

/// Where everything in a list is: a layout, solved for the items that there are and the ghosts among
/// them.
///
/// Others know items by their paths, and elements as the layout gives them. How ghosts shift the
/// slots of items is known here only.
///
/// It is a class because layouts call code of the app, which may ask the list while one is solved.
@MainActor
final class Arrangement {
  /// The room for the list; counts from the next solving on, like the layout.
  var size: TerminalSize
  var layout: CompositionalLayout
  /// The number of items in each section, as the content said last.
  private(set) var itemCounts: [Int] = []
  /// What is wrong with the layout.
  private(set) var error: LayoutError?
  private var ghosts = Ghosts()
  private var solved: SolvedLayout?

  init(size: TerminalSize, layout: CompositionalLayout) {
    self.size = size
    self.layout = layout
  }

  private var environment: LayoutEnvironment {
    LayoutEnvironment(width: Double(max(0, size.columns)), height: Double(max(0, size.rows)))
  }
}

// MARK: Solving

extension Arrangement {
  /// Solves the layout from scratch.
  func solveAnew() {
    take(
      Result { () throws(LayoutError) in
        try layout.solve(itemCounts: ghosts.slotCounts(itemCounts), in: environment)
      })
  }

  /// Begins again with other items, and without ghosts.
  func reset(itemCounts: [Int]) {
    self.itemCounts = itemCounts
    ghosts = Ghosts()
    solveAnew()
  }

  /// Solves what a stage has touched.
  ///
  /// - Parameters:
  ///   - difference: The stage.
  ///   - map: The same.
  ///   - itemCounts: The items that there are after it.
  ///   - departed: The cells of those that go and stay for a moment, in order.
  ///   - expiry: How long they stay; `nil` where ghosts are not taken care of.
  func follow(
    _ difference: SnapshotDifference, _ map: PositionMap, itemCounts: [Int],
    departed: [(path: ItemPath, cell: TerminalCell)], until expiry: ContinuousClock.Instant?
  ) {
    let former = ghosts
    self.itemCounts = itemCounts
    if let expiry { ghosts.move(by: map, departed: departed, until: expiry) }
    guard let solved else { return solveAnew() }
    take(
      Result { () throws(LayoutError) in
        former.isEmpty && ghosts.isEmpty
          ? try solved.updated(by: difference, itemCounts: itemCounts)
          : try updated(solved, former, newSection: map.newSection, newPath: map.newPath)
      })
  }

  /// Lets go of ghosts that have been shown long enough.
  func removeGhosts(at now: ContinuousClock.Instant) {
    let former = ghosts
    ghosts.expire(at: now)
    guard let solved else { return solveAnew() }
    take(
      Result { () throws(LayoutError) in
        try updated(solved, former, newSection: { $0 }, newPath: { $0 })
      })
  }

  /// Takes over what a cell whose size is estimated has answered; `nil` if it cannot be so.
  func setMeasuredSize(
    _ size: LayoutExtent, of element: LayoutElement, keeping anchor: ScrollAnchor
  ) -> LayoutChange? {
    guard var solved else { return nil }
    // Taken out, or it would be copied.
    self.solved = nil
    defer { self.solved = solved }
    do throws(LayoutError) {
      return try solved.setMeasuredSize(size, of: element, anchor: anchor)
    } catch {
      self.error = error
      return nil
    }
  }

  /// The layout of other slots than before, with what was measured.
  private func updated(
    _ solved: SolvedLayout, _ former: Ghosts, newSection: (Int) -> Int?,
    newPath: (ItemPath) -> ItemPath?
  ) throws(LayoutError) -> SolvedLayout {
    try solved.updated(
      itemCounts: ghosts.slotCounts(itemCounts), from: 0, newSection: newSection
    ) { slot in
      former.item(at: slot).flatMap(newPath).map(ghosts.slot(of:))
    }
  }

  private func take(_ result: Result<SolvedLayout, LayoutError>) {
    switch result {
    case .success(let layout): (solved, error) = (layout, nil)
    case .failure(let failure): (solved, error) = (nil, failure)
    }
  }
}

// MARK: Questions

extension Arrangement {
  /// The axis along which the list scrolls.
  var axis: LayoutAxis { layout.configuration.scrollDirection }

  /// How long the list is.
  var length: Double { solved?.contentSize.length(axis) ?? 0 }

  var hasGhosts: Bool { !ghosts.isEmpty }

  /// When the first ghost is to go.
  var nextExpiry: ContinuousClock.Instant? { ghosts.nextExpiry }

  func contains(_ path: ItemPath) -> Bool {
    itemCounts.indices.contains(path.section)
      && (0..<itemCounts[path.section]).contains(path.item)
  }

  /// The item at a path, or the last one before it, or else the first one; `nil` if there is none.
  func item(near path: ItemPath) -> ItemPath? {
    var section = min(path.section, itemCounts.count - 1)
    while section >= 0, itemCounts[section] == 0 { section -= 1 }
    guard section >= 0 else {
      return itemCounts.firstIndex { $0 > 0 }.map { ItemPath(section: $0, item: 0) }
    }
    let item = section == path.section ? path.item : .max
    return ItemPath(section: section, item: min(item, itemCounts[section] - 1))
  }

  /// The cell of an item, as the layout knows it.
  func element(of path: ItemPath) -> LayoutElement { .item(slot(of: path)) }

  /// The same as a place among items and ghosts.
  func slot(of path: ItemPath) -> LayoutPath { ghosts.slot(of: path) }

  /// The item that an element is the cell of; `nil` for ghosts and everything else.
  func item(of element: LayoutElement) -> ItemPath? {
    guard case .item(let slot) = element else { return nil }
    return ghosts.item(at: slot)
  }

  /// The cell of an element that is a ghost.
  func ghost(of element: LayoutElement) -> TerminalCell? {
    guard case .item(let slot) = element else { return nil }
    return ghosts.cell(at: slot)
  }

  /// Where a cell is when its section is not scrolled.
  func frame(of path: ItemPath) -> LayoutRect? { solved?.frame(for: slot(of: path)) }

  /// Where an element is when nothing is scrolled or pinned.
  func frame(of element: LayoutElement) -> LayoutRect? { solved?.attributes(for: element)?.frame }

  /// How a section scrolls across the list; `nil` where it does not.
  func row(ofSection section: Int) -> OrthogonalRow? { solved?.orthogonalRow(ofSection: section) }

  /// What the cell of an element is to be asked; `nil` where its size is known.
  func sizeProposal(for element: LayoutElement) -> SizeProposal? {
    solved?.sizeProposal(for: element)
  }

  /// What there is room for, in content coordinates, with a row at the beginning.
  func bounds(from row: Int) -> LayoutRect {
    let room = environment.container.contentSize
    var rect = LayoutRect(x: 0, y: 0, width: room.width, height: room.height)
    rect.move(axis, to: Double(row))
    return rect
  }

  /// What is to be seen in a part of the content.
  ///
  /// - Parameters:
  ///   - bounds: The part.
  ///   - visible: What is in sight, where headers are pinned.
  ///   - offset: How far a section that scrolls across the list is scrolled.
  func elements(
    in bounds: LayoutRect, visible: LayoutRect, offset: (Int, OrthogonalRow) -> Double
  ) -> [LayoutAttributes] {
    guard let solved else { return [] }
    var offsets: [Int: Double] = [:]
    for section in Set(solved.elements(in: bounds).map(\.element.path.section)) {
      offsets[section] = solved.orthogonalRow(ofSection: section).map { offset(section, $0) }
    }
    let state = LayoutScrollState(visibleBounds: visible, orthogonalOffsets: offsets)
    return solved.elements(in: bounds, scrolled: state).filter { !$0.isHidden && $0.alpha > 0 }
  }

  /// The kinds of headers and the like that belong to a section as a whole.
  func boundaryKinds(ofSection index: Int) -> [String] {
    let section: LayoutSection? =
      switch layout.sections {
      case .every(let section): section
      case .list(let sections): sections.indices.contains(index) ? sections[index] : nil
      case .provided(let provider): provider.section(index, environment)
      }
    return section?.boundarySupplementaryItems.map(\.elementKind) ?? []
  }
}
