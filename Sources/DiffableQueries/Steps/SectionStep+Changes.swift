import Diffable

/// The changes that a section step makes in its last result.
struct SectionPlan<SectionID: Hashable & Sendable> {
  /// Rows that leave, by the index of their section in the last result, in ascending order.
  var removals: [(section: Int, rows: [Int])] = []
  /// Sections that are no longer shown.
  var deletes: [SectionID] = []
  /// Sections that are shown now, or that may have another place.
  var placements: [SectionID] = []
  /// Rows that arrive, by their positions afterwards, in ascending order.
  var insertions: [(section: SectionID, rows: [Int])] = []
  /// Rows that stay and may show something else, in the new input.
  var updates: [ItemPath] = []
  /// Sections whose headers may show something else.
  var headers: [SectionID] = []
}

/// The changed rows of a section of the input.
private struct TouchedSection {
  var isPlaced = false
  /// Positions in the old input.
  var leaving: [Int] = []
  /// Positions in the new input.
  var entering: [Int] = []
  var updated: [Int] = []
}

/// Following a change of the input.
extension SectionStep {
  /// The effect of a change of the input; `nil` if working it out from scratch costs less.
  ///
  /// What it reads is released when it returns. Otherwise the table of the live state would have
  /// two holders while it is edited.
  ///
  /// - Complexity: O((c + d) · log n) for c changed rows of n, and d rows that are shown now, or no longer.
  @inline(never) func plan(
    _ change: InputChange<SectionID, ItemID>, _ output: Input
  ) -> SectionPlan<SectionID>? {
    let new = change.new
    guard let rows = change.rows() else { return nil }
    var plan = SectionPlan<SectionID>()
    for (section, touched) in self.touched(change, rows).elements {
      guard let index = new.indexOfSection(section) else {
        measures?.remove(section)
        if output.containsSection(section) { plan.deletes.append(section) }
        continue
      }
      var isElsewhere = touched.isPlaced
      if let measures {
        withExtendedLifetime(new) {
          measures.column(of: section).follow(
            leaving: touched.leaving, entering: touched.entering, updated: touched.updated
          ) { new.row(at: ItemPath(section: index, item: $0)).element }
        }
        if measures.settle(section) { isElsewhere = true }
      }
      planSection(section, at: index, touched, isElsewhere, new, output, &plan)
    }
    plan.headers += change.changedHeaders.filter { output.containsSection($0) }
    return plan
  }

  /// What has changed, by the sections of both inputs.
  private func touched(
    _ change: InputChange<SectionID, ItemID>, _ rows: ChangedRows
  ) -> IdentifierMap<SectionID, TouchedSection> {
    var touched = IdentifierMap<SectionID, TouchedSection>()
    func touch(_ section: SectionID, _ body: (inout TouchedSection) -> Void) {
      touched.change(section, default: TouchedSection(), body)
    }
    let (old, new) = (change.old, change.new)
    for section in change.deletedSections { touch(section) { _ in } }
    for section in change.placedSections { touch(section) { $0.isPlaced = true } }
    for path in rows.leaving {
      touch(old.section(at: path.section)) { $0.leaving.append(path.item) }
    }
    for path in rows.entering {
      touch(new.section(at: path.section)) { $0.entering.append(path.item) }
    }
    for path in rows.updated {
      touch(new.section(at: path.section)) { $0.updated.append(path.item) }
    }
    return touched
  }

  /// Plans for a section of the new input.
  private func planSection(
    _ section: SectionID, at index: Int, _ touched: TouchedSection, _ isElsewhere: Bool,
    _ new: Input, _ output: Input, _ plan: inout SectionPlan<SectionID>
  ) {
    let count = new.itemCount(ofSectionAt: index)
    let shown = output.indexOfSection(section)
    guard shows(section, count: count) else {
      if shown != nil { plan.deletes.append(section) }
      return
    }
    guard let shown else {
      plan.placements.append(section)
      plan.insertions.append((section, Array(0..<Swift.min(count, rules.length))))
      plan.headers.append(section)
      return
    }
    if isElsewhere { plan.placements.append(section) }
    if touched.isPlaced || rules.header != nil { plan.headers.append(section) }
    var (removed, inserted) = window(touched, count)
    // Identifiers that break the laws of equality may be counted otherwise in the list.
    removed.removeAll { $0 >= output.itemCount(ofSectionAt: shown) }
    if !removed.isEmpty { plan.removals.append((shown, removed)) }
    if !inserted.isEmpty { plan.insertions.append((section, inserted)) }
    plan.updates += touched.updated.filter { $0 < rules.length }
      .map { ItemPath(section: index, item: $0) }
  }

  /// The rows that leave and arrive among the first of a section.
  ///
  /// Rows that stay keep their order. With three rows shown, and `x` inserted:
  ///
  ///     before  a b c | d      c leaves, although it stays in the section
  ///     after   a x b | c d
  ///
  /// - Parameter count: The number of rows of the section now.
  private func window(
    _ touched: TouchedSection, _ count: Int
  ) -> (removed: [Int], inserted: [Int]) {
    let oldCount = count - touched.entering.count + touched.leaving.count
    let (end, oldEnd) = (Swift.min(count, rules.length), Swift.min(oldCount, rules.length))
    var removed = touched.leaving.filter { $0 < oldEnd }
    var inserted = touched.entering.filter { $0 < end }
    // The first rows that stay are shown before and after: as many as fit both.
    let surplus = (oldEnd - removed.count) - (end - inserted.count)
    if surplus > 0 { removed += Self.last(surplus, before: oldEnd, without: touched.leaving) }
    if surplus < 0 { inserted += Self.last(-surplus, before: end, without: touched.entering) }
    return (removed.sorted(), inserted.sorted())
  }

  /// The last positions before another one that are not among some.
  private static func last(_ count: Int, before end: Int, without others: [Int]) -> [Int] {
    let others = Set(others)
    return Array((0..<end).reversed().lazy.filter { !others.contains($0) }.prefix(count))
  }
}

/// Applying a planned change.
extension SectionStep {
  func carryOut(
    _ plan: SectionPlan<SectionID>, _ input: StepInput<SectionID, ItemID>, _ live: inout Live
  ) throws(SnapshotError) -> Live.Commit? {
    let new = input.snapshot
    let kernels = new.kernels
    let marks = live.snapshot.following(input.marks)
    return try live.edit { draft, given in
      var hasModels = true
      for (section, rows) in plan.removals {
        draft.remove(rows, ofSectionAt: section, keepingModels: &hasModels)
      }
      if !plan.deletes.isEmpty { draft.deleteSections(plan.deletes) }
      draft.place(plan.placements) { isBefore($0, $1, in: new) }
      for (section, rows) in plan.insertions {
        insert(rows, of: section, new, &hasModels, into: &draft)
      }
      given.isComplete = hasModels
      if kernels.models != nil {
        if !hasModels {
          for (section, rows) in plan.insertions {
            guard let index = new.indexOfSection(section) else { continue }
            for row in rows { give(ItemPath(section: index, item: row), of: new, &given) }
          }
        }
        for path in plan.updates { give(path, of: new, &given) }
        for section in plan.headers {
          guard let index = new.indexOfSection(section), draft.containsSection(section) else {
            continue
          }
          given.sections[section] = content(
            of: section, count: new.itemCount(ofSectionAt: index), in: new)
        }
      }
      draft.take(marks)
    }
  }

  private func give(_ path: ItemPath, of input: Input, _ given: inout Live.Given) {
    withExtendedLifetime(input) {
      let row = input.row(at: path)
      given.set(row.item, model: row.element, input.kernels)
    }
  }

  /// Inserts rows of a section at their positions, first to last.
  private func insert(
    _ rows: [Int], of section: SectionID, _ input: Input, _ hasModels: inout Bool,
    into draft: inout Input
  ) {
    guard let index = draft.indexOfSection(section), let source = input.indexOfSection(section)
    else { return }
    withExtendedLifetime(input) {
      for run in rows.runs {
        let places = run.map { input.row(at: ItemPath(section: source, item: $0)) }
        let items = HashedElements(draft.kernels.items, gathering: places.map(\.item))
        let models = draft.kernels.models.map {
          HashedElements($0, gathering: places.map(\.element))
        }
        let place = Swift.min(run.lowerBound, draft.itemCount(ofSectionAt: index))
        draft.insert(
          items, models, at: ItemPath(section: index, item: place), keepingModels: &hasModels)
      }
    }
  }
}
