// has no member 'undo'
import Diffable

private func takeBack(_ list: some WritableListSource<String, Int>) async throws {
  _ = try await list.undo()
}
