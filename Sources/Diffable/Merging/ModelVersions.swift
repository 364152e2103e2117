/// The versions of a model that a writer and others contradict each other about.
///
/// A transaction returns it for the contradictions ``Contradiction/changedTwice``,
/// ``Contradiction/changedButDeleted`` and ``Contradiction/deletedButChanged``. All versions have the
/// identifier that the item has now, if they are ``RenamableModel``s.
public struct ModelVersions<Model: Sendable>: Sendable {
  /// The version that both sides started from; `nil` if both have inserted the element.
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
  package typealias Given = GivenContent<SectionID, ItemID>

  /// The contradictions: sections first, then items.
  package var conflicts: [MergeConflict<SectionID, ItemID>]
  /// The models of these elements before either side changed them, and as the sides have them.
  package var base = Given()
  package var theirs = Given()
  package var mine = Given()

  package init(_ conflicts: [MergeConflict<SectionID, ItemID>] = []) {
    self.conflicts = conflicts
  }

  /// Adds the contradictions of another part of the same change.
  package mutating func formUnion(_ other: Contradictions) {
    guard !other.conflicts.isEmpty else { return }
    let all = IdentifierSet(conflicts + other.conflicts).inOrder
    conflicts = all.filter(\.isSection) + all.filter { !$0.isSection }
    func add(_ other: Given, to given: inout Given) {
      given.addMissing(other)
      for (section, content) in other.sections.elements where given.sections[section] == nil {
        given.sections[section] = content
      }
    }
    add(other.base, to: &base)
    add(other.theirs, to: &theirs)
    add(other.mine, to: &mine)
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
  package func versions(
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
