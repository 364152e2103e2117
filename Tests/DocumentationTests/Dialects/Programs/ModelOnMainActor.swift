// error: main actor-isolated conformance of 'Note' to 'Equatable' cannot satisfy conformance requirement for a 'Sendable' type parameter 'Model'
import Diffable

/* nonisolated */ struct Note: Identifiable, Equatable {
  let id: Int
}

let source = ModelSource<String, Note>()
