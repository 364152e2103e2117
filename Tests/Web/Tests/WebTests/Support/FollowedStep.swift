import Diffable
import DiffableSync
import DiffableTesting
import Foundation

/// A delta, and what there is to see afterwards.
///
/// Followers in all languages are tried with the same steps. Items are renamed in them, and some of the
/// identifiers that this sets free are used again at once.
struct FollowedStep: Encodable {
  struct Section: Encodable {
    let id: String
    let items: [Int]
    let rows: [Int]?

    init(_ id: String, of snapshot: Snapshot<String, Int>) {
      self.id = id
      items = Array(snapshot.items(inSection: id))
      rows = snapshot.outline(ofSection: id).map { Array($0.items) }
    }
  }

  let delta: UpdateDelta<String, Int>
  let sections: [Section]

  private init(_ batch: UpdateBatch<String, Int>) {
    delta = batch.delta
    sections = batch.snapshot.sectionIdentifiers.map { Section($0, of: batch.snapshot) }
  }

  /// The steps of a source that is edited, as JSON.
  static func text(seed: UInt64, hasOutlines: Bool) async throws -> String {
    var generator = SnapshotGenerator(seed: seed, section: { "s\($0)" }, item: { $0 })
    let source = DataSourceActor<String, Int>()
    var batches = source.updates().makeAsyncIterator()
    var steps: [FollowedStep] = []
    var shown: Revision?
    for index in 0..<80 {
      let old = await source.snapshot
      if index == 0 {
        try await source.apply(generator.snapshot(sections: 4, items: 30))
      } else if hasOutlines, index % 3 == 1 {
        let script = generator.script(editing: old, count: 1)
        try await source.update { script.apply(to: &$0) }
      } else {
        try await source.apply(generator.changing(old, changesOutlines: hasOutlines))
      }
      guard await source.revision != shown, let batch = await batches.next() else { continue }
      shown = batch.target
      steps.append(FollowedStep(batch))
    }
    return String(decoding: try JSONEncoder().encode(steps), as: UTF8.self)
  }
}
