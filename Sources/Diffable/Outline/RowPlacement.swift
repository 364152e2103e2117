/// The target of a move, relative to another item.
enum RowPlacement {
  /// Before it, as its sibling.
  case before
  /// After it and all of its descendants, as its sibling.
  case after
  /// Below it, after its other children.
  case into
}
