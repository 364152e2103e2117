/// The description of a layout: its sections and what holds for all of them (Apple:
/// `UICollectionViewCompositionalLayout`).
///
/// A description is a value. It knows no view and no datum; ``solve(itemCounts:in:)`` makes frames
/// of it:
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
  /// Where the description of a section comes from.
  public enum Sections: Hashable, Sendable {
    /// One description for every section.
    case every(LayoutSection)

    /// One description for each section, in order.
    case list([LayoutSection])

    /// A function gives it.
    case provided(LayoutSectionProvider)
  }

  /// Where the descriptions of the sections come from.
  public var sections: Sections

  /// What holds for the whole layout.
  public var configuration: LayoutConfiguration

  /// Creates a layout all of whose sections have one description.
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
  ///   - id: What tells this function from others. Two layouts with equal identifiers and
  ///     configurations are equal, so name everything in it that the function captures.
  ///   - configuration: What holds for the whole layout.
  ///   - sectionProvider: Gives the description of a section, from its index and the environment.
  ///     It is called once for each section each time the layout is solved. `nil` is an error for a
  ///     section with items.
  public init(
    id: some Hashable & Sendable, configuration: LayoutConfiguration = .init(),
    sectionProvider: @escaping @Sendable (Int, LayoutEnvironment) -> LayoutSection?
  ) {
    self.sections = .provided(LayoutSectionProvider(id: id, section: sectionProvider))
    self.configuration = configuration
  }

  /// Creates a layout from the descriptions of its sections, written one below the other.
  public init(
    configuration: LayoutConfiguration = .init(),
    @LayoutSectionBuilder sections: () -> [LayoutSection]
  ) {
    self.init(sections: sections(), configuration: configuration)
  }
}
