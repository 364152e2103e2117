import Diffable
import DiffableLayout
import DiffableViews

/// The frames of everything in a list: a layout, solved for the items and the ghosts between them.
///
/// Other types use items by their paths, and elements as the layout returns them. Only this type
/// knows how ghosts shift the slots of items.
///
/// It is a class because layouts call code of the app, which may query the list while one is
/// solved.
@MainActor
final class Arrangement {
  /// The size available for the list; like the layout, a change takes effect with the next solve.
  var size: TerminalSize
  var layout: CompositionalLayout
  /// The number of items in each section, as last returned by the content.
  private(set) var itemCounts: [Int] = []
  /// The error of the layout, if any.
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

  /// Starts again with other items, and without ghosts.
  func reset(itemCounts: [Int]) {
    self.itemCounts = itemCounts
    ghosts = Ghosts()
    solveAnew()
  }

  /// Solves the part of the layout that a stage affects.
  ///
  /// - Parameters:
  ///   - difference: The difference of the stage.
  ///   - map: The position map of the difference.
  ///   - itemCounts: The items after the stage.
  ///   - departed: The cells of deleted items that stay as ghosts, in order.
  ///   - expiry: The time until which they stay.
  func follow(
    _ difference: SnapshotDifference, _ map: PositionMap, itemCounts: [Int],
    departed: [(path: ItemPath, cell: TerminalCell)], until expiry: ContinuousClock.Instant
  ) {
    let former = ghosts
    self.itemCounts = itemCounts
    ghosts.move(by: map, departed: departed, until: expiry)
    guard let solved else { return solveAnew() }
    take(
      Result { () throws(LayoutError) in
        former.isEmpty && ghosts.isEmpty
          ? try solved.updated(by: difference, itemCounts: itemCounts)
          : try updated(solved, former, newSection: map.newSection, newPath: map.newPath)
      })
  }

  /// Removes ghosts that have been shown long enough.
  func removeGhosts(at now: ContinuousClock.Instant) {
    let former = ghosts
    ghosts.expire(at: now)
    guard let solved else { return solveAnew() }
    take(
      Result { () throws(LayoutError) in
        try updated(solved, former, newSection: { $0 }, newPath: { $0 })
      })
  }

  /// Applies the measured size of a cell with an estimated size.
  func setMeasuredSize(_ size: LayoutExtent, of element: LayoutElement) {
    guard var solved else { return }
    // Taken out of the property, or it would be copied.
    self.solved = nil
    defer { self.solved = solved }
    do throws(LayoutError) {
      try solved.setMeasuredSize(size, of: element)
    } catch {
      self.error = error
    }
  }

  /// The layout after a change of slots, with the measured sizes.
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

  /// The length of the list, in whole characters.
  var length: Double { (solved?.contentSize.length(axis) ?? 0).rounded(.up) }

  /// The length of its visible part.
  var visibleLength: Double { environment.container.contentSize.length(axis) }

  var hasGhosts: Bool { !ghosts.isEmpty }

  /// The time at which the first ghost has to be removed.
  var nextExpiry: ContinuousClock.Instant? { ghosts.nextExpiry }

  func contains(_ path: ItemPath) -> Bool {
    itemCounts.indices.contains(path.section)
      && (0..<itemCounts[path.section]).contains(path.item)
  }

  /// The item at a path, else the last one before it, else the first one; `nil` if there is none.
  func item(near path: ItemPath) -> ItemPath? {
    var section = min(path.section, itemCounts.count - 1)
    while section >= 0, itemCounts[section] == 0 { section -= 1 }
    guard section >= 0 else {
      return itemCounts.firstIndex { $0 > 0 }.map { ItemPath(section: $0, item: 0) }
    }
    let item = section == path.section ? path.item : .max
    return ItemPath(section: section, item: min(item, itemCounts[section] - 1))
  }

  /// The layout element of an item's cell.
  func element(of path: ItemPath) -> LayoutElement { .item(slot(of: path)) }

  /// The slot of an item among items and ghosts.
  func slot(of path: ItemPath) -> LayoutPath { ghosts.slot(of: path) }

  /// The item whose cell an element is; `nil` for ghosts and all other elements.
  func item(of element: LayoutElement) -> ItemPath? {
    guard case .item(let slot) = element else { return nil }
    return ghosts.item(at: slot)
  }

  /// The cell of an element, if it is a ghost.
  func ghost(of element: LayoutElement) -> TerminalCell? {
    guard case .item(let slot) = element else { return nil }
    return ghosts.cell(at: slot)
  }

  /// The items in a part of the content, with their sections unscrolled.
  func items(in part: LayoutRect) -> [ItemPath] {
    solved?.elements(in: part).compactMap { item(of: $0.element) } ?? []
  }

  /// The frame of a cell, with its section unscrolled.
  func frame(of path: ItemPath) -> LayoutRect? { solved?.frame(for: slot(of: path)) }

  /// The frame of an element, without scrolling and pinning.
  func frame(of element: LayoutElement) -> LayoutRect? { solved?.attributes(for: element)?.frame }

  /// The scrolling of a section across the list; `nil` if it does not scroll that way.
  func row(ofSection section: Int) -> OrthogonalRow? { solved?.orthogonalRow(ofSection: section) }

  /// The size proposal for the cell of an element; `nil` if its size is known.
  func sizeProposal(for element: LayoutElement) -> SizeProposal? {
    solved?.sizeProposal(for: element)
  }

  /// The visible bounds at an offset, in content coordinates.
  func bounds(at offset: Double) -> LayoutRect {
    let room = environment.container.contentSize
    var rect = LayoutRect(x: 0, y: 0, width: room.width, height: room.height)
    rect.move(axis, to: offset)
    return rect
  }

  /// The place of an item in the list; `nil` if there is no such item.
  func span(of path: ItemPath) -> Range<Double>? {
    guard let frame = frame(of: path) else { return nil }
    let start = frame.start(axis)
    return start..<max(start, frame.end(axis))
  }

  /// The visible elements in a part of the content.
  ///
  /// - Parameters:
  ///   - bounds: The part.
  ///   - visible: The visible part, in which headers are pinned.
  ///   - offset: The scroll offset of a section that scrolls across the list.
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

  /// The kinds of supplementary views that belong to a section as a whole.
  func boundaryKinds(ofSection section: Int) -> [String] {
    solved?.boundaryKinds(ofSection: section) ?? []
  }
}
