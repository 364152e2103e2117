#if canImport(AppKit) && !targetEnvironment(macCatalyst)
import AppKit
import Diffable
import DiffableViews

/// The drags of items in a view whose data source has to move what is dropped.
///
/// The content knows of a drag from its beginning. So what is shown does not change under the
/// pointer, and a path stays valid while the pointer is over it. The content begins the drag when
/// it has shown its current change; until then nothing can be dropped.
@MainActor
final class ItemDrags {
  /// The pasteboard type of dragged items.
  static let type = NSPasteboard.PasteboardType("DiffableUI.item")

  private var content: (any ListContent)?
  private var attempt: Attempt?

  /// A drag that the content was asked to begin.
  @MainActor private final class Attempt {
    /// Whether it has begun; `nil` as long as the content has not answered.
    var hasBegun: Bool?
  }

  /// Whether the content has begun the drag, so that items can be dropped.
  var isBegun: Bool { attempt?.hasBegun == true }

  /// Registers a view for drops of items.
  static func register(in view: NSView) {
    guard !view.registeredDraggedTypes.contains(type) else { return }
    view.registerForDraggedTypes(view.registeredDraggedTypes + [type])
  }

  /// What represents an item on the pasteboard.
  static func pasteboardWriter() -> any NSPasteboardWriting {
    let item = NSPasteboardItem()
    _ = item.setString("item", forType: type)
    return item
  }

  /// Called when the user begins to drag the items at some paths.
  func begin(_ paths: [ItemPath], in content: (any ListContent)?) {
    end()
    guard let content else { return }
    let items = paths.compactMap { content.identity(ofItemAt: $0) }
    let attempt = Attempt()
    (self.content, self.attempt) = (content, attempt)
    Task {
      // The list may have changed since.
      attempt.hasBegun = await content.beginReorderingItems(
        at: items.compactMap { content.itemPath(withIdentity: $0) })
    }
  }

  /// Called when the user drops the items before the item at a path, or at the end of a section.
  ///
  /// Returns whether they may be dropped.
  func drop(at path: ItemPath) -> Bool {
    guard isBegun, let content else { return false }
    forget()
    Task {
      await content.proposeReordering(to: path)
      await content.endReordering(isCommitted: true)
    }
    return true
  }

  /// Called when the drag is over; if nothing was dropped, nothing has changed.
  ///
  /// A drag that the content has not begun yet does not begin: the task that asks for it has run
  /// first, as it was made first. If the content has refused it, another drag may be under way.
  func end() {
    guard let content, let attempt else { return }
    forget()
    Task {
      if attempt.hasBegun != false { await content.endReordering(isCommitted: false) }
    }
  }

  private func forget() {
    (content, attempt) = (nil, nil)
  }
}
#endif
