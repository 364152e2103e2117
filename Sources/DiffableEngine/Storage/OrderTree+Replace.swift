extension OrderTree {
  /// Inserts elements before a position; into the existing leaf, if it has room.
  ///
  /// - Parameters:
  ///   - models: Their models, if the models of the other elements are to be kept.
  ///   - section: The key under which the elements are filed.
  /// - Returns: The changes for a table, or `nil` if nothing has changed: models were given, and the
  ///   leaf there has none, or there are no labels left for the leaves after it.
  /// - Complexity: O(log n + m) for m new elements among n; with models O(log n + m + leaf).
  mutating func insert(
    _ elements: ElementSpan, _ models: ModelSpan? = nil, at position: Int, section: SectionKey
  ) -> IdentityChanges? {
    if let changes = insertInPlace(elements, models, at: position, section: section) {
      return changes
    }
    guard let models else {
      let copies = HashedElements(kernel, copying: elements)
      return IdentityChanges(
        replaceSubrange(position..<position, with: copies), section: section)
    }
    guard let place = leaf(atPosition: position), let kept = place.leaf.models else { return nil }
    let (leaf, offset) = (place.leaf, position - place.base)
    var all = HashedElements(kernel, capacity: leaf.count + elements.count)
    all.append(leaf, 0..<offset)
    all.append(elements)
    all.append(leaf, offset..<leaf.count)
    var pieces = ModelPieces(kept, from: 0, count: offset)
    pieces.append(models.first, count: elements.count)
    pieces.append(kept.address(offset), count: leaf.count - offset)
    let chunks = shape.chunks(of: all.count, keepingFull: position == count)
    guard
      let labels = LeafLabel.labels(
        chunks.count - 1, after: leaf.label, before: place.nextLabel)
    else { return nil }
    let leaves = zip([leaf.label] + labels, chunks).map { label, chunk in
      all.leaf(label, of: chunk, models: pieces.part(chunk))
    }
    return IdentityChanges(
      exchangeLeaves(LeafDelta(removed: [leaf], added: leaves)), section: section)
  }

  /// Inserts elements into the leaf there, if it has room, and has models to keep if there are any.
  ///
  /// - Returns: The changes for a table, or `nil` if nothing has changed.
  private mutating func insertInPlace(
    _ elements: ElementSpan, _ models: ModelSpan?, at position: Int, section: SectionKey
  ) -> IdentityChanges? {
    var changes: IdentityChanges?
    let (capacity, hasTotals) = (shape.leafCapacity, hasTotals)
    editLeaf(at: position) { leaf, offset in
      guard elements.count > 0, leaf.count + elements.count <= capacity,
        models == nil || leaf.models != nil
      else { return NodeChange() }
      leaf.makeUnique(
        withRoomFor: elements.count, capacity: capacity, keepingModels: models != nil)
      leaf.insert(elements, models, at: offset)
      changes = IdentityChanges()
      changes?.inserted.append(
        elements.hashBuffer, section: section, label: leaf.label, from: offset)
      return NodeChange(count: elements.count, totals: hasTotals ? .unknown : .none)
    }
    return changes
  }

  /// Removes the elements at some positions, given in ascending order.
  ///
  /// - Parameter section: The key under which the elements are filed.
  /// - Returns: The changes for a table.
  /// - Complexity: O(k · (leaf + log n)) for k elements of n.
  package mutating func remove(at positions: [Int], section: SectionKey) -> IdentityChanges {
    if positions.count == 1, let changes = removeInPlace(at: positions[0], section: section) {
      return changes
    }
    return IdentityChanges(remove(at: positions), section: section)
  }

  /// Removes an element from its leaf, if that is not too thin afterwards.
  ///
  /// - Parameter keepsModels: Whether the leaf must have models and keeps those of the others.
  /// - Returns: The changes for a table, or `nil` if nothing has changed.
  /// - Complexity: O(log n + leaf) for n elements.
  mutating func removeInPlace(
    at position: Int, keepingModels keepsModels: Bool = false, section: SectionKey
  ) -> IdentityChanges? {
    var changes: IdentityChanges?
    let (capacity, hasTotals) = (shape.leafCapacity, hasTotals)
    editLeaf(at: position) { leaf, offset in
      guard leaf.count > max(1, capacity / 4), !keepsModels || leaf.models != nil else {
        return NodeChange()
      }
      leaf.makeUnique(withRoomFor: 0, capacity: capacity, keepingModels: keepsModels)
      changes = IdentityChanges(removed: [
        .init(hash: leaf.span.hashes[offset], section: section, label: leaf.label)
      ])
      leaf.remove(at: offset)
      return NodeChange(count: -1, totals: hasTotals ? .unknown : .none)
    }
    return changes
  }

  /// Replaces a range of positions with other elements.
  ///
  /// This covers insertion, deletion and replacement: the range may be empty, and so may the
  /// elements.
  ///
  /// - Complexity: O(log n + m + r / leaf) for n elements, r replaced by m.
  package mutating func replaceSubrange(
    _ range: Range<Int>, with elements: HashedElements
  ) -> LeafDelta {
    guard var last = leaf(atPosition: range.lowerBound) else {
      self = OrderTree(elements, shape: shape)
      return LeafDelta(added: Array(leaves))
    }
    let first = last
    var covered = [first]
    while last.base + last.leaf.count < range.upperBound,
      let next = leaf(atPosition: last.base + last.leaf.count)
    {
      last = next
      covered.append(next)
    }
    var merged = HashedElements(
      kernel, capacity: first.leaf.count + elements.count + last.leaf.count)
    merged.append(first.leaf, 0..<range.lowerBound - first.base)
    merged.append(elements)
    merged.append(last.leaf, range.upperBound - last.base..<last.leaf.count)
    let chunks = shape.chunks(of: merged.count, keepingFull: range.upperBound == count)
    // The first piece gets the label of the first leaf.
    let label = first.leaf.label
    let others = LeafLabel.labels(max(0, chunks.count - 1), after: label, before: last.nextLabel)
    guard let others else { return spreadLabels(around: covered, merged, chunks) }
    let leaves = zip([label] + others, chunks).map { merged.leaf($0, of: $1) }
    return replaceLeaves(LeafDelta(removed: covered.map(\.leaf), added: leaves))
  }

  /// Removes the elements at some positions, given in ascending order.
  ///
  /// - Complexity: O(k · (leaf + log n)) for k touched leaves of a tree of n elements.
  mutating func remove(at positions: [Int]) -> LeafDelta {
    var delta = LeafDelta()
    var index = 0
    while index < positions.count, let place = leaf(atPosition: positions[index]) {
      var kept = HashedElements(kernel, capacity: place.leaf.count)
      var next = 0
      while index < positions.count,
        positions[index] < place.base + place.leaf.count
      {
        kept.append(place.leaf, next..<positions[index] - place.base)
        next = positions[index] - place.base + 1
        index += 1
      }
      kept.append(place.leaf, next..<place.leaf.count)
      delta.removed.append(place.leaf)
      if kept.count > 0 { delta.added.append(kept.leaf(place.leaf.label)) }
    }
    return replaceLeaves(delta)
  }

  /// Gives new labels to the leaves of a neighbourhood in which a gap between labels is used up.
  ///
  /// The labels are spread evenly. The neighbourhood doubles until the gaps in it are wide again,
  /// so the inserts that made the gaps narrow pay for this.
  ///
  /// Source: Bender et al., “Two simplified algorithms for maintaining order in a list” (2002).
  mutating func spreadLabels(
    around covered: [LeafPlace], _ elements: HashedElements, _ chunks: [Range<Int>]
  ) -> LeafDelta {
    let end = covered[covered.count - 1]
    var before: [LeafPlace] = []
    var after: [LeafPlace] = []
    var reach = 8
    while true {
      while before.count < reach,
        let base = (before.last ?? covered.first)?.base, base > 0,
        let place = leaf(atPosition: base - 1)
      {
        before.append(place)
      }
      while after.count < reach, let last = Optional(after.last ?? end), last.nextLabel != nil,
        let place = leaf(atPosition: last.base + last.leaf.count)
      {
        after.append(place)
      }
      let lowest = (before.last ?? covered[0]).base
      let lower = lowest > 0 ? leaf(atPosition: lowest - 1)?.leaf.label : nil
      let upper = (after.last ?? end).nextLabel
      let total = before.count + chunks.count + after.count
      let isWhole = lower == nil && upper == nil
      if let labels = LeafLabel.labels(total, after: lower, before: upper),
        isWhole || labels.count < 2 || labels[1].rawValue - labels[0].rawValue >= 1 << 12
      {
        let removed = before.reversed() + covered + after
        let leaves = withExtendedLifetime((removed, elements)) {
          let spans =
            before.reversed().map(\.leaf.span) + chunks.map(elements.span.sub)
            + after.map(\.leaf.span)
          return zip(labels, spans).map { Leaf(label: $0, kernel: kernel, $1) }
        }
        return replaceLeaves(LeafDelta(removed: removed.map(\.leaf), added: leaves))
      }
      reach *= 2
    }
  }
}
