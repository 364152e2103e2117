/// The result of a provider: children, and their models in a source of models.
struct LoadedChildren<ItemID: Hashable & Sendable>: Sendable {
  let outline: Outline<ItemID>
  let models: ModelPool?
}

/// The tasks that load children for a source with a children provider.
///
/// It is released with its source, and its tasks are then cancelled.
final class ChildrenLoading<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  /// Returns the children of an item of a state.
  typealias Provider =
    @Sendable (ItemID, Snapshot<SectionID, ItemID>) async throws -> LoadedChildren<ItemID>

  let provider: Provider
  var loads = ChildLoads<ItemID>()
  var errors = IdentifierMap<ItemID, ChildrenError<ItemID>>()
  /// Keyed by the number of the load.
  private var tasks: [Int: Task<Void, Never>] = [:]

  /// Loads with a provider that knows identifiers only, if there is one.
  convenience init?(_ provider: (@Sendable (ItemID) async throws -> Outline<ItemID>)?) {
    guard let provider else { return nil }
    self.init { item, _ in LoadedChildren(outline: try await provider(item), models: nil) }
  }

  init(provider: @escaping Provider) {
    self.provider = provider
  }

  deinit { cancelAll() }

  /// Calls the provider in a separate task, off every actor.
  func start(
    _ load: ChildLoads<ItemID>.Load, in snapshot: Snapshot<SectionID, ItemID>,
    finish:
      @escaping @Sendable (ChildLoads<ItemID>.Load, Result<LoadedChildren<ItemID>, any Error>)
      async -> Void
  ) {
    errors[load.item] = nil
    tasks[load.number] = Task.detached { [provider] in
      do {
        let children = try await provider(load.item, snapshot)
        await finish(load, .success(children))
      } catch {
        await finish(load, .failure(error))
      }
    }
  }

  func forget(_ load: ChildLoads<ItemID>.Load) {
    tasks.removeValue(forKey: load.number)?.cancel()
  }

  func cancelAll() {
    for task in tasks.values { task.cancel() }
    tasks = [:]
  }
}
