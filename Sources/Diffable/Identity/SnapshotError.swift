/// Why a snapshot, or an edit of one, was rejected.
///
/// The snapshot is unchanged when one is thrown.
public enum SnapshotError: Error, Hashable, Sendable {
  /// Items that appear more than once, each with all its places.
  case duplicateItems([DuplicateItem])
  /// Sections that appear more than once, each with all its indices.
  case duplicateSections([DuplicateSection])
  /// Items that an edit names but that are not in the snapshot.
  case unknownItem([AnyItemID])
  /// Sections that an edit names but that are not in the snapshot.
  case unknownSection([AnyItemID])
  /// Items were appended to the last section of a snapshot that has none.
  case noSections
  /// New items without the model that a model source keeps for each item.
  case missingModel([AnyItemID])
  /// Items of an outline that an edit moves next to their own descendants.
  case cyclicMove([AnyItemID])
  /// Items that an edit names as neighbours but that a collapsed row of an outline hides.
  case hiddenItem([AnyItemID])
  /// A difference that does not fit the snapshots.
  case inapplicableDifference(reason: String)

  /// An item identifier that appears more than once.
  public struct DuplicateItem: Hashable, Sendable {
    /// The identifier.
    public let identifier: AnyItemID
    /// Every place where it is visible, in ascending order.
    ///
    /// For an edit of an ``Outline``, the places count its items, hidden ones included, in a
    /// section 0.
    public let places: [ItemPath]
    /// The places of the collapsed rows that hide it elsewhere, in ascending order.
    public let hiddenPlaces: [ItemPath]

    /// Creates the record of an identifier and all its places.
    public init(
      identifier: AnyItemID, places: [ItemPath], hiddenPlaces: [ItemPath] = []
    ) {
      self.identifier = identifier
      self.places = places
      self.hiddenPlaces = hiddenPlaces
    }
  }

  /// A section identifier that appears more than once.
  public struct DuplicateSection: Hashable, Sendable {
    /// The identifier.
    public let identifier: AnyItemID
    /// All its section indices, in ascending order.
    public let places: [Int]

    /// Creates the record of an identifier and all its section indices.
    public init(identifier: AnyItemID, places: [Int]) {
      self.identifier = identifier
      self.places = places
    }
  }
}

extension SnapshotError {
  /// The error for a list of a section's items that contains some twice.
  static func duplicateItems(
    twice items: [some Hashable & Sendable], inSectionAt section: Int
  ) -> SnapshotError {
    var places = IdentifierMap<AnyItemID, [ItemPath]>()
    for (place, item) in items.enumerated() {
      places.change(AnyItemID(item), default: []) {
        $0.append(ItemPath(section: section, item: place))
      }
    }
    return .duplicateItems(
      places.elements.filter { $0.value.count > 1 }
        .map { .init(identifier: $0.key, places: $0.value) })
  }

  /// The affected identifiers, items or sections.
  public var identifiers: [AnyItemID] {
    switch self {
    case .duplicateItems(let duplicates): duplicates.map(\.identifier)
    case .duplicateSections(let duplicates): duplicates.map(\.identifier)
    case .unknownItem(let identifiers), .unknownSection(let identifiers),
      .missingModel(let identifiers), .cyclicMove(let identifiers),
      .hiddenItem(let identifiers):
      identifiers
    case .noSections, .inapplicableDifference: []
    }
  }

  /// The name of the case, as logs and wire formats use it.
  public var code: String {
    switch self {
    case .duplicateItems: "duplicateItems"
    case .duplicateSections: "duplicateSections"
    case .unknownItem: "unknownItem"
    case .unknownSection: "unknownSection"
    case .noSections: "noSections"
    case .missingModel: "missingModel"
    case .cyclicMove: "cyclicMove"
    case .hiddenItem: "hiddenItem"
    case .inapplicableDifference: "inapplicableDifference"
    }
  }
}
