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
    let marks = live.snapshot.following(marks(of: input))
    noteDeadlines(plan, new)
    return try live.edit { draft, given throws(SnapshotError) in
      var hasModels = rules.tree == nil
      var left: [Out] = []
      for (index, positions) in plan.removals {
        let section = draft.section(at: index)
        left.append(section)
        if let summaries {
          for run in positions.runs.reversed() { summaries.replace(run, of: section, with: []) }
        }
        draft.remove(positions, ofSectionAt: index, keepingModels: &hasModels)
      }
      for section in plan.sectionDeletes { summaries?.remove(section) }
      if !plan.sectionDeletes.isEmpty { draft.deleteSections(plan.sectionDeletes) }
      place(plan.sectionPlacements, inserting: !rules.omitsEmptySections, new, &draft)
      for insertion in plan.insertions {
        let removed = insertion.index.flatMap { plan.removals[$0] } ?? []
        insert(insertion, removed, new, &hasModels, into: &draft)
      }
      given.isComplete = hasModels
      if let rule = rules.tree {
        for (child, parent) in plan.relations { orphans.remove(child, for: parent) }
        for tree in plan.trees { try change(tree, rule, input, &draft) }
        draft.tell(input.expansion)
      }
      for section in rules.omitsEmptySections ? left : []
      where draft.numberOfItems(inSection: section) == 0 {
        draft.deleteSections(CollectionOfOne(section))
      }
      give(plan, from: old, new, &given)
      giveSections(plan, left, new, draft, &given)
      draft.take(marks)
    }
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

  /// Sets the new models of sections.
  ///
  /// - Parameter left: The sections that rows have left.
  private func giveSections(
    _ plan: Plan, _ left: [Out], _ new: Input, _ draft: Output, _ given: inout Live.Given
  ) {
    guard draft.kernels.models != nil else { return }
    guard let summaries else {
      guard case .same(let sections) = rules.sections else { return }
      for section in plan.sectionUpdates + plan.sectionPlacements
        + plan.insertions.map({ $0.section })
      where draft.containsSection(section) {
        let input = inputs(new).first { $0.containsSection(sections.input(section)) }
        given.sections[section] =
          input?.content(ofSection: sections.input(section)) ?? SectionContent()
      }
      return
    }
    var sections = left + plan.insertions.map { $0.section } + plan.sectionPlacements
    for row in plan.updates {
      guard let path = draft.itemPath(for: row.item(as: ItemID.self)) else { continue }
      let section = draft.section(at: path.section)
      summaries.replace(path.item..<path.item + 1, of: section, with: [row.element])
      sections.append(section)
    }
    for section in IdentifierSet(sections).inOrder {
      if let index = draft.indexOfSection(section) {
        given.sections[section] = summaries.content(
          of: section, count: draft.itemCount(ofSectionAt: index))
      } else {
        summaries.remove(section)
      }
    }
  }

  /// Whether a row of the new input showed the same in the old one.
  func isSame(_ row: RowPlace, _ old: Input) -> Bool {
    let item = row.item(as: ItemID.self)
    guard !renewed.contains(item), let path = old.itemPath(for: item) else { return false }
    let elements = old.kernels.models ?? old.kernels.items
    return old.withRow(at: path) { elements.areEqual($0.element, row.element) }
  }

  /// What the writers of the input have marked, renamed and placed, in the sections of the output.
  ///
  /// - Complexity: O(m) for m marks; a section that the output does not have counts with its rows.
  func marks(of input: StepInput<In, ItemID>) -> Output.Marks {
    guard !input.marks.isEmpty else { return Output.Marks() }
    // What the first of two inputs shows, the other has no say in. Nor has one in a row that it hides.
    let first = other.flatMap { $0.isFirst ? $0.snapshot : nil }
    func output(_ section: In) -> Out? {
      guard case .same(let sections) = rules.sections else { return nil }
      return first?.containsSection(section) == true ? nil : sections.output(section)
    }
    func shows(_ item: ItemID) -> Bool { input.snapshot.itemPath(for: item) != nil }
    func isOurs(_ item: ItemID) -> Bool {
      first?.itemPath(for: item) == nil && (other == nil || shows(item))
    }
    var marks = input.marks.translated(output, items: isOurs)
    // Some of these sections are not shown, but their rows are.
    for section in input.marks.reloadedSections.inOrder where output(section) == nil {
      marks.reload(items: input.snapshot.itemIdentifiers(inSection: section).filter(isOurs))
    }
    return marks
  }
}

extension Snapshot {
  /// Passes on the marks of the writers of an input, as far as the rows and sections are shown.
  ///
  /// - Complexity: O(m) for m marks.
  mutating func take(_ given: Marks) {
    guard !given.isEmpty else { return }
    let state = self
    marks.formUnion(
      given.translated {
        state.containsSection($0) ? $0 : nil
      } items: {
        state.containsItem($0)
      })
  }

  /// The marks of the writers of an input, with the renames of rows that this state has.
  ///
  /// - Complexity: O(r) for r renames.
  func following(_ marks: Marks) -> Marks {
    marks.replacingRenames { $0.from(stateWhere: containsItem) }
  }
}
