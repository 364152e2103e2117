/// The tasks that load children for a source with a children provider.
///
/// It follows each change of the source at once. So a load is running only if its children have been
/// wanted in every state since it was started, and a late answer replaces nothing that a writer has
/// set.
///
/// It is released with its source, and its tasks are then cancelled.
package final class ChildrenLoading<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  /// Children, and their models in a source of models.
  typealias Loaded = (outline: Outline<ItemID>, given: GivenContent<SectionID, ItemID>)

  /// Returns the children of an item of a state.
  typealias Provider =
    @Sendable (ItemID, Snapshot<SectionID, ItemID>) async throws -> Loaded

  /// What a provider has returned or thrown for a load.
  typealias Answer = (load: ChildLoads<ItemID>.Load, result: Result<Loaded, any Error>)

  /// The answers to all loads, for the source; they end with this object.
  let answers: AsyncStream<Answer>
  private let answering: AsyncStream<Answer>.Continuation
  private let provider: Provider
  private var loads = ChildLoads<ItemID>()
  private var errors = IdentifierMap<ItemID, ChildrenError<ItemID>>()
  /// Keyed by the number of the load.
  private var tasks: [Int: Task<Void, Never>] = [:]

  /// Loads with a provider that knows identifiers only, if there is one.
  convenience init?(_ provider: (@Sendable (ItemID) async throws -> Outline<ItemID>)?) {
    guard let provider else { return nil }
    self.init { item, _ in (try await provider(item), .init()) }
  }

  init(provider: @escaping Provider) {
    self.provider = provider
    (answers, answering) = AsyncStream.makeStream()
  }

  deinit {
    cancelAll()
    answering.finish()
  }

  /// Starts the loads that a state wants, and cancels those that it does not.
  ///
  /// - Parameters:
  ///   - renames: The items that have other names since the last call.
  ///   - former: The state at the last call.
  func follow(
    _ snapshot: Snapshot<SectionID, ItemID>, _ renames: ItemRenames<ItemID> = ItemRenames(),
    since former: @autoclosure () -> Snapshot<SectionID, ItemID>? = nil
  ) {
    // Identifiers are compared while no access to a property is exclusive.
    var next = loads
    let change = next.follow(snapshot.loadingItems, renames)
    swap(&loads, &next)
    for rename in errors.isEmpty ? [] : renames.inOrder {
      // An identifier in both states names the same item, whatever was said.
      guard let error = errors[rename.old], !snapshot.containsItem(rename.old),
        former()?.containsItem(rename.new) != true
      else { continue }
      setError(nil, of: rename.old)
      setError(ChildrenError(item: rename.new, reason: error.reason), of: rename.new)
    }
    for load in change.cancelled { forget(load) }
    for load in change.started {
      setError(nil, of: load.item)
      tasks[load.number] = Task.detached { [provider, answering] in
        do {
          let children = try await provider(load.item, snapshot)
          answering.yield((load, .success(children)))
        } catch {
          answering.yield((load, .failure(error)))
        }
      }
    }
  }

  /// Ends a load that was answered.
  ///
  /// - Returns: The item by its present name; `nil` if its children are no longer wanted.
  func end(_ load: ChildLoads<ItemID>.Load) -> ItemID? {
    forget(load)
    var next = loads
    let item = next.end(load)
    swap(&loads, &next)
    return item
  }

  /// Why the children of an item were not loaded; `nil` after they are requested again.
  func error(of item: ItemID) -> ChildrenError<ItemID>? { errors[item] }

  func setError(_ error: ChildrenError<ItemID>?, of item: ItemID) {
    guard error != nil || !errors.isEmpty else { return }
    var next = errors
    next[item] = error
    swap(&errors, &next)
  }

  /// Notes why the children of an item were not loaded; what was noted of items that are gone ends.
  ///
  /// - Complexity: O(e · log n) for e items of n whose children were not loaded.
  func note(_ error: ChildrenError<ItemID>, in snapshot: Snapshot<SectionID, ItemID>) {
    var next = IdentifierMap<ItemID, ChildrenError<ItemID>>()
    for (item, error) in errors.elements where snapshot.containsItem(item) { next[item] = error }
    next[error.item] = error
    swap(&errors, &next)
  }

  func cancelAll() {
    loads = ChildLoads()
    for task in tasks.values { task.cancel() }
    tasks = [:]
  }

  private func forget(_ load: ChildLoads<ItemID>.Load) {
    tasks.removeValue(forKey: load.number)?.cancel()
  }
}

/// The items whose children are being loaded, without any concurrency.
///
/// The wanted loads follow from the live state alone: the children of items that are expanded but
/// not loaded. So an edit needs no extra call to load something, to cancel a load or to try again.
struct ChildLoads<ItemID: Hashable & Sendable> {
  /// One request to the provider.
  struct Load: Hashable, Sendable {
    let item: ItemID
    let number: Int
  }

  private var loads = IdentifierMap<ItemID, Load>()
  private var count = 0

  /// The requests that have not been answered.
  var running: [Load] { loads.elements.map(\.value) }

  /// Follows the state: starts newly wanted loads and cancels those no longer wanted.
  ///
  /// - Parameters:
  ///   - wanted: The items whose children are wanted, each once.
  ///   - renames: The items that have other names since the last call. Their loads go on.
  mutating func follow(
    _ wanted: [ItemID], _ renames: ItemRenames<ItemID> = ItemRenames()
  ) -> (started: [Load], cancelled: [Load]) {
    var next = IdentifierMap<ItemID, Load>()
    var started: [Load] = []
    for item in wanted {
      let former = loads[item] == nil ? renames.oldName(of: item) ?? item : item
      if let load = loads[former] {
        loads[former] = nil
        next[item] = Load(item: item, number: load.number)
      } else {
        count += 1
        let load = Load(item: item, number: count)
        next[item] = load
        started.append(load)
      }
    }
    let cancelled = running
    loads = next
    return (started, cancelled)
  }

  /// Ends a load.
  ///
  /// - Returns: The item, which may have another name by now; `nil` if the load is no longer wanted.
  mutating func end(_ load: Load) -> ItemID? {
    guard let item = running.first(where: { $0.number == load.number })?.item else { return nil }
    loads[item] = nil
    return item
  }
}

/// Why the children of an item were not loaded, or why it was not expanded or collapsed.
///
/// If the provider has failed, the item is collapsed again.
public struct ChildrenError<ItemID: Hashable & Sendable>: Error {
  /// The item whose children were wanted.
  public let item: ItemID
  /// What happened.
  public let reason: Reason

  /// Why a request for children failed.
  public enum Reason: Sendable {
    /// The provider threw this.
    case provider(any Error)
    /// The provider returned children that are not valid in their place.
    case invalidChildren(SnapshotError)
    /// The source rejected the change, or has finished since.
    case source(DataSourceError)
    /// The item was collapsed or deleted in the meantime, or the waiting task was cancelled.
    case cancelled
  }

  /// Creates an error.
  package init(item: ItemID, reason: Reason) {
    self.item = item
    self.reason = reason
  }
}

extension ChildrenError: CustomStringConvertible {
  /// A sentence that says whose children were not loaded, and why.
  public var description: String {
    let fault =
      switch reason {
      case .provider(let error): "\(error)"
      case .invalidChildren(let error): error.description
      case .source(let error): "\(error)"
      case .cancelled: "They are no longer needed."
      }
    return "The children of “\(item)” were not loaded: \(fault)"
  }
}

extension ChildrenError.Reason {
  /// The error for something that an update threw.
  package static func of(_ error: any Error) -> Self {
    switch error {
    case let error as SnapshotError: .invalidChildren(error)
    case DataSourceError.invalidSnapshot(let error): .invalidChildren(error)
    case let error as DataSourceError: .source(error)
    default: .provider(error)
    }
  }
}

extension EditableListSource {
  /// Expands an item and waits until its children are loaded, or collapses it.
  ///
  /// If nothing has to be loaded, it returns at once. Otherwise the children provider is called, as
  /// when the item is expanded in any other way, unless it is already loading these children.
  /// If the waiting task is cancelled, it stops waiting but the provider goes on, since other tasks may
  /// want the children too. Collapsing the item cancels the provider.
  ///
  /// - Throws: ``ChildrenError`` if the provider throws or returns children that are invalid there,
  ///   the item is collapsed or deleted in the meantime, the source rejects changes or finishes, or the
  ///   waiting task is cancelled.
  public func setExpanded(
    _ isExpanded: Bool, of item: ItemID, named name: String?
  ) async throws(ChildrenError<ItemID>) {
    try await setExpanded(isExpanded, of: item, named: name, by: nil)
  }

  /// - Parameter author: Who wants it, if undo is to know that.
  func setExpanded(
    _ isExpanded: Bool, of item: ItemID, named name: String?, by author: String?
  ) async throws(ChildrenError<ItemID>) {
    let expanded: Revision
    do {
      expanded = try core.update(named: name, by: author, presentation: .animated) { state, _ in
        state.setExpanded(isExpanded, [item])
      }.revision
    } catch {
      throw ChildrenError(item: item, reason: .of(error))
    }
    guard isExpanded, let children = core.children else { return }
    // Whoever observes a change may make another one at once.
    var item = liveName(of: item, at: expanded)
    guard core.snapshot.isLoading(item) else { return }
    // From this revision on, so that no later name is missed.
    let changes: Subscription<UpdateBatch> = reader.subscribe(
      after: core.hub.token(for: core.revision))
    for await batch in changes.stream {
      item = batch.renamedRows.first { $0.old == item }?.new ?? item
      guard !batch.snapshot.isLoading(item) else { continue }
      if let error = children.error(of: liveName(of: item, at: batch.target)) { throw error }
      guard batch.snapshot.isExpanded(item) else {
        throw ChildrenError(item: item, reason: .cancelled)
      }
      return
    }
    // The stream has ended, with the wait or with the source.
    throw ChildrenError(item: item, reason: Task.isCancelled ? .cancelled : .source(.finished))
  }

  /// The identifier that an item of a revision has in the live state.
  private func liveName(of item: ItemID, at revision: Revision) -> ItemID {
    // An identifier in both states names the same item, whatever was said.
    guard let name = core.renames(since: revision).newName(of: item),
      !core.snapshot.containsItem(item)
    else { return item }
    return name
  }

  /// Why the children of an item were not loaded; `nil` after they are requested again.
  ///
  /// For writers that expand items in an update. A renderer can read it when an item collapses by
  /// itself.
  ///
  /// - Complexity: O(1).
  public func childrenError(of item: ItemID) -> ChildrenError<ItemID>? {
    core.children?.error(of: item)
  }

  /// Inserts loaded children as they arrive, until the source is released.
  nonisolated func insertChildren(
    from answers: AsyncStream<ChildrenLoading<SectionID, ItemID>.Answer>
  ) {
    Task.detached { [weak self] in
      for await answer in answers { await self?.insertChildren(from: answer) }
    }
  }

  /// Inserts loaded children, or collapses the item again.
  func insertChildren(from answer: ChildrenLoading<SectionID, ItemID>.Answer) {
    guard !core.isFinished else { return }
    // The change is opened first: a write that is enqueued comes before it, and may set other children.
    guard (try? core.begin(ifRevision: nil, isCancellable: false)) != nil else { return }
    guard let item = core.children?.end(answer.load) else { return core.abandon(nil) }
    let elapsed = core.hub.startTimer()
    var refused: DataSourceError?
    do {
      let (commit, kind) = try setChildren(of: item, to: answer.result, &refused)
      core.end(commit, .animated, kind: kind, duration: elapsed())
    } catch {
      core.abandon(error as? DataSourceError)
    }
    // Whoever observes it may make another change.
    if let refused { _ = core.refusing(refused) }
  }

  /// Sets the children of an item in a change that was opened, or collapses the item.
  ///
  /// That is one change: between two, a write that is enqueued would find the item expanded, so its children
  /// would be requested again, and the reason would be forgotten. Undo of a collapse would also request them
  /// again, and the next failure would be the next change to undo. So a collapse is nothing to undo.
  private func setChildren(
    of item: ItemID, to result: Result<ChildrenLoading<SectionID, ItemID>.Loaded, any Error>,
    _ refused: inout DataSourceError?
  ) throws -> (commit: LiveState<SectionID, ItemID>.Commit?, kind: RevisionKind) {
    let reason: ChildrenError<ItemID>.Reason
    switch result {
    case .success(let loaded):
      do {
        let commit = try core.live.update(duplicates: core.duplicates) { snapshot, given in
          try snapshot.insertItems(loadedChildrenOf: item, loaded.outline)
          given = loaded.given
        }
        return (commit, .change(name: nil))
      } catch {
        refused = error as? DataSourceError
        reason = .of(error)
      }
    case .failure(let error): reason = .provider(error)
    }
    core.children?.note(ChildrenError(item: item, reason: reason), in: core.snapshot)
    let commit = try core.live.update(duplicates: core.duplicates) { snapshot, _ in
      snapshot.collapseItems([item])
    }
    return (commit, .nothing)
  }
}
