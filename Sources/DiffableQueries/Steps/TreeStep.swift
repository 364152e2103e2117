import Diffable

/// A step that reads all rows of the trees of its input, hidden ones too.
///
/// A tree stores its rows in depth-first order, each with its level. So the rows that change are found
/// by comparing leaves that are not shared, and what is below a row follows it.
class TreeStep<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: ChainedStep {
  typealias Input = Snapshot<SectionID, ItemID>
  typealias Live = LiveState<SectionID, ItemID>
  typealias Tree = Outline<ItemID>

  /// The type of what the input has for a row.
  private let element: any Any.Type
  /// The rows that it looks for; `nil` if it shows all.
  let test: RowTest?
  /// Whether sections without rows are left out.
  private let omitsEmptySections: Bool
  private(set) var beginnings = 0

  init(element: any Any.Type, test: RowTest? = nil, omitsEmptySections: Bool = false) {
    (self.element, self.test) = (element, test)
    self.omitsEmptySections = omitsEmptySections
  }

  var isSearch: Bool { test != nil }

  func isTooLarge(_ change: InputChange<SectionID, ItemID>) -> Bool {
    Self.touchedSections(from: change.old, to: change.new) == nil
  }

  func kernels(from input: SnapshotKernels) -> SnapshotKernels { input }

  /// The rows that the step itself expands and collapses.
  func flags(_ input: StepInput<SectionID, ItemID>) -> ExpansionFlags<ItemID> { ExpansionFlags() }

  /// Forgets what it knows of a section, or of all.
  func forget(_ section: SectionID?) {}

  /// The rows that are shown for the tree of a section, from scratch.
  func rows(
    of tree: Tree, of section: SectionID, _ flags: ExpansionFlags<ItemID>,
    _ kernels: SnapshotKernels, _ given: inout Live.Given
  ) -> ContiguousArray<Tree.Row> { [] }

  /// Gives the models of the rows of a flat list.
  func give(_ rows: [RowPlace], _ kernels: SnapshotKernels, _ given: inout Live.Given) {}

  /// Lets what is shown for a tree follow a change.
  func apply(
    _ change: Change, _ output: inout Tree, _ flags: ExpansionFlags<ItemID>,
    _ kernels: SnapshotKernels, _ given: inout Live.Given
  ) {}

  /// Expands and collapses the rows that users have expanded and collapsed.
  func tell(_ flags: ExpansionFlags<ItemID>, of input: Input, _ draft: inout Input) {}

  func advance(
    _ input: StepInput<SectionID, ItemID>, _ live: inout Live
  ) throws(SnapshotError) -> Live.Commit? {
    let snapshot = input.snapshot
    let kernels = snapshot.kernels
    precondition((kernels.models ?? kernels.items).type == element, "elements of another type")
    let (flags, made) = (flags(input), self.kernels(from: kernels))
    switch isFresh ? .unknown : input.origin {
    case .same:
      guard !flags.news.isEmpty else { return nil }
      return try live.edit { draft, _ in tell(flags, of: snapshot, &draft) }
    case .changed(let change):
      if let touched = Self.touchedSections(from: change.old, to: snapshot) {
        let marks = live.snapshot.following(input.marks)
        return try live.edit { draft, given in
          let deleted = change.deletedSections
          for section in deleted { forget(section) }
          draft.deleteSections(deleted)
          place(change.placedSections, inserting: false, snapshot, &draft)
          for section in touched { follow(section, snapshot, flags, made, &draft, &given) }
          given.setHeaders(change)
          tell(flags, of: snapshot, &draft)
          draft.take(marks)
        }
      }
    default: break
    }
    beginnings += 1
    var (state, given) = evaluate(snapshot, flags, made)
    state.take(input.marks)
    return try live.apply(
      state, given, duplicates: .reject, keepingOutlines: false, isComplete: false)
  }
}

/// From scratch.
extension TreeStep {
  /// What is shown for a state.
  ///
  /// - Complexity: O(n) for n rows.
  private func evaluate(
    _ input: Input, _ flags: ExpansionFlags<ItemID>, _ kernels: SnapshotKernels
  ) -> (snapshot: Input, given: Live.Given) {
    // Rows are identified by their addresses, and the input holds them.
    defer { withExtendedLifetime(input) {} }
    forget(nil)
    var given = Live.Given()
    typealias Section = (id: SectionID, rows: Input.Rows)
    var sections: [Section] = []
    for (index, record) in input.records.enumerated() {
      let rows = rows(ofSectionAt: index, of: input, flags, kernels, &given)
      guard !rows.isEmpty || !omitsEmptySections else { continue }
      given.sections[record.id] = record.model ?? SectionContent()
      sections.append((id: record.id, rows: rows))
    }
    return (Input(kernels, sections: sections), given)
  }

  /// What is shown for a section.
  ///
  /// - Complexity: O(n) for n rows of the section.
  private func rows(
    ofSectionAt index: Int, of input: Input, _ flags: ExpansionFlags<ItemID>,
    _ kernels: SnapshotKernels, _ given: inout Live.Given
  ) -> Input.Rows {
    let section = input.section(at: index)
    forget(section)
    if let tree = input.outline(ofSectionAt: index) {
      var shown = Tree(kernels.items)
      shown.replaceRows(0..<0, with: rows(of: tree, of: section, flags, kernels, &given))
      return .outline(shown)
    }
    let rows = input.places(ofSectionAt: index, passing: test)
    give(rows, kernels, &given)
    return .list(rows.map { $0.item() })
  }
}

/// Following the sections of the input.
extension TreeStep {
  /// Places sections where the input has them.
  private func place(
    _ sections: [SectionID], inserting isInserting: Bool = true, _ input: Input,
    _ draft: inout Input
  ) {
    draft.place(sections, inserting: isInserting) { left, right in
      (input.indexOfSection(left) ?? 0) < (input.indexOfSection(right) ?? input.numberOfSections)
    }
  }

  /// Lets the draft follow a section that is new or has changed.
  private func follow(
    _ touched: TouchedSection, _ input: Input, _ flags: ExpansionFlags<ItemID>,
    _ kernels: SnapshotKernels, _ draft: inout Input, _ given: inout Live.Given
  ) {
    let section = input.section(at: touched.index)
    let rows: Input.Rows
    if let change = touched.change {
      // A section that is left out shows none of its rows.
      var output = draft.outline(ofSection: section) ?? Tree(kernels.items)
      apply(change, &output, flags, kernels, &given)
      rows = .outline(output)
    } else {
      rows = self.rows(ofSectionAt: touched.index, of: input, flags, kernels, &given)
    }
    guard !rows.isEmpty || !omitsEmptySections else { return draft.deleteSections([section]) }
    if !draft.containsSection(section) {
      place([section], input, &draft)
      given.sections[section] = input.content(ofSection: section) ?? SectionContent()
    }
    if let index = draft.indexOfSection(section) { draft.exchangeRows(rows, ofSectionAt: index) }
  }
}

extension RowPlace {
  /// The row of a tree; an identifier is the first property of its row.
  func row<ItemID>() -> OutlineRow<ItemID> { item(as: OutlineRow<ItemID>.self) }
}

extension Outline {
  /// A row, and what the list shows for it.
  func place(at position: Int) -> RowPlace { rows.base.withRow(at: position) { $0 } }

  /// Adjacent rows, which the tree holds.
  func places(_ range: Range<Int>) -> [RowPlace] {
    var places: [RowPlace] = []
    places.reserveCapacity(range.count)
    rows.base.forEachLeaf(in: range) { leaf, base in
      for offset in range.clamped(to: base..<base + leaf.count) {
        places.append(leaf.row(at: offset - base))
      }
    }
    return places
  }

  /// Expands and collapses rows as others with their identifiers are.
  mutating func setFlags(like rows: some Collection<Row>) {
    for flag in [false, true] {
      setChildrenUnloaded(of: rows.filter { $0.hasUnloadedChildren == flag }.map { $0.id }, flag)
      setExpanded(flag, rows.filter { $0.isExpanded == flag }.map { $0.id })
    }
  }

  /// A row and its ancestors, by their positions, from below.
  func chain(from position: Int) -> some Sequence<Int> {
    sequence(first: position, next: parentPosition(ofRowAt:))
  }
}
