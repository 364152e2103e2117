public import Diffable

/// Why a list could not show something as requested.
///
/// No error stops the list: a placeholder replaces the view, or the list is shown from scratch.
public enum ListError: Error, Hashable, Sendable {
  /// The cell provider returned no cell for an item.
  case noCell(item: AnyItemID)
  /// The followed source has no model for an item, or one of another type.
  case noModel(item: AnyItemID)
  /// There is no provider for a kind of supplementary view, or it returned none for a section.
  case noSupplementaryView(kind: String, section: AnyItemID)
  /// A provider threw an error of its own.
  case providerFailed(identifier: AnyItemID, reason: String)
  /// The host requested a path that the state on display does not have.
  case unknownPath(ItemPath)
  /// The host has no view of a kind, and cannot make one.
  case cannotMakeView(kind: String)
  /// A view is not of the kind, or of the type, that a registration is for.
  case wrongView(expected: String, found: String)
  /// The host ended a stage before beginning it, and was reset.
  case stageNotBegun
  /// The source rejected a drag that a host reported.
  case reorderingFailed(DataSourceError)
  /// A row could not be expanded or collapsed as the user wanted.
  case expansionFailed(item: AnyItemID, reason: String)
}

extension ListError: CustomStringConvertible {
  /// A sentence that says what was wrong, and what is shown instead.
  public var description: String {
    switch self {
    case .noCell(let item):
      "The cell provider has no cell for item “\(item)”. A placeholder is shown."
    case .noModel(let item):
      "The source has no model for item “\(item)”, or one of another type than the cell provider "
        + "expects. A placeholder is shown."
    case .noSupplementaryView(let kind, let section):
      "There is no view of kind “\(kind)” for section “\(section)”. A placeholder is shown."
    case .providerFailed(let identifier, let reason):
      "The provider failed for “\(identifier)”: \(reason). A placeholder is shown."
    case .unknownPath(let path):
      "The host requested [\(path.section), \(path.item)], which is not in the list on display. "
        + "A placeholder is shown."
    case .cannotMakeView(let kind):
      "The host has no view of the kind “\(kind)” and cannot make one. A placeholder is "
        + "shown. Pass a closure that makes the view to the registration."
    case .wrongView(let expected, let found):
      "The registration is for “\(expected)”, but the view is “\(found)”. A placeholder is shown."
    case .stageNotBegun:
      "The host ended a stage that it had not begun. The list was shown from scratch."
    case .reorderingFailed(let error):
      "The items cannot be reordered: \(error)"
    case .expansionFailed(let item, let reason):
      "“\(item)” cannot be expanded or collapsed: \(reason)"
    }
  }
}
