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
}
#endif
