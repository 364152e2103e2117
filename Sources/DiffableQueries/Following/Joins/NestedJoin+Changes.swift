import Diffable

/// What is shown for the rows of the first list.
extension NestedJoin {
  var elementRule: NestedRows<SectionID, Row>.Rule { .init(rows: made(of:), shown: shown(for:)) }

  /// The number of rows before those of a group: in a tree, the row that they name.
  private var header: Int { rule.isTree ? 1 : 0 }

  /// The number of rows for a row of the first list, with a group of some rows.
  private func length(_ count: Int) -> Int {
    rule.isTree ? count + 1 : count == 0 && rule.kind.keepsLeft ? 1 : count
  }

  /// All rows for a row of the first list.
  private func made(of element: RowPlace) -> [Row] {
    let left: Left = element.copy()
    let rights = groups.state?.elements(ofGroup: left.id, as: Right.self) ?? []
    if rule.isTree { return [.left(left)] + rights.map { .right($0) } }
    if rights.isEmpty { return rule.kind.keepsLeft ? [.left(left)] : [] }
    return rights.map { .both(left, $0) }
  }

  /// The rows that show a row of the first list.
  private func shown(for element: RowPlace) -> [Row] {
    rule.isTree ? [.left(element.copy())] : made(of: element)
  }

  /// The identifiers of the rows that show a row of the first list.
  func items(showing left: Left.ID) -> [ItemID] {
    // Rows that name a hidden row do not show it.
    guard !rule.isTree, base?.itemPath(for: left) != nil, let groups = groups.state,
      groups.numberOfItems(inSection: left) > 0
    else { return [.left(left)] }
    return withExtendedLifetime(groups) {
      groups.rows(ofGroup: left).map { .right($0.item()) }
    }
  }
}

/// Following the second list.
extension NestedJoin {
  /// The number of changed rows of the second list up to which they are followed.
  private var limit: Int {
    InputChange<SectionID, ItemID>.limit(among: rows.state.numberOfItems)
  }

  /// Plans for a change of the groups; returns whether it is known and small.
  func planGroups(
    _ input: StepInput<Left.ID?, Right.ID>, _ base: Base,
    _ plan: inout NestedPlan<SectionID, Row>
  ) -> Bool {
    guard let change = input.change, let changed = change.rows(atMost: limit) else { return false }
    var touched = IdentifierMap<Left.ID, ItemPath>()
    /// The name of a group, and the place of what it names.
    func group(_ index: Int, of groups: Groups) -> (name: Left.ID, path: ItemPath)? {
      guard let name = groups.section(at: index), let path = base.itemPath(for: name) else {
        return nil
      }
      return (name, path)
    }
    func start(_ path: ItemPath) -> Int {
      rows.start(of: path.item, in: base.section(at: path.section)) + header
    }
    for path in changed.leaving {
      guard let (name, place) = group(path.section, of: change.old) else { continue }
      touched[name] = place
      let position = start(place) + path.item
      plan.remove(position..<position + 1, of: base.section(at: place.section))
    }
    for path in changed.entering {
      guard let (name, place) = group(path.section, of: change.new) else { continue }
      touched[name] = place
      plan.insert(
        row(at: path, of: change.new, place), at: start(place) + change.oldPosition(before: path),
        NestedPlace(element: place.item, row: header + path.item),
        of: base.section(at: place.section))
    }
    for path in changed.updated {
      guard let (_, place) = group(path.section, of: change.new) else { continue }
      plan.updates.append(row(at: path, of: change.new, place))
    }
    for (name, place) in touched.elements { planLength(of: name, place, change, base, &plan) }
    return true
  }

  /// Plans for the number of rows of a row of the first list, and for the one that it has without partners.
  private func planLength(
    of name: Left.ID, _ place: ItemPath, _ change: InputChange<Left.ID?, Right.ID>, _ base: Base,
    _ plan: inout NestedPlan<SectionID, Row>
  ) {
    let section = base.section(at: place.section)
    let shown = rows.rows(of: place.item, in: section)
    let count = change.new.numberOfItems(inSection: name)
    plan.change(section) { $0.changedElements.append((place.item, length(count))) }
    guard rule.kind.keepsLeft, !rule.isTree else { return }
    if count == 0 {
      plan.insert(
        .left(base.row(at: place).copy()), at: shown.lowerBound,
        NestedPlace(element: place.item, row: -1), of: section)
    } else if let index = rows.state.indexOfSection(section), !shown.isEmpty,
      case .left = rows.state.itemIdentifier(
        for: ItemPath(section: index, item: shown.lowerBound))
    {
      plan.remove(shown, of: section)
    }
  }

  /// The joined row of a row of the second list.
  private func row(at path: ItemPath, of groups: Groups, _ place: ItemPath) -> Row {
    let right: Right = groups.withRow(at: path) { $0.copy() }
    guard !rule.isTree, let base else { return .right(right) }
    return .both(base.withRow(at: place) { $0.copy() }, right)
  }

  /// Plans for the rows that name no row of the first list; returns whether the change is known and small.
  func planRest(
    _ input: StepInput<SingleSection, Right.ID>?, _ plan: inout NestedPlan<SectionID, Row>
  ) -> Bool {
    guard let section = rule.kind.unmatched else { return true }
    guard let change = input?.change, let changed = change.rows(atMost: limit) else { return false }
    let rest = change.new
    let start = rows.start(of: nil, in: section)
    for path in changed.leaving {
      plan.remove(start + path.item..<start + path.item + 1, of: section)
    }
    for path in changed.entering {
      plan.insert(
        .right(rest.row(at: path).copy()), at: start + change.oldPosition(before: path),
        NestedPlace(element: .max, row: path.item), of: section)
    }
    for path in changed.updated { plan.updates.append(.right(rest.row(at: path).copy())) }
    return true
  }
}

/// What writers have marked and renamed, and what is unconfirmed.
extension NestedJoin {
  /// The marks of the first list, for all rows that show what is marked.
  func marks(of input: StepInput<SectionID, Left.ID>) -> State.Marks {
    input.marks.translated(
      { $0 }, rows: items(showing:),
      renames: input.marks.renames.inOrder.map { $0.map(ItemID.left) })
  }

  /// The marks of the second list; the marks of its sections are those of their rows.
  func marks(of input: StepInput<OtherSectionID, Right.ID>) -> State.Marks {
    var marks = input.marks.translated(
      { _ in SectionID?.none }, rows: { [ItemID.right($0)] },
      renames: input.marks.renames.inOrder.map { $0.map(ItemID.right) })
    for section in input.marks.reloadedSections.inOrder {
      marks.reload(
        items: input.snapshot.itemIdentifiers(inSection: section).map { ItemID.right($0) })
    }
    return marks
  }

  func renames<Section, Item>(
    in batch: UpdateBatch<Section, Item>, ofFeed index: Int
  ) -> [ItemRename<ItemID>] {
    index == 0
      ? batch.renames(as: Left.ID.self).map { $0.map(ItemID.left) }
      : batch.renames(as: Right.ID.self).map { $0.map(ItemID.right) }
  }

  func unconfirmedItems(of feeds: [any Feed]) -> Set<ItemID> {
    let (lefts, rights): (Set<Left.ID>, Set<Right.ID>) =
      (feeds[0].unconfirmedItems(), feeds[1].unconfirmedItems())
    return Set(lefts.flatMap(items(showing:)) + rights.map { .right($0) })
  }
}
