// compiles
import Diffable

@MainActor private final class Renderer {
  var shown = Snapshot<String, Int>()
  var task: Task<Void, Never>?

  func follow(_ source: DataSourceActor<String, Int>) {
    task = Task {
      for await batch in source.updates(.every(limit: 8), after: source.token(for: Revision(3))) {
        shown = batch.snapshot
        await source.delivered(batch.target)
        source.enqueueLater(shown)
      }
    }
  }
}

extension DataSourceActor {
  nonisolated func enqueueLater(_ snapshot: Snapshot<SectionID, ItemID>) {
    Task { try? await apply(snapshot, ifRevision: revision) }
  }
}

private func twoTasks(_ source: DataSourceActor<String, Int>) async {
  let stream = source.updates()
  async let first: Void = { for await _ in stream {} }()
  async let second: Void = { for await _ in stream {} }()
  _ = await (first, second)
  await source.finish()
}

private func iteratorMoves(_ source: DataSourceActor<String, Int>) async {
  var batches = source.updates().makeAsyncIterator()
  await Task { _ = await batches.next() }.value
}
