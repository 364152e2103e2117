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
