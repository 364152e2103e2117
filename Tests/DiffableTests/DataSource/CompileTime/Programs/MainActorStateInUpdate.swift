// error: main actor-isolated property 'items' can not be referenced from a nonisolated context
import Diffable

@MainActor private final class Model {
  var items = [1]

  func show(in source: DataSourceActor<String, Int>) async throws {
    try await source.update { snapshot in
      try snapshot.appendItems(items)
    }
  }
}
