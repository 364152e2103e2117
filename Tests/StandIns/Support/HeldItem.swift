package import Diffable

/// The item that a user drags in a view which moves it by itself.
///
/// Apple does not say what a view makes of an update during a drag. What it tells its data source at the
/// drop may be the path of now, or the one of the beginning.
package struct HeldItem: Sendable {
  /// Which path a view tells its data source at the drop.
  package enum Path: CaseIterable, Sendable {
    /// Where the item is now.
    case current
    /// Where it was when the drag began.
    case original
  }

  package var path = Path.current
  private var held: (id: Int, origin: ItemPath)?
  /// Where the user holds the item.
  package var target: ItemPath?

  package init() {}

  package mutating func begin(_ id: Int, at origin: ItemPath) {
    held = (id, origin)
    target = nil
  }

  /// The path of the item as the view has it; `nil` if nothing is held, or it is there no longer.
  package func origin(in list: ShownList) -> ItemPath? {
    guard let held else { return nil }
    return switch path {
    case .current: list.path(of: held.id)
    case .original: list.id(at: held.origin).map { _ in held.origin }
    }
  }

  /// Ends the drag; answers the move that the view makes, if it makes one.
  package mutating func drop(in list: ShownList) -> Move<ItemPath>? {
    defer { (held, target) = (nil, nil) }
    guard let origin = origin(in: list), let target, list.sections.indices.contains(target.section)
    else { return nil }
    let count =
      list.sections[target.section].items.count - (origin.section == target.section ? 1 : 0)
    return Move(
      from: origin, to: ItemPath(section: target.section, item: min(target.item, count)))
  }
}
