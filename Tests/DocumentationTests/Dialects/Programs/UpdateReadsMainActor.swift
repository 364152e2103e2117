// error: main actor-isolated property 'items' can not be referenced from a nonisolated context
import Diffable

final class Model {
  let source = DataSourceActor<String, Int>()
  var items = [1]

  func show() async throws {
    try await source.update { snapshot in
      try snapshot.appendItems(self.items)
    }
  }
}
