import Diffable
import DiffableSync
import Foundation

/// What there is to see of a list.
struct CaseSection: Codable, Equatable {
  let id: String
  let notes: [Note]

  static func all(of source: ModelSource<String, Note>) async -> [CaseSection] {
    let snapshot = await source.snapshot
    var sections: [CaseSection] = []
    for id in snapshot.sectionIdentifiers {
      var notes: [Note] = []
      for item in snapshot.items(inSection: id) {
        if let note = await source.model(for: item) { notes.append(note) }
      }
      sections.append(CaseSection(id: id, notes: notes))
    }
    return sections
  }
}

/// A list of notes, and the deltas that a follower gets of it.
struct CaseList {
  typealias Batch = ModelBatch<String, Note>

  let source: ModelSource<String, Note>
  private var batches: AsyncStream<Batch>.Iterator

  static let epoch = "AAAAAAAAAAAAAAAAAAAAAA"

  /// Lists have the same epoch, so that their tokens are the same in each run; one that begins anew has another.
  init(_ sections: KeyValuePairs<String, [String]>, epoch: String = epoch) async throws {
    let epoch = Epoch(epoch) ?? Epoch()
    source = ModelSource(options: SourceOptions(epoch: epoch))
    batches = source.updates().makeAsyncIterator()
    let sections = sections.map { ($0.key, $0.value.map { Note(id: $0, title: "title of \($0)") }) }
    try await source.update { draft in
      draft.appendSections(sections.map { $0.0 })
      for (section, notes) in sections { try draft.appendItems(notes, toSection: section) }
    }
  }

  /// What has changed since the last time; the whole state at first.
  mutating func delta() async throws -> ModelDelta<String, Note> {
    guard let batch = await batches.next() else { throw CaseFault.noBatch }
    return ModelDelta(batch)
  }

  /// What a follower proposes who has the present state and makes an edit; `nil` if it changes nothing.
  ///
  /// It has the fields that a proposal needs, and no others.
  func proposal(_ edit: CaseEdit, id: String) async throws -> String? {
    var list = try await copy()
    let before = await list.source.revision
    try await list.source.update { try edit.apply(to: &$0) }
    guard await list.source.revision != before else { return nil }
    let delta = try JSONEncoder().encode(try await list.delta())
    var fields = try JSONSerialization.jsonObject(with: delta) as? [String: Any] ?? [:]
    for name in ["target", "counts", "presentation", "placedItems", "placedSections"] {
      fields[name] = nil
    }
    var difference = fields["difference"] as? [String: Any] ?? [:]
    difference["itemReconfigures"] = nil
    fields["difference"] = difference.isEmpty ? nil : difference
    fields["id"] = id
    fields["base"] = source.token(for: await source.revision).description
    let data = try JSONSerialization.data(withJSONObject: fields, options: [.sortedKeys])
    return String(decoding: data, as: UTF8.self)
  }

  /// What the list answers to a proposal; `nil` without one.
  func answer(
    to proposal: String?,
    _ decide: @Sendable (ProposedChange<Batch>, inout Batch.Draft) throws -> Void = { _, _ in }
  ) async throws -> String? {
    guard let proposal else { return nil }
    let read = try Proposal<Batch>.read(proposal.utf8) {
      try JSONDecoder().decode(Proposal.self, from: Data($0))
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let answer = try await source.accept(read, decide)
    return String(decoding: try encoder.encode(answer), as: UTF8.self)
  }

  /// What a follower shows who has the present state and makes an edit.
  func showing(_ edit: CaseEdit) async throws -> [CaseSection] {
    let list = try await copy()
    try await list.source.update { try edit.apply(to: &$0) }
    return await CaseSection.all(of: list.source)
  }

  /// Another list with the same rows.
  private func copy() async throws -> CaseList {
    let sections = await CaseSection.all(of: source)
    var list = try await CaseList([:])
    try await list.source.update { draft in
      for section in sections {
        draft.appendSections([section.id])
        try draft.appendItems(section.notes, toSection: section.id)
      }
    }
    _ = try await list.delta()
    return list
  }
}

enum CaseFault: Error {
  case noBatch
}
