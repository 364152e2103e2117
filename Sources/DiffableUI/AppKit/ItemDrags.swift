#if canImport(AppKit) && !targetEnvironment(macCatalyst)
import AppKit
import Diffable
import DiffableViews

/// The drags of items in a view that leaves it to its data source to move what is dropped.
///
/// A drag is one of the content from its beginning: so what is shown does not change under the pointer,
/// and a place is what it was when the pointer came there. The content begins when it has shown what it
/// is at work on; until then nothing can be dropped.
@MainActor
final class ItemDrags {
  /// What dragged items are called on the pasteboard.
  static let type = NSPasteboard.PasteboardType("DiffableUI.item")

  private var content: (any ListContent)?
  private var beginning: Task<Bool, Never>?
  /// Whether the content has begun the drag, so that it can be dropped.
  private(set) var isBegun = false

  /// Lets a view take what is dragged.
  static func register(in view: NSView) {
    guard !view.registeredDraggedTypes.contains(type) else { return }
    view.registerForDraggedTypes(view.registeredDraggedTypes + [type])
  }

  /// What stands for an item on the pasteboard.
  static func pasteboardWriter() -> any NSPasteboardWriting {
    let item = NSPasteboardItem()
    _ = item.setString("item", forType: type)
    return item
  }

  /// The user begins to drag the items at some paths.
  func begin(_ paths: [ItemPath], in content: (any ListContent)?) {
    end()
    guard let content else { return }
    let items = paths.compactMap { content.identity(ofItemAt: $0) }
    self.content = content
    let task = Task {
      // The list may have gone on since.
      await content.beginReorderingItems(
        at: items.compactMap { content.itemPath(withIdentity: $0) })
    }
    beginning = task
    Task { [weak self] in
      let isBegun = await task.value
      if let self, self.beginning == task { self.isBegun = isBegun }
    }
  }

  /// The user drops the items in front of the item at a path, or at the end of a section; answers whether
  /// they may be dropped.
  func drop(at path: ItemPath) -> Bool {
    guard isBegun, let content else { return false }
    forget()
    Task {
      await content.proposeReordering(to: path)
      await content.endReordering(isCommitted: true)
    }
    return true
  }

  /// The drag is over; if nothing was dropped, nothing has changed.
  func end() {
    guard let content, let beginning else { return }
    forget()
    Task {
      if await beginning.value { await content.endReordering(isCommitted: false) }
    }
  }

  private func forget() {
    (content, beginning, isBegun) = (nil, nil, false)
  }
}
#endif
