import Diffable

/// Applying a planned change.
extension QueryStep {
  private typealias Plan = StepPlan<Out, ItemID>

  /// Applies a change to the live state.
  ///
  /// - Complexity: O(c · log n) for c changed rows of n.
  func carryOut(
    _ plan: StepPlan<Out, ItemID>, from old: Input, to input: StepInput<In, ItemID>,
    _ live: inout Live
  ) throws(SnapshotError) -> Live.Commit? {
    let new = input.snapshot
    defer { withExtendedLifetime(plan.made) {} }
    let touched = touchedSections(plan, live.snapshot)
    noteDeadlines(plan, new)
    return try live.edit { draft, given throws(SnapshotError) in
      var hasModels = rules.tree == nil
      for (section, positions) in plan.removals {
        summariseRemoval(of: positions, in: draft.section(at: section))
        remove(positions, ofSectionAt: section, &hasModels, from: &draft)
      }
      for section in plan.sectionDeletes { summaries?.remove(section) }
      if !plan.sectionDeletes.isEmpty { draft.deleteSections(plan.sectionDeletes) }
      if !plan.sectionPlacements.isEmpty { placeSections(plan, new, &draft) }
      for insertion in plan.insertions {
        let removed = insertion.index.flatMap { plan.removals[$0] } ?? []
        insert(insertion, removed, new, &hasModels, into: &draft)
      }
      given.isComplete = hasModels
      if rules.tree != nil { try changeTrees(plan, input, &draft) }
      for section in rules.omitsEmptySections ? touched.emptied : []
      where draft.numberOfItems(inSection: section) == 0 {
        draft.deleteSections(CollectionOfOne(section))
      }
      give(plan, from: old, new, &given)
      giveSections(plan, touched, new, draft, &given)
      draft.marks.place(placed(in: input))
      mark(plan, from: old, new, &draft)
    }
  }

  /// Updates trees with the rows that were expanded and collapsed.
  func tell(
    _ expansion: ExpansionFlags<ItemID>, _ live: inout Live
  ) throws(SnapshotError) -> Live.Commit? {
    guard rules.tree != nil, !expansion.news.isEmpty else { return nil }
    return try live.edit { draft, _ in draft.tell(expansion) }
  }

  private func changeTrees(
    _ plan: Plan, _ input: StepInput<In, ItemID>, _ draft: inout Output
  ) throws(SnapshotError) {
    guard let rule = rules.tree else { return }
    for (child, parent) in plan.relations { trees.orphans.remove(child, for: parent) }
    for tree in plan.trees { try change(tree, rule, input, &draft) }
    draft.tell(input.expansion)
  }

  /// Gives models to rows that are inserted or show something else.
  private func give(
    _ plan: Plan, from old: Input, _ new: Input, _ given: inout Live.Given
  ) {
    // Inserted rows may have their models already.
    if given.isComplete, plan.updates.isEmpty { return }
    let kernels = kernels(from: new.kernels)
    guard let models = kernels.models else { return }
    func give(_ row: RowPlace) {
      guard let map else { return given.set(row.item, model: row.element, kernels) }
      let made = HashedElements(models, count: 1) { map.make(row.element, $1) }
      withExtendedLifetime(made) { given.set(row.item, model: made.span.first, kernels) }
    }
    for row in given.isComplete ? [] : plan.insertions.flatMap({ $0.rows }) {
      if let model = row.model { given.set(row.row.item, model: model, kernels) }
    }
    for tree in plan.trees {
      for row in tree.entering { give(row) }
    }
    for row in plan.updates where map == nil || !isSame(row, old) { give(row) }
  }

  /// The rows of the output that received other identifiers in the input.
  func renames(
    from old: Input, to new: Input, _ difference: SnapshotDifference, _ output: Output
  ) -> [ItemRename<ItemID>] {
    difference.renames(from: old, to: new).filter {
      output.containsItem($0.old) && !output.containsItem($0.new)
    }
  }

  /// Whether a row of the new input showed the same in the old one.
  func isSame(_ row: RowPlace, _ old: Input) -> Bool {
    let item = row.item(as: ItemID.self)
    guard !renewed.contains(item), let path = old.itemPath(for: item) else { return false }
    let elements = old.kernels.models ?? old.kernels.items
    return old.withRow(at: path) { elements.areEqual($0.element, row.element) }
  }

  /// Passes on the marks of the writers of the input.
  ///
  /// A row that is listed although it shows the same must have been marked.
  private func mark(_ plan: Plan, from old: Input, _ new: Input, _ draft: inout Output) {
    guard plan.mayHaveMarks else { return }
    func items(_ rows: [RowPlace]) -> [ItemID] { rows.map { $0.item() } }
    draft.mark(
      renamed: plan.renames, reloaded: items(plan.reloads),
      reconfigured: items((plan.updates + plan.moved).filter { isSame($0, old) }),
      reloadedSections: plan.sectionReloads,
      reconfiguredSections: unchanged(plan.sectionUpdates, from: old, to: new))
  }

  /// What writers have placed moves in the output as well, and not its neighbours.
  func placed(in input: StepInput<In, ItemID>) -> PlacedRows<Out, ItemID> {
    input.placed.translated { section in
      if case .same(let sections) = rules.sections { sections.output(section) } else { nil }
    }
  }

  /// The sections of the output that show the same as before.
  private func unchanged(_ headers: [Out], from old: Input, to new: Input) -> [Out] {
    guard summaries == nil, case .same(let sections) = rules.sections else { return [] }
    return headers.filter {
      let section = sections.input($0)
      return old.content(ofSection: section) == new.content(ofSection: section)
    }
  }

  /// Passes on the same marks to a result that was computed from scratch.
  ///
  /// - Parameter output: The last result: only rows that it has can be marked.
  /// - Complexity: O(c · log n) for c changes of n rows.
  func mark(
    _ snapshot: inout Output, from old: Input, to new: Input, _ difference: SnapshotDifference,
    after output: Output
  ) {
    let renames = renames(from: old, to: new, difference, output)
    snapshot.marks.rename(renames.filter { snapshot.containsItem($0.new) })
    // The output has renamed rows under their old names.
    let renamed = IdentifierSet(renames.map(\.new))
    guard difference.hasRefreshes else { return }
    // Rows are identified by their addresses, and the input holds them.
    defer { withExtendedLifetime((old, new)) {} }
    let map = PositionMap(difference)
    let reloaded = map.newSections(forOld: difference.sectionReloads)
    var reloads = Array(map.newPaths(forOld: difference.itemReloads))
    var (reloadedSections, headers) = ([Out](), [Out]())
    switch rules.sections {
    case .keyed:
      // These sections are not shown, but their rows are.
      for section in reloaded.ranges.joined() {
        reloads += (0..<new.itemCount(ofSectionAt: section)).map {
          ItemPath(section: section, item: $0)
        }
      }
    case .same(let sections):
      func shown(_ indices: RangeSet<Int>) -> [Out] {
        indices.ranges.joined().map { sections.output(new.section(at: $0)) }
      }
      reloadedSections = shown(reloaded)
      headers = shown(difference.sectionReconfigures)
    }
    func items(_ rows: [RowPlace]) -> [ItemID] {
      rows.map { $0.item() }.filter { item in
        (output.containsItem(item) || renamed.contains(item)) && !renewed.contains(item)
          && !(other.map { $0.isFirst && $0.snapshot.containsItem(item) } ?? false)
      }
    }
    snapshot.mark(
      renamed: [], reloaded: items(reloads.map(new.row(at:))),
      reconfigured: items(unchangedRows(at: difference, map, from: old, to: new)),
      reloadedSections: reloadedSections,
      reconfiguredSections: unchanged(headers, from: old, to: new))
  }

  /// The rows that a difference reconfigures although they show the same as before: their writer has marked
  /// them.
  ///
  /// Most of very many rows show something else. So they are found by their places, not by looking them up.
  private func unchangedRows(
    at difference: SnapshotDifference, _ map: PositionMap, from old: Input, to new: Input
  ) -> [RowPlace] {
    let elements = old.kernels.models ?? old.kernels.items
    var (unchanged, oldRows, newRows) = ([RowPlace](), [RowPlace](), [RowPlace]())
    for range in difference.itemReconfigures.ranges {
      func oldPath(_ item: Int) -> ItemPath? {
        map.oldPath(forNew: ItemPath(section: range.section, item: item))
      }
      oldRows.removeAll(keepingCapacity: true)
      newRows.removeAll(keepingCapacity: true)
      new.appendRows(ofSectionAt: range.section, at: range.items, passing: nil, to: &newRows)
      // Without moves rows keep their order. So none has left between them if their distance is the same.
      if difference.itemMoves.isEmpty, let first = oldPath(range.items.lowerBound),
        let last = oldPath(range.items.upperBound - 1), first.section == last.section,
        last.item - first.item == range.items.count - 1
      {
        old.appendRows(
          ofSectionAt: first.section, at: first.item..<last.item + 1, passing: nil, to: &oldRows)
      } else {
        oldRows += range.items.compactMap { oldPath($0).map(old.row(at:)) }
      }
      guard oldRows.count == newRows.count else { continue }
      for (was, now) in zip(oldRows, newRows) where elements.areEqual(was.element, now.element) {
        unchanged.append(now)
      }
    }
    return unchanged
  }
}
