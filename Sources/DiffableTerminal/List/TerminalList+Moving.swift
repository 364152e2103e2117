package import Diffable
import DiffableLayout
import DiffableViews

extension TerminalList {
  /// Moves the focused item by one place, as a user does who drags it.
  ///
  /// Past the end of its section it enters the next one.
  ///
  /// - Parameter isForward: Whether to move it towards the end of the list.
  /// - Returns: Why the item cannot be moved there, for the user; `nil` if it was moved, or if there is
  ///   nothing to move or no place.
  @discardableResult package func moveFocusedItem(isForward: Bool) async -> ReorderRefusal? {
    guard let content, let path = focus.path, let target = place(after: path, isForward, content),
      await content.beginReorderingItems(at: [path])
    else { return nil }
    await content.proposeReordering(to: target)
    let refusal = content.reorderRefusal
    await content.endReordering(isCommitted: refusal == nil)
    return refusal
  }

  /// Where an item would be inserted that is moved by one place; the item itself counts.
  private func place(
    after path: ItemPath, _ isForward: Bool, _ content: any ListContent
  ) -> ItemPath? {
    func count(_ section: Int) -> Int { content.numberOfItems(inSection: section) }
    if isForward {
      guard path.item + 1 == count(path.section) else {
        return ItemPath(section: path.section, item: path.item + 2)
      }
      guard path.section + 1 < content.numberOfSections else { return nil }
      return ItemPath(section: path.section + 1, item: 0)
    }
    guard path.item == 0 else { return ItemPath(section: path.section, item: path.item - 1) }
    guard path.section > 0 else { return nil }
    return ItemPath(section: path.section - 1, item: count(path.section - 1))
  }
}
