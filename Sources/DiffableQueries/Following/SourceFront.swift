import Diffable

/// Combines the followed sources into the input of the query.
protocol SourceFront<SectionID, ItemID>: AnyObject {
  associatedtype SectionID: Hashable & Sendable
  associatedtype ItemID: Hashable & Sendable

  /// What combines the sources, as users write it; `nil` if there is one, and nothing to do.
  var operation: String? { get }

  /// How often the combined state was worked out from scratch.
  var beginnings: Int { get }

  /// Updates the combined state after a change of one of the sources.
  ///
  /// - Returns: The input of the query; `nil` if some source has no state yet. It may be the same as before.
  func advance<Section, Item>(
    _ input: StepInput<Section, Item>, ofFeed index: Int
  ) throws(SnapshotError) -> StepInput<SectionID, ItemID>?

  /// The rows of the combined state that a batch of one of the sources gives other identifiers.
  ///
  /// Asked before ``advance(_:ofFeed:)``.
  func renames<Section, Item>(
    in batch: UpdateBatch<Section, Item>, ofFeed index: Int
  ) -> [ItemRename<ItemID>]

  /// What is unconfirmed in the combined state of the sources; it may have some of these rows only.
  func unconfirmedItems(of feeds: [any Feed]) -> Set<ItemID>

  /// The last result, as the input of steps that have not been computed; `nil` before that.
  var present: StepInput<SectionID, ItemID>? { get }
}

// Mostly, rows are those of the first source.
extension SourceFront {
  func renames<Section, Item>(
    in batch: UpdateBatch<Section, Item>, ofFeed index: Int
  ) -> [ItemRename<ItemID>] {
    index == 0 ? batch.renames(as: ItemID.self) : []
  }

  func unconfirmedItems(of feeds: [any Feed]) -> Set<ItemID> { feeds[0].unconfirmedItems() }
}

/// A single source, unchanged.
final class OneSource<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: SourceFront {
  private var state: Snapshot<SectionID, ItemID>?
  var operation: String? { nil }
  var beginnings: Int { 0 }

  func advance<Section, Item>(
    _ input: StepInput<Section, Item>, ofFeed index: Int
  ) -> StepInput<SectionID, ItemID>? {
    let input = input.typed(as: SectionID.self, ItemID.self)
    state = input.snapshot
    return input
  }

  var present: StepInput<SectionID, ItemID>? { state.map { StepInput($0, .same) } }
}

extension UpdateBatch {
  /// The rows that have other identifiers now, where the index of a feed determines their type.
  func renames<Item>(as _: Item.Type) -> [ItemRename<Item>] {
    let shown = renamedRows
    guard !baseRenames.isEmpty else { return shown as? [ItemRename<Item>] ?? [] }
    // A query before this one hides these, or has hidden them. A row that it has shown only under a name
    // in between has its first name here.
    let hidden = baseRenames.filter {
      !snapshot.containsItem($0.old) && previousSnapshot?.containsItem($0.new) != true
    }
    let names = IdentifierSet(hidden.map(\.new))
    return (hidden + shown.filter { !names.contains($0.new) }) as? [ItemRename<Item>] ?? []
  }
}

extension ItemRename {
  /// The same of a row that is identified otherwise.
  func map<Other>(_ transform: (ItemID) -> Other) -> ItemRename<Other> {
    ItemRename<Other>(old: transform(old), new: transform(new))
  }
}

extension StepInput {
  /// The same input, where the index of a feed determines its types.
  func typed<Section, Item>(as _: Section.Type, _: Item.Type) -> StepInput<Section, Item> {
    guard let input = self as? StepInput<Section, Item> else {
      preconditionFailure("the input of another source")
    }
    return input
  }
}

/// Two lists merged into one, before a query.
///
/// Sections of the first list are first. A section that both have is one section, with the rows of
/// the first list before those of the second. A row that both have is placed where the first list
/// has it, and shows the element of the first list.
final class SourceMerge<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: SourceFront {
  private let step: QueryStep<SectionID, SectionID, ItemID>
  private var front: QueryPart<SectionID, SectionID, ItemID>
  private var states: [Snapshot<SectionID, ItemID>?] = [nil, nil]

  /// - Parameter element: The type of what both show for a row.
  init(element: any Any.Type) {
    step = QueryStep(StepRules(element: element, sections: .same(SameSections())))
    front = QueryPart(step)
  }

  var operation: String? { "merged(with:)" }
  var beginnings: Int { step.beginnings }

  /// Those of each list, as far as its row is the one that is shown.
  func unconfirmedItems(of feeds: [any Feed]) -> Set<ItemID> {
    let (first, second): (Set<ItemID>, Set<ItemID>) =
      (feeds[0].unconfirmedItems(), feeds[1].unconfirmedItems())
    func isOfFirst(_ item: ItemID) -> Bool { states[0]?.itemPath(for: item) != nil }
    return first.filter(isOfFirst).union(second.filter { !isOfFirst($0) })
  }

  func advance<Section, Item>(
    _ input: StepInput<Section, Item>, ofFeed index: Int
  ) throws(SnapshotError) -> StepInput<SectionID, ItemID>? {
    let input = input.typed(as: SectionID.self, ItemID.self)
    states[index] = input.snapshot
    guard let other = states[1 - index] else { return nil }
    step.other = OtherInput(snapshot: other, isFirst: index == 1)
    defer { step.other = nil }
    return try front.advance(input)
  }

  func renames<Section, Item>(
    in batch: UpdateBatch<Section, Item>, ofFeed index: Int
  ) -> [ItemRename<ItemID>] {
    // A row that the other source shows under one of the names is not renamed in the merged list.
    let other = states[1 - index]
    return batch.renames(as: ItemID.self).filter { rename in
      other?.itemPath(for: rename.old) == nil && other?.itemPath(for: rename.new) == nil
    }
  }

  var present: StepInput<SectionID, ItemID>? { front.present }
}
