/// The direction of lines of text and of rows of items.
public enum ReadingDirection: String, Hashable, Sendable, CaseIterable {
  /// Leading is left.
  case leftToRight

  /// Leading is right: every frame is the mirror image.
  case rightToLeft
}

/// The box that content is laid out in (Apple: `NSCollectionLayoutContainer`).
public struct LayoutContainer: Hashable, Sendable {
  /// The size of the box, in points.
  public var contentSize: LayoutExtent

  /// The insets of the box.
  public var contentInsets: LayoutInsets

  /// The size less the insets, never negative.
  public var effectiveContentSize: LayoutExtent {
    LayoutExtent(
      width: max(0, contentSize.width - contentInsets.total(.horizontal)),
      height: max(0, contentSize.height - contentInsets.total(.vertical)))
  }

  /// Creates a container.
  public init(contentSize: LayoutExtent, contentInsets: LayoutInsets = .zero) {
    self.contentSize = contentSize
    self.contentInsets = contentInsets
  }
}

/// The environment in which a layout is solved: the size of the view, its screen and its traits.
///
/// Apple: `NSCollectionLayoutEnvironment`.
public struct LayoutEnvironment: Sendable {
  /// The box: the whole view for section providers, the group for custom groups.
  public var container: LayoutContainer

  /// The number of pixels per point.
  public var scale: Double

  /// The direction of reading.
  public var direction: ReadingDirection

  /// The part of the container that bars and cutouts cover.
  public var safeArea: LayoutInsets

  /// The margins of the container.
  public var layoutMargins: LayoutInsets

  /// The insets of the readable part; the layout margins if `nil`.
  public var readableContentInsets: LayoutInsets?

  /// Data of the host for its section providers, such as size classes or a theme.
  public var traits: (any Sendable)?

  /// Creates an environment for a container of a size, in points.
  public init(
    width: Double, height: Double, scale: Double = 1, direction: ReadingDirection = .leftToRight,
    safeArea: LayoutInsets = .zero, layoutMargins: LayoutInsets = .zero,
    readableContentInsets: LayoutInsets? = nil, traits: (any Sendable)? = nil
  ) {
    self.container = LayoutContainer(contentSize: LayoutExtent(width: width, height: height))
    self.scale = scale
    self.direction = direction
    self.safeArea = safeArea
    self.layoutMargins = layoutMargins
    self.readableContentInsets = readableContentInsets
    self.traits = traits
  }

  /// The insets for a reference.
  func insets(for reference: ContentInsetsReference) -> LayoutInsets {
    switch reference {
    case .automatic, .none: .zero
    case .safeArea: safeArea
    case .layoutMargins: layoutMargins
    case .readableContent: readableContentInsets ?? layoutMargins
    }
  }
}
