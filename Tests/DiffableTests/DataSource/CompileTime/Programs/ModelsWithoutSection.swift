// error: 'apply(_:presentation:ifRevision:)' is unavailable: name the section of each model, as in 'section: \.folder', or make the list a 'ModelSource<SingleSection, …>'
import Diffable

private struct Note: Identifiable, Equatable {
  let id: Int
}

private func show(_ notes: [Note], in source: ModelSource<String, Note>) async throws {
  try await source.apply(notes)
}
