/// Why dragged items cannot be dropped somewhere, for a view that shows it.
public enum ReorderRefusal: Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// The app does not allow it.
  case vetoed
  /// The list is sorted, so its content decides where rows are.
  case sorted
  /// The list is grouped, and its query does not say how a row gets into another group.
  case otherGroup
  /// The rows of a group belong to different sections of the list that is shown.
  case otherSection
  /// The rows are a tree, or are shown without the tree that they belong to.
  case tree
  /// The list shows several others as one.
  case severalSources
  /// The list that is shown cannot be changed.
  case readOnly

  /// A sentence for the user.
  public var description: String {
    switch self {
    case .vetoed: "These items cannot be moved there."
    case .sorted: "This list is sorted, so its rows have no other place."
    case .otherGroup: "Rows of this list cannot be moved to another group."
    case .otherSection: "These rows belong to different sections."
    case .tree: "Rows of this tree cannot be moved."
    case .severalSources: "This list shows several lists, so its rows have no other place."
    case .readOnly: "This list cannot be changed."
    }
  }
}
