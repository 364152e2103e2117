public import Diffable

/// Another list, in which the rows of a list find partners by names.
protocol JoinPartners<Name, State>: AnyObject {
  /// What a row names.
  associatedtype Name: Hashable & Sendable
  /// The state in which partners are looked up.
  associatedtype State

  /// The last state; `nil` before there is one.
  var state: State? { get }

  /// Follows the other list.
  ///
  /// - Parameter limit: The number of its changed rows from which on everything is looked up again.
  /// - Returns: The names whose partners may show something else; `nil` if all names may.
  func follow<Section, Item>(
    _ input: StepInput<Section, Item>, atMost limit: Int
  ) throws(SnapshotError) -> [Name]?
}

/// A name is the identifier of a row of the other list.
final class RowPartners<
  SectionID: Hashable & Sendable, ItemID: Hashable & Sendable
>: JoinPartners {
  private(set) var state: Snapshot<SectionID, ItemID>?
  /// Whether what these rows show is read, not only whether they are there.
  private let areRead: Bool

  init(areRead: Bool) { self.areRead = areRead }

  func follow<Section, Item>(
    _ input: StepInput<Section, Item>, atMost limit: Int
  ) -> [ItemID]? {
    let input = input.typed(as: SectionID.self, ItemID.self)
    state = input.snapshot
    guard let change = input.change, let rows = change.rows(atMost: limit) else { return nil }
    guard areRead else { return change.comingOrGoing(rows) }
    return rows.leaving.map { change.old.row(at: $0).item() }
      + (rows.entering + rows.updated).map { input.snapshot.row(at: $0).item() }
  }
}

/// The rows of a list by what they name, each group in their order; `nil` for those that name nothing.
///
/// The order of the groups says nothing.
typealias NameGroups<Name: Hashable & Sendable, ItemID: Hashable & Sendable> =
  Snapshot<Name?, ItemID>

/// A name belongs to all rows of the other list that have it.
final class GroupPartners<
  SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Name: Hashable & Sendable
>: JoinPartners {
  typealias Groups = NameGroups<Name, ItemID>

  private var part: QueryPart<SectionID, Name?, ItemID>
  private(set) var state: Groups?

  /// - Parameters:
  ///   - element: The type of what the other list shows for a row.
  ///   - kernels: The kernels of the other list.
  init(_ keys: RowKeys<Name?>, element: any Any.Type, _ kernels: SnapshotKernels) {
    var rules = StepRules<SectionID, Name?, ItemID>(
      element: element, sections: .keyed(keys, Self.kernels(kernels)))
    rules.omitsEmptySections = true
    part = QueryPart(QueryStep(rules))
  }

  /// The kernels of the groups of a list with some kernels.
  static func kernels(_ kernels: SnapshotKernels) -> SnapshotKernels {
    SnapshotKernels(
      of: Groups.self, sections: ElementKernel(Name?.self), items: kernels.items,
      models: kernels.models)
  }

  /// Follows the other list, and returns the groups.
  func advance(
    _ input: StepInput<SectionID, ItemID>
  ) throws(SnapshotError) -> StepInput<Name?, ItemID> {
    let groups = try part.advance(input)
    state = groups.snapshot
    return groups
  }

  func follow<Section, Item>(
    _ input: StepInput<Section, Item>, atMost limit: Int
  ) throws(SnapshotError) -> [Name]? {
    let groups = try advance(input.typed(as: SectionID.self, ItemID.self))
    guard let change = groups.change, let rows = change.rows(atMost: limit) else { return nil }
    return rows.leaving.compactMap { change.old.section(at: $0.section) }
      + (rows.entering + rows.updated).compactMap { groups.snapshot.section(at: $0.section) }
  }
}

extension Snapshot {
  /// The rows of a group.
  func rows<Name>(ofGroup name: Name) -> [RowPlace] where SectionID == Name? {
    indexOfSection(name).map { places(ofSectionAt: $0) } ?? []
  }

  /// What a list shows for the rows of a group.
  @usableFromInline func elements<Name, Element>(
    ofGroup name: Name, as type: Element.Type
  ) -> [Element] where SectionID == Name? {
    withExtendedLifetime(self) { rows(ofGroup: name).map { $0.copy() } }
  }
}

extension RowPlace {
  /// A copy of what the list shows for the row.
  func copy<Element>(as type: Element.Type = Element.self) -> Element {
    element.assumingMemoryBound(to: type).pointee
  }
}
