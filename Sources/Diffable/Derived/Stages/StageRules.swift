/// What a stage does with the rows and sections that it is given.
struct StageRules<In: Hashable & Sendable, Out: Hashable & Sendable>: Sendable {
  /// Where rows go.
  enum Sections: Sendable {
    /// They stay in their sections.
    case same(SameSections<In, Out>)
    /// In sections by a key.
    case keyed(RowKeys<Out>, SnapshotKernels)
  }

  var test: RowTest?
  var order: RowOrder?
  var sections: Sections
  /// Whether sections without rows are left out.
  var omitsEmptySections = false
  var map: (rows: RowMap, kernels: SnapshotKernels)?
  /// Which rows are kept, by their index in the flat list over all sections.
  var window: Range<Int>?
  /// Never beside a map: sums are over what a stage is given.
  var makeSummaries: (@Sendable () -> SectionSummaries<Out>)?
  /// Equal in two stages that do the same; `nil` in one that does the same as no other.
  var identity: StageIdentity?
}

/// That two types of section identifiers are one, where only whoever makes the rules knows.
struct SameSections<In, Out>: Sendable {
  let output: @Sendable (In) -> Out
  let input: @Sendable (Out) -> In
}

extension SameSections where In == Out {
  init() {
    output = { $0 }
    input = { $0 }
  }
}

/// What tells a stage of a query from that of another one: the identities of its operations.
struct StageIdentity: Hashable, Sendable {
  private var operations: [AnyItemID]

  init(_ operation: some Hashable & Sendable) { operations = [AnyItemID(operation)] }

  /// The identity of several operations; `nil` if one of them has none.
  init?(_ parts: [StageIdentity?]) {
    operations = []
    for part in parts {
      guard let part else { return nil }
      operations += part.operations
    }
  }
}
