#if canImport(UIKit) && !os(watchOS)
import Diffable
import DiffableViews
import UIKit

/// The drag of an item in a view that moves it by itself, and says so at the drop.
///
/// The view names the item by a path. What becomes of that path when something arrives during the drag,
/// Apple does not say, nor how many items a view asks for before one is dragged. So the item of each path
/// that it names is remembered, and the drop of another one is refused.
///
/// After a refused drop the view believes the item to be where it is not, and in the middle of its
/// movement it cannot be told. Until it is reset it is answered as it believes: a view that finds other
/// counts than it expects raises.
@MainActor
final class ItemDrag {
  private var items: [ItemPath: AnyItemID] = [:]
  private var refused: Move<ItemPath>?

  /// Whether the view believes what is not so.
  var isAstray: Bool { refused != nil }

  /// Takes note of an item that a drag may begin with.
  func begin(at path: ItemPath, in content: (any ListContent)?) {
    items[path] = content?.identity(ofItemAt: path)
  }

  /// Takes note of the item that is dragged, where the view does not say when a drag begins.
  ///
  /// A path that was named before may be that of before a change: it stands for the item it stood for.
  func proceed(at path: ItemPath, in content: (any ListContent)?) {
    guard items[path] == nil else { return }
    items = [:]
    begin(at: path, in: content)
  }

  /// Answers whether what was dropped is where the view believes it to be.
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

  /// Answers whether an item is the one that is dragged.
  ///
  /// A path that was never named is the place that a named item has gone to meanwhile.
  private func isHeld(_ item: AnyItemID?, at path: ItemPath) -> Bool {
    guard !items.isEmpty else { return true }
    guard let item else { return false }
    return items[path].map { $0 == item } ?? items.values.contains(item)
  }

  /// Takes note that the view is reset.
  func reset() { refused = nil }

  /// The number of items that the view believes a section of so many to have.
  func count(_ count: Int, inSection section: Int) -> Int {
    guard let refused else { return count }
    return count + (refused.to.section == section ? 1 : 0)
      - (refused.from.section == section ? 1 : 0)
  }

  /// Where the content has the item that the view believes to be at a path.
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
