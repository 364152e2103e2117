/// A group of siblings: the roots of a section, or the children of an item.
enum Branch<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Hashable, Sendable {
  case roots(SectionID)
  case children(ItemID)
}

/// A snapshot as a list of branches, each a section of items that are siblings.
///
/// This way the rules for flat lists apply to trees. An item that gets another parent moves to
/// another section. A hidden item is an item of a section like any other. A branch that one side
/// deleted, and the other inserted items into, stays. The branches of sections are first, in their
/// order; the order of the other branches has no meaning.
final class Branches<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  typealias Key = Branch<SectionID, ItemID>

  var list: Snapshot<Key, ItemID>
  /// The rows that have a flag.
  var flagged = IdentifierMap<ItemID, OutlineRow<ItemID>>()
  /// The branch of each item of an outline.
  var places = IdentifierMap<ItemID, Key>()
  /// The sections in their order, each with whether it is an outline.
  var kinds = IdentifierMap<SectionID, Bool>()

  /// - Complexity: O(n) for n items, hidden ones included.
  init(_ snapshot: Snapshot<SectionID, ItemID>) {
    let kernels = SnapshotKernels(
      of: Snapshot<Key, ItemID>.self, sections: ElementKernel(Key.self),
      items: snapshot.kernels.items)
    list = Snapshot(kernels)
    var roots: [(id: Key, items: [ItemID])] = []
    var children: [(id: Key, items: [ItemID])] = []
    for record in snapshot.records {
      kinds[record.id] = record.outline != nil
      guard let outline = record.outline?.value else {
        roots.append((.roots(record.id), record.items.array))
        continue
      }
      roots.append((.roots(record.id), []))
      // The ancestors of the next row, each with the branch of its children if there is one
      // already.
      var path: [(item: ItemID, branch: Int?)] = []
      outline.forEachRow(in: 0..<outline.count) { row in
        path.removeLast(path.count - Int(row.level))
        if row.isExpanded || row.hasUnloadedChildren { flagged[row.id] = row }
        if let parent = path.last {
          if parent.branch == nil {
            path[path.count - 1].branch = children.count
            children.append((.children(parent.item), []))
          }
          children[path[path.count - 1].branch ?? 0].items.append(row.id)
          places[row.id] = .children(parent.item)
        } else {
          roots[roots.count - 1].items.append(row.id)
          places[row.id] = .roots(record.id)
        }
        path.append((row.id, nil))
      }
    }
    list = Snapshot(kernels, contents: roots + children).resolved
    list.marks = snapshot.marks.translated { .roots($0) }
  }

  /// The sections in their order, and the index of each.
  private lazy var order = kinds.elements.map { $0.key }
  private lazy var indices = {
    var indices = IdentifierMap<SectionID, Int>()
    for (index, section) in order.enumerated() { indices[section] = index }
    return indices
  }()

  /// The nearest section before another one that satisfies a condition.
  ///
  /// - Complexity: O(s) for s sections the first time, and a call for each section in between.
  func section(
    before section: SectionID, where isFound: (SectionID) -> Bool
  ) -> SectionID? {
    order[..<(indices[section] ?? order.count)].last(where: isFound)
  }

  /// The section of an item of an outline.
  func section(of item: ItemID) -> SectionID? {
    var place = places[item]
    // Identifiers that break the laws of `Hashable` could be each other's ancestors.
    for _ in 0...places.count {
      guard case .children(let parent)? = place else { return place?.section }
      place = places[parent]
    }
    return nil
  }
}
