import Diffable

/// A step that gives each row of a tree a model by the totals of its descendants.
///
/// It keeps the totals of each subtree. A change of a row changes those of its ancestors, and of no
/// other rows.
final class TreeTotals<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>:
  TreeStep<SectionID, ItemID>
{
  private let totals: SubtreeTotals
  /// The kernels of the rows that it makes.
  private let kernels: SnapshotKernels
  private let identity: StepIdentity?
  /// The entries of the rows.
  private var entries = IdentifierMap<ItemID, Int>()

  init(
    _ totals: SubtreeTotals, _ kernels: SnapshotKernels, _ identity: StepIdentity?,
    element: any Any.Type
  ) {
    (self.totals, self.kernels, self.identity) = (totals, kernels, identity)
    super.init(element: element)
  }

  override var isUncertain: Bool { totals.isUncertain }

  override func kernels(from input: SnapshotKernels) -> SnapshotKernels { kernels }

  override func continuing(
    _ earlier: any QueryChain<SectionID, SectionID, ItemID>
  ) -> any QueryChain<SectionID, SectionID, ItemID> {
    guard let earlier = earlier as? TreeTotals, let identity, identity == earlier.identity
    else { return self }
    return earlier
  }

  override func reset() {
    totals.removeAll()
    entries = IdentifierMap()
  }

  override func rows(
    of tree: Tree, _ flags: ExpansionFlags<ItemID>, _ kernels: SnapshotKernels,
    _ given: inout Live.Given
  ) -> ContiguousArray<Tree.Row> {
    give(add(0..<tree.count, of: tree), kernels, &given)
    return tree.copiedRows(0..<tree.count, deeper: 0)
  }

  override func give(
    _ rows: [RowPlace], _ kernels: SnapshotKernels, _ given: inout Live.Given
  ) {
    give(rows.map { ($0, entry: totals.add($0.element)) }, kernels, &given)
  }

  /// Adds entries for adjacent rows; those without a parent among them are added to no other entry.
  private func add(_ range: Range<Int>, of tree: Tree) -> [(RowPlace, entry: Int)] {
    var rows: [(RowPlace, entry: Int)] = []
    rows.reserveCapacity(range.count)
    /// The rows above the next one, whose totals are not complete.
    var path: [(entry: Int, level: Int32)] = []
    func close(to level: Int32) {
      while let last = path.last, last.level >= level {
        path.removeLast()
        if let parent = path.last { totals.join(last.entry, to: parent.entry, isAdded: true) }
      }
    }
    tree.rows.base.forEachLeaf(in: range) { leaf, base in
      let offsets = range.clamped(to: base..<base + leaf.count)
      for offset in offsets {
        let place = leaf.row(at: offset - base)
        let row: Tree.Row = place.row()
        close(to: row.level)
        let entry = totals.add(place.element)
        entries[row.id] = entry
        rows.append((place, entry))
        path.append((entry, row.level))
      }
    }
    close(to: 0)
    return rows
  }

  override func apply(
    _ change: Change, _ output: inout Tree, _ flags: ExpansionFlags<ItemID>,
    _ kernels: SnapshotKernels, _ given: inout Live.Given
  ) {
    let (old, new) = (change.old, change.new)
    for region in change.regions.reversed() {
      for top in tops(of: region.old, in: old) { join(top, in: old, isAdded: false) }
      old.forEachRow(in: region.old) { row in
        if let entry = entries[row.id] { totals.remove(entry) }
        entries[row.id] = nil
      }
      output.replaceRows(region.old, with: [])
    }
    var rows: [(RowPlace, entry: Int)] = []
    for region in change.regions where !region.new.isEmpty {
      output.replaceRows(
        region.new.lowerBound..<region.new.lowerBound,
        with: new.copiedRows(region.new, deeper: 0))
      rows += add(region.new, of: new)
      for top in tops(of: region.new, in: new) { join(top, in: new, isAdded: true) }
    }
    for position in change.updated {
      let place = new.place(at: position)
      let row: Tree.Row = place.row()
      guard let entry = entries[row.id] else { continue }
      join(position, in: new, isAdded: false)
      totals.set(entry, place.element)
      join(position, in: new, isAdded: true)
      output.setFlags(like: row)
    }
    let inRegions = RangeSet(change.regions.map(\.new))
    for position in Set(change.lowest.lazy.flatMap(new.chain(from:)))
    where !inRegions.contains(position) {
      let place = new.place(at: position)
      if let entry = entries[place.item()] { rows.append((place, entry)) }
    }
    give(rows, kernels, &given)
  }

  /// The rows of a region whose parents are outside.
  private func tops(of region: Range<Int>, in tree: Tree) -> [Int] {
    var tops: [Int] = []
    var position = region.lowerBound
    while position < region.upperBound {
      tops.append(position)
      position = tree.endOfSubtree(at: position)
    }
    return tops
  }

  /// Adds the totals of a row to those of its ancestors, or subtracts them.
  private func join(_ position: Int, in tree: Tree, isAdded: Bool) {
    guard let entry = entries[tree.rows[position].id] else { return }
    for ancestor in tree.chain(from: position).dropFirst() {
      if let other = entries[tree.rows[ancestor].id] {
        totals.join(entry, to: other, isAdded: isAdded)
      }
    }
  }

  /// Gives rows their models.
  private func give(
    _ rows: [(RowPlace, entry: Int)], _ kernels: SnapshotKernels, _ given: inout Live.Given
  ) {
    guard let models = kernels.models, !rows.isEmpty else { return }
    let made = HashedElements(models, count: rows.count) { number, place in
      totals.make(rows[number].entry, rows[number].0.element, place)
    }
    withExtendedLifetime(made) {
      for (number, row) in rows.enumerated() {
        given.set(row.0.item, model: made.span.address(number), kernels)
      }
    }
  }
}

/// The number of rows and a sum, for each subtree, in code that does not know the type of the sums.
///
/// An entry belongs to the row at the top of a subtree, which counts too.
@usableFromInline class SubtreeTotals {
  @usableFromInline init() {}

  /// Whether some values cannot be subtracted again, such as infinity.
  @usableFromInline var isUncertain: Bool { false }
  /// Forgets all entries.
  @usableFromInline func removeAll() {}
  /// Adds an entry for a row alone, and returns its number.
  @usableFromInline func add(_ element: UnsafeRawPointer) -> Int { 0 }
  /// Sets the value of the row of an entry.
  @usableFromInline func set(_ entry: Int, _ element: UnsafeRawPointer) {}
  /// Adds the totals of an entry to those of another one, or subtracts them.
  @usableFromInline func join(_ entry: Int, to other: Int, isAdded: Bool) {}
  /// Removes an entry.
  @usableFromInline func remove(_ entry: Int) {}
  /// Writes the model of a row to uninitialised memory.
  @usableFromInline func make(
    _ entry: Int, _ element: UnsafeRawPointer, _ target: UnsafeMutableRawPointer
  ) {}
}

/// The same, in code that knows the types.
@usableFromInline
final class SubtreeSums<Element, Sum: AdditiveArithmetic, Model>: SubtreeTotals {
  private struct Entry {
    var count = 1
    /// What the row itself adds.
    var value: Sum
    var sum: Sum
  }

  private let value: @Sendable (Element) -> Sum
  private let model: @Sendable (Element, Int, Sum) -> Model
  private var entries: [Entry] = []
  private var free: [Int] = []
  private var hasInfinities = false

  @usableFromInline init(
    _ value: @escaping @Sendable (Element) -> Sum,
    _ model: @escaping @Sendable (Element, Int, Sum) -> Model
  ) {
    (self.value, self.model) = (value, model)
  }

  @usableFromInline override var isUncertain: Bool { hasInfinities }

  @usableFromInline override func removeAll() { (entries, free, hasInfinities) = ([], [], false) }

  private func value(of element: UnsafeRawPointer) -> Sum {
    let value = lend(element, to: value)
    // Nothing can be taken from an infinite sum, or from one that is not a number.
    if value - value != .zero { hasInfinities = true }
    return value
  }

  @usableFromInline override func add(_ element: UnsafeRawPointer) -> Int {
    let value = value(of: element)
    let entry = Entry(value: value, sum: value)
    if let place = free.popLast() {
      entries[place] = entry
      return place
    }
    entries.append(entry)
    return entries.count - 1
  }

  @usableFromInline override func set(_ entry: Int, _ element: UnsafeRawPointer) {
    let value = value(of: element)
    entries[entry].sum += value - entries[entry].value
    entries[entry].value = value
  }

  @usableFromInline override func join(_ entry: Int, to other: Int, isAdded: Bool) {
    let (count, sum) = (entries[entry].count, entries[entry].sum)
    if isAdded {
      entries[other].count += count
      entries[other].sum += sum
    } else {
      entries[other].count -= count
      entries[other].sum -= sum
    }
    if sum - sum != .zero { hasInfinities = true }
  }

  @usableFromInline override func remove(_ entry: Int) { free.append(entry) }

  @usableFromInline override func make(
    _ entry: Int, _ element: UnsafeRawPointer, _ target: UnsafeMutableRawPointer
  ) {
    let (count, sum) = (entries[entry].count - 1, entries[entry].sum - entries[entry].value)
    target.assumingMemoryBound(to: Model.self).initialize(
      to: lend(element, to: { (element: Element) in model(element, count, sum) }))
  }
}
