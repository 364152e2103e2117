import Diffable
import DiffableSync

/// A mirror, and a renderer that takes each of its batches.
struct Mirrored<Batch: DeltaBatch> {
  let mirror: MirrorSource<Batch>
  private var batches: AsyncStream<Batch>.Iterator

  init(_ mirror: MirrorSource<Batch>) {
    self.mirror = mirror
    batches = mirror.updates().makeAsyncIterator()
  }

  init<Section, Item>() where Batch == UpdateBatch<Section, Item> { self.init(MirrorSource()) }

  init<Section, Model>() where Batch == ModelBatch<Section, Model> { self.init(MirrorSource()) }

  /// Applies a delta; returns what the renderer gets, or `nil` if nothing has changed.
  @discardableResult mutating func apply(_ delta: Batch.Delta) async throws(DeltaError) -> Batch? {
    let before = await mirror.revision
    return try await mirror.apply(delta) == before ? nil : await batches.next()
  }

  var snapshot: Snapshot<Batch.SectionID, Batch.ItemID> { get async { await mirror.snapshot } }
  var token: ResumeToken? { get async { await mirror.resumeToken } }
}
