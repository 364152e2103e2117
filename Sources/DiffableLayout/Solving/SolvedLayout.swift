/// A layout of a number of items: it computes frames on demand and stores none.
///
/// It is a value: a change makes a new layout that shares what did not change. Frames are in
/// content coordinates; for right-to-left reading they are the mirror images.
///
/// - Complexity: Solving costs O(sections + slots of their groups), not O(items). Looking up a
///   frame is O(log sections + log measured groups); finding the elements in a rectangle is that
///   plus the elements near it. A waterfall costs O(items).
public struct SolvedLayout: Sendable {
  /// The environment in which the layout was solved.
  public let environment: LayoutEnvironment

  /// The description.
  public let layout: CompositionalLayout

  /// The sections, in order.
  var sections: [SolvedSection]

  /// The starts of sections.
  var starts: SpanTree<SpanSummary>

  /// The boundary items of the layout.
  let boundary: BoundaryPlacement

  /// Their measured sizes, by kind.
  var measuredBoundary: [String: LayoutExtent] = [:]

  /// The length of all sections and of what surrounds them.
  var extents = BoundaryPlacement.Extents(region: 0, start: 0, end: 0)

  init(
    layout: CompositionalLayout, environment: LayoutEnvironment, sections: [SolvedSection]
  ) throws(LayoutError) {
    self.layout = layout
    self.environment = environment
    self.sections = sections
    let configuration = layout.configuration
    let axis = configuration.scrollDirection
    let container = environment.container.contentSize
    starts = SpanTree(sections.map(\.summary))
    boundary = BoundaryPlacement(
      configuration.boundarySupplementaryItems, axis: axis, container: container, crossStart: 0,
      crossLength: container[axis.cross], grid: PixelGrid(scale: environment.scale))
    updateExtents()
    guard extents.length.isFinite else { throw LayoutError(.tooLong, at: LayoutPart()) }
  }

  /// The axis along which sections stack.
  var axis: LayoutAxis { layout.configuration.scrollDirection }

  /// Adds up the lengths again after a section has changed.
  mutating func updateExtents() {
    var region = 0.0
    if let last = sections.last {
      region = starts.length(before: sections.count - 1) + last.length
    }
    extents = boundary.extents(around: region, measured: measuredBoundary)
  }

  /// The size of the content.
  ///
  /// Along the scroll direction it is the length of all sections, across it the container or the
  /// widest group.
  public var contentSize: LayoutExtent {
    LayoutExtent(
      axis, along: extents.length,
      across: max(environment.container.contentSize[axis.cross], starts.summary.widest))
  }

  /// The number of items in each section.
  public var itemCounts: [Int] { sections.map(\.itemCount) }

  /// The start of a section along the scroll axis.
  func start(of section: Int) -> Double { extents.start + starts.length(before: section) }

  /// A rectangle in visible coordinates: mirrored for right-to-left reading.
  func seen(_ rect: LayoutRect) -> LayoutRect {
    environment.direction == .leftToRight ? rect : rect.mirrored(in: contentSize.width)
  }
}
