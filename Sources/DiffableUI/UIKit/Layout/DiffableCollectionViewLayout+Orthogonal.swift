#if canImport(UIKit) && !os(watchOS)
package import Diffable
package import DiffableLayout
import DiffableViews
public import UIKit

/// Orthogonal scrolling of sections.
///
/// A pan gesture recognizer of the app reports where the finger is:
///
/// ```swift
/// switch pan.state {
/// case .began:
///   section = layout.orthogonalSection(at: pan.location(in: collectionView))
///   start = section.map(layout.offset(ofSection:)) ?? 0
/// case .changed:
///   guard let section else { break }
///   // The list may change during the drag, so each step begins where the section is now.
///   let offset = layout.offset(ofSection: section) - pan.translation(in: nil).x
///   layout.scrollSection(section, to: offset)
///   pan.setTranslation(.zero, in: nil)
/// case .ended:
///   guard let section else { break }
///   UIView.animate(withDuration: 0.3) {
///     layout.endScrolling(
///       ofSection: section, velocity: -pan.velocity(in: nil).x, draggedFrom: start)
///     collectionView.layoutIfNeeded()
///   }
/// default: break
/// }
/// ```
///
/// What is visible in a section stays in place when the list changes, as in the view itself: the first
/// item that a change does not move keeps its place. If all visible items leave the section, those next
/// to them become visible. A section at its beginning stays there.
extension DiffableCollectionViewLayout {
  /// The orthogonal section at a point of the content; `nil` if there is none.
  ///
  /// - Complexity: O(sections).
  public func orthogonalSection(at point: CGPoint) -> Int? {
    guard let solved else { return nil }
    return solved.itemCounts.indices.first { section in
      guard let viewport = solved.orthogonalRow(ofSection: section)?.viewport else { return false }
      return CGRect(viewport).contains(point)
    }
  }

  /// How far an orthogonal section is scrolled, from the leading edge of its first group.
  public func offset(ofSection section: Int) -> CGFloat {
    let row = solved?.orthogonalRow(ofSection: section)
    return CGFloat(row.map { offsets.offset(ofSection: section, $0) } ?? 0)
  }

  /// Scrolls an orthogonal section; other sections are not affected.
  ///
  /// - Parameters:
  ///   - section: The index of the section.
  ///   - offset: The distance from the leading edge of its first group. It is clamped at both ends.
  public func scrollSection(_ section: Int, to offset: CGFloat) {
    guard let row = solved?.orthogonalRow(ofSection: section), offset.isFinite else { return }
    let first = min(0, row.initialOffset)
    let last = max(row.maxOffset, row.restingOffset(ofGroup: row.groupCount - 1) ?? 0)
    scroll(section, to: min(max(Double(offset), first), last), isDragged: true)
  }

  /// Lets a section come to rest after a drag, according to its scrolling behavior.
  ///
  /// - Parameters:
  ///   - section: The index of the section.
  ///   - velocity: The velocity of the finger, in points per second; positive towards the end.
  ///   - start: The offset at which the drag began.
  public func endScrolling(
    ofSection section: Int, velocity: CGFloat, draggedFrom start: CGFloat
  ) {
    guard let row = solved?.orthogonalRow(ofSection: section) else { return }
    let target = row.restingOffset(
      from: Double(offset(ofSection: section)), velocity: Double(velocity),
      draggedFrom: Double(start))
    scroll(section, to: target, isDragged: false)
  }

  /// Scrolls the section of an item so that the item is visible; returns whether that was necessary.
  func reveal(_ path: ItemPath) -> Bool {
    guard let solved else { return false }
    let former = offset(ofSection: path.section)
    offsets.reveal(path, in: solved, content)
    guard offset(ofSection: path.section) != former else { return false }
    invalidateLayout(with: LayoutContext())
    return true
  }

  private func scroll(_ section: Int, to offset: Double, isDragged: Bool) {
    guard let solved else { return }
    offsets.scroll(section, to: offset, isDragged: isDragged, in: solved, content)
    invalidateLayout(with: LayoutContext())
  }

  /// What the view shows, if a host of this package is its data source.
  var content: (any ListContent)? {
    (collectionView?.dataSource as? CollectionViewHost.DataSource)?.host?.content
  }

  /// Computes the offsets for the current sizes; what is in place in a section stays there.
  func settleOffsets() {
    guard let solved, !offsets.isEmpty else { return }
    offsets.settle(in: solved)
  }
}

extension SolvedLayout: SectionLayout {
  package func row(ofSection section: Int) -> OrthogonalRow? { orthogonalRow(ofSection: section) }

  package func slot(of path: ItemPath) -> Int { path.item }

  package func items(
    ofSection section: Int, _ row: OrthogonalRow, at offset: Double, in bounds: LayoutRect?
  ) -> [ItemPath] {
    let isMirrored = environment.direction == .rightToLeft
    return elements(in: row.part(at: offset, in: bounds, isMirrored: isMirrored))
      .compactMap(\.element.itemPath).filter { $0.section == section }
  }

  package func span(of path: ItemPath, in row: OrthogonalRow) -> Range<Double>? {
    guard let frame = frame(for: path) else { return nil }
    switch row.axis {
    case .vertical:
      return rowSpan(from: frame.y - row.viewport.y, to: frame.maxY - row.viewport.y)
    case .horizontal where environment.direction == .rightToLeft:
      return rowSpan(from: row.viewport.maxX - frame.maxX, to: row.viewport.maxX - frame.x)
    case .horizontal:
      return rowSpan(from: frame.x - row.viewport.x, to: frame.maxX - row.viewport.x)
    }
  }
}
#endif
