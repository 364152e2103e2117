/// Transferring models from one state to another.
extension Snapshot {
  /// Adds the models that were passed with the items of sections to what a writer gives.
  ///
  /// - Parameters:
  ///   - duplicates: Decides between several models of an item.
  ///   - done: Indices of sections that are left out.
  func giveModels(
    to given: inout Given, _ duplicates: DuplicatePolicy, except done: Set<Int> = []
  ) {
    guard done.count < numberOfSections else { return }
    let records = records
    for index in duplicates == .keepFirst ? records.indices.reversed() : Array(records.indices)
    where !done.contains(index) {
      guard case .array(let array) = records[index].items, let models = array.models
      else { continue }
      let items = array.items
      RowModels.withSpan(of: models) { span in
        guard let span else { return }
        for place in duplicates == .keepFirst ? items.indices.reversed() : Array(items.indices) {
          withUnsafePointer(to: items[place]) {
            given.set(
              $0, hash: items[place].storedHash, model: span.address(place), span.kernel,
              kernels.items)
          }
        }
      }
    }
  }

  /// The models of this state that differ from those of a base, or that the base does not have.
  ///
  /// A writer that makes this state from the base gives exactly these.
  ///
  /// - Complexity: O(c · log n) for c elements that differ; O(n) if whole sections are inserted or
  ///   deleted.
  package func givenContent(since base: Snapshot) -> Given {
    var given = Given()
    guard let models = kernels.models else { return given }
    let comparison = SnapshotComparison(old: base, new: self)
    let changes = ContentChanges(from: base, to: self, comparison)
    let mayHaveMoved =
      base.order.totals.outlines > 0 || !comparison.correspondence.sectionDeletes.isEmpty
    func give(_ item: ItemID, _ model: UnsafeRawPointer?) {
      guard let model else { return }
      let isKnown =
        mayHaveMoved
        && base.withModel(of: item) { $0.map { models.areEqual($0.first, model) } ?? false }
      guard !isKnown else { return }
      withUnsafePointer(to: item) {
        given.set($0, hash: item.storedHash, model: model, models, kernels.items)
      }
    }
    func give(at path: ItemPath) {
      if let item = itemIdentifier(for: path) { withModel(at: path) { give(item, $0?.first) } }
    }
    changes.items.forEach(give(at:))
    for section in comparison.touched {
      let record = order[section.new]
      let old = section.old.map { base.order[$0] }
      if record.model != old?.model {
        given.sections[record.id] = record.model ?? SectionContent()
      }
      guard let outline = record.outline?.value else {
        if section.old == nil {
          for item in 0..<record.items.count {
            give(at: ItemPath(section: section.new, item: item))
          }
        }
        continue
      }
      let before = old?.outline?.value ?? Outline(outline.kernel)
      outline.forEachRow(since: before, models) { position, _ in
        outline.rows.base.withModel(at: position) { give(outline.rows[position].id, $0?.first) }
      }
    }
    for section in comparison.correspondence.changed {
      for item in section.inserts.joined() { give(at: ItemPath(section: section.new, item: item)) }
    }
    return given
  }

  /// The error for given models whose items or sections do not exist.
  ///
  /// Needs the table.
  package func unknown(of given: Given) -> SnapshotError? {
    var unknown: [AnyItemID] = []
    given.items?.forEach { item, hash, _ in
      var isThere = false
      forEachPlace(ofItem: item, hash: hash) { _, _ in isThere = true }
      if !isThere { unknown.append(AnyItemID(item.assumingMemoryBound(to: ItemID.self).pointee)) }
    }
    guard unknown.isEmpty else { return .unknownItem(unknown) }
    guard given.hasSections else { return nil }
    let sections = given.sections.elements.map { $0.key }.filter { !containsSection($0) }
    return sections.isEmpty ? nil : .unknownSection(sections.map { AnyItemID($0) })
  }
}
