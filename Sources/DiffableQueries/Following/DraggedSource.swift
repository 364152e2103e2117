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

  /// The type of the models that a drop can change, those of the source that is written; `nil` if it has none.
  var model: (any Any.Type)? { get }

  /// The index of the section of an item.
  func section(of item: ItemID) -> Int?

  /// Whether a section is a tree.
  func isTree(section: Int) -> Bool

  /// Whether a place is in a tree.
  func isInTree(_ place: BasePlace<ItemID>) -> Bool

  /// Why items cannot be moved to a place; `nil` if they can.
  ///
  /// - Parameter rivals: Rows that must not be before an item afterwards.
  func refusal(
    of items: [ItemID], to place: BasePlace<ItemID>, before rivals: [RowRivals<ItemID>]
  ) -> ReorderRefusal?

  /// Moves the items; returns what that has done, or `nil` if the drag is not possible.
  ///
  /// - Parameters:
  ///   - items: The items of the drag, in the order that they get.
  ///   - place: The place; `nil` if only models change.
  func commit(
    _ items: [ItemID], to place: BasePlace<ItemID>?, named name: String?,
    changing changes: [any DropChange<ItemID>]
  ) async throws(DataSourceError) -> WriteResult<Void>?
}

/// A place in a followed source.
enum BasePlace<ItemID: Hashable & Sendable>: Sendable {
  case before(ItemID)
  case after(ItemID)
  /// At the end of a section, whose identifier has the type that the source has for them.
  case end(of: any Hashable & Sendable)
}

/// A dragged row, with rows that would be shown in its place if they were before it.
struct RowRivals<ItemID: Hashable & Sendable>: Sendable {
  let item: ItemID
  let rivals: [ItemID]
}

/// A followed source, in code that knows its types.
struct BaseSource<Base: ListSource>: DraggedSource {
  typealias ItemID = Base.ItemID

  private let source: Base

  init(_ source: Base) { self.source = source }

  func expand(_ item: Base.ItemID, named name: String?) async throws(ChildrenError<Base.ItemID>) {
    try await source.expandItem(item, named: name)
  }

  func beginDrag(
    of items: [Base.ItemID], at revision: Revision?
  ) async throws(DataSourceError) -> (any BaseDrag<Base.ItemID>)? {
    guard let source = source as? any ReorderableListSource<Base.SectionID, Base.ItemID> else {
      return FixedBase()
    }
    do throws(DataSourceError) {
      return try await source.beginReorder(items, at: revision)
    } catch {
      guard case .unknownRevision = error else { throw error }
      return try await source.beginReorder(items, at: nil)
    }
  }
}

/// A drag in a source that cannot be changed.
private struct FixedBase<ItemID: Hashable & Sendable>: BaseDrag {
  var model: (any Any.Type)? { nil }
  func section(of item: ItemID) -> Int? { nil }
  func isTree(section: Int) -> Bool { false }
  func isInTree(_ place: BasePlace<ItemID>) -> Bool { false }
  func refusal(
    of items: [ItemID], to place: BasePlace<ItemID>, before rivals: [RowRivals<ItemID>]
  ) -> ReorderRefusal? { .readOnly }

  func commit(
    _ items: [ItemID], to place: BasePlace<ItemID>?, named name: String?,
    changing changes: [any DropChange<ItemID>]
  ) -> WriteResult<Void>? { nil }
}

/// A drag in a source that can be changed.
extension Reordering: BaseDrag {
  var model: (any Any.Type)? { changeableModel }

  func section(of item: ItemID) -> Int? { originalSnapshot.itemPath(for: item)?.section }

  func isTree(section: Int) -> Bool { originalSnapshot.outline(ofSectionAt: section) != nil }

  func isInTree(_ place: BasePlace<ItemID>) -> Bool {
    switch place {
    case .before(let anchor), .after(let anchor): section(of: anchor).map(isTree) ?? false
    case .end(of: let section):
      (section as? SectionID).flatMap(originalSnapshot.outline(ofSection:)) != nil
    }
  }

  func refusal(
    of items: [ItemID], to place: BasePlace<ItemID>, before rivals: [RowRivals<ItemID>]
  ) -> ReorderRefusal? {
    var trial = self
    trial.arrange(items)
    do throws(SnapshotError) {
      _ = try trial.proposed(to: destination(place))
      return trial.refusal ?? trial.refusal(before: rivals)
    } catch {
      // A row that is shown is not there any more.
      return .vetoed
    }
  }

  /// Refuses a proposal after which a rival would be shown in place of a dragged row.
  private func refusal(before rivals: [RowRivals<ItemID>]) -> ReorderRefusal? {
    let isHidden = rivals.contains { row in
      let path = proposedSnapshot.itemPath(for: row.item)
      return row.rivals.contains { rival in
        if let path, let other = proposedSnapshot.itemPath(for: rival) {
          other < path
        } else {
          false
        }
      }
    }
    return isHidden ? .hidden : nil
  }

  func commit(
    _ items: [ItemID], to place: BasePlace<ItemID>?, named name: String?,
    changing changes: [any DropChange<ItemID>]
  ) async throws(DataSourceError) -> WriteResult<Void>? {
    var drag = self
    drag.arrange(items)
    if let place {
      try checked { () throws(SnapshotError) in _ = try drag.proposed(to: destination(place)) }
    }
    guard let made = try await drag.commit(named: name, changing: changes) else { return nil }
    return WriteResult((), at: made.target, made.change)
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
