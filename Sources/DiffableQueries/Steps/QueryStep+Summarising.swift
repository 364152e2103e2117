import Diffable

/// Maintaining the models of sections.
extension QueryStep {
  /// The sections of the last output that rows leave.
  struct TouchedSections {
    var sections: [Out] = []
    /// Those that all rows leave.
    var emptied: [Out] = []
  }

  /// Records which sections a plan affects, while they are still unchanged.
  func touchedSections(_ plan: StepPlan<Out, ItemID>, _ output: Output) -> TouchedSections {
    var touched = TouchedSections()
    for (index, positions) in plan.removals {
      let section = output.section(at: index)
      touched.sections.append(section)
      if output.itemCount(ofSectionAt: index) == positions.count { touched.emptied.append(section) }
    }
    return touched
  }

  /// Lets summaries follow rows that leave a section.
  ///
  /// - Parameter positions: Their indices in the section, in ascending order.
  func summariseRemoval(of positions: [Int], in section: Out) {
    guard let summaries else { return }
    for run in positions.runs.reversed() { summaries.replace(run, of: section, with: []) }
  }

  /// Sets the new models of sections.
  func giveSections(
    _ plan: StepPlan<Out, ItemID>, _ touched: TouchedSections, _ new: Input, _ draft: Output,
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
    var sections =
      touched.sections + plan.insertions.map { $0.section } + plan.sectionPlacements
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
}
