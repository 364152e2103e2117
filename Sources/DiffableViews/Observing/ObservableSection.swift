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

  /// The items of the section, without a copy of them.
  public internal(set) var items: Snapshot<SectionID, ItemID>.Items

  init(id: SectionID, items: Snapshot<SectionID, ItemID>.Items) {
    self.id = id
    self.items = items
  }
}
