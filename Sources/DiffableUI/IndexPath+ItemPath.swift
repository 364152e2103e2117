import Diffable

#if canImport(UIKit) && !os(watchOS)
import UIKit
#elseif canImport(AppKit)
import AppKit
#endif

#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
extension IndexPath {
  init(_ path: ItemPath) {
    self.init(item: path.item, section: path.section)
  }
}

extension ItemPath {
  init(_ indexPath: IndexPath) {
    self.init(section: indexPath.section, item: indexPath.item)
  }

  /// The path of a supplementary view.
  ///
  /// One that belongs to the layout as a whole has an index path with one index, and gets its model from the
  /// first section.
  init(ofSupplementaryViewAt indexPath: IndexPath) {
    if indexPath.count == 2 {
      self.init(indexPath)
    } else {
      self.init(section: 0, item: indexPath.first ?? 0)
    }
  }
}

/// The paths of supplementary views in some sections, in order.
///
/// A view may have made headers and footers that are not visible yet: these are numbered 0. Badges are
/// numbered in any way, such as by groups.
///
/// - Parameters:
///   - sections: The sections.
///   - visible: The index paths of all visible views of a kind; those of one index belong to the layout.
///   - hasView: Whether there is a view of that kind at a path.
@MainActor
func supplementaryViewPaths(
  inSections sections: RangeSet<Int>, visible: some Sequence<IndexPath>,
  where hasView: (ItemPath) -> Bool
) -> [ItemPath] {
  let shown = visible.filter { $0.count == 2 }.map { ItemPath($0) }
  let first = sections.ranges.joined().map { ItemPath(section: $0, item: 0) }
  return Set(shown.filter { sections.contains($0.section) } + first.filter(hasView)).sorted()
}
#endif
