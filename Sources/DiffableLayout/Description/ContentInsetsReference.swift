/// The area that the content of a section stays in, across the scroll direction.
///
/// Apple: `UIContentInsetsReference`.
public enum ContentInsetsReference: String, Hashable, Sendable, CaseIterable {
  /// The reference of the layout's configuration; in the configuration itself, no insets.
  case automatic

  /// No insets.
  case none

  /// The safe area of the container.
  case safeArea

  /// The margins of the container.
  case layoutMargins

  /// The readable part of the container; the margins if it is not known.
  case readableContent
}
