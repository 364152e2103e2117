import Diffable

/// How a delta changes a list, once it is certain that the delta fits.
///
/// Everything is checked before anything is changed. So the state needs no copy, which would share
/// its lookup table.
///
/// - Complexity: O(c · log n) to make for c changes among n items.
struct DeltaPlan<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  typealias Delta = UpdateDelta<SectionID, ItemID>

  let delta: Delta
  /// The changes of the delta, with each renamed item as a deletion and an insertion.
  let difference: SnapshotDifference
  let positions: PositionMap
  /// The old places of items that leave them, in sections that stay.
  let leaving: ItemPathSet
  /// The items that enter sections that stay, ascending, by new section.
  private(set) var entering: [Int: [(index: Int, item: ItemID)]] = [:]
  /// The changed outlines, by new section.
  var outlines: [Int: OutlineChange] = [:]
  /// The sections that are inserted or moved, by new index, ascending.
  private(set) var sectionArrivals: [SectionArrival] = []
  /// Items that the delta gives a place, whether they had one before or not.
  private(set) var arrivals = IdentifierSet<ItemID>()

  /// The old state, without its lookup table, which has a single holder while it is edited.
  let old: Snapshot<SectionID, ItemID>

  enum OutlineChange {
    case list
    case whole(Outline<ItemID>)
    case spliced(Outline<ItemID>.Spliced, [RowSplice<ItemID>])
  }

  struct SectionArrival {
    let index: Int
    let id: SectionID
    /// What a new section holds; `nil` for a moved section.
    let rows: Delta.Rows?
  }

  init(_ delta: Delta, on state: Snapshot<SectionID, ItemID>) throws(DeltaError) {
    self.delta = delta
    old = state.detached
    let after = try delta.checkPositions(in: SnapshotDifference.Extent(state.base))
    difference = delta.difference.replacingRenames
    positions = PositionMap(difference)
    leaving = ItemPathSet(
      sorting: difference.itemDeletes.ranges
        + difference.itemMoves.map {
          .init(section: $0.from.section, items: $0.from.item..<$0.from.item + 1)
        })
    if changesOrder {
      try gatherEntering()
      try gatherSections()
      try gatherOutlines(after)
      try gatherArrivals()
      try checkHomes(in: state)
    }
    try checkCounts()
  }

  /// Whether the delta does more than change models and mark what stays; most do not.
  var changesOrder: Bool { difference.isStructural || !difference.outlineChanges.isEmpty }

  private mutating func gatherEntering() throws(DeltaError) {
    var next = 0
    for path in delta.difference.itemInserts {
      entering[path.section, default: []].append((path.item, delta.items[next]))
      next += 1
    }
    try gatherRenames()
    for move in difference.itemMoves {
      guard let item = old.itemIdentifier(for: move.from) else {
        throw .misfit(reason: "there is no item to move at \(move.from)")
      }
      entering[move.to.section, default: []].append((move.to.item, item))
    }
    for section in entering.keys { entering[section]?.sort { $0.index < $1.index } }
  }

  /// Inserts each renamed item under its new name.
  private mutating func gatherRenames() throws(DeltaError) {
    guard !delta.difference.itemRenames.isEmpty else { return }
    var names = IdentifierMap<ItemID, ItemID>()
    for rename in delta.renamedItems { names[rename.old] = rename.new }
    let origins = PositionMap(delta.difference)
    for path in delta.difference.itemRenames {
      guard let origin = origins.oldPath(forNew: path),
        let item = old.itemIdentifier(for: origin), let name = names[item]
      else { throw .misfit(reason: "the item at \(path) is renamed, but has no new identifier") }
      entering[path.section, default: []].append((path.item, name))
    }
  }

  private mutating func gatherSections() throws(DeltaError) {
    var ids = IdentifierSet<SectionID>()
    let indices = delta.difference.sectionInserts.ranges.joined()
    for (index, section) in zip(indices, delta.sections) {
      let isThere = old.indexOfSection(section.id).map { !isDeleted($0) } ?? false
      guard ids.insert(section.id), !isThere else {
        throw .duplicateSections([AnyItemID(section.id)])
      }
      sectionArrivals.append(.init(index: index, id: section.id, rows: section.rows))
    }
    for move in delta.difference.sectionMoves {
      guard let id = old.sectionIdentifier(at: move.from) else {
        throw .misfit(reason: "there is no section to move at \(move.from)")
      }
      sectionArrivals.append(.init(index: move.to, id: id, rows: nil))
    }
    sectionArrivals.sort { $0.index < $1.index }
  }

  func isDeleted(_ section: Int) -> Bool { delta.difference.sectionDeletes.contains(section) }

  /// Collects all items that get a place, each once.
  private mutating func gatherArrivals() throws(DeltaError) {
    var twice: [AnyItemID] = []
    func add(_ item: ItemID, to arrivals: inout IdentifierSet<ItemID>) {
      if !arrivals.insert(item) { twice.append(AnyItemID(item)) }
    }
    for section in delta.sections {
      for item in section.rows.items { add(item, to: &arrivals) }
    }
    for (section, items) in entering where !isOutline(newSection: section) {
      for (_, item) in items { add(item, to: &arrivals) }
    }
    for outline in outlines.values {
      switch outline {
      case .list: break
      case .whole(let outline): for item in outline.items { add(item, to: &arrivals) }
      case .spliced(_, let splices):
        for row in splices.lazy.flatMap(\.rows) { add(row.id, to: &arrivals) }
      }
    }
    guard twice.isEmpty else { throw .duplicateItems(twice) }
  }

  /// Whether a section that stays is an outline afterwards.
  func isOutline(newSection index: Int) -> Bool {
    if !outlines.isEmpty, let change = outlines[index] {
      if case .list = change { return false }
      return true
    }
    guard let section = positions.oldSection(forNew: index) else { return false }
    return isOutline(oldSection: section)
  }

  func isOutline(oldSection index: Int) -> Bool { old.outline(ofSectionAt: index) != nil }

  /// Checks that each item that gets a place has left its old one.
  ///
  /// - Parameter state: The old state with its lookup table.
  private func checkHomes(in state: Snapshot<SectionID, ItemID>) throws(DeltaError) {
    let twice = arrivals.inOrder.filter { item in
      if let path = state.itemPath(for: item) { return !leavesHome(item, path) }
      guard let id = state.sectionIdentifier(containingItem: item),
        let section = state.indexOfSection(id)
      else { return false }
      return !leavesHome(item, ItemPath(section: section, item: -1))
    }
    guard twice.isEmpty else { throw .duplicateItems(twice.map(AnyItemID.init)) }
  }

  /// Whether an item leaves its place; the path of a hidden item has no index.
  private func leavesHome(_ item: ItemID, _ path: ItemPath) -> Bool {
    guard !isDeleted(path.section), let new = positions.newSection(forOld: path.section) else {
      return true
    }
    guard let outline = old.outline(ofSectionAt: path.section) else {
      if case .whole = outlines[new] { return true }
      return leaving.contains(path)
    }
    switch outlines[new] {
    case .list: return path.item < 0 || leaving.contains(path)
    case .whole: return true
    case .spliced(_, let splices):
      return outline.index(of: item).map { splices.contains(oldRow: $0) } ?? true
    case nil: return false
    }
  }

  private func checkCounts() throws(DeltaError) {
    guard let counts = delta.frame.counts else { return }
    var items = old.numberOfItems - leaving.count + entering.values.reduce(0) { $0 + $1.count }
    for index in delta.difference.sectionDeletes.ranges.joined() {
      items -= old.items(inSectionAt: index).count
    }
    for section in delta.sections { items += section.rows.visibleCount }
    try delta.check(counts.items, items, "counted items")
  }
}

extension UpdateDelta.Rows {
  /// The number of items that no collapsed row hides.
  var visibleCount: Int {
    switch self {
    case .list(let items): items.count
    case .outline(let outline): outline.visibleItems.count
    }
  }
}
