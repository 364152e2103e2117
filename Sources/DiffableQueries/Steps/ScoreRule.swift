public import Diffable

/// How a step scores its rows, and what it shows for those that match.
struct ScoreRule: Sendable {
  enum Scorer: Sendable {
    /// By a text of each row.
    case text(SearchPattern, ElementText)
    /// By a function of the user.
    case rows(@Sendable (_ element: UnsafeRawPointer) -> SearchMatch?)

    var pattern: SearchPattern? { if case .text(let pattern, _) = self { pattern } else { nil } }
  }

  let scorer: Scorer
  /// How many rows of each section are kept; `nil` for all that match.
  let limit: Int?
  let rows: FoundKernels
  /// Equal if the same texts are read; `nil` if it equals no other.
  let reading: AnyItemID?

  init(_ scorer: Scorer, limit: Int?, _ rows: FoundKernels, reading: AnyItemID?) {
    (self.scorer, self.rows, self.reading) = (scorer, rows, reading)
    self.limit = limit.map { Swift.max(0, $0) }
  }

  /// The kernels of the states that are made.
  var kernels: SnapshotKernels { rows.kernels }
}

/// The kernels of a list of found rows, and how its rows are made and read.
///
/// Compiled where the types are known: where many rows match, a search takes most of its time here.
@usableFromInline struct FoundKernels: Sendable {
  /// Writes a row to uninitialised memory.
  @usableFromInline typealias Make =
    @Sendable (
      _ item: UnsafeRawPointer, _ element: UnsafeRawPointer, _ score: Double, FoundParts,
      _ digest: UInt64, _ memory: UnsafeMutableRawPointer
    ) -> Void

  let kernels: SnapshotKernels
  let make: Make
  /// The score of a row.
  let score: @Sendable (UnsafeRawPointer) -> Double

  @inlinable init<SectionID, ItemID, Element>(
    _ list: Snapshot<SectionID, ItemID>.Type, _ row: FoundRow<ItemID, Element>.Type
  ) {
    self.init(
      list.makeKernels(models: row.kernel),
      make: { item, element, score, parts, digest, memory in
        memory.assumingMemoryBound(to: row).initialize(
          to: FoundRow(
            id: item.assumingMemoryBound(to: ItemID.self).pointee,
            element.assumingMemoryBound(to: Element.self).pointee, score: score, parts,
            digest: digest))
      }, score: { $0.assumingMemoryBound(to: row).pointee.matchScore })
  }

  @usableFromInline init(
    _ kernels: SnapshotKernels, make: @escaping Make,
    score: @escaping @Sendable (UnsafeRawPointer) -> Double
  ) {
    (self.kernels, self.make, self.score) = (kernels, make, score)
  }
}
