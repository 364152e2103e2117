#if canImport(UIKit) && !os(watchOS)
import DiffableLayout
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
///   if let section { layout.scrollSection(section, to: start - pan.translation(in: nil).x) }
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
    CGFloat(offsets[section] ?? solved?.orthogonalRow(ofSection: section)?.initialOffset ?? 0)
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
    offsets[section] = min(max(Double(offset), first), last)
    showOffsets()
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
    offsets[section] = row.restingOffset(
      from: Double(offset(ofSection: section)), velocity: Double(velocity),
      draggedFrom: Double(start))
    showOffsets()
  }

  private func showOffsets() { invalidateLayout(with: LayoutContext()) }
}
#endif
