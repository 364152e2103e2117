// error: sending value of non-Sendable type '() async -> DataSourceActor<String, Int>.Batch?'
import Diffable

private func share(_ source: DataSourceActor<String, Int>) async {
  var batches = source.updates().makeAsyncIterator()
  let task = Task { await batches.next() }
  _ = await batches.next()
  _ = await task.value
}
