/// Why a snapshot, or an edit of one, was refused.
///
/// Nothing has changed when one is thrown.
public enum SnapshotError: Error, Hashable, Sendable {
  /// Items that stand more than once, each with all its places.
  case duplicateItems([DuplicateItem])
  /// Sections that stand more than once, each with all its indices.
  case duplicateSections([DuplicateSection])
  /// Items that an edit names and that are not in the snapshot.
  case unknownItem([AnyItemID])
  /// Sections that an edit names and that are not in the snapshot.
  case unknownSection([AnyItemID])
  /// Items were appended to the last section of a snapshot that has none.
  case noSections
  /// Items that have come without the model that a model source keeps for each.
  case missingModel([AnyItemID])
  /// A difference does not fit the snapshots that it was to be replayed on.
  case inapplicableDifference(reason: String)

  /// An item identifier that stands more than once.
  public struct DuplicateItem: Hashable, Sendable {
    /// The identifier.
    public let identifier: AnyItemID
    /// Every place it stands at, in ascending order.
    public let places: [ItemPath]

    /// Creates the record of an identifier and all its places.
    public init(identifier: AnyItemID, places: [ItemPath]) {
      self.identifier = identifier
      self.places = places
    }
  }

  /// A section identifier that stands more than once.
  public struct DuplicateSection: Hashable, Sendable {
    /// The identifier.
    public let identifier: AnyItemID
    /// Every section index it stands at, in ascending order.
    public let places: [Int]

    /// Creates the record of an identifier and all its section indices.
    public init(identifier: AnyItemID, places: [Int]) {
      self.identifier = identifier
      self.places = places
    }
  }
}

extension SnapshotError {
  /// The identifiers concerned, items or sections.
  public var identifiers: [AnyItemID] {
    switch self {
    case .duplicateItems(let duplicates): duplicates.map(\.identifier)
    case .duplicateSections(let duplicates): duplicates.map(\.identifier)
    case .unknownItem(let identifiers), .unknownSection(let identifiers),
      .missingModel(let identifiers):
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
    case .inapplicableDifference: "inapplicableDifference"
    }
  }
}

extension SnapshotError: CustomStringConvertible {
  /// A sentence that says what was wrong, where, and that nothing was changed.
  public var description: String {
    let fault =
      switch self {
      case .duplicateItems(let duplicates):
        "Item identifiers must be unique in the whole snapshot, but "
          + list(duplicates) { duplicate in
            let places = list(duplicate.places) { "[\($0.section), \($0.item)]" }
            return "“\(duplicate.identifier)” stands at \(places)"
          }
      case .duplicateSections(let duplicates):
        "Section identifiers must be unique, but "
          + list(duplicates) { duplicate in
            "“\(duplicate.identifier)” stands at indices \(list(duplicate.places) { "\($0)" })"
          }
      case .unknownItem(let identifiers):
        "The snapshot has no item \(list(identifiers) { "“\($0)”" })"
      case .unknownSection(let identifiers):
        "The snapshot has no section \(list(identifiers) { "“\($0)”" })"
      case .noSections:
        "Items were appended to the last section, but the snapshot has no section"
      case .missingModel(let identifiers):
        "There is no model for \(list(identifiers) { "“\($0)”" })"
      case .inapplicableDifference(let reason):
        "The difference does not fit the snapshot: \(reason)"
      }
    return fault + ". Nothing was changed."
  }

  /// The first elements in words, and how many more there are: a message has to stay readable
  /// when every one of a million rows is wrong.
  private func list<Element>(_ elements: [Element], _ words: (Element) -> String) -> String {
    let shown = elements.prefix(8).map(words).joined(separator: ", ")
    return elements.count > 8 ? "\(shown) and \(elements.count - 8) more" : shown
  }
}
