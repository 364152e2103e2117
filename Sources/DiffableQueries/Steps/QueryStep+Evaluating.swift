import Diffable

/// Computing a step from scratch.
extension QueryStep {
  private typealias Group = StepGroup<Out>

  /// The result of the rules for a state, with its models.
  ///
  /// - Parameters:
  ///   - origin: Knows rows that have been transformed before.
  ///   - output: The last result of the step.
  /// - Complexity: O(n) tests and O(k log k) comparisons for n rows of which k are kept.
  func evaluate(
    _ input: StepInput<In, ItemID>, reusing origin: StepInput<In, ItemID>.Origin,
    _ output: Output
  ) -> (snapshot: Output, given: Live.Given) {
    let (expansion, ranks) = (input.expansion, rules.isRanked ? input.ranks : nil)
    let input = input.snapshot
    let kernels = kernels(from: input.kernels)
    let groups = other == nil ? groups(of: input, ranks) : mergedGroups(of: inputs(input))
    // Rows are identified by their addresses, and the input holds them, or the groups do.
    return withExtendedLifetime((input, other, groups)) {
      for group in groups { noteDeadlines(group.rows, input) }
      var given = Live.Given()
      let snapshot: Output
      if let tree = rules.tree {
        snapshot = self.trees(of: groups, tree, expansion, kernels, &given)
      } else {
        snapshot = Output(
          kernels,
          contents: groups.map { group in
            (id: group.section, items: items(of: group, kernels, reusing: origin, output))
          })
      }
      if kernels.models != nil { summarise(groups, input, &given) }
      return (snapshot, given)
    }
  }

  private func groups(of input: Input, _ ranks: RowRanks<ItemID>? = nil) -> [Group] {
    var groups: [Group] = []
    let elements = input.kernels.models ?? input.kernels.items
    switch rules.sections {
    case .same(let sections):
      var start = 0
      let window = rules.window?.indices(among: input.numberOfItems)
      for (index, record) in input.records.enumerated() {
        let positions = window.map { $0.lowerBound - start..<$0.upperBound - start }
        start += record.itemCount
        var group = Group(section: sections.output(record.id))
        if keepsLeaves, let tree = input.rows(ofSectionAt: index, at: positions, passing: test) {
          group.tree = tree
        } else {
          group.rows = input.places(ofSectionAt: index, at: positions, passing: test)
          if let order = rules.order { group.elements = order.sort(&group.rows, elements) }
        }
        groups.append(group)
      }
    case .keyed(let keys, _):
      var rows = input.places(passing: test)
      ranks?.sort(&rows)
      let sorted = rules.order?.sort(&rows, elements)
      groups = keys.groups(rows).map {
        Group(section: $0.section, rows: $0.rows, held: sorted)
      }
      if let fixed = rules.fixedSections {
        let filled = IdentifierSet(groups.map(\.section))
        groups += fixed.lazy.filter { !filled.contains($0) }.map { Group(section: $0) }
      }
      groups.sort { keys.areInOrder($0.section, $1.section) }
    }
    if let distinction {
      distinction.removeAll()
      for index in groups.indices { groups[index].rows.removeAll { !distinction.insert($0) } }
    }
    if rules.omitsEmptySections { groups.removeAll { $0.count == 0 } }
    return groups
  }

  /// Whether rows stay as they are in the input, so that its leaves can be shared.
  private var keepsLeaves: Bool {
    rules.order == nil && rules.map == nil && rules.tree == nil && rules.expiry == nil
      && distinction == nil && other == nil
  }

  /// The sections of several inputs, each once.
  ///
  /// The rows of the first input that has a section are before those of the next.
  private func mergedGroups(of inputs: [Input]) -> [Group] {
    var groups: [Group] = []
    var places = IdentifierMap<Out, Int>()
    for (number, input) in inputs.enumerated() {
      for var group in self.groups(of: input) {
        for earlier in inputs[..<number] {
          group.rows.removeAll {
            earlier.itemPath(for: $0.item(as: ItemID.self)) != nil
          }
        }
        if let place = places[group.section] {
          groups[place].rows += group.rows
        } else {
          places[group.section] = groups.count
          groups.append(group)
        }
      }
    }
    return groups
  }

  /// Sections with trees.
  private func trees(
    of groups: [Group], _ tree: TreeRule<ItemID>, _ expansion: ExpansionFlags<ItemID>,
    _ kernels: SnapshotKernels, _ given: inout Live.Given
  ) -> Output {
    (orphans, hasCircles) = (IdentifierRelation(), false)
    for group in groups {
      for row in group.rows { given.set(row.item, model: row.element, kernels) }
    }
    return Output(
      kernels,
      sections: groups.map { group in
        (id: group.section, rows: .outline(outline(of: group.rows, tree, expansion, kernels)))
      })
  }

  /// The items of a section, with their models if there are any.
  private func items(
    of group: Group, _ kernels: SnapshotKernels,
    reusing origin: StepInput<In, ItemID>.Origin, _ output: Output
  ) -> SectionItems<ItemID> {
    if let tree = group.tree { return .tree(ItemTree(tree)) }
    let rows = group.rows
    guard !rows.isEmpty else { return .array([], kernels.items) }
    let items = [ItemID](unsafeUninitializedCapacity: rows.count) { buffer, count in
      guard let first = buffer.baseAddress else { return }
      kernels.items.gather(rows.map(\.item), to: UnsafeMutableRawPointer(first))
      count = rows.count
    }
    guard let models = kernels.models else { return .array(items, kernels.items) }
    guard let map else {
      let elements =
        group.elements ?? HashedElements(models, gathering: rows.map(\.element))
      return .array(items, kernels.items, models: RowModels(elements))
    }
    let elements = HashedElements(models, count: rows.count) { number, place in
      let row = rows[number]
      if case .changed(let change) = origin,
        let path = output.itemPath(for: items[number]), isSame(row, change.old)
      {
        // The earlier result for the row.
        output.withRow(at: path) { models.copy($0.element, to: place, count: 1) }
      } else {
        map.make(row.element, place)
      }
    }
    return .array(items, kernels.items, models: RowModels(elements))
  }

  /// Sets the models of sections.
  private func summarise(
    _ groups: [Group], _ input: Input, _ given: inout Live.Given
  ) {
    guard let summaries else {
      // Sections without a model too: they may have had one under another query.
      for group in groups { given.sections[group.section] = SectionContent() }
      guard case .same(let sections) = rules.sections else { return }
      // The first input that has a section counts.
      for input in inputs(input).reversed() {
        for record in input.records {
          given.sections[sections.output(record.id)] = record.model ?? SectionContent()
        }
      }
      return
    }
    summaries.removeAll()
    for group in groups {
      summaries.replace(0..<0, of: group.section, with: group.shown)
      given.sections[group.section] = summaries.content(of: group.section, count: group.count)
    }
  }
}

/// The rows of a section of a result: places anywhere, or a tree.
private struct StepGroup<SectionID: Hashable & Sendable> {
  let section: SectionID
  var rows: [RowPlace] = []
  /// A tree that shares leaves with the input, instead of rows.
  var tree: OrderTree?
  /// The elements of the rows, if they are adjacent in memory.
  var elements: HashedElements?
  /// Elements that some of the rows refer to.
  var held: HashedElements?

  var count: Int { tree?.count ?? rows.count }

  /// What the list shows for each row.
  var shown: [UnsafeRawPointer] {
    var shown = rows.map(\.element)
    tree?.root?.forEachLeaf { leaf in
      for offset in 0..<leaf.count { shown.append(leaf.shown(at: offset)) }
    }
    return shown
  }
}
