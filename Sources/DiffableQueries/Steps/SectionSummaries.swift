public import Diffable

/// Section models that follow from rows, updated row by row.
@usableFromInline class SectionSummaries<SectionID: Hashable & Sendable> {
  @usableFromInline init() {}

  /// Forgets all sections.
  @usableFromInline func removeAll() {}
  /// Adds an element to a section.
  @usableFromInline func add(_ element: UnsafeRawPointer, to section: SectionID) {}
  /// Removes an element from a section.
  ///
  /// - Returns: Whether this was possible. If not, the section has to be removed, and all its
  ///   elements have to be added again.
  @usableFromInline func remove(_ element: UnsafeRawPointer, from section: SectionID) -> Bool {
    true
  }
  /// Forgets a section, which has no elements then.
  @usableFromInline func remove(_ section: SectionID) {}
  /// The model of a section with a number of rows.
  @usableFromInline func content(of section: SectionID, count: Int) -> SectionContent {
    SectionContent()
  }
}

/// The model of a section by the number of its rows and a sum over them.
@usableFromInline
final class SectionSums<
  SectionID: ModelledSection, Element, Sum: AdditiveArithmetic
>: SectionSummaries<SectionID> {
  private let value: @Sendable (Element) -> Sum
  private let model: @Sendable (SectionID, Int, Sum) -> SectionID.SectionModel
  private var sums = IdentifierMap<SectionID, Sum>()

  @usableFromInline init(
    _ value: @escaping @Sendable (Element) -> Sum,
    _ model: @escaping @Sendable (SectionID, Int, Sum) -> SectionID.SectionModel
  ) {
    self.value = value
    self.model = model
  }

  @usableFromInline override func removeAll() { sums = IdentifierMap() }

  @usableFromInline override func add(_ element: UnsafeRawPointer, to section: SectionID) {
    let value = lend(element, to: value)
    sums[section] = (sums[section] ?? .zero) + value
  }

  @usableFromInline override func remove(
    _ element: UnsafeRawPointer, from section: SectionID
  ) -> Bool {
    let sum = sums[section] ?? .zero
    // Nothing can be taken from an infinite sum, or from one that is not a number.
    guard sum - sum == .zero else { return false }
    sums[section] = sum - lend(element, to: value)
    return true
  }

  @usableFromInline override func remove(_ section: SectionID) { sums[section] = nil }

  @usableFromInline override func content(of section: SectionID, count: Int) -> SectionContent {
    SectionContent(model(section, count, sums[section] ?? .zero))
  }
}

/// Maintaining the models of sections.
extension QueryStep {
  /// The sections of the last output that a plan affects.
  struct TouchedSections {
    /// The sections that rows leave.
    var sections: [Out] = []
    /// Those that all rows leave.
    var emptied: [Out] = []
    /// The sections with rows that show something else.
    var updated: [Out] = []
    /// Those whose summaries have to be made again from all rows.
    var uncertain = IdentifierSet<Out>()
  }

  /// Records which sections a plan affects, while they are still unchanged.
  func touchedSections(_ plan: StepPlan<Out, ItemID>, _ output: Output) -> TouchedSections {
    var touched = TouchedSections()
    func subtract(_ path: ItemPath, _ section: Out) {
      let isCertain = output.withRow(at: path) { summaries?.remove($0.element, from: section) }
      if isCertain == false { touched.uncertain.insert(section) }
    }
    for (index, positions) in plan.removals {
      let section = output.section(at: index)
      touched.sections.append(section)
      if output.itemCount(ofSectionAt: index) == positions.count { touched.emptied.append(section) }
      guard summaries != nil else { continue }
      for position in positions { subtract(ItemPath(section: index, item: position), section) }
    }
    guard summaries != nil else { return touched }
    for row in plan.updates {
      let item = row.item(as: ItemID.self)
      guard let path = output.itemPath(for: item) else { continue }
      let section = output.section(at: path.section)
      subtract(path, section)
      touched.updated.append(section)
    }
    return touched
  }

  /// Sets the new models of sections.
  func giveSections(
    _ plan: StepPlan<Out, ItemID>, _ touched: TouchedSections, from old: Input, _ new: Input,
    _ draft: Output,
    _ given: inout Live.Given
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
    for insertion in plan.insertions {
      for row in insertion.rows { summaries.add(row.row.element, to: insertion.section) }
    }
    for row in plan.updates {
      let item = row.item(as: ItemID.self)
      guard let section = draft.sectionIdentifier(containingItem: item) else { continue }
      summaries.add(row.element, to: section)
    }
    let sections =
      touched.sections + plan.insertions.map { $0.section } + touched.updated
      + plan.sectionPlacements
    for section in IdentifierSet(sections).inOrder {
      let count = draft.indexOfSection(section).map(draft.itemCount(ofSectionAt:)) ?? 0
      // The sum of no numbers is zero, however its parts were rounded.
      if count == 0 { summaries.remove(section) }
      guard draft.containsSection(section) else { continue }
      if count > 0, touched.uncertain.contains(section) {
        summarise(draft.itemIdentifiers(inSection: section), of: section, new)
      }
      given.sections[section] = summaries.content(of: section, count: count)
    }
  }

  /// Makes the summary of a section from all its rows.
  private func summarise(_ items: [ItemID], of section: Out, _ input: Input) {
    summaries?.remove(section)
    for item in items {
      guard let path = input.itemPath(for: item) else { continue }
      input.withRow(at: path) { summaries?.add($0.element, to: section) }
    }
  }
}
