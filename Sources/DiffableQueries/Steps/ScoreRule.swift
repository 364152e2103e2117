import Diffable

/// How a step scores its rows, and what it shows for those that match.
struct ScoreRule: Sendable {
  enum Scorer: Sendable {
    /// By a text of each row.
    case text(SearchPattern, @Sendable (_ element: UnsafeRawPointer) -> String)
    /// By a function of the user.
    case rows(@Sendable (_ element: UnsafeRawPointer) -> SearchMatch?)

    var pattern: SearchPattern? { if case .text(let pattern, _) = self { pattern } else { nil } }
  }

  let scorer: Scorer
  /// How many rows of each section are kept; `nil` for all that match.
  let limit: Int?
  /// Writes what is shown for a row to uninitialised memory.
  let make: @Sendable (RowPlace, SearchMatch, UnsafeMutableRawPointer) -> Void
  /// The score of what is shown for a row.
  let score: @Sendable (UnsafeRawPointer) -> Double
  /// The kernels of the states that are made.
  let kernels: SnapshotKernels
  /// Equal if the same texts are read; `nil` if it equals no other.
  let reading: AnyItemID?
}

extension ScoreRule {
  init<ID: Hashable & Sendable, Element: Equatable & Sendable>(
    _ scorer: Scorer, limit: Int?, _ row: FoundRow<ID, Element>.Type, _ kernels: SnapshotKernels,
    reading: AnyItemID?
  ) {
    (self.scorer, self.kernels, self.reading) = (scorer, kernels, reading)
    self.limit = limit.map { Swift.max(0, $0) }
    make = { place, match, memory in
      let element = place.element.assumingMemoryBound(to: Element.self).pointee
      memory.assumingMemoryBound(to: row).initialize(to: row.init(id: place.item(), element, match))
    }
    score = { $0.assumingMemoryBound(to: row).pointee.match.score }
  }
}
