import Diffable

/// What a step does with the rows and sections of its input.
struct StepRules<
  In: Hashable & Sendable, Out: Hashable & Sendable, ItemID: Hashable & Sendable
>: Sendable {
  /// The sections of the rows.
  enum Sections: Sendable {
    /// Rows stay in their sections.
    case same(SameSections<In, Out>)
    /// Rows are grouped into sections by a key.
    case keyed(RowKeys<Out>, SnapshotKernels)
  }

  var test: RowTest?
  var order: RowOrder?
  /// Whether rows that the order does not distinguish are in the order of their ranks.
  var isRanked = false
  var sections: Sections
  /// The groups that there are, with or without rows, if they do not follow from the rows.
  var fixedSections: [Out]?
  /// Whether sections without rows are left out.
  var omitsEmptySections = false
  var map: (rows: RowMap, kernels: SnapshotKernels)?
  /// The expiry of rows; never together with a test.
  var expiry: ExpiryRule?
  /// How rows become trees; never together with a test, an order, a map or a window.
  var tree: TreeRule<ItemID>?
  var window: RowWindow?
  /// Makes what finds the rows with equal keys, of which only the first is kept; never together
  /// with a test, an order, a map or a window.
  var makeDistinction: (@Sendable () -> RowDistinction<ItemID>)?
  /// Never together with a map: sums are over the input of a step.
  var makeSummaries: (@Sendable () -> SectionSummaries<Out>)?
  /// The type of what the input has for a row: rules read elements from memory.
  let element: any Any.Type

  init(element: any Any.Type, sections: Sections) {
    (self.element, self.sections) = (element, sections)
  }
}

extension StepRules where Out == SingleSection {
  /// Shows all rows in one section, which is left out if there are none.
  ///
  /// - Parameter input: The kernels of the input.
  init(element: any Any.Type, joiningSectionsOf input: SnapshotKernels) {
    let keys = RowKeys<SingleSection>(
      groups: { rows in rows.isEmpty ? [] : [RowGroup(section: SingleSection(), rows: rows)] },
      areInOrder: { _, _ in false })
    let kernels = SnapshotKernels(
      of: Snapshot<SingleSection, ItemID>.self, sections: ElementKernel(SingleSection.self),
      items: input.items, models: input.models)
    self.init(element: element, sections: .keyed(keys, kernels))
    omitsEmptySections = true
  }
}

/// The rows that a window keeps, by their index in the flat list over all sections.
enum RowWindow: Hashable, Sendable {
  case positions(Range<Int>)
  case last(Int)

  /// The rows that are kept of a number of rows.
  func indices(among count: Int) -> Range<Int> {
    switch self {
    case .positions(let positions): positions.clamped(to: 0..<count)
    case .last(let length): Swift.max(0, count - length)..<count
    }
  }
}

/// Proof that two types of section identifiers are one; only the maker of the rules knows it.
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

/// A relation between keys and members: which identifiers belong to which others.
struct IdentifierRelation<Key: Hashable & Sendable, Member: Hashable & Sendable>: Sendable {
  private var members = IdentifierMap<Key, IdentifierSet<Member>>()

  /// - Complexity: expected O(1), given good hashes.
  mutating func insert(_ member: Member, for key: Key) {
    members.change(key, default: IdentifierSet()) { $0.insert(member) }
  }

  /// - Complexity: The same as ``insert(_:for:)``.
  mutating func remove(_ member: Member, for key: Key) {
    guard var rest = members[key] else { return }
    // The set must have a single holder, so that it is edited in place.
    members[key] = nil
    rest.remove(member)
    if !rest.isEmpty { members[key] = rest }
  }

  /// The members of a key, in insertion order.
  subscript(key: Key) -> [Member] { members[key]?.inOrder ?? [] }
}
