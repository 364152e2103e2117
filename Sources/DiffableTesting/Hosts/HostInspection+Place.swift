import Diffable
import DiffableViews

/// The place of a row on the screen before a batch.
private struct FormerRow {
  let item: Int
  let path: ItemPath
  /// The distance from the start of the visible part.
  let distance: Double
}

extension HostInspection {
  /// The faults of what is on the screen after a batch, given the viewport before it.
  ///
  /// Rows may have any length, and other lengths than before.
  ///
  /// - Parameters:
  ///   - former: The viewport before the batch.
  ///   - shown: The state before the batch.
  ///   - names: The new names of renamed items, by the old ones.
  func placeFaults(
    _ former: Viewport, in shown: List, _ batch: UpdateBatch<Int, Int>, _ names: [Int: Int]
  ) -> [String] {
    let now = host.viewport
    guard now.length > 0, former.length > 0 else { return [] }
    let faults = rowFaults(now)
    guard faults.isEmpty else { return faults }
    if former.anchor == .end {
      return now.isAtEnd ? [] : ["The list was at its end, and is not any more."]
    }
    let keepsPlace = batch.presentation == .inPlace
    if former.anchor == .start, !keepsPlace {
      // The focus may not leave the screen.
      return now.isAtStart || now.focus != nil
        ? [] : ["The list was at its beginning, and is not any more."]
    }
    // What is loaded before the rows leaves the last one in place.
    let formerRows = keepsPlace ? former.rows.reversed() : former.rows
    let rows = formerRows.compactMap { row in
      shown.itemIdentifier(for: row.path).map {
        FormerRow(
          item: names[$0] ?? $0, path: row.path, distance: row.span.lowerBound - former.offset)
      }
    }
    let focused = rows.filter { $0.path == former.focus }
    let open = rows.filter { row in
      former.rows.contains { $0.path == row.path && !former.isCovered($0) }
    }
    let order = RowOrder(batch.difference)
    let staying =
      focused.first { order.remains($0.path) } ?? (open + rows).first { order.stays($0.path) }
    guard let staying else {
      // Where headers cover the whole view, it keeps its place, which is under none of them.
      return former.hasRoom ? gapFaults(rows, in: shown, order, names) : []
    }
    return faultsOfPlace(staying, now)
  }

  /// Scrolls somewhere, as a program can; returns the fault of the place.
  func scrollSomewhere() -> [String] {
    let items = snapshot.itemIdentifiers
    let target = generator.random.element(of: items).flatMap(snapshot.itemPath(for:))
    host.viewport.sticksToEnd = generator.random.chance(oneIn: 3)
    guard let target, !generator.random.chance(oneIn: 4) else {
      let isForward = generator.random.chance(oneIn: 2)
      host.scroll(to: isForward ? .end : .start, isAnimated: false)
      guard host.viewport.length > 0 else { return [] }
      return (isForward ? host.viewport.isAtEnd : host.viewport.isAtStart)
        ? [] : ["The list was scrolled to an end, and is not there."]
    }
    let position = generator.random.element(of: ListScrollPosition.allCases) ?? .nearest
    host.scroll(to: .target(target, position), isAnimated: false)
    guard host.viewport.length > 0, !host.visibleItemPaths.contains(target) else { return [] }
    return ["\(target) should have been scrolled to, but is not visible."]
  }

  /// The faults of the rows of a viewport.
  private func rowFaults(_ viewport: Viewport) -> [String] {
    let visible = Set(host.visibleItemPaths)
    return viewport.rows.filter { !visible.contains($0.path) }.map {
      "\($0.path) is in the viewport, but is not visible."
    }
  }

  /// The fault of a row that should have stayed at its place.
  private func faultsOfPlace(_ former: FormerRow, _ now: Viewport) -> [String] {
    guard let path = snapshot.itemPath(for: former.item) else { return [] }
    // A section that scrolls across the list may show other items in the same place.
    let row =
      now.rows.first { $0.path == path } ?? now.rows.first { $0.path.section == path.section }
    guard let span = row?.span else {
      return ["\(path) should have stayed at its place, but is not visible."]
    }
    let distance = span.lowerBound - now.offset
    // A row that became shorter shows the rest of itself.
    let wanted = max(former.distance, min(0, 1 - (span.upperBound - span.lowerBound)))
    let isNear = abs(distance - wanted) < 1
    let isAtLimit = distance < wanted ? now.isAtStart : now.isAtEnd
    return isNear || isAtLimit
      ? [] : ["\(path) should have stayed at its place \(wanted), and is at \(distance)."]
  }

  /// The fault of a screen whose rows have all gone: what was around them should be there.
  private func gapFaults(
    _ rows: [FormerRow], in shown: List, _ order: RowOrder, _ names: [Int: Int]
  ) -> [String] {
    guard let first = rows.map(\.path).min(), let last = rows.map(\.path).max() else { return [] }
    let paths = shown.sectionIdentifiers.indices.flatMap { section in
      shown.items(inSectionAt: section).indices.map { ItemPath(section: section, item: $0) }
    }
    let neighbours = [
      paths.first { $0 > last && order.remains($0) },
      paths.last { $0 < first && order.remains($0) },
    ].compactMap(\.self)
    guard let neighbour = neighbours.first(where: order.stays) else { return [] }
    let item = shown.itemIdentifier(for: neighbour).map { names[$0] ?? $0 }
    let path = item.flatMap(snapshot.itemPath(for:))
    guard let path, !host.visibleItemPaths.contains(path), !isSeenAcross(path) else { return [] }
    return ["\(path) is next to the rows that have gone, but is not visible."]
  }
}

extension HostInspection {
  /// Whether the section of a row scrolls across the list, and shows others of its rows.
  ///
  /// Such a section has a place of its own.
  private func isSeenAcross(_ path: ItemPath) -> Bool {
    (host as? any SectionScrollingHost)?.scrollsAcross(section: path.section) == true
      && host.visibleItemPaths.contains { $0.section == path.section }
  }
}

/// Which rows a change leaves where they are, by their paths before it.
private struct RowOrder {
  private let difference: SnapshotDifference
  private let map: PositionMap

  init(_ difference: SnapshotDifference) {
    (self.difference, map) = (difference, PositionMap(difference))
  }

  /// Whether a row is still there.
  func remains(_ path: ItemPath) -> Bool { map.newPath(forOld: path) != nil }

  /// Whether neither a row nor its section is moved.
  func stays(_ path: ItemPath) -> Bool {
    remains(path) && !difference.itemMoves.contains { $0.from == path }
      && !difference.sectionMoves.contains { $0.from == path.section }
  }
}
