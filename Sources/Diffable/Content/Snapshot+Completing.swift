/// Completing an edited state with its models.
extension Snapshot {
  typealias Comparison = SnapshotComparison
  package typealias Given = GivenContent<SectionID, ItemID>

  /// Sets the models of all items and sections of a state that was made from a live one.
  ///
  /// Models that the writer gives win. Everything else keeps its model of the live state. Needs the
  /// table.
  ///
  /// - Parameters:
  ///   - live: The live state, which has its models.
  ///   - comparison: Knows which sections differ from those of the live state. Sections that differ
  ///     after this call are recorded in it.
  ///   - isComplete: By section index: whether it already has the models of its items; empty if
  ///     none has.
  ///   - given: What the writer gives.
  /// - Returns: The new items without a model.
  /// - Complexity: O((d + g) · log n) for d leaves that are in only one of both states and g given
  ///   models of n items.
  mutating func complete(
    since live: Snapshot, _ comparison: inout Comparison, except isComplete: [Bool] = [],
    given: Given
  ) -> [ItemID] {
    guard let models = kernels.models else { return [] }
    let touched = comparison.touched
    if given.isComplete, given.isEmpty { return [] }
    var filler = ModelFiller(models, given: given.items)
    for section in given.isComplete && !given.hasSections ? [] : touched {
      let old = live.body(ofSectionAt: section.old)
      setContent(ofSectionAt: section.new, since: old, given)
      if !given.isComplete, isComplete.isEmpty || !isComplete[section.new] {
        fill(sectionAt: section.new, since: old, &filler)
      }
    }
    if !filler.unresolved.isEmpty {
      // An item that has left its place was in a leaf that this state does not have.
      filler.lookForUnresolved(in: live.leaves(notIn: self), kernels.items)
      for section in touched where isComplete.isEmpty || !isComplete[section.new] {
        fill(sectionAt: section.new, since: live.body(ofSectionAt: section.old), &filler)
      }
    }
    guard filler.unresolved.isEmpty else {
      return filler.unresolved.map { $0.element(as: ItemID.self) }
    }
    if !given.isEmpty { comparison.noteTouched(replaceModels(given, filler)) }
    return []
  }

  /// Takes over the models of another state, which has all items.
  mutating func takeModels(of base: Snapshot) {
    guard kernels.models != nil else { return }
    var comparison = Comparison(old: base.base, new: self.base)
    _ = complete(since: base, &comparison, given: Given())
  }

  private func body(ofSectionAt index: Int?) -> SectionBody? {
    // No closure, as that would hold a copy of the snapshot.
    if let index { base.body(ofSectionAt: index) } else { nil }
  }

  private mutating func setContent(
    ofSectionAt index: Int, since old: SectionBody?, _ given: Given
  ) {
    var content = old?.model
    if given.hasSections, let new = given.sections[section(at: index)] { content = new.stored }
    base.setContent(ofSectionAt: index, to: content)
  }

  private mutating func fill(
    sectionAt index: Int, since old: SectionBody?, _ filler: inout ModelFiller
  ) {
    let isSameKind = old?.isOutline == base.isOutline(sectionAt: index)
    base.editLeaves(ofSectionAt: index) { tree in
      filler.fill(&tree, since: isSameKind ? old?.rowTree : nil)
    }
  }

  /// Sets given models of items and sections that have other models.
  ///
  /// - Returns: The indices of the sections that have changed.
  private mutating func replaceModels(_ given: Given, _ filler: ModelFiller) -> Set<Int> {
    var replaced: Set<Int> = []
    var places: [(section: Int, label: LeafLabel)] = []
    if let items = given.items, filler.placedCount < items.count {
      items.forEach { item, hash, _ in
        forEachPlace(ofItem: item, hash: hash) { places.append(($0, $1)) }
      }
      places = places.sortedIfNeeded { $0.label.halves }.sortedIfNeeded { $0.section }
    }
    var next = places.startIndex
    while next < places.endIndex {
      let section = places[next].section
      let end = places[next...].firstIndex { $0.section != section } ?? places.endIndex
      let labels = places[next..<end].map(\.label)
      next = end
      let tree = base.body(ofSectionAt: section).rowTree
      var delta = LeafDelta()
      for (index, label) in labels.enumerated() where index == 0 || label != labels[index - 1] {
        guard let leaf = tree.leaf(labelled: label)?.leaf,
          let other = filler.replacingModels(of: leaf)
        else { continue }
        delta.removed.append(leaf)
        delta.added.append(other)
      }
      guard !delta.removed.isEmpty else { continue }
      replaced.insert(section)
      base.editLeaves(ofSectionAt: section) { $0.exchangeLeaves(delta) }
    }
    guard given.hasSections else { return replaced }
    for (section, content) in given.sections.elements {
      guard let index = indexOfSection(section) else { continue }
      guard base.body(ofSectionAt: index).model != content.stored else { continue }
      base.setContent(ofSectionAt: index, to: content.stored)
      replaced.insert(index)
    }
    return replaced
  }

  /// Calls a function with each section index and leaf label of an item, visible or hidden.
  ///
  /// Needs the table.
  func forEachPlace(
    ofItem item: UnsafeRawPointer, hash: UInt32, _ body: (_ section: Int, _ leaf: LeafLabel) -> Void
  ) {
    base.itemTable?.entries.forEachEntry(hash: hash) { entry in
      guard let section = base.index(ofSection: entry.section) else { return true }
      let rows = base.body(ofSectionAt: section)
      if let outline = rows.outline(of: ItemID.self)?.value {
        if let position = outline.rows.base.firstPosition(of: item, hash: hash, in: outline.table),
          let place = outline.rows.base.leaf(atPosition: position)
        {
          body(section, place.leaf.label)
        }
      } else if let place = rows.tree?.leaf(labelled: entry.label),
        place.leaf.offset(of: item, hash: hash) != nil
      {
        body(section, entry.label)
      }
      return true
    }
  }
}
