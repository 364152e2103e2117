/// The place where dragged items would be dropped.
public enum ReorderDestination<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>:
  Hashable, Sendable
{
  /// Before another item, in its section.
  case before(ItemID)
  /// After another item, in its section.
  case after(ItemID)
  /// Below an item of an outline, after its other children.
  case into(ItemID)
  /// At the end of a section.
  case end(of: SectionID)
}

extension ReorderDestination {
  /// The same place where items have other names.
  func renaming(_ name: (ItemID) -> ItemID) -> Self {
    switch self {
    case .before(let item): .before(name(item))
    case .after(let item): .after(name(item))
    case .into(let item): .into(name(item))
    case .end: self
    }
  }
}

/// An app's handlers for the reordering of its list by the user.
public struct ReorderingHandlers<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>:
  Sendable
{
  /// Whether items may be moved to a destination or, without a destination, be dragged at all.
  ///
  /// It receives the state that the list would have. It is called when a drag begins, for every proposed
  /// place, and before a drop is committed: by the task of the drag, which can run on the main actor, with
  /// what the drag started from. If others have changed the list meanwhile, the source calls it once more
  /// during the drop, with what the drop would make of the list now, and the names that items have there.
  public var canReorder: CanReorder

  /// Returns whether some items may be dragged to a destination, given the state that would result.
  public typealias CanReorder =
    @Sendable (
      _ items: [ItemID], _ destination: ReorderDestination<SectionID, ItemID>?,
      _ proposed: Snapshot<SectionID, ItemID>
    ) -> Bool

  /// Called for each drop that was made, by the task that committed it.
  ///
  /// To change models with the drop, see `dropHandler` of a ``ModelSource``.
  public var didReorder: @Sendable (Transaction<SectionID, ItemID>) -> Void

  /// Creates the handlers; by default everything may be reordered.
  public init(
    canReorder: @escaping CanReorder = { _, _, _ in true },
    didReorder: @escaping @Sendable (Transaction<SectionID, ItemID>) -> Void = { _ in }
  ) {
    self.canReorder = canReorder
    self.didReorder = didReorder
  }
}

/// What an app says about the drags of a source.
package struct DropRules<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  /// The app's handlers.
  let handlers: ReorderingHandlers<SectionID, ItemID>
  /// What a model becomes when its item is dropped in a section.
  private let dropping: ModelDropping<SectionID>?

  /// Creates the rules of a source whose drops may change models, if there is a handler for that.
  package init(
    _ handlers: ReorderingHandlers<SectionID, ItemID>,
    _ models: ModelHandlers<SectionID> = ModelHandlers()
  ) {
    (self.handlers, dropping) = (handlers, models.dropping)
  }

  /// Whether the app allows a drop that would lead to a state.
  func allows(
    _ items: [ItemID], to destination: ReorderDestination<SectionID, ItemID>?,
    in state: Snapshot<SectionID, ItemID>
  ) -> Bool {
    destination == nil || handlers.canReorder(items, destination, state)
  }

  /// The models that a drop changes.
  ///
  /// - Parameters:
  ///   - items: The dragged items, and their names in the live state.
  ///   - live: The state before the drop.
  ///   - section: The section of an item after the drop.
  func given(
    _ drag: Reordering<SectionID, ItemID>, _ changes: [any DropChange<ItemID>],
    items: [(old: ItemID, new: ItemID)], _ live: Snapshot<SectionID, ItemID>,
    section: (_ item: (old: ItemID, new: ItemID)) -> SectionID?
  ) -> GivenContent<SectionID, ItemID> {
    var given = GivenContent<SectionID, ItemID>()
    for item in items {
      if let dropping, drag.destination != nil, let section = section(item) {
        live.withModel(of: item.new) { model in
          guard let model = model?.first else { return }
          dropping.drop(model, section) { given.set(item.new, model: $0, live.kernels) }
        }
      }
      for change in changes { change.change(item.new, live, &given) }
    }
    return given
  }
}
