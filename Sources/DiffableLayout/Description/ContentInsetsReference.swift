/// What the content of a section keeps clear of across the scroll direction (Apple:
/// `UIContentInsetsReference`).
public enum ContentInsetsReference: String, Hashable, Sendable, CaseIterable {
  /// What the layout's configuration says; nothing in the configuration itself.
  case automatic

  /// Nothing.
  case none

  /// The safe area of the container.
  case safeArea

  /// The margins of the container.
  case layoutMargins

  /// The part of the container that is comfortable to read; the margins where that is not known.
  case readableContent
}
