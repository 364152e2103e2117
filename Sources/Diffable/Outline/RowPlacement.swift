/// Where an item goes, seen from another one.
enum RowPlacement {
  /// Before it, side by side with it.
  case before
  /// Behind it and all of its descendants, side by side with it.
  case after
  /// Below it, behind its other children.
  case into
}
