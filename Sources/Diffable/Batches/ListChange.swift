/// A single change of a list; see ``ListBatch/changes``.
///
/// Indices and paths are valid at the moment of the change: after all changes before it, and before
/// all changes after it.
public indirect enum ListChange<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>:
  Hashable, Sendable
{
  /// A section is deleted, with the items that are left in it.
  case deleteSection(SectionID, at: Int)
  /// A section is inserted, with its items.
  case insertSection(SectionID, items: [ItemID], at: Int)
  /// A section moves: it is removed at one index and inserted at another.
  case moveSection(SectionID, from: Int, to: Int)
  /// The header of a section, or the whole section, shows something else.
  case updateSection(SectionID, at: Int)
  /// An item is deleted.
  case deleteItem(ItemID, at: ItemPath)
  /// An item is inserted.
  case insertItem(ItemID, at: ItemPath)
  /// An item moves: it is removed at one path and inserted at another.
  case moveItem(ItemID, from: ItemPath, to: ItemPath)
  /// An item receives another identifier.
  case renameItem(from: ItemID, to: ItemID, at: ItemPath)
  /// An item shows something else.
  case updateItem(ItemID, at: ItemPath)
}

extension ListChange: CustomStringConvertible {
  /// The change in the notation of ``SnapshotDifference/description``, with the identifier.
  public var description: String {
    switch self {
    case .deleteSection(let section, let index): "-§\(index) \(section)"
    case .insertSection(let section, let items, let index):
      "+§\(index) \(section)[\(items.map { "\($0)" }.joined(separator: " "))]"
    case .moveSection(let section, let from, let to): "§\(from)→\(to) \(section)"
    case .updateSection(let section, let index): "~§\(index) \(section)"
    case .deleteItem(let item, let path): "-\(path) \(item)"
    case .insertItem(let item, let path): "+\(path) \(item)"
    case .moveItem(let item, let from, let to): "\(from)→\(to) \(item)"
    case .renameItem(let from, let to, let path): "⇝\(path) \(from)⇝\(to)"
    case .updateItem(let item, let path): "~\(path) \(item)"
    }
  }
}

extension ListBatch {
  /// The changes in an order in which they can be made one by one.
  ///
  /// Apply them to arrays of your own, for example, or to a database.
  ///
  /// ```swift
  /// for change in batch.changes {
  ///   switch change {
  ///   case .insertItem(let id, at: let path): lists[path.section].insert(id, at: path.item)
  ///   case .deleteItem(_, at: let path): lists[path.section].remove(at: path.item)
  ///   // … and so on for the other kinds.
  ///   }
  /// }
  /// ```
  ///
  /// A batch from scratch deletes all sections of the previous state, if there was one, and inserts
  /// the sections of the new one. In a ``ModelBatch``, ``ModelBatch/model(for:)`` and
  /// ``ModelBatch/previousModel(for:)`` return what an item shows and has shown.
  ///
  /// - Complexity: O(c) edits of a snapshot for c changes or ranges of changes.
  public var changes: [ListChange<SectionID, ItemID>] {
    var changes: [ListChange<SectionID, ItemID>] = []
    var state = update.previousSnapshot ?? Snapshot()
    for stage in update.stages(for: .sequential) {
      if stage.isReset {
        changes = .init(replacing: state, by: stage.snapshot)
      } else {
        changes.append(making: stage.difference, from: state, to: stage.snapshot)
      }
      state = stage.snapshot
    }
    return changes
  }
}

extension Array {
  /// Deletes all of one state and inserts all of another.
  fileprivate init<SectionID, ItemID>(
    replacing old: Snapshot<SectionID, ItemID>, by new: Snapshot<SectionID, ItemID>
  ) where Element == ListChange<SectionID, ItemID> {
    self = []
    for (index, section) in old.sectionIdentifiers.enumerated().reversed() {
      append(.deleteSection(section, at: index))
    }
    for (index, section) in new.sectionIdentifiers.enumerated() {
      append(.insertSection(section, items: [ItemID](new.items(inSectionAt: index)), at: index))
    }
  }

  /// Adds the changes of one operation on adjacent elements.
  ///
  /// Deletes are ordered from the back, inserts from the front.
  fileprivate mutating func append<SectionID, ItemID>(
    making difference: SnapshotDifference, from old: Snapshot<SectionID, ItemID>,
    to new: Snapshot<SectionID, ItemID>
  ) where Element == ListChange<SectionID, ItemID> {
    func section(_ index: Int, _ change: (SectionID, Int) -> Element) -> Element? {
      new.sectionIdentifier(at: index).map { change($0, index) }
    }
    func item(_ path: ItemPath, _ change: (ItemID, ItemPath) -> Element) -> Element? {
      new.itemIdentifier(for: path).map { change($0, path) }
    }
    if !difference.itemRenames.isEmpty {
      // These paths are valid before the operation, so they are old paths.
      let map = PositionMap(difference)
      for path in difference.itemRenames {
        guard let origin = map.oldPath(forNew: path), let from = old.itemIdentifier(for: origin),
          let to = new.itemIdentifier(for: path)
        else { continue }
        append(.renameItem(from: from, to: to, at: origin))
      }
    }
    for index in difference.sectionDeletes.ranges.joined().reversed() {
      guard let id = old.sectionIdentifier(at: index) else { continue }
      append(.deleteSection(id, at: index))
    }
    for path in difference.itemDeletes.reversed() {
      guard let id = old.itemIdentifier(for: path) else { continue }
      append(.deleteItem(id, at: path))
    }
    for move in difference.itemMoves {
      item(move.to) { id, _ in .moveItem(id, from: move.from, to: move.to) }.map { append($0) }
    }
    self += difference.itemInserts.compactMap { item($0) { .insertItem($0, at: $1) } }
    for move in difference.sectionMoves {
      section(move.to) { id, _ in .moveSection(id, from: move.from, to: move.to) }
        .map { append($0) }
    }
    self += difference.sectionInserts.ranges.joined().compactMap { index in
      section(index) {
        .insertSection($0, items: [ItemID](new.items(inSectionAt: index)), at: $1)
      }
    }
    let sections = difference.sectionReloads.union(difference.sectionReconfigures)
    self += sections.ranges.joined().compactMap { section($0) { .updateSection($0, at: $1) } }
    // Such an operation changes nothing else, so old and new paths are equal.
    for paths in [difference.itemReloads, difference.itemReconfigures] {
      self += paths.compactMap { item($0) { .updateItem($0, at: $1) } }
    }
  }
}
