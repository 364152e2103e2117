public import Diffable

/// A contradiction between the backend and the list about the model of a row.
///
/// The list is the writer, and the backend is the others: see `Contradiction`. So what was done in the
/// list wins, except that a row which the backend has deleted is deleted.
public struct PageConflict<Model: Identifiable & Equatable & Sendable>: Sendable
where Model.ID: Sendable {
  /// The row.
  public let item: Model.ID
  /// What both sides did: `changedTwice`, `changedButDeleted` or `deletedButChanged`.
  public let contradiction: Contradiction
  /// The models of the row: the backend's last one as the base, its new one as `theirs`, and the one of
  /// the list as `mine`.
  public let versions: ModelVersions<Model>

  init(
    _ item: Model.ID, _ contradiction: Contradiction, base: Model, theirs: Model?, mine: Model?
  ) {
    (self.item, self.contradiction) = (item, contradiction)
    versions = ModelVersions(base: base, theirs: theirs, mine: mine)
  }
}

extension PageConflict: Equatable {}

extension PageConflict: CustomStringConvertible {
  /// A sentence that says what both sides did, and what was decided.
  public var description: String {
    switch contradiction {
    case .changedTwice:
      "The list and the backend changed the model of the item “\(item)”. It has the list's."
    case .changedButDeleted:
      "The list changed the model of the item “\(item)”, but the backend no longer has it. "
        + "It is deleted."
    default:
      "The list deleted the item “\(item)”, whose model the backend has changed. It stays deleted."
    }
  }
}
