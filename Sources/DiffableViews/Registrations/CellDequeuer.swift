public import Diffable

/// Hands cells to a cell provider.
///
/// It is valid for the one call of the provider to which it is passed. If an item is reconfigured,
/// it returns the cell that the view has for it.
@MainActor
public struct CellDequeuer<HostCell: AnyObject> {
  let supply: ViewSupply<HostCell>
  /// How the row of the cell is drawn: its level, and whether its children show.
  ///
  /// It is `nil` in a flat section.
  public let disclosure: Disclosure?
  /// Whether the row shows a change that others have not accepted yet, as in a list that proposes
  /// its changes to a server.
  ///
  /// When that changes, the item is reconfigured.
  public let isUnconfirmed: Bool

  /// Returns a cell that shows an item.
  ///
  /// - Parameters:
  ///   - registration: The kind of cell.
  ///   - path: The path that the provider received.
  ///   - item: What the cell should show.
  /// - Throws: ``ListError/cannotMakeView(kind:)`` if the host has none and cannot make one, and
  ///   ``ListError/wrongView(expected:found:)`` if it returns another type than requested. During a
  ///   reconfigure, the latter means that the provider wants another kind of cell than the one that
  ///   the view has: let the error through, and the cell is replaced.
  public func dequeueConfiguredReusableCell<Cell: AnyObject, Item>(
    using registration: CellRegistration<Cell, Item>, for path: ItemPath, item: Item
  ) throws(ListError) -> Cell {
    let cell: Cell = try supply.view(of: registration.kind, for: path)
    registration.configure(cell, path, item)
    return cell
  }

  /// The cell that the view has, if an item is reconfigured.
  package var presentCell: HostCell? { supply.presentView }
}
