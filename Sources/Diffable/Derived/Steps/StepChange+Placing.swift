/// Finding the places of inserted rows.
extension StepChange {
  /// An inserted row, with its section.
  struct Arrival {
    let row: RowPlace
    let section: Out
    /// In the new input, or in the other one.
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
        row: row, section: sections.output(input.order[path.section].id), path: path,
        isOther: other != nil)
    case .keyed(let keys, _):
      return Arrival(
        row: row, section: keys.groups([row])[0].section, path: path, isOther: other != nil)
    }
  }

  /// Arrivals by section, each with its gap, in their order.
  ///
  /// - Complexity: O(c · log² n) for c arrivals among n rows.
  func insertions(
    _ arrivals: [Arrival]
  ) -> [(section: Out, rows: [StepPlan<Out, ItemID>.Insertion])] {
    var back: PositionMap?
    if arrivals.count == 1 {
      let arrival = arrivals[0]
      let row = StepPlan<Out, ItemID>.Insertion(
        row: arrival.row, gap: gap(for: arrival, &back), showsOther: showsOther(arrival))
      return [(arrival.section, [row])]
    }
    var sections: [(section: Out, rows: [StepPlan<Out, ItemID>.Insertion])] = []
    var places = IdentifierMap<Out, Int>()
    let arrivals = arrivals.sorted { left, right in
      left.isOther == right.isOther ? left.path < right.path : isOfFirst(left)
    }
    for arrival in arrivals {
      let insertion = StepPlan<Out, ItemID>.Insertion(
        row: arrival.row, gap: gap(for: arrival, &back), showsOther: showsOther(arrival))
      if let place = places[arrival.section] {
        sections[place].rows.append(insertion)
      } else {
        places[arrival.section] = sections.count
        sections.append((arrival.section, [insertion]))
      }
    }
    for index in sections.indices {
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

  /// Whether an inserted row may show something else than before: only then is it transformed.
  private func showsOther(_ arrival: Arrival) -> Bool {
    step.map == nil || !output.containsItem(arrival.row.item()) || !step.isSame(arrival.row, old)
  }

  /// The index in its section of the first row of the last output that belongs after an arrival.
  private func gap(for arrival: Arrival, _ back: inout PositionMap?) -> Int {
    guard let section = output.indexOfSection(arrival.section) else { return 0 }
    func oldGap() -> ItemPath {
      arrival.isOther ? arrival.path : input.oldGap(before: arrival.path, isKeyed, &back)
    }
    // Only steps that make trees make outlines, and these do not search gaps.
    let tree = output.base.withFacts(ofSectionAt: section) { $0.itemTree }
    return withExtendedLifetime(tree) {
      tree.partitioningPosition { leaf, offset in
        let row = RowPlace(item: leaf.span.address(offset), element: leaf.shown(at: offset))
        return isBefore(row, arrival, oldGap)
      }
    }
  }

  /// Whether a row of the last output belongs before an arrival.
  private func isBefore(
    _ row: RowPlace, _ arrival: Arrival, _ oldGap: () -> ItemPath
  ) -> Bool {
    if let order = rules.order, step.map == nil,
      let verdict = compare(order, row.element, arrival.row.element)
    {
      return verdict
    }
    let item = row.item(as: ItemID.self)
    if let other { return isBefore(item, arrival, oldGap, other) }
    guard let oldPath = old.itemPath(for: item) else { return false }
    if let order = rules.order, step.map != nil {
      let verdict: Bool? = old.withRow(at: oldPath) {
        compare(order, $0.element, arrival.row.element)
      }
      if let verdict { return verdict }
    }
    return oldPath < oldGap()
  }

  /// The same for two merged inputs: rows of the first are before those of the second.
  private func isBefore(
    _ item: ItemID, _ arrival: Arrival, _ oldGap: () -> ItemPath, _ other: OtherInput<In, ItemID>
  ) -> Bool {
    let (oldPath, otherPath) = (old.itemPath(for: item), other.snapshot.itemPath(for: item))
    let isOther = otherPath != nil && (other.isFirst || oldPath == nil)
    guard isOther == arrival.isOther else { return isOther == other.isFirst }
    return (isOther ? otherPath : oldPath).map { $0 < oldGap() } ?? false
  }

  /// Whether a row belongs to the first of two inputs.
  private func isOfFirst(_ arrival: Arrival) -> Bool { other?.isFirst == arrival.isOther }

  /// Whether the first element belongs before the second; `nil` if the order does not tell.
  private func compare(
    _ order: RowOrder, _ left: UnsafeRawPointer, _ right: UnsafeRawPointer
  ) -> Bool? {
    if order.areInOrder(left, right) { return true }
    return order.areInOrder(right, left) ? false : nil
  }
}

extension InputChange {
  /// The place in the old input for a place in the new one; staying rows before it are the same.
  ///
  /// - Parameters:
  ///   - isKeyed: Whether moving sections are deleted and inserted with their rows.
  ///   - back: The map from new to old positions, made on demand: the order of a query mostly
  ///     distinguishes two rows, and then it is not needed.
  fileprivate func oldGap(
    before path: ItemPath, _ isKeyed: Bool, _ back: inout PositionMap?
  ) -> ItemPath {
    let sectionGap = ItemPath(section: map.oldSectionGap(forNew: path.section), item: 0)
    if isKeyed, map.isPlaced(newSection: path.section) { return sectionGap }
    let map = back ?? PositionMap(difference.inverse)
    back = map
    return map.newGap(forOld: path) ?? sectionGap
  }
}
