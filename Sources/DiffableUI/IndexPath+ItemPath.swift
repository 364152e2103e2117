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
#endif
