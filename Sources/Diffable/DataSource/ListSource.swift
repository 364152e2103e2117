/// A list that goes through revisions and that any number of renderers may follow.
///
/// ``DataSourceActor`` is a source of identifiers, ``ModelSource`` a source of models. Every source
/// has the operations that are declared here. ``WritableListSource`` adds those of sources that can
/// be changed. A `ListController`, and with it every list view, can follow any source.
///
/// Only this package makes sources.
public protocol ListSource<SectionID, ItemID>: AnyObject, Sendable, CustomDebugStringConvertible {
  /// What identifies sections.
  associatedtype SectionID: Hashable & Sendable = Batch.SectionID
  /// What identifies items.
  associatedtype ItemID: Hashable & Sendable = Batch.ItemID
  /// What the list shows for an item: its identifier, or its model.
  associatedtype Element: Sendable = Batch.Element where Element == Batch.Element
  /// The batches that subscribers receive, one after another.
  associatedtype Batch: ListBatch<SectionID, ItemID>

  /// Access to the source for this package, without waiting for it.
  ///
  /// Public, as every requirement of a public protocol; only this package uses it.
  nonisolated var _access: _SourceAccess<SectionID, ItemID> { get }

  /// The current state and its revision, read together.
  ///
  /// - Complexity: O(1) in a source that is written to or receives what others write. One that shows
  ///   another source follows it first, see `DerivedSource`.
  var current: (snapshot: Snapshot<SectionID, ItemID>, revision: Revision) { get async }

  /// Expands or collapses a row of an outline, as the user of a renderer wants.
  ///
  /// A renderer knows the row and what the user wants of it. Other code reads better with
  /// ``expandItem(_:named:)`` and ``collapseItem(_:named:)``.
  ///
  /// If the children are loaded on demand, expanding waits until they are loaded.
  ///
  /// - Parameters:
  ///   - isExpanded: What the user wants.
  ///   - item: An item of an outline; any other item is ignored.
  ///   - name: The name of the change for undo, if the source supports undo.
  /// - Throws: ``ChildrenError`` if the source has finished or the children cannot be loaded. The
  ///   row is unchanged then.
  func setExpanded(
    _ isExpanded: Bool, of item: ItemID, named name: String?
  ) async throws(ChildrenError<ItemID>)
}

package typealias SourceAccess = _SourceAccess

/// What this package uses of any source without waiting for it.
///
/// Public, since `_access` is a requirement of a public protocol.
public struct _SourceAccess<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  /// What the source has published.
  let reader: RevisionReader<SectionID, ItemID>
  /// What the app says about drags.
  package let drops: DropRules<SectionID, ItemID>

  package init(
    _ reader: RevisionReader<SectionID, ItemID>,
    _ drops: DropRules<SectionID, ItemID> = DropRules(ReorderingHandlers())
  ) {
    (self.reader, self.drops) = (reader, drops)
  }
}

extension ListSource {
  package nonisolated var reader: RevisionReader<SectionID, ItemID> { _access.reader }

  /// What a state of this source shows for an item, or `nil` if the item does not exist.
  ///
  /// - Complexity: The same as ``Snapshot/itemPath(for:)``.
  public static func element(
    for item: ItemID, in snapshot: Snapshot<SectionID, ItemID>
  ) -> Element? {
    Batch.element(for: item, in: snapshot)
  }

  /// The current state: the rows, their sections and their outlines.
  ///
  /// - Complexity: That of ``current``.
  nonisolated(nonsending) public var snapshot: Snapshot<SectionID, ItemID> {
    get async { await current.snapshot }
  }

  /// The revision of the current state.
  ///
  /// - Complexity: That of ``current``.
  nonisolated(nonsending) public var revision: Revision {
    get async { await current.revision }
  }

  /// What the list shows for an item, its identifier or its model; `nil` if the item does not exist.
  ///
  /// - Complexity: That of ``current``, and O(log n) for n items, given a good hash.
  nonisolated(nonsending) public func element(for item: ItemID) async -> Element? {
    Self.element(for: item, in: await snapshot)
  }

  /// What the list shows, row by row, as one state has it.
  ///
  /// - Complexity: That of ``current``, and O(n · log n) for n visible items, given a good hash.
  nonisolated(nonsending) public var elements: [Element] {
    get async {
      let state = await snapshot
      return state.itemIdentifiers.compactMap { Self.element(for: $0, in: state) }
    }
  }

  /// Expands a row of an outline, and waits until its children are loaded.
  ///
  /// - Parameters:
  ///   - item: An item of an outline; any other item is ignored.
  ///   - name: The name of the change for undo, if the source supports undo.
  /// - Throws: As ``setExpanded(_:of:named:)``.
  nonisolated(nonsending) public func expandItem(
    _ item: ItemID, named name: String? = nil
  ) async throws(ChildrenError<ItemID>) {
    try await setExpanded(true, of: item, named: name)
  }

  /// Collapses a row of an outline.
  ///
  /// - Parameters:
  ///   - item: An item of an outline; any other item is ignored.
  ///   - name: The name of the change for undo, if the source supports undo.
  /// - Throws: As ``setExpanded(_:of:named:)``.
  nonisolated(nonsending) public func collapseItem(
    _ item: ItemID, named name: String? = nil
  ) async throws(ChildrenError<ItemID>) {
    try await setExpanded(false, of: item, named: name)
  }

  /// The changes, as batches that lead from one state to the next.
  ///
  /// Each call makes a new subscriber, starting now. The first batch shows the current state from
  /// scratch, or starts at the state that `after` names. Each further batch starts at the revision
  /// where the previous one ended. It is computed when the subscriber requests it, as the policy
  /// says, so a subscriber never lags by more than the policy allows. A batch that spans several
  /// revisions carries the marks of all of them and the strongest presentation; each dropped
  /// duplicate is listed once. An item whose model was changed by several revisions is reconfigured
  /// once. It is not reconfigured if the changes cancel out.
  ///
  /// The stream ends when the source finishes or is released, after the last state has been
  /// delivered. It ends at once when the waiting task is cancelled. To end it earlier, leave the
  /// loop or release the stream.
  ///
  /// - Parameters:
  ///   - policy: How to serve a subscriber that cannot keep up.
  ///   - token: The state that the subscriber already shows: the token of the last batch that it
  ///     showed. If the history does not have that state, the first batch shows the live state from
  ///     scratch. This covers a token of another epoch, of a revision that is no longer or not yet
  ///     in the history, and text that is not a token.
  /// - Returns: A stream for one task at a time. Two tasks that share it take turns.
  /// - Complexity: O(1). A batch of one revision is delivered as its writer computed it. A longer
  ///   one costs finding the difference, once for all subscribers that request the same one.
  public nonisolated func updates(
    _ policy: UpdatePolicy = .coalesced, after token: ResumeToken? = nil
  ) -> AsyncStream<Batch> {
    reader.subscribe(policy, after: token).stream
  }

  /// Waits until every current subscriber has received a revision.
  ///
  /// Received does not mean shown: a subscriber has shown a batch when it requests the next one.
  /// This does not wait for subscribers that have not requested a batch yet, that end, or whose own
  /// task is the waiting one. So it is safe to wait inside the loop over the batches. If the loop
  /// starts a child task and waits for it, the child must not wait for a later revision: it would
  /// wait for the loop, and the loop for it. Returns early when the source finishes or the waiting
  /// task is cancelled.
  ///
  /// A derived source is a subscriber only while a subscriber of its own waits for a batch. So it
  /// is safe to wait inside the loop over the batches of a derived source, too. To wait for the
  /// subscribers of a derived source, call this method of that source.
  ///
  /// - Parameter revision: The revision to wait for, for example the result of
  ///   ``EditableListSource/apply(_:presentation:ifRevision:)``. It may be a future revision.
  /// - Complexity: O(k) for k subscribers, and O(1) for each batch taken in the meantime.
  public nonisolated func delivered(_ revision: Revision) async {
    await reader.hub.settled(revision)
  }

  /// What changed between two revisions: order, content, and the marks of those in between.
  ///
  /// - Parameters:
  ///   - base: The revision to start from. If it is the later one, the result is the inverse.
  ///   - target: The revision to end at.
  /// - Returns: The difference, or `nil` if the history does not have both revisions.
  /// - Complexity: O(1) from a revision to the next, otherwise the cost of finding the difference,
  ///   off the main executor.
  public nonisolated func difference(
    from base: Revision, to target: Revision
  ) async -> SnapshotDifference? {
    await reader.difference(from: base, to: target)
  }

  /// The epoch of this source and of its tokens.
  ///
  /// - Complexity: O(1).
  public nonisolated var epoch: Epoch { reader.hub.epoch }

  /// The name of a revision outside the process.
  ///
  /// A batch has the token of the state that it leads to, see ``UpdateBatch/token``.
  ///
  /// - Parameter revision: A revision of this source, which need not be in the history. In a
  ///   `ReplicatedSource` it must be: otherwise the token names no state.
  /// - Complexity: O(1).
  public nonisolated func token(for revision: Revision) -> ResumeToken {
    reader.hub.token(for: revision)
  }

  /// The revision that a token names.
  ///
  /// Pass it to ``EditableListSource/merge(_:basedOn:named:presentation:)``,
  /// ``EditableListSource/apply(_:presentation:ifRevision:)`` and everything else that takes a
  /// revision.
  ///
  /// - Returns: `nil` if the token belongs to another source or another epoch, if the history does
  ///   not have the revision, or if the text is not a token.
  /// - Complexity: O(1).
  public nonisolated func revision(for token: ResumeToken) -> Revision? {
    reader.hub.revision(for: token)
  }
}

extension ListSource where SectionID: ModelledSection {
  /// The model of a section, or `nil` if it has none or does not exist.
  ///
  /// In a derived source it is the model that the base has, or the one that the query makes.
  ///
  /// - Complexity: That of ``current``, and O(log s) for s sections, given a good hash.
  nonisolated(nonsending) public func sectionModel(
    for section: SectionID
  ) async -> SectionID.SectionModel? {
    await snapshot.sectionModel(of: section)
  }
}

extension ListSource {
  /// The state of a revision, or `nil` if the history does not have it.
  ///
  /// - Complexity: O(1).
  public nonisolated func snapshot(at revision: Revision) -> Snapshot<SectionID, ItemID>? {
    reader.snapshot(at: revision)
  }

  /// The newest published state, for callers that cannot wait for the actor.
  ///
  /// - Complexity: O(1).
  package nonisolated var publishedSnapshot: Snapshot<SectionID, ItemID> { reader.snapshot }

  /// The metrics of the source so far.
  ///
  /// - Complexity: O(k) for k subscribers.
  public nonisolated var metrics: DataSourceMetrics { reader.hub.metrics }

  /// A summary of the state of the source, for debugging.
  ///
  /// It shows the live revision, what undo and redo would revert, the sections with their first
  /// items, the subscribers and the metrics.
  ///
  /// - Complexity: O(k) for k subscribers; only the shown part of the list is read.
  public nonisolated var debugDescription: String {
    reader.hub.summary { live in
      let snapshot = Snapshot<SectionID, ItemID>(live)
      return (0..<min(snapshot.numberOfSections, 10)).map { index in
        let items = snapshot.items(inSectionAt: index)
        let more = items.count > 8 ? " … \(items.count - 8) more" : ""
        let shown = items.prefix(8).map { "\($0)" }.joined(separator: " ")
        return "  \(snapshot.order[index].id)[\(shown)\(more)]"
      }
    }
  }

  /// The current number of subscribers and of waiting tasks.
  package nonisolated var population: Population {
    reader.hub.population
  }
}
