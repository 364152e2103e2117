public import Diffable
public import Observation

/// A section of an ``ObservableList``, with its items.
@MainActor
@Observable
public final class ObservableSection<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>:
  Identifiable
{
  /// What identifies the section.
  public nonisolated let id: SectionID

  /// The items of the section, without copying them.
  public internal(set) var items: Snapshot<SectionID, ItemID>.Items

  /// The outline that these visible items belong to; `nil` for a flat list.
  ///
  /// It changes when a row, visible or hidden, is expanded or collapsed, moves, or gets another
  /// level.
  public internal(set) var outline: Outline<ItemID>?

  /// The model of the section, whatever its type.
  var anyModel: (any Equatable & Sendable)?

  init(
    id: SectionID, items: Snapshot<SectionID, ItemID>.Items, outline: Outline<ItemID>?,
    anyModel: (any Equatable & Sendable)?
  ) {
    self.id = id
    self.items = items
    self.outline = outline
    self.anyModel = anyModel
  }

  /// How the row of an item is drawn: its level, and whether its children show.
  ///
  /// It is `nil` for an item that is not in this section, and in a flat list. To expand or collapse
  /// the row, expand or collapse the item in the source.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  public func disclosure(of item: ItemID) -> Disclosure? { outline?.disclosure(of: item) }
}

extension ObservableSection where SectionID: ModelledSection {
  /// The model of the section, or `nil` if it has none.
  ///
  /// It is observed separately: a change of the section's model does not affect its items.
  public var model: SectionID.SectionModel? { anyModel as? SectionID.SectionModel }
}
