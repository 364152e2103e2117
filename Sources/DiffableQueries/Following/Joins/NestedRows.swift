import Diffable

/// A list in which the rows of each element of another list, the outer one, are adjacent.
///
/// It has the sections of the outer list, and the rows are in the order of their elements. One section may have
/// rows of no element after all others, and exists for these alone if the outer list does not have it.
///
/// It keeps the number of rows of each element, in a tree of sums: so the place of an element's rows is found
/// without a look at the elements before it.
final class NestedRows<
  SectionID: Hashable & Sendable, Row: Identifiable & Equatable & Sendable
> where Row.ID: Sendable {
  typealias State = Snapshot<SectionID, Row.ID>
  typealias Plan = NestedPlan<SectionID, Row>
  typealias Input = StepInput<SectionID, Row.ID>

  private let kernels: SnapshotKernels
  /// The section of rows of no element.
  private let extra: SectionID?
  private var live: LiveState<SectionID, Row.ID>
  private(set) var state: State
  private var lengths = IdentifierMap<SectionID, NestedLengths>()
  /// Whether it has to be worked out from scratch: it never was, or a change has failed.
  private(set) var isBroken = true
  /// How often it was.
  private(set) var beginnings = 0

  init(_ kernels: SnapshotKernels, extra: SectionID? = nil) {
    (self.kernels, self.extra) = (kernels, extra)
    (live, state) = (LiveState(kernels), State(kernels))
  }

  /// Its state, as the input of steps that have not been computed; `nil` before there is one.
  var present: Input? { isBroken ? nil : Input(state, .same) }

  /// The rows of an element, by their positions in the section.
  ///
  /// - Complexity: O(log n) for n elements.
  func rows(of element: Int, in section: SectionID) -> Range<Int> {
    var rows = 0..<0
    lengths.change(section, default: NestedLengths()) { rows = $0.rows(of: element) }
    return rows
  }

  /// The number of rows before those of an element or, without one, of all elements of a section.
  ///
  /// - Complexity: O(log n) for n elements.
  func start(of element: Int?, in section: SectionID) -> Int {
    var start = 0
    lengths.change(section, default: NestedLengths()) {
      start = $0.start(of: element ?? .max)
    }
    return start
  }

  /// The identifiers of the rows of an element, in the last state or a new one.
  ///
  /// - Complexity: O(m · log n) for m of n rows.
  func items(of element: Int, in section: SectionID, of state: State? = nil) -> [Row.ID] {
    let state = state ?? self.state
    guard let index = state.indexOfSection(section) else { return [] }
    return rows(of: element, in: section).compactMap {
      state.itemIdentifier(for: ItemPath(section: index, item: $0))
    }
  }

  /// A section with its rows, from scratch.
  struct Section {
    let id: SectionID
    var rows: [Row] = []
    /// How many of these each element has.
    var lengths: [Int] = []
    var content: SectionContent?
  }

  /// Replaces everything.
  ///
  /// - Complexity: O(n) for n rows.
  func replace(
    by sections: [Section], marks: (State) -> State.Marks
  ) throws(SnapshotError) -> Input {
    isBroken = true
    beginnings += 1
    lengths = IdentifierMap()
    var given = LiveState<SectionID, Row.ID>.Given()
    for section in sections {
      lengths[section.id] = NestedLengths(section.lengths)
      given.sections[section.id] = section.content ?? SectionContent()
    }
    var next = State(
      kernels,
      contents: sections.map { section in
        let models = kernels.models.map { HashedElements(hashing: section.rows, $0) }
        return (
          id: section.id,
          items: SectionItems.array(
            section.rows.map(\.id), kernels.items, models: models.map { RowModels($0) })
        )
      })
    let marks = marks(next)
    next.take(marks)
    let commit = try live.apply(
      next, given, duplicates: .reject, keepingOutlines: false, isComplete: true)
    if let commit { state = commit.snapshot }
    isBroken = false
    return Input(state, .unknown, marks: marks)
  }

  /// Makes a change.
  ///
  /// - Parameters:
  ///   - outer: The outer list after the change.
  ///   - marks: What writers have marked, renamed and placed, for the state after the change.
  /// - Complexity: O(c · log n) for c of n rows.
  func advance<OuterID>(
    _ plan: Plan, outer: Snapshot<SectionID, OuterID>, marks: (State) -> State.Marks
  ) throws(SnapshotError) -> Input {
    isBroken = true
    let before = state
    for (section, change) in plan.sections.elements {
      lengths.change(section, default: NestedLengths()) { $0.apply(change) }
    }
    for section in plan.sectionDeletes { lengths[section] = nil }
    let changes = plan.sections.elements.map { ($0.key, $0.value.sorted) }
    var given = State.Marks()
    let commit = try live.edit { draft, content throws(SnapshotError) in
      var hasModels = true
      for (section, change) in changes {
        guard let index = draft.indexOfSection(section) else { continue }
        let end = draft.itemCount(ofSectionAt: index)
        draft.remove(
          change.removals.filter { $0 < end }, ofSectionAt: index, keepingModels: &hasModels)
      }
      let headers = placeSections(plan, outer.indexOfSection, &draft)
      for (section, change) in changes {
        insert(change, into: section, outer.indexOfSection, &hasModels, &draft)
      }
      if let extra, outer.indexOfSection(extra) == nil, draft.numberOfItems(inSection: extra) == 0 {
        draft.deleteSections([extra])
      }
      content.isComplete = hasModels
      for row in plan.updates { content.set(row, kernels) }
      if !hasModels {
        for (_, change) in changes {
          for insertion in change.insertions { content.set(insertion.row, kernels) }
        }
      }
      for section in headers where draft.containsSection(section) {
        content.sections[section] = outer.content(ofSection: section) ?? SectionContent()
      }
      given = marks(draft)
      draft.take(given)
    }
    if let commit { state = commit.snapshot }
    isBroken = false
    return Input(
      state,
      commit.map { .changed(InputChange(from: before, to: $0.snapshot, $0.difference)) } ?? .same,
      marks: given)
  }

  /// Deletes, inserts and moves sections as the outer list has done.
  ///
  /// - Returns: The sections whose headers may show something else.
  private func placeSections(
    _ plan: Plan, _ outer: (SectionID) -> Int?, _ draft: inout State
  ) -> [SectionID] {
    var headers = plan.sectionUpdates + plan.sectionPlacements
    draft.deleteSections(plan.sectionDeletes.filter { $0 != extra })
    var placed = plan.sectionPlacements
    if let extra, plan.sectionDeletes.contains(extra) {
      // It may have rows of no element, and belongs after all others then.
      placed.append(extra)
      headers.append(extra)
    }
    draft.place(placed) { (outer($0) ?? .max) < (outer($1) ?? .max) }
    return headers
  }

  /// Inserts rows in a section, last to first, so that earlier gaps stay as they are.
  private func insert(
    _ change: Plan.Section, into section: SectionID, _ outer: (SectionID) -> Int?,
    _ hasModels: inout Bool, _ draft: inout State
  ) {
    guard !change.insertions.isEmpty else { return }
    if draft.indexOfSection(section) == nil {
      draft.insertSections([section], at: outer(section) ?? draft.numberOfSections)
    }
    guard let index = draft.indexOfSection(section) else { return }
    var end = change.insertions.endIndex
    while end > 0 {
      let gap = change.insertions[end - 1].gap
      let start = change.insertions[..<end].lastIndex { $0.gap != gap }.map { $0 + 1 } ?? 0
      let rows = change.insertions[start..<end].map { $0.row }
      let place = gap - change.removals.partitioningIndex { $0 >= gap }
      draft.insert(
        HashedElements(hashing: rows.map { $0.id }, kernels.items),
        kernels.models.map { HashedElements(hashing: rows, $0) },
        at: ItemPath(
          section: index, item: Swift.min(place, draft.itemCount(ofSectionAt: index))),
        keepingModels: &hasModels)
      end = start
    }
  }
}
