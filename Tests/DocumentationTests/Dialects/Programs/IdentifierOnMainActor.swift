// error: main actor-isolated conformance of 'Shelf' to 'Hashable' cannot satisfy conformance requirement for a 'Sendable' type parameter 'SectionID'
import Diffable

/* nonisolated */ enum Shelf: Hashable {
  case read, unread
}

let source = DataSourceActor<Shelf, Int>()
