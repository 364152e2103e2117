/// The description of a layout: its sections and its configuration.
///
/// Apple: `UICollectionViewCompositionalLayout`. A description is a value that contains no views
/// and no data; ``solve(itemCounts:in:)`` computes frames from it:
///
/// ```swift
/// let cell = LayoutItem(
///   layoutSize: LayoutSize(width: .fractionalWidth(1 / 3), height: .fractionalHeight(1)))
/// let row = LayoutGroup.horizontal(
///   layoutSize: LayoutSize(width: .fractionalWidth(1), height: .fractionalWidth(1 / 3)),
///   subitems: [cell])
/// let layout = CompositionalLayout(section: LayoutSection(group: row))
/// let solved = try layout.solve(
///   itemCounts: [1_000], in: LayoutEnvironment(width: 390, height: 844, scale: 3))
/// let visible = solved.elements(in: LayoutRect(x: 0, y: 0, width: 390, height: 844))
/// ```
public struct CompositionalLayout: Hashable, Sendable {
  /// The origin of the descriptions of sections.
  package enum Sections: Hashable, Sendable {
    /// One description for every section.
    case every(LayoutSection)

    /// One description for each section, in order.
    case list([LayoutSection])

    /// Descriptions from a function.
    case provided(LayoutSectionProvider)
  }

  /// The descriptions of the sections.
  package var sections: Sections

  /// The configuration of the whole layout.
  public var configuration: LayoutConfiguration

  /// Creates a layout with one description for all sections.
  public init(section: LayoutSection, configuration: LayoutConfiguration = .init()) {
    self.sections = .every(section)
    self.configuration = configuration
  }

  /// Creates a layout from the descriptions of its sections, in order.
  public init(sections: [LayoutSection], configuration: LayoutConfiguration = .init()) {
    self.sections = .list(sections)
    self.configuration = configuration
  }

  /// Creates a layout whose sections a function describes.
  ///
  /// - Parameters:
  ///   - id: The identity of this function. Two layouts with equal identifiers and configurations
  ///     are equal, so include everything in it that the function captures.
  ///   - configuration: The configuration of the whole layout.
  ///   - sectionProvider: Returns the description of a section, from its index and the environment.
  ///     It is called once for each section each time the layout is solved. Returning `nil` is an
  ///     error for a section with items.
  public init(
    id: some Hashable & Sendable, configuration: LayoutConfiguration = .init(),
    sectionProvider: @escaping @Sendable (Int, LayoutEnvironment) -> LayoutSection?
  ) {
    self.sections = .provided(LayoutSectionProvider(id: id, section: sectionProvider))
    self.configuration = configuration
  }
}
