import Diffable

/// Placing rows and sections in the live state.
extension QueryStep {
  /// Places inserted and moved sections where the input has them.
  func placeSections(_ plan: StepPlan<Out, ItemID>, _ input: Input, _ draft: inout Output) {
    var parked = 0
    for section in plan.sectionPlacements {
      guard let index = draft.indexOfSection(section) else { continue }
      draft.moveSection(at: index, to: draft.numberOfSections - 1)
      parked += 1
    }
    for section in plan.sectionPlacements {
      let place = place(
        of: section, amongFirst: draft.numberOfSections - parked, of: draft, input)
      if let index = draft.indexOfSection(section) {
        draft.moveSection(at: index, to: place)
        parked -= 1
      } else if !rules.omitsEmptySections {
        draft.insertSections([section], at: place)
      }
    }
  }

  /// Removes rows of a section.
  ///
  /// - Parameters:
  ///   - positions: Their indices in the section, in ascending order.
  ///   - hasModels: Whether each item has its model; set to `false` if a leaf loses its models.
  func remove(
    _ positions: [Int], ofSectionAt section: Int, _ hasModels: inout Bool,
    from draft: inout Output
  ) {
    var rest = positions
    while hasModels, let last = rest.last {
      hasModels = draft.removeKeepingModels(at: ItemPath(section: section, item: last))
      if hasModels { rest.removeLast() }
    }
    guard !rest.isEmpty else { return }
    draft.removeItems(ofSectionAt: section) { $0.remove(at: rest, section: $1) }
  }

  /// Inserts rows of one section, last to first, so that earlier gaps stay as they are.
  ///
  /// - Parameters:
  ///   - removed: The rows that have left the section, to which the gaps refer.
  ///   - hasModels: Whether each item has its model; set to `false` if inserted rows have none.
  func insert(
    _ insertions: StepPlan<Out, ItemID>.Insertions, _ removed: [Int], _ input: Input,
    _ hasModels: inout Bool, into draft: inout Output
  ) {
    let section = insertions.section
    if draft.indexOfSection(section) == nil {
      let place = place(of: section, amongFirst: draft.numberOfSections, of: draft, input)
      draft.insertSections([section], at: place)
    }
    guard let index = draft.indexOfSection(section) else { return }
    let rows = insertions.rows
    var end = rows.endIndex
    while end > 0 {
      let gap = rows[end - 1].gap
      let start = rows[..<end].lastIndex { $0.gap != gap }.map { $0 + 1 } ?? 0
      let removedBefore = removed.partitioningIndex { $0 >= gap }
      insert(
        rows[start..<end], at: ItemPath(section: index, item: gap - removedBefore), &hasModels,
        into: &draft)
      end = start
    }
  }

  /// Inserts adjacent rows, with their models if that is possible.
  private func insert(
    _ rows: ArraySlice<RowInsertion>, at path: ItemPath,
    _ hasModels: inout Bool, into draft: inout Output
  ) {
    let items = HashedElements(draft.kernels.items, gathering: rows.map { $0.row.item })
    let places = rows.compactMap { $0.model }
    if hasModels, let kernel = draft.kernels.models, places.count == rows.count {
      let models = HashedElements(kernel, gathering: places)
      let isInserted = withExtendedLifetime((items, models)) {
        draft.insert(items.span, ModelSpan(kernel: kernel, first: models.span.first), at: path)
      }
      if isInserted { return }
    }
    hasModels = false
    draft.insert(items, at: path)
  }
}
