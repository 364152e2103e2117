package import Diffable
import DiffableLayout
import DiffableViews

/// The visible part of a section that scrolls across a list.
///
/// It is counted in pages, each as long as the list is wide.
public struct OrthogonalPage: Hashable, Sendable {
  /// The visible page, from 0; the last one if the end of the section is visible.
  public let index: Int
  /// The number of pages, at least 1.
  public let count: Int
}

extension TerminalList {
  /// The visible page of a section; `nil` if the section does not scroll across the list.
  public func orthogonalPage(ofSection section: Int) -> OrthogonalPage? {
    guard let row = arrangement.row(ofSection: section), row.viewportLength > 0 else {
      return nil
    }
    let count = max(1, Int(cells: (row.contentLength / row.viewportLength).rounded(.up)))
    let index = Int(
      cells: (offsets.offset(ofSection: section, row) / row.viewportLength).rounded(.up))
    return OrthogonalPage(index: min(max(0, index), count - 1), count: count)
  }

  /// Scrolls the section of an item across the list so that the item is visible.
  func revealAcross(_ path: ItemPath) {
    offsets.reveal(path, in: arrangement, content)
  }
}

extension TerminalList: SectionScrollingHost {
  package func scrollsAcross(section: Int) -> Bool { arrangement.row(ofSection: section) != nil }

  package func holdSections(through difference: SnapshotDifference) {
    guard !offsets.isEmpty, let content else { return }
    offsets.rest(in: arrangement, visibleBounds, content)
    offsets.hold(through: difference, in: content)
  }
}

extension Arrangement: SectionLayout {
  func slot(of path: ItemPath) -> Int { slot(of: path).item }

  func span(of path: ItemPath, in row: OrthogonalRow) -> Range<Double>? {
    guard let frame = frame(of: path) else { return nil }
    let start = frame.start(row.axis) - row.viewport.start(row.axis)
    return start..<start + max(0, frame.end(row.axis) - frame.start(row.axis))
  }

  func items(
    ofSection section: Int, _ row: OrthogonalRow, at offset: Double, in bounds: LayoutRect?
  ) -> [ItemPath] {
    items(in: row.part(at: offset, in: bounds)).filter { $0.section == section }
  }
}
