/// A source that can be changed: at once, or when others have agreed.
///
/// Every renderer edits, drags and folds rows through this protocol. ``DataSourceActor`` and
/// ``ModelSource`` decide by themselves, and have more to offer, see ``EditableListSource``. In a
/// list that several servers share, a log decides.
///
/// ```swift
/// func sink(_ item: Int, in source: any WritableListSource<String, Int>) async throws {
///   try await source.updateOrder(named: "Sink") { order in
///     guard let section = order.sectionIdentifier(containingItem: item) else { return }
///     try order.moveItem(item, toSection: section)
///   }
/// }
/// ```
public protocol WritableListSource<SectionID, ItemID>: ReorderableListSource {
  /// Makes a change, and returns when subscribers receive it.
  ///
  /// - Parameter change: What to change, and how to show it.
  /// - Returns: The change that was made. Its revision is one of this source.
  /// - Throws: ``DataSourceError``: `invalidSnapshot` if the edit has thrown a ``SnapshotError`` or
  ///   has left an invalid order, `failed` for other errors of the edit and for reasons of the
  ///   source, and `finished`, `cancelled` and `reentrant`. Nothing changes then.
  @discardableResult
  func write(
    _ change: OrderChange<SectionID, ItemID>
  ) async throws(DataSourceError) -> Transaction<SectionID, ItemID>

  /// Applies the snapshots of a sequence, one after another, until it ends.
  ///
  /// The next element is requested when the previous one has been applied, or replaced by a newer one that
  /// was enqueued, see ``EditableListSource/enqueue(_:presentation:)``.
  ///
  /// - Parameters:
  ///   - snapshots: The sequence. It is iterated in the caller's isolation.
  ///   - presentation: How to show the changes.
  /// - Throws: What the sequence throws, ``DataSourceError`` if a snapshot is rejected, and
  ///   `CancellationError` or ``DataSourceError/cancelled`` if the task is cancelled. What was applied
  ///   before stays.
  nonisolated(nonsending) func follow<Snapshots: AsyncSequence>(
    _ snapshots: Snapshots, presentation: Presentation
  ) async throws where Snapshots.Element == Snapshot<SectionID, ItemID>
}

/// A change of the order of a list, as a value.
public struct OrderChange<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  /// Changes a state and the models given with it; returns the contradictions to what others did.
  ///
  /// It receives what others have renamed and placed since the base of the change, or else since it was
  /// requested.
  package typealias Edit =
    @Sendable (
      inout Snapshot<SectionID, ItemID>, inout GivenContent<SectionID, ItemID>,
      _ others: Snapshot<SectionID, ItemID>.Marks
    ) throws -> Contradictions<SectionID, ItemID>

  package enum Kind: Sendable {
    case replacement(Snapshot<SectionID, ItemID>)
    case edit(Edit)
  }

  /// The name of the change, for undo.
  public let name: String?
  /// How to show the change.
  public let presentation: Presentation
  package let kind: Kind
  /// The revision that the change was made for, if it is not the live one.
  package let base: Revision?

  private init(
    _ name: String?, _ presentation: Presentation, _ kind: Kind, base: Revision? = nil
  ) {
    (self.name, self.presentation, self.kind, self.base) = (name, presentation, kind, base)
  }

  /// Replaces the whole order; items keep their models.
  ///
  /// - Parameters:
  ///   - snapshot: The new order, with its marks.
  ///   - name: The name of the change, for undo.
  ///   - presentation: How to show the change.
  package static func replacement(
    _ snapshot: Snapshot<SectionID, ItemID>, named name: String? = nil,
    presentation: Presentation = .animated
  ) -> Self {
    Self(name, presentation, .replacement(snapshot))
  }

  /// Edits the order in one step that no other write can interrupt.
  ///
  /// The edit may run several times, if others change the list meanwhile. So it must do the same
  /// each time it is given the same state, and nothing else.
  ///
  /// - Parameters:
  ///   - name: The name of the change, for undo.
  ///   - presentation: How to show the change.
  ///   - edit: Changes the snapshot. Calling `apply` or `update` from inside it throws.
  public static func edit(
    named name: String? = nil, presentation: Presentation = .animated,
    _ edit: @escaping @Sendable (inout Snapshot<SectionID, ItemID>) throws -> Void
  ) -> Self {
    Self(
      name, presentation,
      .edit { state, _, others in
        try state.edit(renamed: others.renames.inOrder, edit)
        return Contradictions()
      })
  }

  /// Expands or collapses an item of an outline.
  static func folding(_ item: ItemID, _ isExpanded: Bool, named name: String?) -> Self {
    Self(
      name, .animated,
      .edit { state, _, others in
        let item = others.renames.newName(of: item) ?? item
        state.setExpanded(isExpanded, [item])
        return Contradictions()
      })
  }

  /// Merges the preview of a drag.
  static func drop(
    _ drag: Reordering<SectionID, ItemID>, named name: String?,
    changing changes: [any DropChange<ItemID>], _ rules: DropRules<SectionID, ItemID>
  ) -> Self {
    Self(
      name, .animated,
      .edit { state, given, others in
        // The handler of a drop sees the models that others have changed.
        let (live, proposed) = (state.detached, drag.proposedSnapshot)
        let items = drag.items.compactMap { item in
          state.liveName(of: item, others.renames).map { (old: item, new: $0) }
        }
        let destination = drag.destination?.renaming {
          state.liveName(of: $0, others.renames) ?? $0
        }
        given = rules.given(drag, changes, items: items, state) {
          proposed.sectionIdentifier(containingItem: $0.old)
        }
        let merged = try state.merge(
          valid: proposed.resolved, basedOn: drag.originalSnapshot, others: others)
        // An item may be where others have put it: its model says that section.
        if items.contains(where: {
          proposed.sectionIdentifier(containingItem: $0.old)
            != state.sectionIdentifier(containingItem: $0.new)
        }) {
          given = rules.given(drag, changes, items: items, live) {
            state.sectionIdentifier(containingItem: $0.new)
          }
        }
        // The app has judged the preview, which has nothing of what others have changed.
        guard
          live.order.isIdentical(to: drag.originalSnapshot.order) || items.isEmpty
            || rules.allows(items.map(\.new), to: destination, in: state)
        else { throw DropVeto() }
        return Contradictions(merged.conflicts)
      }, base: drag.base)
  }

  /// An edit of a state in which others had already renamed and placed items when it was requested.
  package static func following(
    _ earlier: Snapshot<SectionID, ItemID>.Marks, _ edit: @escaping Edit
  ) -> Edit {
    { state, given, later in
      var all = earlier
      all.formUnion(later)
      return try edit(&state, &given, all)
    }
  }

  /// A state as this change leaves it if nobody else changes anything.
  ///
  /// - Throws: What the edit throws.
  package func edited(
    _ snapshot: Snapshot<SectionID, ItemID>
  ) throws -> Snapshot<SectionID, ItemID> {
    var (edited, given) = (snapshot, GivenContent<SectionID, ItemID>())
    _ = try edit(&edited, &given, .init())
    return edited
  }

  /// The change as an edit of a state.
  package var edit: Edit {
    switch kind {
    case .edit(let edit): edit
    case .replacement(let snapshot):
      { state, _, _ in
        state = snapshot
        return Contradictions()
      }
    }
  }
}

extension WritableListSource {
  /// Expands or collapses a row of an outline; a change like any other.
  public nonisolated func setExpanded(
    _ isExpanded: Bool, of item: ItemID, named name: String?
  ) async throws(ChildrenError<ItemID>) {
    do throws(DataSourceError) {
      try await write(.folding(item, isExpanded, named: name))
    } catch {
      throw ChildrenError(item: item, reason: .of(error))
    }
  }

  /// Edits the order of any kind of source in one step that no other write can interrupt.
  ///
  /// Models are kept. The edit may run several times, if others change the list meanwhile. So it must
  /// do the same each time it is given the same state, and nothing else.
  ///
  /// - Parameters:
  ///   - name: The name of the change, for undo.
  ///   - presentation: How to show the change.
  ///   - edit: Changes the snapshot. Calling `apply` or `update` from inside it throws.
  /// - Returns: The revision that holds the edited state, and the change if there is one.
  /// - Throws: ``DataSourceError``, as ``write(_:)`` does. Nothing changes then.
  /// - Complexity: The cost of the edit and of finding the difference to the live state.
  @discardableResult
  public nonisolated func updateOrder(
    named name: String? = nil, presentation: Presentation = .animated,
    _ edit: @escaping @Sendable (inout Snapshot<SectionID, ItemID>) throws -> Void
  ) async throws(DataSourceError) -> WriteResult<Void> {
    let made = try await write(.edit(named: name, presentation: presentation, edit))
    return WriteResult((), at: made.target, made.change)
  }

  /// Applies the snapshots of a sequence, one after another, until it ends.
  ///
  /// The next element is requested when the previous one has been applied.
  ///
  /// - Parameters:
  ///   - snapshots: The sequence. It is iterated in the caller's isolation.
  ///   - presentation: How to show the changes.
  /// - Throws: What the sequence throws, and ``DataSourceError`` if a snapshot is rejected or the task
  ///   is cancelled. What was applied before stays.
  nonisolated(nonsending) public func follow<Snapshots: AsyncSequence>(
    _ snapshots: Snapshots, presentation: Presentation = .animated
  ) async throws where Snapshots.Element == Snapshot<SectionID, ItemID> {
    for try await snapshot in snapshots {
      try await write(.replacement(snapshot, presentation: presentation))
    }
    // Many sequences end when their task is cancelled.
    guard !Task.isCancelled else { throw DataSourceError.cancelled }
  }
}
