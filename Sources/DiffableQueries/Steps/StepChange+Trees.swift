import Diffable

/// Changes of the trees of a step.
extension StepChange {
  /// Plans the change of each section in which rows are inserted, deleted or get another parent.
  func planTrees(_ rows: ChangedRows, _ rule: TreeRule<ItemID>, _ plan: inout StepPlan<Out, ItemID>)
  {
    var trees = IdentifierMap<Out, TreePlan<Out, ItemID>>()
    func change(
      _ section: Int, of input: Input, _ body: (inout TreePlan<Out, ItemID>) -> Void
    ) {
      guard case .same(let sections) = rules.sections else { return }
      let section = sections.output(input.section(at: section))
      trees.change(section, default: TreePlan(section: section), body)
    }
    for path in rows.leaving {
      let row = old.row(at: path)
      change(path.section, of: old) { $0.leaving.insert(row.item()) }
      if let parent = rule.parent(of: row) { plan.relations.append((row.item(), parent)) }
    }
    for path in rows.entering {
      change(path.section, of: new) { $0.entering.append(new.row(at: path)) }
    }
    for path in rows.updated {
      let row = new.row(at: path)
      plan.updates.append(row)
      if rule.unloaded != nil { change(path.section, of: new) { $0.flagged.append(row) } }
      let before = map.oldPath(forNew: path).flatMap { rule.parent(of: old.row(at: $0)) }
      guard before != rule.parent(of: row) else { continue }
      if let before { plan.relations.append((row.item(), before)) }
      change(path.section, of: new) { $0.reparented.append(row.item()) }
    }
    // A section without rows has a tree too.
    for section in difference.sectionInserts.ranges.joined() { change(section, of: new) { _ in } }
    plan.trees = trees.elements.map { $0.value }
  }
}

/// Making and changing trees.
extension QueryStep {
  /// The tree of all rows of a section.
  ///
  /// - Complexity: O(n) for n rows.
  func outline(
    of rows: [RowPlace], _ rule: TreeRule<ItemID>, _ expansion: ExpansionFlags<ItemID>,
    _ kernels: SnapshotKernels
  ) -> Outline<ItemID> {
    let items: [ItemID] = rows.map { $0.item() }
    let forest = Forest(items, parents: rows.map(rule.parent(of:)))
    if forest.hasCircles { hasCircles = true }
    for orphan in forest.orphans { orphans.insert(items[orphan.index], for: orphan.parent) }
    var outline = Outline<ItemID>(kernels.items)
    outline.replaceRows(
      0..<0,
      with: ContiguousArray(
        forest.rows.lazy.map { rule.row(rows[$0.index], level: $0.level, expansion) }))
    return outline
  }

  /// Applies a planned change of a tree.
  func change(
    _ plan: TreePlan<Out, ItemID>, _ rule: TreeRule<ItemID>, _ input: StepInput<In, ItemID>,
    _ draft: inout Output
  ) throws(SnapshotError) {
    guard let index = draft.indexOfSection(plan.section) else { return }
    let outline = draft.outline(ofSectionAt: index)
    var edit = TreeEdit(outline ?? Outline(draft.kernels.items))
    var gone = plan.leaving
    for row in plan.entering { gone.remove(row.item()) }
    edit.remove(gone)
    for place in plan.flagged { edit.setFlags(like: rule.row(place, input.expansion)) }
    for place in plan.entering {
      let row = rule.row(place, input.expansion)
      let item = row.id
      if outline?.contains(item) ?? false {
        edit.lift(item)
        if rule.unloaded != nil { edit.setFlags(like: row) }
      } else {
        edit.add(row)
      }
      // A child that has left this section waits for its parent in another one.
      for orphan in orphans[item] where edit.outline.contains(orphan) {
        orphans.remove(orphan, for: item)
        edit.lift(orphan)
      }
    }
    for item in plan.reparented { edit.lift(item) }
    let state = input.snapshot
    let unplaced = try edit.settle { left, right in
      guard let left = state.itemPath(for: left), let right = state.itemPath(for: right) else {
        return false
      }
      return left < right
    } parent: { item in
      state.itemPath(for: item).flatMap { rule.parent(of: state.row(at: $0)) }
    }
    for (orphan, parent) in unplaced { orphans.insert(orphan, for: parent) }
    draft.exchangeOutline(edit.outline, ofSectionAt: index)
  }
}

extension Snapshot {
  /// Expands and collapses the rows that users have expanded and collapsed.
  ///
  /// - Parameter canBeExpanded: Whether a row may be expanded.
  mutating func tell(
    _ expansion: ExpansionFlags<ItemID>, canBeExpanded: (ItemID) -> Bool = { _ in true }
  ) {
    let news = expansion.news.inOrder
    setExpanded(false, news.filter { expansion[$0] == false })
    setExpanded(true, news.filter { expansion[$0] == true && canBeExpanded($0) })
  }
}
