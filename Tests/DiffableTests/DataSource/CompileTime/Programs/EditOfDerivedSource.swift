// has no member 'updateOrder'
import Diffable
import DiffableQueries

private func edit(_ list: DataSourceActor<String, Int>) async throws {
  let sorted = list.derived { $0.sorted(by: <) }
  try await sorted.updateOrder { $0.deleteItems([1]) }
}
