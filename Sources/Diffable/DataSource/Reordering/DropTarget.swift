/// An app's refusal of a drop, because of what others have changed.
struct DropVeto: Error {}

/// What decides about a drag, and makes the drop.
package struct DropTarget<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  /// Why items must not be moved to a destination or, without a destination, not be dragged at all.
  ///
  /// It receives the state that the list would have.
  package typealias Refusal =
    @Sendable (
      _ items: [ItemID], _ destination: ReorderDestination<SectionID, ItemID>?,
      _ proposed: Snapshot<SectionID, ItemID>
    ) -> ReorderRefusal?

  /// Makes the drop of a drag in the source; `nil` if it must not be made now.
  ///
  /// It receives the name of the change, for undo, and what else changes in the models of the items.
  /// Without a destination, the items stay and only their models change.
  package typealias Write =
    @Sendable (
      _ drag: Reordering<SectionID, ItemID>, _ name: String?, _ changes: [any DropChange<ItemID>]
    ) async throws(DataSourceError) -> Transaction<SectionID, ItemID>?

  /// The type of the models that a drop can change, those of the source that is written; `nil` if it has none.
  let model: (any Any.Type)?
  let refusal: Refusal
  let write: Write

  package init(
    model: (any Any.Type)?, refusal: @escaping Refusal, write: @escaping Write
  ) {
    (self.model, self.refusal, self.write) = (model, refusal, write)
  }

  /// A target that nothing can be dropped on.
  package static func refusing(_ refusal: ReorderRefusal) -> DropTarget {
    DropTarget(model: nil) { _, destination, _ in
      destination.map { _ in refusal }
    } write: { _, _, _ in
      nil
    }
  }
}

extension DropTarget {
  /// A source that can be changed, with what the app says about drags.
  init(_ source: any WritableListSource<SectionID, ItemID>) {
    let rules = source._access.drops
    let handlers = rules.handlers
    model = source.reader.kernels.models?.type
    refusal = { handlers.canReorder($0, $1, $2) ? nil : .vetoed }
    write = { drag, name, changes async throws(DataSourceError) in
      do throws(DataSourceError) {
        let transaction = try await source.write(.drop(drag, named: name, changing: changes, rules))
        handlers.didReorder(transaction)
        return transaction
      } catch .failed(let failure) where failure.error is DropVeto {
        return nil
      }
    }
  }
}

/// A change of the model of an item that is dropped, in a list with any sections.
package protocol DropChange<ItemID>: Sendable {
  associatedtype ItemID: Hashable & Sendable

  /// The type of the models that it can change.
  var model: any Any.Type { get }

  /// Gives the item its changed model.
  ///
  /// - Parameters:
  ///   - live: The state before the drop.
  ///   - given: The models that the drop has changed already.
  func change<SectionID: Hashable & Sendable>(
    _ item: ItemID, _ live: Snapshot<SectionID, ItemID>,
    _ given: inout GivenContent<SectionID, ItemID>
  )
}
