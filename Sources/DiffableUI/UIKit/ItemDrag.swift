#if canImport(UIKit) && !os(watchOS)
import Diffable
import DiffableViews
import UIKit

/// The drag of an item in a view that moves the item by itself, and reports the drop.
///
/// The view names the item by a path. Apple does not document what happens to that path if the list
/// changes during the drag, or how many items a view asks for before one is dragged. So the item of
/// each path that the view names is remembered, and the drop of any other item is rejected.
///
/// After a rejected drop the view assumes that the item is where it is not, and it cannot be
/// corrected in the middle of its movement. Until the reset it gets answers that fit its
/// assumption: a view that finds unexpected counts raises an exception.
@MainActor
final class ItemDrag {
  private var items: [ItemPath: AnyItemID] = [:]
  private var refused: Move<ItemPath>?

  /// Whether the view's assumption is wrong.
  var isAstray: Bool { refused != nil }

  /// Records an item with which a drag may begin.
  func begin(at path: ItemPath, in content: (any ListContent)?) {
    items[path] = content?.identity(ofItemAt: path)
  }

  /// Records the dragged item, for views that do not report when a drag begins.
  ///
  /// A path that was named before may be from before a change: it still means the same item.
  func proceed(at path: ItemPath, in content: (any ListContent)?) {
    guard items[path] == nil else { return }
    items = [:]
    begin(at: path, in: content)
  }

  /// Returns whether the dropped item is where the view assumes.
  func drop(
    from origin: ItemPath, to target: ItemPath, in content: (any ListContent)?
  ) -> Bool {
    defer { items = [:] }
    if isHeld(content?.identity(ofItemAt: origin), at: origin),
      content?.didMoveItem(from: origin, to: target) == true
    {
      return true
    }
    refused = Move(from: origin, to: target)
    return false
  }

  /// Whether an item is the dragged one.
  ///
  /// A path that was never named is the place to which a named item has moved meanwhile.
  private func isHeld(_ item: AnyItemID?, at path: ItemPath) -> Bool {
    guard !items.isEmpty else { return true }
    guard let item else { return false }
    return items[path].map { $0 == item } ?? items.values.contains(item)
  }

  /// Shows a view what the content has after a rejected drop, unless that was done meanwhile.
  ///
  /// A view forgets the selection when it loads its data again. The content is not told, so it is set again here.
  ///
  /// - Parameter selected: What the view assumes to be selected.
  func takeBack<Host: ListHost>(in host: Host, selected: [IndexPath]?) {
    guard isAstray else { return }
    let items = (selected ?? []).map { path(ofItemShownAt: ItemPath($0)) }
    host.reset(keeping: .offset)
    host.showSelection(ItemPathSet(items))
  }

  /// Records that the view is reset.
  func reset() { refused = nil }

  /// The number of items that the view assumes in a section, given the actual number.
  func count(_ count: Int, inSection section: Int) -> Int {
    guard let refused else { return count }
    return count + (refused.to.section == section ? 1 : 0)
      - (refused.from.section == section ? 1 : 0)
  }

  /// The path in the content of the item that the view assumes at a path.
  func path(ofItemShownAt path: ItemPath) -> ItemPath {
    guard let refused else { return path }
    guard path != refused.to else { return refused.from }
    var path = path
    if path.section == refused.to.section, path.item > refused.to.item { path.item -= 1 }
    if path.section == refused.from.section, path.item >= refused.from.item { path.item += 1 }
    return path
  }
}
#endif
