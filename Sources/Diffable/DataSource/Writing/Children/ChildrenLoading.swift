/// What a provider has answered: children, and their models in a source of models.
struct LoadedChildren<ItemID: Hashable & Sendable>: Sendable {
  let outline: Outline<ItemID>
  let models: ModelPool?
}

/// What a source with a children provider keeps to load children.
///
/// Its tasks are cancelled when it goes, and it goes with the source.
final class ChildrenLoading<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  /// Answers the children of an item of a state.
  typealias Provider =
    @Sendable (ItemID, Snapshot<SectionID, ItemID>) async throws -> LoadedChildren<ItemID>

  let provider: Provider
  var loads = ChildLoads<ItemID>()
  var errors = IdentifierMap<ItemID, ChildrenError<ItemID>>()
  /// By the number of the load.
  private var tasks: [Int: Task<Void, Never>] = [:]

  /// Loads by a provider that knows identifiers alone, if there is one.
  convenience init?(_ provider: (@Sendable (ItemID) async throws -> Outline<ItemID>)?) {
    guard let provider else { return nil }
    self.init { item, _ in LoadedChildren(outline: try await provider(item), models: nil) }
  }

  init(provider: @escaping Provider) {
    self.provider = provider
  }

  deinit { cancelAll() }

  /// Asks the provider in a task of its own, away from every actor.
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
