import Diffable

/// Finding the places of inserted rows.
extension StepChange {
  /// An inserted row, with its section.
  struct Arrival {
    let row: RowPlace
    let section: Out
    /// In the new input, in the other one, or among the ranks.
    let path: ItemPath
    let isOther: Bool
  }

  /// The arrival of a row of the new input, or of the other one.
  func arrival(at path: ItemPath, ofOther other: Input? = nil) -> Arrival {
    let input = other ?? new
    let row = input.row(at: path)
    switch rules.sections {
    case .same(let sections):
      return Arrival(
        row: row, section: sections.output(input.section(at: path.section)), path: path,
        isOther: other != nil)
    case .keyed(let keys, _):
      let rank = ranks?.new.itemPath(for: row.item(as: ItemID.self))
      return Arrival(
        row: row, section: keys.groups([row])[0].section, path: rank ?? path,
        isOther: other != nil)
    }
  }

  /// Arrivals by section, each with its gap, in their order.
  ///
  /// - Complexity: O(c · log² n) for c arrivals among n rows.
  func insertions(_ arrivals: [Arrival]) -> [StepPlan<Out, ItemID>.Insertions] {
    func add(_ arrival: Arrival, to section: inout StepPlan<Out, ItemID>.Insertions) {
      let gap = gap(for: arrival, inSectionAt: section.index)
      section.rows.append(
        RowInsertion(
          row: arrival.row, gap: gap, showsOther: showsOther(arrival),
          model: step.map == nil ? arrival.row.element : nil))
    }
    func insertions(in section: Out) -> StepPlan<Out, ItemID>.Insertions {
      .init(section: section, index: output.indexOfSection(section))
    }
    if arrivals.count == 1 {
      var section = insertions(in: arrivals[0].section)
      add(arrivals[0], to: &section)
      return [section]
    }
    var sections: [StepPlan<Out, ItemID>.Insertions] = []
    var places = IdentifierMap<Out, Int>()
    let arrivals = arrivals.sorted { left, right in
      left.isOther == right.isOther ? left.path < right.path : isOfFirst(left)
    }
    for arrival in arrivals {
      let place = places[arrival.section] ?? sections.count
      if place == sections.count {
        places[arrival.section] = place
        sections.append(insertions(in: arrival.section))
      }
      add(arrival, to: &sections[place])
    }
    for index in sections.indices where sections[index].rows.count > 1 {
      // The sort is stable, so rows that the order does not distinguish stay as they are in the
      // input.
      sections[index].rows.sort { left, right in
        left.gap != right.gap
          ? left.gap < right.gap
          : rules.order?.areInOrder(left.row.element, right.row.element) ?? false
      }
    }
    return sections
  }

  /// Transforms inserted rows, each once.
  func transform(_ plan: inout StepPlan<Out, ItemID>) {
    guard let map = step.map else { return }
    let rows = plan.insertions.flatMap { $0.rows.filter { $0.showsOther } }
    let made = HashedElements(map.models, count: rows.count) { map.make(rows[$0].row.element, $1) }
    plan.made = made
    var number = 0
    for section in plan.insertions.indices {
      for row in plan.insertions[section].rows.indices
      where plan.insertions[section].rows[row].showsOther {
        plan.insertions[section].rows[row].model = made.span.address(number)
        number += 1
      }
    }
  }

  /// Whether an inserted row may show something else than before: only then is it transformed.
  private func showsOther(_ arrival: Arrival) -> Bool {
    step.map == nil || !output.containsItem(arrival.row.item()) || !step.isSame(arrival.row, old)
  }

  /// The index in its section of the first row of the last output that belongs after an arrival.
  private func gap(for arrival: Arrival, inSectionAt index: Int?) -> Int {
    guard let index else { return 0 }
    // Only steps that make trees make outlines, and these do not search gaps.
    let tree = output.base.withBody(ofSectionAt: index) { $0.itemTree }
    let order = rules.order
    if let order, step.map == nil {
      let gap = tree.partitioningPosition { order.areInOrder($0.element, arrival.row.element) }
      // Mostly the order distinguishes the row there from the arrival.
      guard gap < tree.count,
        tree.withRow(at: gap, { !order.areInOrder(arrival.row.element, $0.element) })
      else { return gap }
    }
    func oldGap() -> ItemPath {
      if let ranks { return ranks.oldGap(before: arrival.path) }
      return arrival.isOther ? arrival.path : input.oldGap(before: arrival.path, isKeyed: isKeyed)
    }
    return tree.partitioningPosition { isBefore($0, arrival, order, oldGap) }
  }

  /// Whether a row of the last output belongs before an arrival.
  private func isBefore(
    _ row: RowPlace, _ arrival: Arrival, _ order: RowOrder?, _ oldGap: () -> ItemPath
  ) -> Bool {
    if let order, step.map == nil, let verdict = order.verdict(row.element, arrival.row.element) {
      return verdict
    }
    let item = row.item(as: ItemID.self)
    if let other { return isBefore(item, arrival, oldGap, other) }
    if let ranks { return ranks.oldPath(of: item).map { $0 < oldGap() } ?? false }
    guard let oldPath = input.oldPath(of: item) else { return false }
    if let order, step.map != nil {
      let verdict = old.withRow(at: oldPath) {
        order.verdict($0.element, arrival.row.element)
      }
      if let verdict { return verdict }
    }
    return oldPath < oldGap()
  }

  /// The same for two merged inputs: rows of the first are before those of the second.
  private func isBefore(
    _ item: ItemID, _ arrival: Arrival, _ oldGap: () -> ItemPath, _ other: OtherInput<In, ItemID>
  ) -> Bool {
    let (oldPath, otherPath) = (input.oldPath(of: item), other.snapshot.itemPath(for: item))
    let isOther = otherPath != nil && (other.isFirst || oldPath == nil)
    guard isOther == arrival.isOther else { return isOther == other.isFirst }
    return (isOther ? otherPath : oldPath).map { $0 < oldGap() } ?? false
  }

  /// Whether a row belongs to the first of two inputs.
  private func isOfFirst(_ arrival: Arrival) -> Bool { other?.isFirst == arrival.isOther }
}

extension InputChange {
  /// The place in the old input for a place in the new one; staying rows before it are the same.
  ///
  /// - Parameter isKeyed: Whether moving sections are deleted and inserted with their rows.
  func oldGap(before path: ItemPath, isKeyed: Bool = false) -> ItemPath {
    // If rows only show something else, their places are the same.
    guard difference.isStructural else { return path }
    let sectionGap = ItemPath(section: map.oldSectionGap(forNew: path.section), item: 0)
    if isKeyed, map.isPlaced(newSection: path.section) { return sectionGap }
    return back.newGap(forOld: path) ?? sectionGap
  }

  /// The same in the section alone: at the beginning, if that is new.
  func oldPosition(before path: ItemPath) -> Int {
    map.oldSection(forNew: path.section) == nil ? 0 : oldGap(before: path).item
  }
}

/// Sections that are deleted, inserted or moved, or that show something else.
extension StepChange {
  func planSections(_ plan: inout StepPlan<Out, ItemID>) {
    guard case .same(let sections) = rules.sections else { return }
    /// Whether this input decides about a section.
    func isOurs(_ section: Out) -> Bool {
      guard let other, other.isFirst else { return true }
      return !other.snapshot.containsSection(sections.input(section))
    }
    let deleted = input.deletedSections.map(sections.output)
    plan.sectionDeletes = deleted.filter { section in
      other.map { !$0.snapshot.containsSection(sections.input(section)) } ?? true
    }
    plan.sectionPlacements = input.placedSections.map(sections.output).filter(isOurs)
    if let other, !other.isFirst {
      // A section that the first input no longer has is now placed where the second has it.
      plan.sectionPlacements += deleted.filter {
        other.snapshot.containsSection(sections.input($0))
      }
    }
    plan.sectionUpdates = input.changedHeaders.map(sections.output).filter(isOurs)
  }
}

/// The order of the sections of a step.
extension QueryStep {
  /// Whether a section belongs before another; both are in the input or have a key.
  private func isBefore(_ left: Out, _ right: Out, _ inputs: [Input]) -> Bool {
    switch rules.sections {
    case .keyed(let keys, _): return keys.areInOrder(left, right)
    case .same(let sections):
      for input in inputs {
        switch (
          input.indexOfSection(sections.input(left)), input.indexOfSection(sections.input(right))
        ) {
        case (let left?, let right?): return left < right
        case (nil, nil): continue
        case (let left, _): return left != nil
        }
      }
      return false
    }
  }

  /// Places sections where the input has them, or by their keys.
  func place(
    _ sections: [Out], inserting isInserting: Bool = true, _ input: Input, _ draft: inout Output
  ) {
    guard !sections.isEmpty else { return }
    let inputs = inputs(input)
    draft.place(sections, inserting: isInserting) { isBefore($0, $1, inputs) }
  }
}
