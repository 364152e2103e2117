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
    case spliced(Outline<ItemID>.Spliced)
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
      case .spliced(let spliced):
        for row in spliced.splices.lazy.flatMap(\.rows) { add(row.id, to: &arrivals) }
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
    case .spliced(let spliced):
      return outline.index(of: item).map { spliced.splices.contains(oldRow: $0) } ?? true
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

/// Checks of outlines, which a delta holds twice: as rows, and as visible items in the difference.
///
/// Both must say the same.
extension DeltaPlan {
  mutating func gatherOutlines(_ after: SnapshotDifference.Extent) throws(DeltaError) {
    let indices = delta.difference.outlineChanges.ranges.joined()
    for (index, change) in zip(indices, delta.outlines) {
      guard let section = positions.oldSection(forNew: index) else {
        throw .misfit(reason: "section \(index) is new and has no outline to change")
      }
      let outline = old.outline(ofSectionAt: section)
      switch (change, outline) {
      case (.list, nil):
        throw .misfit(reason: "section \(index) is a list already")
      case (.list, _): outlines[index] = .list
      case (.outline(let new), _):
        outlines[index] = .whole(new)
        try check(new, at: index, from: section)
      case (.splices, nil):
        throw .misfit(reason: "section \(index) is a list and has no rows to change")
      case (.splices(let splices), let outline?):
        let spliced = try outline.applying(splices)
        outlines[index] = .spliced(spliced)
        try check(spliced, of: outline, from: section, to: index, count: after.items(index))
      }
    }
    // An outline that does not change shows the same items.
    for range in leaving.ranges where isOutline(oldSection: range.section) {
      try checkIsTold(positions.newSection(forOld: range.section))
    }
    for section in entering.keys where isOutline(newSection: section) { try checkIsTold(section) }
  }

  private func checkIsTold(_ section: Int?) throws(DeltaError) {
    guard let section, outlines[section] == nil else { return }
    throw .misfit(reason: "section \(section) shows other items, but its outline has not changed")
  }

  /// Checks that a section has the items that a whole outline shows.
  ///
  /// - Complexity: O(n) for n items before and after.
  private func check(
    _ new: Outline<ItemID>, at index: Int, from section: Int
  ) throws(DeltaError) {
    var items: [ItemID] = []
    var entering = (entering[index] ?? [])[...]
    func takeEntering() {
      while let next = entering.first, next.index == items.count {
        items.append(next.item)
        entering.removeFirst()
      }
    }
    takeEntering()
    for (place, item) in old.items(inSectionAt: section).enumerated()
    where !leaving.contains(ItemPath(section: section, item: place)) {
      items.append(item)
      takeEntering()
    }
    guard entering.isEmpty, items == new.visibleItems else { throw disagreement(index) }
  }

  /// Checks that a section has the items that its outline shows after some splices.
  ///
  /// It is enough to check inserted items, the rows of splices, and the rows that splices have
  /// shown or hidden. Suppose all of these are where the difference has them, and there are as many
  /// items as visible rows. Then the other items fill the same places in the same order.
  private func check(
    _ spliced: Outline<ItemID>.Spliced, of old: Outline<ItemID>, from section: Int, to index: Int,
    count: Int
  ) throws(DeltaError) {
    let (new, splices) = (spliced.outline, spliced.splices)
    let entering = entering[index] ?? []
    var entered: [Int: ItemID] = [:]
    for (place, item) in entering {
      guard let row = new.position(ofVisibleRow: place), new.rows[row].id == item else {
        throw disagreement(index)
      }
      entered[place] = item
    }
    func leaves(_ place: Int) -> Bool { leaving.contains(ItemPath(section: section, item: place)) }
    /// Whether an item that stays is where the difference has it.
    func isPlaced(_ item: ItemID, from place: Int?, to target: Int?) -> Bool {
      guard let place, let target, !leaves(place) else { return false }
      return positions.newPath(forOld: ItemPath(section: section, item: place))
        == ItemPath(section: index, item: target)
    }
    var isFit = new.visibleCount(before: new.count) == count
    for row in splices.lazy.flatMap(\.rows) {
      guard let position = new.position(of: row.id),
        let place = new.visibleIndex(ofRowAt: position),
        entered[place] == nil
      else { continue }
      let origin = old.position(of: row.id).flatMap(old.visibleIndex(ofRowAt:))
      if !isPlaced(row.id, from: origin, to: place) { isFit = false }
    }
    for position in splices.lazy.flatMap(\.old) {
      guard let place = old.visibleIndex(ofRowAt: position), !leaves(place) else { continue }
      let item = old.rows[position].id
      let target = new.position(of: item).flatMap(new.visibleIndex(ofRowAt:))
      if !isPlaced(item, from: place, to: target) { isFit = false }
    }
    for (position, origin) in spliced.toggled {
      if let place = new.visibleIndex(ofRowAt: position) {
        if entered[place] == nil { isFit = false }
      } else if let place = old.visibleIndex(ofRowAt: origin), !leaves(place) {
        isFit = false
      }
    }
    guard isFit else { throw disagreement(index) }
  }

  private func disagreement(_ index: Int) -> DeltaError {
    .misfit(reason: "the items of section \(index) are not those that its outline shows")
  }
}
