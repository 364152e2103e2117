extension Snapshot {
  /// A state on the storage of another one.
  struct Adopted {
    var snapshot: Snapshot
    /// How the items of sections that were arrays match those of the other snapshot, by section index.
    var matchings: [Int: OrderMatching] = [:]
    /// The sections whose items have the models that came with them, by index.
    var modelled: Set<Int> = []
  }

  /// The same state on the storage of another one: what both have in common is shared, and arrays
  /// become trees.
  ///
  /// Both must be free of duplicate sections.
  ///
  /// - Parameters:
  ///   - live: The other state.
  ///   - keepsOutlines: Whether a list where that has an outline becomes the outline, as the list
  ///     changes it.
  /// - Complexity: O(s + n) for s sections and n items in arrays, in comparisons; O(1) where there
  ///   is no array.
  func adopted(by live: Snapshot, keepingOutlines keepsOutlines: Bool) -> Adopted {
    var partners: [Record?] = []
    partners.reserveCapacity(order.count)
    var isSettled = true
    var isAligned = order.count == live.order.count
    // Sections that are equal to the same one, and not to each other, must not get one key.
    var isTaken = Array(repeating: false, count: live.numberOfSections)
    let records = records
    for index in 0..<records.count {
      let record = records[index]
      var partner: Record?
      if let place = live.place(ofSection: record.id, near: index), !isTaken[place] {
        isTaken[place] = true
        partner = live.order[place]
        if place != index { isAligned = false }
      } else {
        isAligned = false
      }
      partners.append(partner)
      if !record.isSettled(beside: partner, keepingOutlines: keepsOutlines) { isSettled = false }
    }
    guard !isSettled else {
      var settled = self
      settled.kernels = live.kernels
      return Adopted(snapshot: settled)
    }
    var adopted = Adopted(snapshot: isAligned ? live.detached : Snapshot(live.kernels))
    adopted.snapshot.marks = marks
    adopted.snapshot.itemCount = 0
    var keys = live.sectionTable
    var content = LeafContent(live.kernels.records, capacity: isAligned ? 0 : order.count)
    let hashes = isAligned ? [] : order.base.hashes
    for index in 0..<records.count {
      let partner = partners[index]
      let (record, matching) = records[index].adopted(
        by: partner, key: partner?.key ?? keys.makeKey(), table: live.itemTable?.entries,
        mostChanges: live.numberOfItems / 2, keepingOutlines: keepsOutlines)
      adopted.snapshot.itemCount += record.itemCount
      if let matching { adopted.matchings[index] = matching }
      if case .array(_, _, .some) = records[index].items, record.outline == nil {
        adopted.modelled.insert(index)
      }
      if !isAligned {
        withUnsafePointer(to: record) { content.append($0, hash: hashes[index]) }
      } else if partner?.isIdentical(to: record) != true {
        adopted.snapshot.order.replaceElement(at: index, with: record)
      }
    }
    guard !isAligned else { return adopted }
    adopted.snapshot.sectionTable = SectionTable(continuing: keys)
    adopted.snapshot.sectionTable.apply(
      adopted.snapshot.order.replaceSubrange(0..<0, with: content), kernels.facts)
    return adopted
  }

  /// The index of a section, which most likely is the given one.
  func place(ofSection id: SectionID, near index: Int) -> Int? {
    let isThere =
      index < order.count
      && withUnsafePointer(to: id) { id in
        order.base.withElement(at: index) { order.kernel.areEqual($0, id) }
      }
    if isThere { return index }
    return indexOfSection(id)
  }
}

extension SectionRecord {
  /// Whether there is nothing to take over from the record of the same section in the live state.
  func isSettled(
    beside partner: SectionRecord?, keepingOutlines keepsOutlines: Bool
  ) -> Bool {
    if case .array = items { return false }
    guard let partner else { return true }
    let keepsOutline = partner.outline != nil && (keepsOutlines || outline != nil)
    return key == partner.key && (!keepsOutline || outline === partner.outline)
  }

  /// The same content on the storage of the live record of the section, and how the items match
  /// those of that record, where this held an array.
  ///
  /// A list beside an outline keeps the tree if it is to, see ``Outline/showing(_:)``.
  func adopted(
    by partner: SectionRecord?, key: SectionKey, table: IdentityTable?, mostChanges: Int,
    keepingOutlines keepsOutlines: Bool
  ) -> (record: SectionRecord, matching: OrderMatching?) {
    var content = (items: items, outline: outline)
    let kernel = items.kernel
    if let live = partner?.outline, live !== outline, outline != nil || keepsOutlines {
      let kept = outline?.value ?? live.value.showing(items.array)
      if let kept, kept == live.value, let partner {
        content = (partner.items, live)
      } else if outline == nil, let kept {
        content = (.array(kept.visibleItems, kernel), HeldOutline(kept))
      }
    }
    var matching: OrderMatching?
    if case .array(let items, _, let models) = content.items, let partner {
      let adopted = partner.items.tree.adopting(
        items, models: models, table: table, section: partner.key, mostChanges: mostChanges)
      content.items = .tree(adopted.tree)
      matching = adopted.matching
    }
    // What is the same is to be the same object, which is compared at a glance.
    if let partner, matching == nil, partner.key == key, partner.outline === content.outline,
      partner.items.isIdentical(to: content.items)
    {
      return (partner, nil)
    }
    let record = SectionRecord(
      id: id, key: key, items: .tree(content.items.tree), outline: content.outline)
    return (record, matching)
  }
}
