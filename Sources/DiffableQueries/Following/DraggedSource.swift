import Diffable

/// A followed source in which rows are dragged, whatever its sections are.
protocol DraggedSource<ItemID>: Sendable {
  associatedtype ItemID: Hashable & Sendable

  /// Begins a drag; `nil` if the app does not allow it.
  ///
  /// - Parameter revision: The revision that is shown; the live one counts if it is not known.
  func beginDrag(
    of items: [ItemID], at revision: Revision?
  ) async throws(DataSourceError) -> (any BaseDrag<ItemID>)?

  /// Expands a row whose children are not loaded, and waits until they are.
  func expand(_ item: ItemID, named name: String?) async throws(ChildrenError<ItemID>)
}

/// A drag in a followed source.
protocol BaseDrag<ItemID>: Sendable {
  associatedtype ItemID: Hashable & Sendable

  /// The type of the models there, if there are any.
  var model: (any Any.Type)? { get }

  /// The index of the section of an item.
  func section(of item: ItemID) -> Int?

  /// Whether a section is a tree.
  func isTree(section: Int) -> Bool

  /// Why items cannot be moved to a place; `nil` if they can.
  func refusal(of items: [ItemID], to place: BasePlace<ItemID>) -> ReorderRefusal?

  /// Moves the items; returns the revision that shows it, or `nil` if nothing was done.
  ///
  /// - Parameters:
  ///   - items: The items of the drag, in the order that they get.
  ///   - place: The place; `nil` if only models change.
  func commit(
    _ items: [ItemID], to place: BasePlace<ItemID>?, named name: String?,
    changing changes: [any DropChange<ItemID>]
  ) async throws(DataSourceError) -> Revision?
}

/// A place in a followed source.
enum BasePlace<ItemID: Hashable & Sendable>: Sendable {
  case before(ItemID)
  case after(ItemID)
  /// At the end of a section, whose identifier has the type that the source has for them.
  case end(of: any Hashable & Sendable)
}

/// A followed source, in code that knows its types.
struct BaseSource<Base: ListSource>: DraggedSource {
  typealias ItemID = Base.ItemID

  private let source: Base

  init(_ source: Base) { self.source = source }

  func expand(_ item: Base.ItemID, named name: String?) async throws(ChildrenError<Base.ItemID>) {
    try await source.setExpanded(true, of: item, named: name)
  }

  func beginDrag(
    of items: [Base.ItemID], at revision: Revision?
  ) async throws(DataSourceError) -> (any BaseDrag<Base.ItemID>)? {
    guard let source = source as? any ReorderableListSource<Base.SectionID, Base.ItemID> else {
      return FixedBase()
    }
    do throws(DataSourceError) {
      return try await source.beginReorder(items, at: revision).map(MovableBase.init)
    } catch {
      guard case .unknownRevision = error else { throw error }
      return try await source.beginReorder(items, at: nil).map(MovableBase.init)
    }
  }
}

/// A drag in a source that cannot be changed.
private struct FixedBase<ItemID: Hashable & Sendable>: BaseDrag {
  var model: (any Any.Type)? { nil }
  func section(of item: ItemID) -> Int? { nil }
  func isTree(section: Int) -> Bool { false }
  func refusal(of items: [ItemID], to place: BasePlace<ItemID>) -> ReorderRefusal? { .readOnly }

  func commit(
    _ items: [ItemID], to place: BasePlace<ItemID>?, named name: String?,
    changing changes: [any DropChange<ItemID>]
  ) -> Revision? { nil }
}

/// A drag in a source that can be changed.
private struct MovableBase<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: BaseDrag {
  private let drag: Reordering<SectionID, ItemID>

  init(_ drag: Reordering<SectionID, ItemID>) { self.drag = drag }

  var model: (any Any.Type)? { drag.originalSnapshot.kernels.models?.type }

  func section(of item: ItemID) -> Int? { drag.originalSnapshot.itemPath(for: item)?.section }

  func isTree(section: Int) -> Bool { drag.originalSnapshot.outline(ofSectionAt: section) != nil }

  func refusal(of items: [ItemID], to place: BasePlace<ItemID>) -> ReorderRefusal? {
    var trial = drag
    trial.arrange(items)
    do throws(SnapshotError) {
      _ = try trial.proposed(to: destination(place))
      return trial.refusal
    } catch {
      // A row that is shown is not there any more.
      return .vetoed
    }
  }

  func commit(
    _ items: [ItemID], to place: BasePlace<ItemID>?, named name: String?,
    changing changes: [any DropChange<ItemID>]
  ) async throws(DataSourceError) -> Revision? {
    var drag = drag
    drag.arrange(items)
    if let place {
      try checked { () throws(SnapshotError) in _ = try drag.proposed(to: destination(place)) }
    }
    return try await drag.commit(named: name, changing: changes)?.target
  }

  private func destination(
    _ place: BasePlace<ItemID>
  ) throws(SnapshotError) -> ReorderDestination<SectionID, ItemID> {
    switch place {
    case .before(let anchor): return .before(anchor)
    case .after(let anchor): return .after(anchor)
    case .end(of: let section):
      guard let section = section as? SectionID else {
        throw .unknownSection([AnyItemID(section)])
      }
      return .end(of: section)
    }
  }
}
