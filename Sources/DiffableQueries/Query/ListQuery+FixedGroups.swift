public import Diffable

extension ListQuery {
  /// Groups identifiers into sections that are always there, as for models.
  public func grouped<Section, Group, Item>(
    id: (any Hashable & Sendable)? = nil,
    by section: @escaping @Sendable (Item) -> Group, sections: [Group]
  ) -> ListQuery<Input, UpdateBatch<Group, Item>>
  where Output == UpdateBatch<Section, Item>, Group: Hashable & Sendable {
    grouped(
      FixedGroups(sections), id: id, by: section, Snapshot<Group, Item>.makeKernels())
  }

  /// Groups rows into sections that are always there, with or without rows, in their own order.
  ///
  /// These are the columns of a board, for example: a card can be dragged to a column that is empty.
  ///
  /// ```swift
  /// cards.derived { query in
  ///   query.grouped(by: \.column, sections: Column.allCases)
  ///     .onMove { card, column in card.column = column }
  /// }
  /// ```
  ///
  /// Rows of other sections are left out. Otherwise it is like a grouping with an order. Operations after
  /// it keep the sections that they leave without rows, unless they say otherwise.
  ///
  /// - Parameters:
  ///   - id: Equal for operations that group rows in the same way; `nil` if it equals no other.
  ///   - section: The section of a model.
  ///   - sections: All sections, in their order.
  /// - Complexity: O(n + s) keys for n rows and s sections when the query is set, two for each row that
  ///   changes afterwards.
  public func grouped<Section, Group, Model>(
    id: (any Hashable & Sendable)? = nil,
    by section: @escaping @Sendable (Model) -> Group, sections: [Group]
  ) -> ListQuery<Input, ModelBatch<Group, Model>>
  where Output == ModelBatch<Section, Model>, Group: Hashable & Sendable {
    grouped(
      FixedGroups(sections), id: id, by: section,
      Snapshot<Group, Model.ID>.makeKernels(models: ElementKernel(models: Model.self)))
  }

  private func grouped<Grouped: ListBatch>(
    _ groups: FixedGroups<Grouped.SectionID>, id: (any Hashable & Sendable)?,
    by section: @escaping @Sendable (Output.Element) -> Grouped.SectionID,
    _ kernels: SnapshotKernels
  ) -> ListQuery<Input, Grouped> where Grouped.ItemID == Output.ItemID {
    let id = id.map { FixedName(name: AnyItemID($0), groups: groups.inOrder) }
    return filter(.groupMembers, id) { groups.contains(section($0)) }
      .keyed(
        RowKeys(Output.Element.self, section, groups.areInOrder), always: groups.inOrder,
        .named(.group, id), kernels)
  }
}

/// Groups that are always there, each once, with their order.
private struct FixedGroups<Group: Hashable & Sendable>: Sendable {
  let inOrder: [Group]
  private var places = IdentifierMap<Group, Int>()

  init(_ groups: [Group]) {
    inOrder = IdentifierSet(groups).inOrder
    for (place, group) in inOrder.enumerated() { places[group] = place }
  }

  func contains(_ group: Group) -> Bool { places[group] != nil }

  @Sendable func areInOrder(_ left: Group, _ right: Group) -> Bool {
    if let left = places[left], let right = places[right] { left < right } else { false }
  }
}

/// The name of a grouping with all its groups.
private struct FixedName<Group: Hashable & Sendable>: Hashable, Sendable, CustomStringConvertible {
  let name: AnyItemID
  let groups: [Group]

  var description: String { name.shownName }
}
