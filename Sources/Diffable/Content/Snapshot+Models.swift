/// The models that a source keeps beside the items: where they are, and how an edited state gets them.
extension Snapshot {
  /// The model of an item, hidden or not, or `nil` if the item is not there or has none.
  ///
  /// - Complexity: that of ``itemPath(for:)``.
  func model<Model>(of item: ItemID, as type: Model.Type) -> Model? {
    withModel(of: item) { $0?.assumingMemoryBound(to: type).pointee }
  }

  /// The same for a state that has no table, by that of a state that was made of it.
  ///
  /// - Complexity: O(log n) for n items where both have the item in the same leaf, else that of
  ///   ``itemPath(for:)``.
  func model<Model>(
    of item: ItemID, as type: Model.Type, asking table: IdentityTable?
  ) -> Model? {
    let hash = item.storedHash
    let found = table.map { table in
      places(ofItem: item, hash: hash) { table.forEachEntry(hash: hash, $0) }
    }
    guard let places = found, !places.visible.isEmpty || !places.hidden.isEmpty else {
      return model(of: item, as: type)
    }
    return withModel(of: item, in: places) { $0?.assumingMemoryBound(to: type).pointee }
  }

  /// The model of the visible item at a path, or `nil` if there is none.
  ///
  /// - Complexity: O(log n) for n items.
  func model<Model>(at path: ItemPath, as type: Model.Type) -> Model? {
    withModel(at: path) { $0?.assumingMemoryBound(to: type).pointee }
  }

  /// The model of a section, or `nil` if the section is not there or has none.
  func content(ofSection section: SectionID) -> SectionContent? {
    indexOfSection(section).flatMap { order[$0].model }
  }

  func withModel<Result>(of item: ItemID, _ body: (UnsafeRawPointer?) -> Result) -> Result {
    withModel(of: item, in: places(ofItem: item), body)
  }

  private func withModel<Result>(
    of item: ItemID, in places: Places, _ body: (UnsafeRawPointer?) -> Result
  ) -> Result {
    if let path = places.visible.first { return withModel(at: path, body) }
    guard let section = places.hidden.first, let outline = order[section].outline?.value,
      let position = outline.position(of: item)
    else { return body(nil) }
    return outline.rows.base.withModel(at: position, body)
  }

  func withModel<Result>(at path: ItemPath, _ body: (UnsafeRawPointer?) -> Result) -> Result {
    guard (0..<numberOfSections).contains(path.section) else { return body(nil) }
    let record = order[path.section]
    guard let outline = record.outline?.value else {
      guard case .tree(let tree) = record.items, (0..<tree.count).contains(path.item) else {
        return body(nil)
      }
      return tree.base.withModel(at: path.item, body)
    }
    guard let position = outline.position(ofVisibleRow: path.item) else { return body(nil) }
    return outline.rows.base.withModel(at: position, body)
  }

  /// The models of all items, hidden ones too, first to last.
  ///
  /// - Complexity: O(n) for n items.
  func models<Model>(_ type: Model.Type) -> [Model] {
    var models: [Model] = []
    for record in records {
      let tree = record.outline?.value.rows.base ?? record.items.tree.base
      tree.root?.forEachLeaf { leaf in
        withExtendedLifetime(leaf) {
          guard let span = leaf.models else { return }
          let first = span.first.assumingMemoryBound(to: type)
          models.append(contentsOf: UnsafeBufferPointer(start: first, count: leaf.count))
        }
      }
    }
    return models
  }

  // MARK: Completing a state

  typealias Comparison = SnapshotComparison<SectionID, ItemID>
  typealias Touched = Comparison.TouchedSection
  typealias Given = GivenContent<SectionID, ItemID>

  /// Puts models beside all items, and in all sections, of a state that was made of a live one.
  ///
  /// What a writer gives counts; what else was there keeps what it has in the live state.
  ///
  /// Needs the table.
  ///
  /// - Parameters:
  ///   - live: The live state, which has its models.
  ///   - comparison: Which sections are not those of the live state; notes those that are not any longer.
  ///   - complete: Indices of sections that have the models of their items already.
  ///   - given: What the writer gives.
  /// - Returns: The items that have come without a model.
  /// - Complexity: O((d + g) · log n) for d leaves that are not those of the live state and g given
  ///   models of n items; O(n) where items have left their neighbourhood or come without a model.
  mutating func complete(
    since live: Snapshot, _ comparison: inout Comparison, except complete: Set<Int> = [],
    given: Given
  ) -> [ItemID] {
    guard let models = kernels.models else { return [] }
    let touched = comparison.touched
    var filler = ModelFiller(models, given: given.items)
    for section in touched {
      setContent(ofSection: section, since: live, given)
      if !complete.contains(section.new) { fill(section, since: live, &filler) }
    }
    if !filler.unresolved.isEmpty {
      let trees = live.records.lazy.map { $0.outline?.value.rows.base ?? $0.items.tree.base }
      filler.lookFor(filler.unresolved, in: trees, kernels.items)
      for section in touched where !complete.contains(section.new) {
        fill(section, since: live, &filler)
      }
    }
    guard filler.unresolved.isEmpty else {
      return filler.unresolved.map { $0.element.assumingMemoryBound(to: ItemID.self).pointee }
    }
    comparison.noteTouched(replaceModels(given, filler))
    return []
  }

  /// Takes over the models of another state, and those that somebody gives.
  ///
  /// Needs the table. All items are in the other state, or have a given model.
  mutating func takeModels(of base: Snapshot, given: Given = Given()) {
    guard kernels.models != nil else { return }
    var comparison = Comparison(old: base, new: self)
    _ = complete(since: base, &comparison, given: given)
  }

  /// This state with models that somebody gives, and the items that get none.
  func filled(
    with given: Given, _ kernels: SnapshotKernels
  ) -> (snapshot: Snapshot, missing: [ItemID]) {
    var result = resolved
    result.kernels = kernels
    guard kernels.models != nil else { return (result, []) }
    let nothing = Snapshot(kernels)
    var comparison = Comparison(old: nothing, new: result)
    let missing = result.complete(since: nothing, &comparison, given: given)
    return (result, missing)
  }

  private mutating func setContent(
    ofSection section: Touched, since live: Snapshot, _ given: Given
  ) {
    var record = order[section.new]
    let former = section.old.flatMap { live.order[$0].model }
    let content = given.sections[record.id] ?? former
    guard content !== record.model else { return }
    record.model = content?.model == nil ? nil : content
    order.replaceElement(at: section.new, with: record)
  }

  private mutating func fill(
    _ section: Touched, since live: Snapshot, _ filler: inout ModelFiller
  ) {
    let record = order[section.new]
    let old = section.old.map { live.order[$0] }
    if var outline = record.outline?.value {
      filler.fill(&outline.rows.base, since: old?.outline?.value.rows.base)
      guard !outline.rows.isIdentical(to: record.outline?.value.rows ?? outline.rows) else {
        return
      }
      order.replaceElement(
        at: section.new, with: record.showing(record.items, HeldOutline(outline)))
    } else {
      var tree = record.items.tree
      filler.fill(&tree.base, since: old?.outline == nil ? old?.items.tree.base : nil)
      guard !record.items.isIdentical(to: .tree(tree)) else { return }
      order.replaceElement(at: section.new, with: record.showing(.tree(tree), nil))
    }
  }

  /// Puts models that a writer gives beside items that have others, and in sections that have others.
  ///
  /// - Returns: The indices of the sections that are not the same any longer.
  private mutating func replaceModels(_ given: Given, _ filler: ModelFiller) -> Set<Int> {
    var replaced: Set<Int> = []
    var labels: [Int: Set<LeafLabel>] = [:]
    given.items?.forEach { item, hash, _ in
      forEachPlace(ofItem: item, hash: hash) { labels[$0, default: []].insert($1) }
    }
    for (section, labels) in labels {
      let record = order[section]
      let tree = record.outline?.value.rows.base ?? record.items.tree.base
      var delta = LeafDelta()
      for label in labels.sorted() {
        guard let leaf = tree.leaf(labelled: label)?.leaf,
          let other = filler.replacingModels(of: leaf)
        else { continue }
        delta.removed.append(leaf)
        delta.added.append(other)
      }
      guard !delta.removed.isEmpty else { continue }
      replaced.insert(section)
      if var outline = record.outline?.value {
        outline.rows.base.exchangeLeaves(delta)
        order.replaceElement(at: section, with: record.showing(record.items, HeldOutline(outline)))
      } else {
        var tree = record.items.tree
        tree.base.exchangeLeaves(delta)
        order.replaceElement(at: section, with: record.showing(.tree(tree), nil))
      }
    }
    for (section, content) in given.sections.elements {
      guard let index = indexOfSection(section) else { continue }
      var record = order[index]
      guard record.model ?? SectionContent() != content else { continue }
      record.model = content.model == nil ? nil : content
      order.replaceElement(at: index, with: record)
      replaced.insert(index)
    }
    return replaced
  }

  /// Calls a function with the index of each section that an item is in, hidden or not, and the label
  /// of its leaf there.
  ///
  /// Needs the table.
  func forEachPlace(
    ofItem item: UnsafeRawPointer, hash: UInt32, _ body: (_ section: Int, _ leaf: LeafLabel) -> Void
  ) {
    itemTable?.entries.forEachEntry(hash: hash) { entry in
      guard let section = index(ofSection: entry.section) else { return true }
      let record = order[section]
      if let outline = record.outline?.value {
        if let position = outline.rows.base.firstPosition(of: item, hash: hash, in: outline.table),
          let place = outline.rows.base.leaf(atPosition: position)
        {
          body(section, place.leaf.label)
        }
      } else if case .tree(let tree) = record.items,
        let place = tree.base.leaf(labelled: entry.label),
        place.leaf.offset(of: item, hash: hash) != nil
      {
        body(section, entry.label)
      }
      return true
    }
  }

  // MARK: What a writer gives

  /// Adds the models that came with the items of sections to what a writer gives.
  ///
  /// - Parameters:
  ///   - duplicates: Which of several models of an item counts.
  ///   - done: Indices of sections that are left out.
  func giveModels(
    to given: inout Given, _ duplicates: DuplicatePolicy, except done: Set<Int> = []
  ) {
    guard done.count < numberOfSections else { return }
    let records = records
    for index in duplicates == .keepFirst ? records.indices.reversed() : Array(records.indices)
    where !done.contains(index) {
      guard case .array(let items, _, let models?) = records[index].items else { continue }
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

  /// The models that this state has and a base has not, or has others: what a writer gives who makes this
  /// state of the base.
  ///
  /// - Complexity: O(c · log n) for c elements that differ; O(n) where whole sections come or go.
  func givenContent(since base: Snapshot) -> Given {
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
        && base.withModel(of: item) { $0.map { models.areEqual($0, model) } ?? false }
      guard !isKnown else { return }
      withUnsafePointer(to: item) {
        given.set($0, hash: item.storedHash, model: model, models, kernels.items)
      }
    }
    func give(at path: ItemPath) {
      if let item = itemIdentifier(for: path) { withModel(at: path) { give(item, $0) } }
    }
    changes.items.forEach(give(at:))
    for section in comparison.touched {
      let record = order[section.new]
      let old = section.old.map { base.order[$0] }
      if record.model ?? SectionContent() != old?.model ?? SectionContent() {
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
        outline.rows.base.withModel(at: position) { give(outline.rows[position].id, $0) }
      }
    }
    for section in comparison.correspondence.changed {
      for item in section.inserts.joined() { give(at: ItemPath(section: section.new, item: item)) }
    }
    return given
  }

  /// What is given and not there.
  ///
  /// Needs the table.
  func unknown(of given: Given) -> SnapshotError? {
    var unknown: [AnyItemID] = []
    given.items?.forEach { item, hash, _ in
      var isThere = false
      forEachPlace(ofItem: item, hash: hash) { _, _ in isThere = true }
      if !isThere { unknown.append(AnyItemID(item.assumingMemoryBound(to: ItemID.self).pointee)) }
    }
    guard unknown.isEmpty else { return .unknownItem(unknown) }
    let sections = given.sections.elements.map(\.key).filter { !containsSection($0) }
    return sections.isEmpty ? nil : .unknownSection(sections.map { AnyItemID($0) })
  }

  /// Checks that every item has a model, and no hidden one less, where the `InternalChecks` trait is on.
  func _checkModels() {
    #if InternalChecks
    guard kernels.models != nil else { return }
    for record in records {
      let tree = record.outline?.value.rows.base ?? record.items.tree.base
      precondition(tree.leaves.allSatisfy { $0.models != nil }, "an item without a model")
    }
    #endif
  }
}
