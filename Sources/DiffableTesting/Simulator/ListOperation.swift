public import Diffable

/// A call to a list view inside an update.
public enum ListOperation: Hashable, Sendable {
  /// Deletes the section at an old index.
  case deleteSection(Int)
  /// Inserts the section at a new index.
  case insertSection(Int)
  /// Moves a section from an old to a new index.
  case moveSection(Move<Int>)
  /// Reloads the section at an old index.
  case reloadSection(Int)
  /// Deletes the item at an old path.
  case deleteItem(ItemPath)
  /// Inserts the item at a new path.
  case insertItem(ItemPath)
  /// Moves an item from an old to a new path.
  case moveItem(Move<ItemPath>)
  /// Replaces the view of the item at an old path.
  case reloadItem(ItemPath)
  /// Updates the view of the item at a new path in place.
  case reconfigureItem(ItemPath)

  /// The state that a position refers to.
  package enum IndexSpace: String, Hashable, Sendable {
    /// The state that the view showed before the update.
    case old
    /// The state of the data after the update.
    case new
  }

  /// The place of a section or of an item.
  package enum Position: Hashable, Sendable, CustomStringConvertible {
    /// The index of a section.
    case section(Int)
    /// The path of an item.
    case item(ItemPath)

    /// `section 2` or `item [2, 0]`.
    package var description: String {
      switch self {
      case .section: "section \(number)"
      case .item: "item \(number)"
      }
    }

    /// `2` or `[2, 0]`.
    var number: String {
      switch self {
      case .section(let index): "\(index)"
      case .item(let path): "[\(path.section), \(path.item)]"
      }
    }

    var section: Int {
      switch self {
      case .section(let index): index
      case .item(let path): path.section
      }
    }
  }
}

extension ListOperation {
  /// What an operation does to a section or to an item.
  enum Kind {
    case delete, insert, move, reload, reconfigure
  }

  var kind: Kind {
    switch self {
    case .deleteSection, .deleteItem: .delete
    case .insertSection, .insertItem: .insert
    case .moveSection, .moveItem: .move
    case .reloadSection, .reloadItem: .reload
    case .reconfigureItem: .reconfigure
    }
  }

  /// Whether the operation replaces or updates a view without a structural change.
  var isRefresh: Bool { kind == .reload || kind == .reconfigure }

  private var positions: (old: Position?, new: Position?) {
    switch self {
    case .deleteSection(let index), .reloadSection(let index): (.section(index), nil)
    case .insertSection(let index): (nil, .section(index))
    case .moveSection(let move): (.section(move.from), .section(move.to))
    case .deleteItem(let path), .reloadItem(let path): (.item(path), nil)
    case .insertItem(let path), .reconfigureItem(let path): (nil, .item(path))
    case .moveItem(let move): (.item(move.from), .item(move.to))
    }
  }

  /// The old position in the operation, if any.
  package var oldPosition: Position? { positions.old }

  /// The new position in the operation, if any.
  package var newPosition: Position? { positions.new }

  /// The section whose items change, by its old index if there is one; `nil` if sections change.
  var sectionOfItem: Int? {
    if case .item(let path) = oldPosition ?? newPosition { path.section } else { nil }
  }
}

extension ListOperation: CustomStringConvertible {
  /// The call in words, such as `move item [0, 1] to [2, 0]`.
  public var description: String {
    switch positions {
    case (let old?, let new?): "\(kind) \(old) to \(new.number)"
    case (let old?, nil): "\(kind) \(old)"
    case (nil, let new): "\(kind) \(new.map(\.description) ?? "")"
    }
  }
}

extension [ListOperation] {
  /// The calls for a difference.
  ///
  /// If a range has positions that do not exist, only the first one on either side is called, so
  /// that an invalid difference cannot cause a billion calls.
  init(_ difference: SnapshotDifference, oldItemCounts: [Int], newItemCounts: [Int]) {
    self.init()
    func add(_ set: RangeSet<Int>, of count: Int, _ call: (Int) -> ListOperation) {
      for range in set.ranges {
        append(contentsOf: range.cut(behind: count).map(call))
      }
    }
    func add(_ set: ItemPathSet, in counts: [Int], _ call: (ItemPath) -> ListOperation) {
      for range in set.ranges {
        let count = counts.indices.contains(range.section) ? counts[range.section] : 0
        for item in range.items.cut(behind: count) {
          append(call(ItemPath(section: range.section, item: item)))
        }
      }
    }
    add(difference.sectionDeletes, of: oldItemCounts.count, ListOperation.deleteSection)
    add(difference.sectionInserts, of: newItemCounts.count, ListOperation.insertSection)
    append(contentsOf: difference.sectionMoves.map(ListOperation.moveSection))
    add(difference.sectionReloads, of: oldItemCounts.count, ListOperation.reloadSection)
    add(difference.itemDeletes, in: oldItemCounts, ListOperation.deleteItem)
    add(difference.itemInserts, in: newItemCounts, ListOperation.insertItem)
    append(contentsOf: difference.itemMoves.map(ListOperation.moveItem))
    add(difference.itemReloads, in: oldItemCounts, ListOperation.reloadItem)
    add(difference.itemReconfigures, in: newItemCounts, ListOperation.reconfigureItem)
  }
}

extension Range<Int> {
  /// The part inside `0..<count`, and the first position of the range on either side of it.
  fileprivate func cut(behind count: Int) -> [Int] {
    var indices = Array(clamped(to: 0..<count))
    if lowerBound < 0 { indices.insert(lowerBound, at: 0) }
    if upperBound > count { indices.append(Swift.max(lowerBound, count)) }
    return indices
  }
}
