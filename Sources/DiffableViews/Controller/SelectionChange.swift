/// A change of the selection of a list.
///
/// A change of all rows of a long list is small, as long as the items are not read.
public struct SelectionChange<ItemID: Hashable & Sendable>: Hashable, Sendable {
  /// What changed the selection.
  public enum Cause: Hashable, Sendable {
    /// The user, on the screen; or a view that must have a selected item, and selects one by itself.
    case user
    /// The program, for example by ``ListController/select(_:)``.
    case program
    /// The source: the items were deleted.
    case deletion
    /// The source: the items received other identifiers.
    case renaming
  }

  typealias Items = @Sendable () -> Set<ItemID>

  /// The items that were not selected before.
  ///
  /// - Complexity: O(k + r · log n) for k items in r ranges of a list of n.
  public var selected: Set<ItemID> { makeSelected() }
  /// The items that are no longer selected.
  ///
  /// - Complexity: O(k + r · log n) for k items in r ranges of a list of n.
  public var deselected: Set<ItemID> { makeDeselected() }
  /// What changed the selection.
  public let cause: Cause

  private let makeSelected: Items
  private let makeDeselected: Items

  /// Creates the record of a change.
  package init(selected: Set<ItemID>, deselected: Set<ItemID>, cause: Cause) {
    self.init(cause, selected: { selected }, deselected: { deselected })
  }

  /// Creates the record of a change whose items are found when they are asked for.
  init(_ cause: Cause, selected: @escaping Items, deselected: @escaping Items) {
    self.cause = cause
    (makeSelected, makeDeselected) = (selected, deselected)
  }

  /// Compares the items and the cause.
  public static func == (left: SelectionChange, right: SelectionChange) -> Bool {
    left.cause == right.cause && left.selected == right.selected
      && left.deselected == right.deselected
  }

  /// Hashes the items and the cause.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(selected)
    hasher.combine(deselected)
    hasher.combine(cause)
  }
}
