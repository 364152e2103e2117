// has no member 'undo'
import Diffable
import DiffableSync

private func takeBack(_ list: OptimisticSource<UpdateBatch<String, Int>>) async throws {
  _ = try await list.undo()
}
