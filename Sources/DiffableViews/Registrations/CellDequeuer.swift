public import Diffable

/// Hands cells to a cell provider.
///
/// It is good for the one call of the provider that it was passed to. Where an item is
/// reconfigured, the cell that it hands out is the one that is on the screen.
@MainActor
public struct CellDequeuer<HostCell: AnyObject> {
  let supply: ViewSupply<HostCell>
  /// How the row is drawn that the cell is for: how deep it stands, and whether its children show;
  /// `nil` in a section that is a list.
  public let disclosure: Disclosure?

  /// A cell that shows an item.
  ///
  /// - Parameters:
  ///   - registration: The kind of cell.
  ///   - path: The path that the provider was given.
  ///   - item: What the cell is to show.
  /// - Throws: ``ListError/cannotMakeView(kind:)`` if the host has none and cannot make one, and
  ///   ``ListError/wrongView(expected:found:)`` if it gives another type than it was asked for. While
  ///   an item is reconfigured the latter says that the provider wants another kind of cell
  ///   than the one on the screen: let it through, and the cell is replaced.
  public func dequeueConfiguredReusableCell<Cell: AnyObject, Item>(
    using registration: CellRegistration<Cell, Item>, for path: ItemPath, item: Item
  ) throws(ListError) -> Cell {
    let cell: Cell = try supply.view(of: registration.kind, for: path)
    registration.configure(cell, path, item)
    return cell
  }

  /// The cell that is on the screen, where an item is reconfigured.
  package var presentCell: HostCell? { supply.presentView }
}
