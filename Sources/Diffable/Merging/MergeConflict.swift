/// A contradiction between a writer and others that started from the same base.
///
/// The writer is the one that merges; the others changed the live state in the meantime. A conflict
/// does not stop the merge: it reports what was decided.
public enum MergeConflict<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>:
  Hashable, Sendable
{
  /// The two sides contradict each other about an item.
  case item(ItemID, Contradiction)
  /// The two sides contradict each other about a section.
  case section(SectionID, Contradiction)
}

/// What a writer and others did to the same element, and which side wins.
public enum Contradiction: String, Hashable, Codable, Sendable, CaseIterable {
  /// Both inserted it, at different places.
  ///
  /// It is in the result once, where the writer put it; after an undo where the others did.
  case insertedTwice
  /// Both moved it, to different places.
  ///
  /// It is where the writer put it; after an undo where the others did, so that undo takes back only what
  /// still shows. But an item that the writer moved inside its section, while others moved it to another
  /// section, stays in that section. If both moves together would put
  /// items of an outline below each other, one of these items is moved to the end of the outline.
  case movedTwice
  /// The writer moved it, others have deleted it.
  ///
  /// It stays deleted.
  case movedButDeleted
  /// The writer deleted it, others have moved it.
  ///
  /// It is deleted.
  case deletedButMoved
  /// The writer put items into a section, or below an item of an outline, that others have deleted.
  ///
  /// A section is back, with those items only. An item stays deleted: what was put below it is below its
  /// nearest ancestor that still exists, or at the top, whether the item had children or not.
  case filledButDeleted
  /// The writer deleted a section, or an item of an outline, and others have put items into it or below it.
  ///
  /// A section stays, with those items only. An item is deleted: what was put below it is below its
  /// nearest ancestor that still exists, or at the top, whether the item had children or not.
  case deletedButFilled
  /// One side made it a flat list, the other changed its outline.
  ///
  /// It is a flat list of the remaining items.
  case outlineChangedTwice
  /// The writer and others gave it different identifiers.
  ///
  /// It has the writer's; after an undo that of the others, so that undo takes back only what still shows.
  case renamedTwice
  /// The writer gave it another identifier, which others have used for another item.
  ///
  /// Both items stay, and this one keeps the identifier that it has.
  case renamedButTaken
  /// The writer changed its model under an identifier that others have replaced.
  ///
  /// The live model stays. This happens only if the models are not ``RenamableModel``s.
  case editedButRenamed
  /// Both changed its model, or inserted it with different models.
  ///
  /// It has the writer's model; after an undo that of the others, so that undo takes back only what still
  /// shows. A source that has a function that merges models does not report this for items that the base
  /// has.
  case changedTwice
  /// The writer changed its model, others have deleted it.
  ///
  /// It stays deleted.
  case changedButDeleted
  /// The writer deleted it, others have changed its model.
  ///
  /// It is deleted.
  case deletedButChanged
}

extension MergeConflict {
  /// What the two sides did.
  public var contradiction: Contradiction {
    switch self {
    case .item(_, let contradiction), .section(_, let contradiction): contradiction
    }
  }

  /// Whether it is about a section.
  package var isSection: Bool {
    if case .section = self { true } else { false }
  }

  /// The affected element, an item or a section.
  public var identifier: AnyItemID {
    switch self {
    case .item(let item, _): AnyItemID(item)
    case .section(let section, _): AnyItemID(section)
    }
  }
}

extension MergeConflict: Codable where SectionID: Codable, ItemID: Codable {
  private enum Key: String, CodingKey {
    case item
    case section
    case contradiction
  }

  /// Reads what ``encode(to:)`` writes.
  ///
  /// - Throws: `DecodingError` if the data is invalid.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let contradiction = try container.decode(Contradiction.self, forKey: .contradiction)
    self =
      try container.contains(.section)
      ? .section(container.decode(SectionID.self, forKey: .section), contradiction)
      : .item(container.decode(ItemID.self, forKey: .item), contradiction)
  }

  /// Writes an object with `contradiction`, and with `item` or `section`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .item(let item, _): try container.encode(item, forKey: .item)
    case .section(let section, _): try container.encode(section, forKey: .section)
    }
    try container.encode(contradiction, forKey: .contradiction)
  }
}

extension MergeConflict: CustomStringConvertible {
  /// A sentence that says what both sides did, and what was decided.
  public var description: String {
    let (kind, name) =
      switch self {
      case .item(let item, _): ("item", "\(item)")
      case .section(let section, _): ("section", "\(section)")
      }
    let subject = "\(kind) “\(name)”"
    return switch contradiction {
    case .insertedTwice:
      "The writer and others inserted the \(subject), at different places. "
        + "It is where the writer put it, or the others if the writer takes a change back."
    case .movedTwice:
      "The writer and others moved the \(subject), to different places. "
        + "It is where the writer put it, unless the writer takes a change back, "
        + "or moved it inside a section that it has left."
    case .movedButDeleted:
      "The writer moved the \(subject), but others have deleted it. It stays deleted."
    case .deletedButMoved:
      "The writer deleted the \(subject), which others have moved. It is deleted."
    case .filledButDeleted where isSection:
      "The writer put items into the \(subject), but others have deleted it. "
        + "It is back, with only those items."
    case .filledButDeleted:
      "The writer put items below the \(subject), but others have deleted it. "
        + "It stays deleted, and they are below its nearest ancestor that is there, or at the top."
    case .deletedButFilled where isSection:
      "The writer deleted the \(subject), which others have put items into. "
        + "It stays, with only those items."
    case .deletedButFilled:
      "The writer deleted the \(subject), which others have put items below. "
        + "It is deleted, and they are below its nearest ancestor that is there, or at the top."
    case .outlineChangedTwice:
      "The writer and others changed the outline of the \(subject), and one of them made it a "
        + "list. It is a list now."
    case .renamedTwice:
      "The writer and others gave the \(subject) different identifiers. "
        + "It has the writer's, or the others' if the writer takes a change back."
    case .renamedButTaken:
      "The writer gave the \(subject) another identifier, which others have used for another item. "
        + "It keeps this one."
    case .editedButRenamed:
      "The writer changed the model of the \(subject) under its former identifier. "
        + "It keeps its model."
    case .changedTwice:
      "The writer and others changed the model of the \(subject). "
        + "It has the writer's, or the others' if the writer takes a change back."
    case .changedButDeleted:
      "The writer changed the model of the \(subject), but others have deleted it. "
        + "It stays deleted."
    case .deletedButChanged:
      "The writer deleted the \(subject), whose model others have changed. It is deleted."
    }
  }
}

/// The versions of a model that a writer and others contradict each other about.
///
/// A transaction returns it for the contradictions ``Contradiction/changedTwice``,
/// ``Contradiction/changedButDeleted`` and ``Contradiction/deletedButChanged``. All versions have the
/// identifier that the item has now, if they are ``RenamableModel``s.
public struct ModelVersions<Model: Sendable>: Sendable {
  /// The version that both sides started from; `nil` if both have inserted the element.
  ///
  /// Of an undo it is the version that the change has written, and ``mine`` the one before the change.
  public let base: Model?
  /// The version of the others; `nil` if they have deleted the element.
  public let theirs: Model?
  /// The version of the writer; `nil` if the writer has deleted the element.
  public let mine: Model?

  package init(base: Model?, theirs: Model?, mine: Model?) {
    (self.base, self.theirs, self.mine) = (base, theirs, mine)
  }
}

extension ModelVersions: Equatable where Model: Equatable {}

/// The contradictions of a merge, with the models that they are about.
package struct Contradictions<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>:
  Sendable
{
  typealias Given = GivenContent<SectionID, ItemID>

  /// The contradictions: sections first, then items.
  package var conflicts: [MergeConflict<SectionID, ItemID>]
  /// The models of these elements before either side changed them, and as the sides have them.
  package internal(set) var base = GivenContent<SectionID, ItemID>()
  var theirs = Given()
  var mine = Given()

  package init(_ conflicts: [MergeConflict<SectionID, ItemID>] = []) {
    self.conflicts = conflicts
  }

  /// Adds the contradictions of another part of the same change.
  package mutating func formUnion(_ other: Contradictions) {
    guard !other.conflicts.isEmpty else { return }
    let all = IdentifierSet(conflicts + other.conflicts).inOrder
    conflicts = all.filter(\.isSection) + all.filter { !$0.isSection }
    base = base.adding(other.base)
    theirs = theirs.adding(other.theirs)
    mine = mine.adding(other.mine)
  }

  /// The contradictions that a merge onto a newer state does not find again by the models that the writer has
  /// seen.
  package var unrepeatable: Contradictions {
    var rest = self
    rest.conflicts.removeAll { conflict in
      switch (conflict, conflict.contradiction) {
      case (.item(let item, _), .changedTwice): base.hasModel(of: item)
      case (.section(let section, _), .changedTwice): base.sections[section] != nil
      case (_, .deletedButChanged): true
      default: false
      }
    }
    return rest
  }

  /// The versions of the model of an item; `nil` if no contradiction is about it.
  package func versions<Model: Sendable>(
    of item: ItemID, as type: Model.Type
  ) -> ModelVersions<Model>? {
    let versions = ModelVersions(
      base: base.model(of: item, as: type), theirs: theirs.model(of: item, as: type),
      mine: mine.model(of: item, as: type))
    return versions.theirs == nil && versions.mine == nil ? nil : versions
  }

  /// The versions of the model of a section; `nil` if no contradiction is about it.
  func versions(
    of section: SectionID
  ) -> ModelVersions<SectionID.SectionModel>? where SectionID: ModelledSection {
    let all = [base, theirs, mine].map { $0.sections[section] }
    guard all.contains(where: { $0 != nil }) else { return nil }
    let models = all.map { $0?.model as? SectionID.SectionModel }
    return ModelVersions(base: models[0], theirs: models[1], mine: models[2])
  }
}

extension Contradictions: Equatable {
  package static func == (left: Contradictions, right: Contradictions) -> Bool {
    left.conflicts == right.conflicts && left.base.hasSameModels(as: right.base)
      && left.theirs.hasSameModels(as: right.theirs) && left.mine.hasSameModels(as: right.mine)
  }
}
