#if canImport(UIKit) && !os(watchOS)
import Diffable
import DiffableViews
import UIKit

/// The drag of an item in a view that moves it by itself, and says so at the drop.
///
/// The view names the item by a path. What becomes of that path when something arrives during the drag,
/// Apple does not say; so the item is remembered, and the drop of another one is refused.
///
/// After a refused drop the view believes the item to be where it is not, and in the middle of its
/// movement it cannot be told. Until it is reset it is answered as it believes: a view that finds other
/// counts than it expects raises.
@MainActor
final class ItemDrag {
  private var held: (path: ItemPath, item: AnyItemID)?
  private var refused: Move<ItemPath>?

  /// Whether the view believes what is not so.
  var isAstray: Bool { refused != nil }

  /// Takes note of the item that a drag begins with.
  func begin(at path: ItemPath, in content: (any ListContent)?) {
    held = content?.identity(ofItemAt: path).map { (path, $0) }
  }

  /// Takes note of the item that is dragged, where the view does not say when a drag begins.
  ///
  /// A path that was named before may be that of before a change: it stands for the item it stood for.
  func proceed(at path: ItemPath, in content: (any ListContent)?) {
    if held?.path != path { begin(at: path, in: content) }
  }

  /// Answers whether what was dropped is where the view believes it to be.
  func drop(
    from origin: ItemPath, to target: ItemPath, in content: (any ListContent)?
  ) -> Bool {
    defer { held = nil }
    let isHeld = held.map { $0.item == content?.identity(ofItemAt: origin) } ?? true
    if isHeld, content?.didMoveItem(from: origin, to: target) == true { return true }
    refused = Move(from: origin, to: target)
    return false
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
