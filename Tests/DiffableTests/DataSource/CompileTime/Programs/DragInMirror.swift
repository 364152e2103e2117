// has no member 'beginReorder'
import Diffable
import DiffableSync

private func drag(_ list: MirrorSource<UpdateBatch<String, Int>>) async throws {
  _ = try await list.beginReorder([1])
}
