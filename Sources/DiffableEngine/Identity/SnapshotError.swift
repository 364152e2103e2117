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
  /// Items for which an edit gives models, but that are not in the list before it, after it or when it gives
  /// them.
  case unusedModel([AnyItemID])
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
    package init(
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
    package init(identifier: AnyItemID, places: [Int]) {
      self.identifier = identifier
      self.places = places
    }
  }
}

extension SnapshotError {
  /// The error for a list of a section's items that contains some twice.
  package static func duplicateItems(
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
      .missingModel(let identifiers), .unusedModel(let identifiers), .cyclicMove(let identifiers),
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
    case .unusedModel: "unusedModel"
    case .cyclicMove: "cyclicMove"
    case .hiddenItem: "hiddenItem"
    case .inapplicableDifference: "inapplicableDifference"
    }
  }
}

extension SnapshotError: CustomStringConvertible {
  /// Says what was wrong, where, that nothing was changed, and what to do.
  public var description: String {
    fault + ". Nothing was changed." + (advice.map { " \($0)" } ?? "")
  }

  /// What was wrong and where, without the full stop.
  package var fault: String {
    switch self {
    case .duplicateItems(let duplicates):
      "Item identifiers must be unique in the whole snapshot, but "
        + list(duplicates) { duplicate in
          let places =
            duplicate.places.map { "[\($0.section), \($0.item)]" }
            + duplicate.hiddenPlaces.map { "hidden in [\($0.section), \($0.item)]" }
          return "“\(duplicate.identifier)” is at \(list(places, " and ") { $0 })"
        }
    case .duplicateSections(let duplicates):
      "Section identifiers must be unique, but "
        + list(duplicates) { duplicate in
          let places = list(duplicate.places, " and ") { "\($0)" }
          return "“\(duplicate.identifier)” is at indices \(places)"
        }
    case .unknownItem(let identifiers):
      "The snapshot has no item\(identifiers.count == 1 ? "" : "s") \(names(identifiers))"
    case .unknownSection(let identifiers):
      "The snapshot has no section\(identifiers.count == 1 ? "" : "s") \(names(identifiers))"
    case .noSections: "Items cannot be appended to the last section, since there is no section"
    case .missingModel(let identifiers): "There is no model for \(names(identifiers))"
    case .unusedModel(let identifiers):
      "The edit gives a model for \(names(identifiers)), but has no such item at its beginning, at its "
        + "end, or when it gives the model"
    case .cyclicMove(let identifiers):
      "An item cannot be moved next to its own descendants: \(names(identifiers))"
    case .hiddenItem(let identifiers):
      "A collapsed row of an outline hides \(names(identifiers)), so nothing can be placed next "
        + "to it in the list"
    case .inapplicableDifference(let reason):
      "The difference does not fit the snapshot: \(reason)"
    }
  }

  /// What the writer can do.
  private var advice: String? {
    switch self {
    case .duplicateItems: "Keep each item once, or make its place part of the identifier."
    case .duplicateSections: "Keep each section once."
    case .unknownItem(let identifiers):
      identifiers.count == 1
        ? "Insert it first, or leave it out." : "Insert them first, or leave them out."
    case .unknownSection(let identifiers):
      identifiers.count == 1
        ? "Append it first, or leave it out." : "Append them first, or leave them out."
    case .noSections: "Append a section first."
    case .missingModel: "Pass the model of each new item with the change."
    case .unusedModel:
      "Insert the item, or leave out its model. If the edit also deletes the item, give the model "
        + "after inserting it."
    case .cyclicMove: "Choose a place outside of the item."
    case .hiddenItem: "Expand that row first, or edit the outline."
    case .inapplicableDifference: nil
    }
  }

  private func names(_ identifiers: [AnyItemID]) -> String {
    list(identifiers) { "“\($0)”" }
  }

  /// The first elements in words, and the number of further ones.
  ///
  /// A message must stay readable even if every one of a million rows is wrong.
  private func list<Element>(
    _ elements: [Element], _ separator: String = ", ", _ words: (Element) -> String
  ) -> String {
    let shown = elements.prefix(8).map(words).joined(separator: separator)
    return elements.count > 8 ? "\(shown) and \(elements.count - 8) more" : shown
  }
}

extension DecodingError {
  /// The error of a snapshot or an outline as the error of a decoder.
  package static func refused(_ error: SnapshotError, at path: [any CodingKey]) -> DecodingError {
    .dataCorrupted(
      .init(codingPath: path, debugDescription: error.description, underlyingError: error))
  }
}

/// An identifier of any type, for lists whose rows have several types, and for errors.
///
/// If all types are known in one place, an enumeration is better: see <doc:ModellingIdentity>.
///
/// Two values are equal if they wrap the same type and the wrapped values are equal. Unlike
/// `AnyHashable` it is `Sendable`, and an `Int` never equals a `UInt8`.
public struct AnyItemID: Hashable, Sendable, CustomStringConvertible {
  /// The wrapped identifier.
  public let base: any Hashable & Sendable

  /// Wraps an identifier.
  ///
  /// Wrapping an `AnyItemID` returns the same value and does not nest it.
  public init(_ base: some Hashable & Sendable) {
    self.base = (base as? AnyItemID)?.base ?? base
  }

  /// Returns whether both wrap the same type and the wrapped values are equal.
  public static func == (left: AnyItemID, right: AnyItemID) -> Bool {
    func equal<ID: Hashable>(_ value: ID) -> Bool {
      type(of: right.base) == ID.self && (right.base as? ID) == value
    }
    return equal(left.base)
  }

  /// Hashes the wrapped type together with the wrapped value.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(type(of: base)))
    base.hash(into: &hasher)
  }

  /// The description of the wrapped identifier.
  public var description: String {
    String(describing: base)
  }
}
