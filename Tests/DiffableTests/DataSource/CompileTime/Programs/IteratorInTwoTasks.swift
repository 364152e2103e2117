// error: sending value of non-Sendable type '() async -> UpdateBatch<String, Int>?' risks causing data races
import Diffable

func share(_ source: DataSourceActor<String, Int>) async {
  var batches = source.updates().makeAsyncIterator()
  let task = Task { await batches.next() }
  _ = await batches.next()
  _ = await task.value
}
