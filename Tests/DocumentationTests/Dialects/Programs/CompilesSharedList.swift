// compiles
import Diffable
import DiffableSync

nonisolated struct SharedNote: Identifiable, Equatable, Codable {
  let id: Int
  var folder: String
}

@MainActor final class SharedNotes {
  let source: ReplicatedSource<ModelBatch<String, SharedNote>>
  var notes: [SharedNote] = []

  init(_ source: ReplicatedSource<ModelBatch<String, SharedNote>>) { self.source = source }

  func save() async throws {
    try await source.apply(notes, section: { $0.folder })
    try await source.apply(notes, section: \.folder, sections: ["Inbox"])
  }

  func delete(_ note: Int) async throws {
    let shown: any WritableListSource<String, Int> = await source.optimistic()
    try await shown.updateOrder { $0.deleteItems([note]) }
  }
}
