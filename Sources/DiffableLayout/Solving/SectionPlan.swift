/// A section's description, resolved in an environment, independent of the number of items.
///
/// All sections with the same description share one plan.
final class SectionPlan: Sendable {
  /// The arrangement of the items.
  enum Body: Sendable {
    case groups(GroupPattern)
    case waterfall(LayoutWaterfall, room: Double)
  }

  /// The description.
  let section: LayoutSection

  /// The axis along which the layout scrolls.
  let axis: LayoutAxis

  /// The size of the container.
  let container: LayoutExtent

  /// The section's insets; across, they include its insets reference.
  let insets: LayoutInsets

  /// The arrangement of the items.
  let body: Body

  /// Its headers, footers and bars.
  let boundary: BoundaryPlacement

  /// Rounds to pixels.
  let grid: PixelGrid

  /// The gap after the section.
  let spacing: Double

  /// The axis along which the groups stack.
  var bodyAxis: LayoutAxis { isOrthogonal ? axis.cross : axis }

  /// Whether the section scrolls by itself.
  var isOrthogonal: Bool {
    if case .waterfall = section.content { return false }
    return section.orthogonalScrollingBehavior != .none
  }

  /// Resolves a valid description.
  init(
    _ section: LayoutSection, configuration: LayoutConfiguration, environment: LayoutEnvironment
  ) throws(LayoutError) {
    self.section = section
    axis = configuration.scrollDirection
    container = environment.container.contentSize
    grid = PixelGrid(scale: environment.scale)
    spacing = configuration.interSectionSpacing
    let reference = section.contentInsetsReference.or(configuration.contentInsetsReference)
    insets = section.contentInsets + environment.insets(for: reference).only(axis.cross)

    let range: LayoutInsets
    let supplementary = section.supplementaryContentInsetsReference
    if supplementary != .automatic {
      range = environment.insets(for: supplementary)
    } else {
      range = section.supplementariesFollowContentInsets ? insets : .zero
    }
    boundary = BoundaryPlacement(
      section.boundarySupplementaryItems, axis: axis, container: container,
      crossStart: range.start(axis.cross),
      crossLength: container[axis.cross] - range.total(axis.cross), grid: grid)
    body = try Self.body(of: section, axis: axis, insets: insets, environment: environment)
  }

  private static func body(
    of section: LayoutSection, axis: LayoutAxis, insets: LayoutInsets,
    environment: LayoutEnvironment
  ) throws(LayoutError) -> Body {
    let container = environment.container.contentSize
    let grid = PixelGrid(scale: environment.scale)
    switch section.content {
    case .waterfall(let waterfall):
      let room = max(0, container[axis.cross] - insets.total(axis.cross))
      return .waterfall(waterfall, room: room)
    case .groups(let groups):
      // Insets along the stacking axis do not make a group smaller. In an orthogonal section that
      // is the other axis, so a group of the full width is as wide as the container.
      let stackingAxis = section.orthogonalScrollingBehavior == .none ? axis : axis.cross
      let box = container.less(insets.only(stackingAxis.cross))
      let groups = try CustomGroups.answered(groups, environment: environment)
      let solver = GroupSolver(grid: grid, stackingAxis: stackingAxis)
      let stacking = GroupPattern.Stacking(
        axis: stackingAxis, box: box,
        crossRoom: stackingAxis == axis ? box[axis.cross] : nil,
        spacing: section.interGroupSpacing)
      return .groups(try GroupPattern(groups: groups, stacking: stacking, solver: solver))
    }
  }
}

extension ContentInsetsReference {
  /// The reference, or another one for `automatic`.
  fileprivate func or(_ other: ContentInsetsReference) -> ContentInsetsReference {
    self == .automatic ? other : self
  }
}
