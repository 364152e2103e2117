// error: actor-isolated property 'snapshot' can not be referenced from a nonisolated context
import Diffable

private func count(_ source: DataSourceActor<String, Int>) -> Int {
  source.snapshot.numberOfItems
}
