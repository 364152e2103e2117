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
  ) throws(StepFailure) -> Live.Commit? {
    let new = input.snapshot
    defer { withExtendedLifetime(plan.made) {} }
    let touched = touchedSections(plan, live.snapshot)
    noteDeadlines(plan, new)
    return try edit(&live) { draft, given in
      var hasModels = rules.tree == nil
      for (section, positions) in plan.removals {
        remove(positions, ofSectionAt: section, &hasModels, from: &draft)
      }
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
      giveSections(plan, touched, from: old, new, draft, &given)
      mark(plan, from: old, new, &draft)
    }
  }

  /// Updates trees with the rows that were expanded and collapsed.
  func tell(
    _ expansion: ExpansionFlags<ItemID>, _ live: inout Live
  ) throws(SnapshotError) -> Live.Commit? {
    guard rules.tree != nil, !expansion.news.isEmpty else { return nil }
    do {
      return try edit(&live) { draft, _ in draft.tell(expansion) }
    } catch {
      guard case .refused(let error) = error else {
        preconditionFailure("rows are where they were, and in a circle")
      }
      throw error
    }
  }

  private func edit(
    _ live: inout Live, _ body: (inout Output, inout Live.Given) throws -> Void
  ) throws(StepFailure) -> Live.Commit? {
    do {
      return try live.update(duplicates: .reject, body)
    } catch let error as SnapshotError {
      throw .refused(error)
    } catch DataSourceError.invalidSnapshot(let error) {
      throw .refused(error)
    } catch is TreeEdit<ItemID>.Circle {
      throw .circle
    } catch {
      preconditionFailure("a step made a change that failed: \(error)")
    }
  }

  private func changeTrees(
    _ plan: Plan, _ input: StepInput<In, ItemID>, _ draft: inout Output
  ) throws(TreeEdit<ItemID>.Circle) {
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
      let hash = kernels.items.hash(of: row.item)
      guard let map else {
        return given.set(row.item, hash: hash, model: row.element, models, kernels.items)
      }
      let made = HashedElements(models, count: 1) { map.make(row.element, $1) }
      withExtendedLifetime(made) {
        given.set(row.item, hash: hash, model: made.span.first, models, kernels.items)
      }
    }
    for row in given.isComplete ? [] : plan.insertions.flatMap({ $0.rows }) {
      guard let model = row.model else { continue }
      let item = row.row.item
      given.set(item, hash: kernels.items.hash(of: item), model: model, models, kernels.items)
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
    guard !difference.itemRenames.isEmpty else { return [] }
    let map = PositionMap(difference)
    return difference.itemRenames.compactMap { path in
      guard let oldPath = map.oldPath(forNew: path), let was = old.itemIdentifier(for: oldPath),
        let now = new.itemIdentifier(for: path), output.containsItem(was), !output.containsItem(now)
      else { return nil }
      return ItemRename(old: was, new: now)
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
    func items(_ rows: some Sequence<RowPlace>) -> [ItemID] {
      rows.map { $0.item(as: ItemID.self) }
        .filter { draft.containsItem($0) }
    }
    if !plan.renames.isEmpty {
      draft.marks.rename(
        plan.renames.filter { draft.containsItem($0.new) && !draft.containsItem($0.old) })
    }
    let reloaded = plan.reloads.isEmpty ? [] : items(plan.reloads)
    if !reloaded.isEmpty { draft.marks.reload(items: reloaded) }
    let marked = plan.updates.filter { isSame($0, old) }
    let reconfigured = marked.isEmpty ? [] : items(marked)
    if !reconfigured.isEmpty { draft.marks.reconfigure(items: reconfigured) }
    guard !plan.sectionReloads.isEmpty || !plan.sectionUpdates.isEmpty else { return }
    let sections = plan.sectionReloads.filter { draft.containsSection($0) }
    if !sections.isEmpty { draft.marks.reload(sections: sections) }
    let headers = plan.sectionUpdates.filter { section in
      guard draft.containsSection(section), case .same(let sections) = rules.sections else {
        return false
      }
      let section = sections.input(section)
      return summaries == nil && old.content(ofSection: section) == new.content(ofSection: section)
    }
    if !headers.isEmpty { draft.marks.reconfigure(sections: headers) }
  }
}
