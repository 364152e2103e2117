/// A change that was made, with the states before and after it.
public struct Transaction<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>:
  Sendable
{
  /// The revision that holds ``finalSnapshot``: a new one, or the live one if nothing changed.
  ///
  /// A batch of this change has the same ``UpdateBatch/target``.
  public var target: Revision { parts.target }
  /// The name of the change, for a menu.
  public var name: String? { parts.name }
  /// The change, to revert it; `nil` if nothing changed.
  ///
  /// Without a change, ``target`` may be another writer's. A drop in a derived source is a change of the source
  /// that was dragged in: revert it there.
  public var change: UndoableChange? { parts.change }
  /// The live state just before the change.
  public var initialSnapshot: Snapshot<SectionID, ItemID> { parts.initial }
  /// The live state just after the change.
  public var finalSnapshot: Snapshot<SectionID, ItemID> { parts.final }
  /// What changed between the two.
  public var difference: SnapshotDifference { parts.difference }
  var contradictions: Contradictions<SectionID, ItemID> { parts.contradictions }
  /// The change that was reverted, if this is an undo or a redo.
  ///
  /// It is what `nextUndo` or `nextRedo` named.
  public var reversedChange: UndoableChange? { parts.reversedChange }

  /// One reference: by value, all this would be copied with every transaction.
  private let parts: Parts

  private final class Parts: Sendable {
    let target: Revision
    let name: String?
    let initial, final: Snapshot<SectionID, ItemID>
    let difference: SnapshotDifference
    let contradictions: Contradictions<SectionID, ItemID>
    let change, reversedChange: UndoableChange?

    init(
      _ initial: Snapshot<SectionID, ItemID>, _ final: Snapshot<SectionID, ItemID>,
      _ difference: SnapshotDifference, _ contradictions: Contradictions<SectionID, ItemID>,
      _ target: Revision, _ name: String?, _ change: UndoableChange?,
      reversing reversedChange: UndoableChange?
    ) {
      (self.initial, self.final, self.difference) = (initial, final, difference)
      self.contradictions = contradictions
      (self.target, self.name, self.change) = (target, name, change)
      self.reversedChange = reversedChange
    }
  }

  /// A change between two states that are known, of which the second is a revision.
  ///
  /// - Parameters:
  ///   - change: The change; `nil` if nothing changed.
  ///   - placed: What the writer has placed.
  package init(
    from initial: Snapshot<SectionID, ItemID>, to final: Snapshot<SectionID, ItemID>,
    at revision: Revision, _ change: UndoableChange?, named name: String?,
    _ contradictions: Contradictions<SectionID, ItemID>,
    placing placed: PlacedRows<SectionID, ItemID>
  ) {
    parts = Parts(
      initial, final, final.difference(fromState: initial, marks: .init(placing: placed)),
      contradictions, revision, name, change, reversing: nil)
  }

  /// A change that a merge made, at the revision that has it.
  ///
  /// - Parameter change: The change; `nil` if nothing changed.
  package init(
    _ merged: LiveState<SectionID, ItemID>.Merged, at revision: Revision, _ change: UndoableChange?,
    from initial: Snapshot<SectionID, ItemID>, named name: String?,
    reversing reversed: UndoableChange? = nil
  ) {
    parts = Parts(
      initial, merged.commit?.snapshot ?? initial,
      merged.commit?.difference ?? SnapshotDifference(), merged.contradictions, revision, name,
      change, reversing: reversed)
  }
}

extension Transaction: Equatable {
  /// Compares everything except marks.
  ///
  /// - Complexity: O(n) for n items, less if the states share storage.
  public static func == (left: Transaction, right: Transaction) -> Bool {
    left.target == right.target && left.name == right.name
      && left.initialSnapshot == right.initialSnapshot && left.finalSnapshot == right.finalSnapshot
      && left.difference == right.difference && left.contradictions == right.contradictions
      && left.reversedChange == right.reversedChange && left.change == right.change
  }
}

extension Transaction {
  /// Contradictions between this change and those that others made meanwhile.
  public var conflicts: [MergeConflict<SectionID, ItemID>] { contradictions.conflicts }

  /// The models of an item that a conflict is about, in its three versions.
  ///
  /// ```swift
  /// for case .item(let id, .changedTwice) in transaction.conflicts {
  ///   guard let versions = transaction.versions(of: id, as: Note.self) else { continue }
  ///   ask(about: versions.theirs, and: versions.mine)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - type: The type of the models of the source.
  /// - Returns: `nil` if no contradiction is about the model of this item, and for another type.
  public func versions<Model: Identifiable & Sendable>(
    of item: ItemID, as type: Model.Type
  ) -> ModelVersions<Model>? where Model.ID == ItemID {
    contradictions.versions(of: item, as: type)
  }

  /// The models of a section that a conflict is about, in its three versions.
  ///
  /// - Returns: `nil` if no contradiction is about the model of this section.
  public func versions(
    of section: SectionID
  ) -> ModelVersions<SectionID.SectionModel>? where SectionID: ModelledSection {
    contradictions.versions(of: section)
  }
}

extension Transaction: CustomStringConvertible {
  /// The change, what it changed, and the contradictions, such as `r12 “Move” 0:1→1:0`.
  public var description: String {
    let change = change.map { "\($0) \(difference)" } ?? "\(target), unchanged"
    return ([change] + conflicts.map { "\($0)" }).joined(separator: "; ")
  }
}
