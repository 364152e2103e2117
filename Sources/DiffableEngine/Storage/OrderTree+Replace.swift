extension OrderTree {
  /// Inserts elements before a position; into the existing leaf, if it has room.
  ///
  /// - Parameter section: The key under which the elements are filed.
  /// - Returns: The changes for a table.
  /// - Complexity: O(log n + m) for m new elements among n.
  mutating func insert(
    _ elements: ElementSpan, at position: Int, section: SectionKey
  ) -> IdentityChanges {
    var changes = IdentityChanges()
    if let place = edit(.insert(elements), at: position) {
      changes.appendInserts(elements, section: section, label: place.label, from: place.offset)
    } else {
      let elements = HashedElements(kernel, copying: elements)
      changes.append(replaceSubrange(position..<position, with: elements), section: section)
    }
    return changes
  }

  /// Removes the elements at some positions, given in ascending order.
  ///
  /// A single element is removed from its leaf in place, if the leaf is not too thin afterwards.
  ///
  /// - Parameter section: The key under which the elements are filed.
  /// - Returns: The changes for a table.
  /// - Complexity: O(k · (leaf + log n)) for k elements of n.
  package mutating func remove(at positions: [Int], section: SectionKey) -> IdentityChanges {
    var changes = IdentityChanges()
    if positions.count == 1, let gone = edit(.remove(), at: positions[0]) {
      changes.removed.append(.init(hash: gone.hash, section: section, label: gone.label))
    } else {
      changes.append(remove(at: positions), section: section)
    }
    return changes
  }

  /// Inserts elements with their models, if the leaf there has models.
  ///
  /// - Returns: The changes for a table, or `nil` if nothing has changed: the leaf has no models, or
  ///   there are no labels left for the leaves after it.
  /// - Complexity: O(log n + m + leaf) for m new elements among n.
  mutating func insert(
    _ elements: ElementSpan, _ models: ModelSpan, at position: Int, section: SectionKey
  ) -> IdentityChanges? {
    var changes = IdentityChanges()
    if let place = edit(.insert(elements, models: models), at: position) {
      changes.appendInserts(elements, section: section, label: place.label, from: place.offset)
      return changes
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
    let chunks = all.chunks(shape, keepingFull: position == count)
    guard
      let labels = LeafLabel.labels(
        chunks.count - 1, after: leaf.label, before: place.nextLabel)
    else { return nil }
    let leaves = zip([leaf.label] + labels, chunks).map { label, chunk in
      all.leaf(label, of: chunk, models: pieces.part(chunk))
    }
    let delta = LeafDelta(removed: [leaf], added: leaves)
    changes.append(exchangeLeaves(delta), section: section)
    return changes
  }

  /// Removes an element, if its leaf has models and is not too thin afterwards.
  ///
  /// - Returns: The changes for a table, or `nil` if nothing has changed.
  /// - Complexity: O(log n + leaf) for n elements.
  mutating func removeKeepingModels(
    at position: Int, section: SectionKey
  ) -> IdentityChanges? {
    edit(.remove(keepingModels: true), at: position).map { gone in
      var changes = IdentityChanges()
      changes.removed.append(.init(hash: gone.hash, section: section, label: gone.label))
      return changes
    }
  }

  private mutating func edit(_ edit: LeafEdit, at position: Int) -> LeafEdit.Place? {
    var place: LeafEdit.Place?
    let shape = shape
    editRoot { $0.perform(edit, at: position, shape, &place) }
    return place
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
    let isAppend = range.upperBound == count
    return replaceLeaves(covered, with: merged, merged.chunks(shape, keepingFull: isAppend))
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

  /// Replaces adjacent leaves with elements; the first piece gets the label of the first leaf.
  mutating func replaceLeaves(
    _ covered: [LeafPlace], with elements: HashedElements, _ chunks: [Range<Int>]
  ) -> LeafDelta {
    let label = covered[0].leaf.label
    let others = LeafLabel.labels(
      max(0, chunks.count - 1), after: label, before: covered[covered.count - 1].nextLabel)
    guard let others else { return spreadLabels(around: covered, elements, chunks) }
    let leaves = zip([label] + others, chunks).map { elements.leaf($0, of: $1) }
    return replaceLeaves(LeafDelta(removed: covered.map(\.leaf), added: leaves))
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

/// An edit that changes one leaf and keeps its label.
enum LeafEdit {
  /// Inserts elements before a position; with their models, if there are any.
  case insert(ElementSpan, models: ModelSpan? = nil)
  /// Removes the element at a position; the models of the others may stay beside them.
  case remove(keepingModels: Bool = false)

  /// The place of an edit: the label of the leaf, the offset, and the inserted or removed hash.
  struct Place {
    let label: LeafLabel
    let offset: Int
    let hash: UInt32
  }

  /// The change of the number of elements.
  var change: Int {
    switch self {
    case .insert(let span, _): span.count
    case .remove: -1
    }
  }

  /// Whether the leaf has models afterwards.
  var keepsModels: Bool {
    switch self {
    case .insert(_, let models): models != nil
    case .remove(let keepsModels): keepsModels
    }
  }

  /// Whether the leaf is neither too full nor too thin after the edit, and has the models to keep.
  func isPossible(in leaf: Leaf, _ shape: TreeShape) -> Bool {
    guard !keepsModels || leaf.models != nil else { return false }
    return switch self {
    case .insert(let span, _): span.count > 0 && leaf.count + span.count <= shape.leafCapacity
    case .remove: leaf.count > max(1, shape.leafCapacity / 4)
    }
  }

  /// Edits a leaf that has room and a single holder.
  func perform(in leaf: inout Leaf, at offset: Int) -> Place {
    switch self {
    case .insert(let span, let models):
      leaf.insert(span, models, at: offset)
      return Place(label: leaf.label, offset: offset, hash: span.hashes[0])
    case .remove:
      let hash = leaf.span.hashes[offset]
      leaf.remove(at: offset)
      return Place(label: leaf.label, offset: offset, hash: hash)
    }
  }
}
