/// Working a stage out from scratch.
extension QueryStage {
  /// The rows that go to one section.
  private typealias Group = (section: Out, rows: [RowPlace])

  /// The state that the rules make of a state, with the models that go with it.
  ///
  /// - Parameters:
  ///   - origin: Where rows that have been transformed before are known.
  ///   - output: What the stage made last.
  /// - Complexity: O(n) tests and O(k log k) comparisons for n rows of which k are kept.
  func evaluate(
    _ input: Input, reusing origin: StageInput<In, ItemID>.Origin, _ output: Output
  ) -> (snapshot: Output, given: Live.Given) {
    let kernels = kernels(from: input.kernels)
    // Rows are known by where they are in memory, which the input holds.
    return withExtendedLifetime(input) {
      let groups = groups(of: input)
      var given = Live.Given()
      let snapshot = Output(
        kernels,
        contents: groups.map { group in
          (id: group.section, items: items(group.rows, kernels, reusing: origin, input, output))
        })
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
        var rows = rules.window.map { window in
          let count = record.itemCount
          defer { start += count }
          return input.rowPlaces(ofSectionAt: index, window.lowerBound - start..<window.upperBound - start)
        } ?? input.rowPlaces(ofSectionAt: index)
        arrange(&rows)
        groups.append((sections.output(record.id), rows))
      }
    case .keyed(let keys, _):
      var rows: [RowPlace] = []
      for index in 0..<input.numberOfSections { rows += input.rowPlaces(ofSectionAt: index) }
      arrange(&rows)
      groups = Self.groups(of: rows, by: keys)
    }
    if rules.omitsEmptySections { groups.removeAll { $0.rows.isEmpty } }
    return groups
  }

  private func arrange(_ rows: inout [RowPlace]) {
    rules.test?.filter(&rows)
    rules.order?.sort(&rows)
  }

  private static func groups(of rows: [RowPlace], by keys: RowKeys<Out>) -> [Group] {
    var groups: [Group] = []
    var places = IdentifierMap<Out, Int>()
    var last: Int?
    for (row, section) in zip(rows, keys.sections(rows)) {
      // Neighbours often share their section, and comparing costs less than hashing.
      if let last, groups[last].section == section {
        groups[last].rows.append(row)
      } else if let place = places[section] {
        groups[place].rows.append(row)
        last = place
      } else {
        places[section] = groups.count
        last = groups.count
        groups.append((section, [row]))
      }
    }
    return groups.sorted { keys.areInOrder($0.section, $1.section) }
  }

  /// The items of a section, with their models where there are any.
  private func items(
    _ rows: [RowPlace], _ kernels: SnapshotKernels,
    reusing origin: StageInput<In, ItemID>.Origin, _ input: Input, _ output: Output
  ) -> SectionItems<ItemID> {
    let items = [ItemID](unsafeUninitializedCapacity: rows.count) { buffer, count in
      for row in rows {
        (buffer.baseAddress.map { $0 + count })?
          .initialize(to: row.item.assumingMemoryBound(to: ItemID.self).pointee)
        count += 1
      }
    }
    guard let models = kernels.models else { return .array(items, kernels.items) }
    let buffer = RowModelBuffer(models, capacity: rows.count)
    for (row, item) in zip(rows, items) {
      buffer.append { place in
        guard let map = rules.map?.rows else { return models.copy(row.element, to: place, count: 1) }
        if case .changed(from: let old, _) = origin,
          made(of: row, item, since: old, in: output, { models.copy($0, to: place, count: 1) })
        {
          return
        }
        map.make(row.element, place)
      }
    }
    return .array(items, kernels.items, models: buffer.models)
  }

  /// Calls a function with the model that was made of a row before, if the row still shows the same.
  ///
  /// - Returns: Whether it was called.
  func made(
    of row: RowPlace, _ item: ItemID, since old: Input, in output: Output,
    _ body: (UnsafeRawPointer) -> Void
  ) -> Bool {
    guard let path = output.itemPath(for: item), let oldPath = old.itemPath(for: item) else {
      return false
    }
    let elements = old.kernels.models ?? old.kernels.items
    let isSame = old.withRow(at: oldPath) { elements.areEqual($0.element, row.element) }
    if isSame { output.withRow(at: path) { body($0.element) } }
    return isSame
  }

  /// Gives sections what they show besides their rows.
  private func summarise(
    _ groups: [Group], _ input: Input, _ given: inout Live.Given
  ) {
    guard let summaries else {
      // Also those that have nothing to show: they may have had something under another query.
      for group in groups { given.sections[group.section] = SectionContent() }
      guard case .same(let sections) = rules.sections else { return }
      for record in input.records {
        guard let model = record.model else { continue }
        given.sections[sections.output(record.id)] = model
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
