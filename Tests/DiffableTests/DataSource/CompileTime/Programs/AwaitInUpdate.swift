// error: no exact matches in call to instance method 'update'
// note: found candidate with type
import Diffable

func load() async -> [Int] { [] }

func edit(_ source: DataSourceActor<String, Int>) async throws {
  try await source.update { snapshot in
    try snapshot.appendItems(await load())
  }
}
