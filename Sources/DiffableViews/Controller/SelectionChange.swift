/// A change of the selection of a list.
public struct SelectionChange<ItemID: Hashable & Sendable>: Hashable, Sendable {
  /// What changed the selection.
  public enum Cause: Hashable, Sendable {
    /// The user, on the screen.
    case user
    /// The program, for example by ``ListController/select(_:)``.
    case program
    /// The source: the items were deleted.
    case deletion
    /// The source: the items received other identifiers.
    case renaming
  }

  /// The items that were not selected before.
  public let selected: Set<ItemID>
  /// The items that are no longer selected.
  public let deselected: Set<ItemID>
  /// What changed the selection.
  public let cause: Cause

  /// Creates the record of a change.
  public init(selected: Set<ItemID>, deselected: Set<ItemID>, cause: Cause) {
    self.selected = selected
    self.deselected = deselected
    self.cause = cause
  }
}
