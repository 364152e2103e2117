import Diffable

extension ProcessArrangement {
  /// Makes the list a tree of processes.
  ///
  /// What was folded stays folded, and what is new comes unfolded.
  func setTree(
    of items: some Collection<ProcessID>, _ records: [ProcessID: ProcessRecord],
    in snapshot: inout ProcessSnapshot
  ) throws {
    let section = ProcessArrangement.everybody
    var tree = try outline(of: items, records)
    tree.expand(tree.items)
    guard let former = snapshot.outline(ofSection: section) else {
      snapshot = ProcessSnapshot()
      snapshot.appendSections([section])
      return try snapshot.setOutline(tree, forSection: section)
    }
    let before = snapshot
    try snapshot.setOutline(tree, forSection: section, keepingExpansion: true)
    // Folded rows show sums: those change with what comes and goes below them.
    let (old, new) = (Set(former.items), Set(tree.items))
    let heirs =
      old.subtracting(new).compactMap { before.visibleAncestor(of: $0) }.filter(new.contains)
      + new.subtracting(old).compactMap { [snapshot] in snapshot.visibleAncestor(of: $0) }
    try snapshot.reconfigureItems(Set(heirs.filter(old.contains)))
  }

  /// The tree of some processes, each below the one that started it if that is among them.
  ///
  /// Siblings are sorted by the sums of what is below them, so that what is busy deep below comes up, and
  /// folding moves no row.
  func outline(
    of items: some Collection<ProcessID>, _ records: [ProcessID: ProcessRecord]
  ) throws -> Outline<ProcessID> {
    var numbers: [Int32: ProcessID] = [:]
    for id in items where numbers[id.number].map({ $0.start < id.start }) ?? true {
      numbers[id.number] = id
    }
    var children: [ProcessID?: [ProcessID]] = [:]
    for id in items {
      var parent = records[id].flatMap { numbers[$0.listed.parent] }
      // The number may belong to another process by now, one that started later.
      if let found = parent, found == id || id.start > 0 && found.start > id.start { parent = nil }
      children[parent, default: []].append(id)
    }
    // From the top, one level after the other.
    var levels: [ProcessID?] = [nil]
    var seen: Set<ProcessID> = []
    func follow(from start: Int) {
      var next = start
      while next < levels.count {
        let parent = levels[next]
        children[parent] = children[parent]?.filter { seen.insert($0).inserted }
        levels += children[parent] ?? []
        next += 1
      }
    }
    follow(from: 0)
    // A list that is read while processes come and go may say that they started each other.
    for id in items.sorted(by: { $0.number < $1.number }) where !seen.contains(id) {
      seen.insert(id)
      children[nil, default: []].append(id)
      levels.append(id)
      follow(from: levels.count - 1)
    }
    let sums = sums(of: levels, children, records)
    var outline = Outline<ProcessID>()
    for parent in levels {
      guard let siblings = children[parent], !siblings.isEmpty else { continue }
      try outline.append(sorted(siblings, by: sums), to: parent)
    }
    return outline
  }

  /// What processes use together with all that is below them.
  ///
  /// - Parameter levels: Each one behind its parent.
  private func sums(
    of levels: [ProcessID?], _ children: [ProcessID?: [ProcessID]],
    _ records: [ProcessID: ProcessRecord]
  ) -> [ProcessID: ProcessRecord] {
    var sums = records
    for parent in levels.reversed() {
      guard let parent else { continue }
      let below = ProcessSums(of: children[parent] ?? [], sums)
      sums[parent]?.permille += below.permille
      sums[parent]?.memory += below.memory
    }
    return sums
  }
}

extension ProcessSnapshot {
  /// The item itself, or the folded one that hides it; `nil` for an unknown item.
  func visibleItem(for id: ProcessID) -> ProcessID? {
    itemPath(for: id) == nil ? visibleAncestor(of: id) : id
  }

  /// The nearest visible item above another; `nil` if there is none.
  func visibleAncestor(of id: ProcessID) -> ProcessID? {
    guard let outline = outline(ofSection: ProcessArrangement.everybody) else { return nil }
    var ancestor = outline.parent(of: id)
    while let next = ancestor, itemPath(for: next) == nil { ancestor = outline.parent(of: next) }
    return ancestor
  }
}
