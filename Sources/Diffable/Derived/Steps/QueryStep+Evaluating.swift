/// Computing a step from scratch.
extension QueryStep {
  private typealias Group = RowGroup<Out>

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
    let expansion = input.expansion
    let input = input.snapshot
    let kernels = kernels(from: input.kernels)
    // Rows are identified by their addresses, and the input holds them.
    return withExtendedLifetime((input, other)) {
      let groups = other == nil ? groups(of: input) : mergedGroups(of: inputs(input))
      for group in groups { noteDeadlines(group.rows, input) }
      var given = Live.Given()
      let snapshot: Output
      if let tree = rules.tree {
        snapshot = self.trees(of: groups, tree, expansion, kernels, &given)
      } else {
        snapshot = Output(
          kernels,
          contents: groups.map { group in
            (id: group.section, items: items(group.rows, kernels, reusing: origin, output))
          })
      }
      if kernels.models != nil { summarise(groups, input, &given) }
      return (snapshot, given)
    }
  }

  private func groups(of input: Input) -> [Group] {
    var groups: [Group] = []
    switch rules.sections {
    case .same(let sections):
      var start = 0
      for (index, record) in input.records.enumerated() {
        let positions = rules.window.map { $0.lowerBound - start..<$0.upperBound - start }
        start += record.itemCount
        var rows: [RowPlace] = []
        input.appendRows(ofSectionAt: index, at: positions, passing: test, to: &rows)
        rules.order?.sort(&rows)
        groups.append(Group(section: sections.output(record.id), rows: rows))
      }
    case .keyed(let keys, _):
      var rows: [RowPlace] = []
      for index in 0..<input.numberOfSections {
        input.appendRows(ofSectionAt: index, passing: test, to: &rows)
      }
      rules.order?.sort(&rows)
      groups = keys.groups(rows).sorted { keys.areInOrder($0.section, $1.section) }
    }
    if rules.omitsEmptySections { groups.removeAll { $0.rows.isEmpty } }
    return groups
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
    trees = TreeMemory()
    if let models = kernels.models {
      for group in groups {
        for row in group.rows {
          given.set(
            row.item, hash: kernels.items.hash(of: row.item), model: row.element, models,
            kernels.items)
        }
      }
    }
    return Output(
      kernels,
      sections: groups.map { group in
        (id: group.section, rows: .outline(outline(of: group.rows, tree, expansion, kernels)))
      })
  }

  /// The items of a section, with their models if there are any.
  private func items(
    _ rows: [RowPlace], _ kernels: SnapshotKernels,
    reusing origin: StepInput<In, ItemID>.Origin, _ output: Output
  ) -> SectionItems<ItemID> {
    guard !rows.isEmpty else { return .array([], kernels.items) }
    let items = [ItemID](unsafeUninitializedCapacity: rows.count) { buffer, count in
      guard let first = buffer.baseAddress else { return }
      kernels.items.gather(rows.map(\.item), to: UnsafeMutableRawPointer(first))
      count = rows.count
    }
    guard let models = kernels.models else { return .array(items, kernels.items) }
    guard let map else {
      let elements = HashedElements(models, gathering: rows.map(\.element))
      return .array(items, kernels.items, models: RowModels(elements))
    }
    let elements = HashedElements(models, count: rows.count) { number, place in
      let row = rows[number]
      if case .changed(from: let old, _) = origin, let path = output.itemPath(for: items[number]),
        isSame(row, old)
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
      for row in group.rows { summaries.add(row.element, to: group.section) }
      given.sections[group.section] = summaries.content(of: group.section, count: group.rows.count)
    }
  }
}
