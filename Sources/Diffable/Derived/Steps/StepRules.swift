/// What a step does with the rows and sections that it is given.
struct StepRules<
  In: Hashable & Sendable, Out: Hashable & Sendable, ItemID: Hashable & Sendable
>: Sendable {
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
  /// When rows expire; never beside a test.
  var expiry: ExpiryRule?
  /// How the rows of each section become a tree; never beside a test, an order, a map or a window.
  var tree: TreeRule<ItemID>?
  /// Which rows are kept, by their index in the flat list over all sections.
  var window: Range<Int>?
  /// Never beside a map: sums are over what a step is given.
  var makeSummaries: (@Sendable () -> SectionSummaries<Out>)?
  /// The type of what it is given for a row: rules read elements from memory.
  let element: any Any.Type
  /// Equal in two steps that do the same; `nil` in one that does the same as no other.
  var identity: StepIdentity?

  init(element: any Any.Type, sections: Sections) {
    (self.element, self.sections) = (element, sections)
  }
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

/// What tells a step of a query from that of another one: its operations, and what they are called.
struct StepIdentity: Hashable, Sendable {
  private var operations: [Operation]

  /// What an operation does; two that do different things are never the same.
  enum Kind: Hashable, Sendable {
    case filter
    case omittingEmptySections
    case sort
    case group
    case window
    case sectionModels
    case expiry
    case outline(isExpanded: Bool)
    /// With the type of the models that it makes.
    case map(ObjectIdentifier)
  }

  private struct Operation: Hashable, Sendable {
    let kind: Kind
    let name: AnyItemID
  }

  /// The identity of one operation.
  init(_ kind: Kind, _ name: some Hashable & Sendable) {
    operations = [Operation(kind: kind, name: AnyItemID(name))]
  }

  /// The same for an operation that may have no name, and is the same as no other then.
  static func named(_ kind: Kind, _ name: (any Hashable & Sendable)?) -> StepIdentity? {
    name.map { StepIdentity(kind, $0) }
  }

  /// The identity of several operations; `nil` if one of them has none.
  init?(_ parts: [StepIdentity?]) {
    operations = []
    for part in parts {
      guard let part else { return nil }
      operations += part.operations
    }
  }
}
