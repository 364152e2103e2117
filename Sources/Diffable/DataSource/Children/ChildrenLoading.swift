/// What a source with a children provider keeps to load children.
///
/// Its tasks are cancelled when it goes, and it goes with the source.
final class ChildrenLoading<ItemID: Hashable & Sendable> {
  let provider: @Sendable (ItemID) async throws -> Outline<ItemID>
  var loads = ChildLoads<ItemID>()
  var errors = IdentifierMap<ItemID, ChildrenError<ItemID>>()
  /// By the number of the load.
  private var tasks: [Int: Task<Void, Never>] = [:]

  init(provider: @escaping @Sendable (ItemID) async throws -> Outline<ItemID>) {
    self.provider = provider
  }

  deinit { cancelAll() }

  /// Asks the provider in a task of its own, away from every actor.
  func start(
    _ load: ChildLoads<ItemID>.Load,
    finish:
      @escaping @Sendable (ChildLoads<ItemID>.Load, Result<Outline<ItemID>, any Error>) async ->
      Void
  ) {
    errors[load.item] = nil
    tasks[load.number] = Task.detached { [provider] in
      do {
        let children = try await provider(load.item)
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
