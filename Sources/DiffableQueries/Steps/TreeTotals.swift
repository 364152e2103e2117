import Diffable

/// What rows of trees show by the number of their descendants and a sum over them.
struct TotalsRule: Sendable {
  let makeTotals: @Sendable () -> SubtreeTotals
  /// The kernels of the rows that it makes.
  let kernels: SnapshotKernels
  let identity: StepIdentity?
}

/// A step that gives each row of a tree a model by the totals of its descendants.
///
/// It keeps the totals of each subtree. A change of a row changes those of its ancestors, and of no
/// other rows.
final class TreeTotals<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>:
  TreeStep<SectionID, ItemID>, QueryChain
{
  private let rule: TotalsRule
  private let totals: SubtreeTotals
  /// The entries of the rows.
  private var entries = IdentifierMap<ItemID, Int>()

  init(_ rule: TotalsRule, element: any Any.Type) {
    (self.rule, totals) = (rule, rule.makeTotals())
    super.init(element: element)
  }

  func kernels(from input: SnapshotKernels) -> SnapshotKernels { rule.kernels }

  func continuing(
    _ earlier: any QueryChain<SectionID, SectionID, ItemID>
  ) -> any QueryChain<SectionID, SectionID, ItemID> {
    guard let earlier = earlier as? TreeTotals, let identity = rule.identity,
      identity == earlier.rule.identity
    else { return self }
    return earlier
  }

  func advance(
    _ input: StepInput<SectionID, ItemID>, _ live: inout Live
  ) throws(SnapshotError) -> Live.Commit? {
    let snapshot = input.snapshot
    switch origin(of: input) {
    case .same: return nil
    case .changed(from: let old, let difference) where !totals.isUncertain:
      if let changes = changes(from: old, to: snapshot, difference) {
        return try live.edit { draft, given in
          for change in changes { apply(change, &draft, &given) }
          finish(from: old, to: snapshot, difference, &draft, &given)
        }
      }
    default: break
    }
    let (made, given) = evaluate(snapshot)
    return try live.apply(
      made, given, duplicates: .reject, keepingOutlines: false, isComplete: false)
  }

  /// The trees with the models of all rows.
  ///
  /// - Complexity: O(n) for n rows.
  private func evaluate(_ input: Input) -> (snapshot: Input, given: Live.Given) {
    defer { withExtendedLifetime(input) {} }
    totals.removeAll()
    entries = IdentifierMap()
    var given = Live.Given()
    typealias Section = (id: SectionID, rows: Input.Rows)
    let sections = input.records.enumerated().map { index, record -> Section in
      given.sections[record.id] = record.model ?? SectionContent()
      if let tree = input.outline(ofSectionAt: index) {
        let rows = add(0..<tree.count, of: tree)
        give(rows, &given)
        var copy = Outline<ItemID>(rule.kernels.items)
        copy.replaceRows(0..<0, with: tree.copiedRows(0..<tree.count, deeper: 0))
        return (id: record.id, rows: Input.Rows.outline(copy))
      }
      var places: [RowPlace] = []
      input.appendRows(ofSectionAt: index, passing: nil, to: &places)
      let rows = places.map { place -> (FoundRow, entry: Int) in
        (FoundRow(row: place.item, element: place.element), totals.add(place.element))
      }
      give(rows, &given)
      return (id: record.id, rows: Input.Rows.list(places.map { $0.item() }))
    }
    return (Input(rule.kernels, sections: sections), given)
  }

  /// Adds entries for adjacent rows; those without a parent among them are added to no other entry.
  private func add(_ range: Range<Int>, of tree: Tree) -> [(FoundRow, entry: Int)] {
    var rows: [(FoundRow, entry: Int)] = []
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
        let found = FoundRow(
          row: leaf.span.address(offset - base), element: leaf.shown(at: offset - base))
        let row = row(found)
        close(to: row.level)
        let entry = totals.add(found.element)
        entries[row.id] = entry
        rows.append((found, entry))
        path.append((entry, row.level))
      }
    }
    close(to: 0)
    return rows
  }

  /// Lets the output follow a change of a tree.
  private func apply(
    _ change: TreeStep<SectionID, ItemID>.Change, _ draft: inout Input, _ given: inout Live.Given
  ) {
    guard var output = draft.outline(ofSectionAt: change.section) else { return }
    let (old, new) = (change.old, change.new)
    for region in change.regions.reversed() {
      for top in tops(of: region.old, in: old) { join(top, in: old, isAdded: false) }
      old.forEachRow(in: region.old) { row in
        if let entry = entries[row.id] { totals.remove(entry) }
        entries[row.id] = nil
      }
      output.replaceRows(region.old, with: [])
    }
    var shown: Set<Int> = []
    var rows: [(FoundRow, entry: Int)] = []
    for region in change.regions where !region.new.isEmpty {
      output.replaceRows(
        region.new.lowerBound..<region.new.lowerBound,
        with: new.copiedRows(region.new, deeper: 0))
      rows += add(region.new, of: new)
      for top in tops(of: region.new, in: new) { join(top, in: new, isAdded: true) }
    }
    // What lost descendants is above the row before them.
    for region in change.regions where region.new.lowerBound > 0 {
      shown.formUnion(chain(from: region.new.lowerBound - 1, in: new))
    }
    let inRegions = RangeSet(change.regions.map(\.new))
    for position in change.updated where !inRegions.contains(position) {
      let found = foundRow(at: position, in: new)
      let row = row(found)
      guard let entry = entries[row.id] else { continue }
      join(position, in: new, isAdded: false)
      totals.set(entry, found.element)
      join(position, in: new, isAdded: true)
      output.setHasUnloadedChildren([row.id], row.hasUnloadedChildren)
      output.setExpanded(row.isExpanded, [row.id])
      shown.formUnion(chain(from: position, in: new))
    }
    for position in shown where !inRegions.contains(position) {
      let found = foundRow(at: position, in: new)
      if let entry = entries[row(found).id] { rows.append((found, entry)) }
    }
    give(rows, &given)
    draft.exchangeOutline(output, ofSectionAt: change.section)
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

  /// A row and its ancestors.
  private func chain(from position: Int, in tree: Tree) -> [Int] {
    var chain = [position]
    var next = tree.parentPosition(ofRowAt: position)
    while let position = next {
      chain.append(position)
      next = tree.parentPosition(ofRowAt: position)
    }
    return chain
  }

  /// Adds the totals of a row to those of its ancestors, or subtracts them.
  private func join(_ position: Int, in tree: Tree, isAdded: Bool) {
    guard let entry = entries[tree.rows[position].id] else { return }
    for ancestor in chain(from: position, in: tree).dropFirst() {
      if let other = entries[tree.rows[ancestor].id] {
        totals.join(entry, to: other, isAdded: isAdded)
      }
    }
  }

  /// Gives rows their models.
  private func give(_ rows: [(FoundRow, entry: Int)], _ given: inout Live.Given) {
    guard let models = rule.kernels.models, !rows.isEmpty else { return }
    let made = HashedElements(models, count: rows.count) { number, place in
      totals.make(rows[number].entry, rows[number].0.element, place)
    }
    withExtendedLifetime(made) {
      for (number, row) in rows.enumerated() {
        let item = row.0.row
        given.set(
          item, hash: rule.kernels.items.hash(of: item), model: made.span.address(number), models,
          rule.kernels.items)
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
