import Diffable
import DiffableViews

extension SimulatorHost {
  func reportOverlap() {
    guard heldStage != nil else { return }
    violations.append(ListViolation(.s13, "The stage before has not ended."))
  }

  /// The current items of the content, as a snapshot.
  func answers() -> Snapshot<AnyItemID, AnyItemID> {
    var list = PlainList<AnyItemID, AnyItemID>(sections: [])
    guard let content else { return Snapshot(list) }
    for section in 0..<content.numberOfSections {
      list.sections.append(
        .init(
          id: content.identity(ofSectionAt: section) ?? AnyItemID(section),
          items: (0..<content.numberOfItems(inSection: section)).compactMap {
            content.identity(ofItemAt: ItemPath(section: section, item: $0))
          }))
    }
    return Snapshot(list)
  }

  var visibleRows: Range<Int> {
    firstVisibleRow..<min(view.shown.numberOfItems, firstVisibleRow.clampedSum(visibleRowCount))
  }

  /// The place of a row; `nil` if there is none.
  private func span(of path: ItemPath) -> Range<Double>? {
    guard view.shown.itemIdentifier(for: path) != nil else { return nil }
    let above = (0..<path.section).reduce(path.item) {
      $0 + view.shown.items(inSectionAt: $1).count
    }
    return Double(above)..<Double(above + 1)
  }

  func paths(ofRows rows: Range<Int>) -> [ItemPath] {
    var first = 0
    var paths: [ItemPath] = []
    for section in 0..<view.shown.numberOfSections {
      let count = view.shown.items(inSectionAt: section).count
      let items = rows.clamped(to: first..<first + count)
      paths += items.map { ItemPath(section: section, item: $0 - first) }
      first += count
    }
    return paths
  }

  /// The sections with visible rows, and those without rows beside these, whose headers are visible.
  private var visibleSections: Set<Int> {
    let visible = visibleRows
    var sections: Set<Int> = []
    var first = 0
    for section in 0..<view.shown.numberOfSections {
      let rows = first..<first + view.shown.items(inSectionAt: section).count
      let isVisible =
        rows.isEmpty
        ? visible.lowerBound...visible.upperBound ~= first : visible.overlaps(rows)
      if isVisible { sections.insert(section) }
      first = rows.upperBound
    }
    return sections
  }

  /// Scrolls to where the viewport says.
  ///
  /// Cells that are no longer visible are released, and those that are missing are requested.
  func load() {
    viewport.settle(contentLength: Double(view.shown.numberOfItems), span: span(of:))
    let visible = visibleItemPaths
    let first = viewport.offset
    viewport.rest(
      rows: visible.enumerated().map {
        VisibleRow(path: $1, span: first + Double($0)..<first + Double($0 + 1))
      })
    for path in Set(cells.keys).subtracting(visible) { dropCell(at: path) }
    for path in visible where !cells.keys.contains(path) { makeCell(at: path) }
    let sections = visibleSections
    dropSupplementaryViews { !sections.contains($0) }
    for kind in elementKinds {
      for section in sections where supplementaryViews[kind]?.keys.contains(section) != true {
        makeSupplementaryView(ofKind: kind, in: section)
      }
    }
    prefetch(below: visible)
  }

  /// Reports to the content which items below the screen may soon be visible.
  ///
  /// Also reports which of the announced ones will not be.
  private func prefetch(below visible: [ItemPath]) {
    guard let content, prefetchRowCount > 0 else { return }
    let end = visibleRows.upperBound
    let ahead = paths(ofRows: end..<max(end, end.clampedSum(prefetchRowCount)))
    let next = Set(ahead.compactMap(content.identity(ofItemAt:)))
    let new = ahead.filter { path in
      content.identity(ofItemAt: path).map { !announced.contains($0) } ?? false
    }
    let former = announced.subtracting(next)
      .subtracting(visible.compactMap(content.identity(ofItemAt:)))
      .compactMap(content.itemPath(withIdentity:)).sorted()
    announced = next
    if !former.isEmpty { content.cancelPrefetchingItems(at: former) }
    if !new.isEmpty { content.prefetchItems(at: new) }
  }

  func makeCell(at path: ItemPath) {
    guard let content else { return }
    do throws(ListError) {
      cells[path] = try content.cell(for: path)
    } catch {
      cells.updateValue(placeholder(error), forKey: path)
      errors[path] = error
    }
  }

  func makeSupplementaryView(ofKind kind: String, in section: Int) {
    guard let content else { return }
    let path = ItemPath(section: section, item: 0)
    let result: SupplementaryView?
    do throws(ListError) {
      result = try content.supplementaryView(ofKind: kind, for: path)
    } catch {
      result = supplementaryPlaceholder(error)
    }
    supplementaryViews[kind, default: [:]].updateValue(result, forKey: section)
  }

  func dropCell(at path: ItemPath) {
    if let cell = cells.removeValue(forKey: path) ?? nil { store.put(cell) }
    errors[path] = nil
  }

  func dropSupplementaryViews(where isDropped: (Int) -> Bool) {
    for (kind, views) in supplementaryViews {
      for (section, view) in views where isDropped(section) {
        if let view { store.put(view) }
        supplementaryViews[kind]?.removeValue(forKey: section)
      }
    }
  }

  /// Moves views along with their items and sections, and releases those that are renewed.
  func moveViews(through difference: SnapshotDifference) {
    let map = PositionMap(difference)
    func newSection(_ section: Int) -> Int? {
      difference.sectionReloads.contains(section) ? nil : map.newSection(forOld: section)
    }
    func newPath(_ path: ItemPath) -> ItemPath? {
      guard newSection(path.section) != nil, !difference.itemReloads.contains(path) else {
        return nil
      }
      return map.newPath(forOld: path)
    }
    let (oldCells, oldErrors) = (cells, errors)
    (cells, errors) = ([:], [:])
    for (path, cell) in oldCells {
      if let target = newPath(path) {
        cells.updateValue(cell, forKey: target)
        errors[target] = oldErrors[path]
      } else if let cell {
        store.put(cell)
      }
    }
    for (kind, views) in supplementaryViews {
      supplementaryViews[kind] = [:]
      for (section, view) in views {
        if let target = newSection(section) {
          supplementaryViews[kind]?.updateValue(view, forKey: target)
        } else if let view {
          store.put(view)
        }
      }
    }
  }
}

extension Int {
  /// The sum, clamped to the largest number.
  fileprivate func clampedSum(_ other: Int) -> Int {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }
}
