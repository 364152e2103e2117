/// What every source is: the live state, who may change it, its revisions and its end.
///
/// An actor owns one and is its only user. The core is not `Sendable`, so the compiler proves that it
/// stays inside the actor that made it; it needs no isolation of its own, and no lock. What other
/// tasks need of a source, the hub and the engine, is `Sendable` and held by the actor besides.
///
/// It is a class, although nobody shares it: code of the user runs inside a change, and may read the
/// state before the change by way of `assumeIsolated`. A struct would be accessed exclusively as a
/// whole; here only ``live`` is.
///
/// Every write takes the same way: ``begin(ifRevision:)`` checks, the engine makes a commit of the
/// live state or throws, ``end(_:_:)`` publishes the commit. Between the two nothing suspends.
final class SourceCore<
  SectionID: Hashable & Sendable, ItemID: Hashable & Sendable,
  Content: SourceContent<SectionID, ItemID>
> {
  typealias Live = LiveState<SectionID, ItemID, Content>
  typealias Engine = LiveEngine<SectionID, ItemID, Content>

  /// The live order, as it was before the change that is under way.
  private(set) var snapshot: Snapshot<SectionID, ItemID>
  /// The live content, as it was before the change that is under way.
  private(set) var content: Content
  /// The number of the live state.
  private(set) var revision: Revision

  /// The same state, with what it takes to replace it.
  ///
  /// Accessed exclusively while it changes, so nothing that code of the user can reach in the
  /// meantime may read it.
  private var live: Live
  /// A change is under way, and code of the user may run inside it.
  private var isWriting = false
  private var isFinished = false
  private let duplicates: DuplicatePolicy
  let hub: Hub
  let engine: Engine

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - initial: The first order. If it is not empty, it is revision 1.
  ///   - content: The content of that.
  ///   - duplicates: What to do with an identifier that stands twice in a snapshot.
  ///   - history: The number of revisions that are kept besides the live one.
  ///   - engine: What is compiled for the identifiers.
  init(
    _ initial: Snapshot<SectionID, ItemID>, content: Content, duplicates: DuplicatePolicy,
    history: Int, engine: Engine
  ) throws(SnapshotError) {
    self.engine = engine
    self.duplicates = duplicates
    var live = Live()
    let empty = TypedRevisionState<SectionID, ItemID, Content>.empty
    let commit = try engine.apply(&live, initial, content, duplicates).get()
    self.live = live
    // Not the live snapshot itself: its lookup table is edited in place and must have one holder.
    snapshot = commit?.snapshot ?? Snapshot()
    self.content = live.content
    revision = .empty
    hub = Hub(historyLength: history, empty: empty)
    if let commit {
      revision = revision.next
      hub.publish(commit, presentation: .reset)
    }
  }

  deinit {
    // Whoever drops the source may be the main actor: what is large is released by a task.
    hub.perform(hub.close(), releasing: .elsewhere)
    let remains = Handover((live, snapshot, content))
    let weight = snapshot.numberOfItems + snapshot.numberOfSections
    live = Live()
    snapshot = Snapshot()
    content = Content()
    bury(remains, weight: weight)
  }

  /// Replaces the whole state.
  ///
  /// - Returns: The revision that holds the state: a new one, or the live one if nothing changed.
  func apply(
    _ snapshot: consuming Snapshot<SectionID, ItemID>, content: Content,
    presentation: Presentation, ifRevision expected: Revision?
  ) throws(DataSourceError) -> Revision {
    try begin(ifRevision: expected)
    let commit: Live.Commit?
    do throws(SnapshotError) {
      commit = try engine.apply(&live, snapshot, content, duplicates).get()
    } catch {
      end(nil, presentation)
      throw .invalidSnapshot(error)
    }
    return end(commit, presentation)
  }

  /// Edits the live state in one step.
  ///
  /// Afterwards ``revision`` is the one that holds the edited state: a new one, or the one before if
  /// nothing changed.
  ///
  /// - Returns: What the edit returns.
  func update<Result>(
    presentation: Presentation,
    _ edit: sending (inout Snapshot<SectionID, ItemID>, inout Content) throws -> sending Result
  ) throws -> sending Result {
    try begin(ifRevision: nil)
    var commit: Live.Commit?
    defer { end(commit, presentation) }
    var result: Result?
    commit = try engine.update(&live, duplicates) { result = try edit(&$0, &$1) }
    guard let result else {
      preconditionFailure("The engine ended an update without calling the edit or throwing")
    }
    return result
  }

  /// Ends the source: changes throw from now on, and streams end.
  ///
  /// Asked for from inside a change, the end comes after it.
  func finish() {
    isFinished = true
    if !isWriting { hub.perform(hub.finish(), releasing: .elsewhere) }
  }

  /// Opens a change, if one may be made.
  private func begin(ifRevision expected: Revision?) throws(DataSourceError) {
    guard !isWriting else { throw .reentrant }
    guard !isFinished else { throw .finished }
    guard !Task.isCancelled else { throw .cancelled }
    if let expected, expected != revision {
      throw .conflict(expected: expected, actual: revision)
    }
    isWriting = true
  }

  /// Closes a change and makes it known, once nothing is accessed exclusively any longer.
  ///
  /// - Parameter commit: What changed; `nil` if nothing did.
  /// - Returns: The live revision.
  @discardableResult
  private func end(_ commit: Live.Commit?, _ presentation: Presentation) -> Revision {
    isWriting = false
    if let commit {
      // The history still holds the state that goes, so that nothing is released in between.
      snapshot = commit.snapshot
      content = commit.content
      revision = revision.next
      hub.publish(commit, presentation: presentation)
    }
    let reached = revision
    if isFinished { finish() }
    return reached
  }
}

extension Hub {
  /// Publishes a change that was made to the live state.
  func publish<SectionID, ItemID, Content>(
    _ commit: LiveState<SectionID, ItemID, Content>.Commit, presentation: Presentation,
    kind: RevisionKind = .change(name: nil)
  ) {
    let hasNotes =
      !commit.marks.isEmpty || !commit.droppedItems.isEmpty || !commit.droppedSections.isEmpty
    self.commit(
      state: TypedRevisionState(
        snapshot: commit.snapshot, content: commit.content, difference: commit.difference),
      notes: hasNotes
        ? TypedRevisionNotes<SectionID, ItemID>(
          marks: commit.marks, droppedItems: commit.droppedItems,
          droppedSections: commit.droppedSections) : nil,
      presentation: presentation, kind: kind)
  }
}
