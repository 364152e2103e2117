import Diffable

/// What must hold for every merge, written down from the meaning of the public interface.
struct MergeLaw<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  typealias List = Snapshot<SectionID, ItemID>

  let base: List
  let theirs: List
  let live: List
  let merge: Merge<SectionID, ItemID>
  private(set) var violations: [String] = []

  init(base: List, theirs: List, live: List) throws {
    self.base = base
    self.theirs = theirs
    self.live = live
    merge = try live.merging(theirs, basedOn: base)
    checkUnchangedSides()
    checkItems()
    checkSections()
    try checkOrder()
    try checkMirror()
  }

  private mutating func expect(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition {
      violations.append("\(message()): \(base) → \(theirs) onto \(live) gives \(merge)")
    }
  }

  private mutating func checkUnchangedSides() {
    let result = merge.snapshot
    if live == base { expect(result == theirs, "an unchanged base does not give the writer's") }
    if theirs == base { expect(result == live, "an unchanged writer does not give the live state") }
    if theirs == live { expect(result == live, "two equal sides do not give that side") }
    if live == base || theirs == base || theirs == live {
      expect(merge.conflicts.isEmpty, "sides that agree are in conflict")
    }
    expect((try? result.validate()) != nil, "the result is not valid")
    expect(
      Set(merge.conflicts).count == merge.conflicts.count, "a conflict is listed twice")
  }

  /// An item is there if both sides have it or one has it new, in the section that three-way logic
  /// gives it.
  private mutating func checkItems() {
    let all = Set(base.itemIdentifiers + theirs.itemIdentifiers + live.itemIdentifiers)
    for item in all {
      let (b, t, l) = (
        base.sectionIdentifier(containingItem: item),
        theirs.sectionIdentifier(containingItem: item),
        live.sectionIdentifier(containingItem: item)
      )
      let expected = b == nil ? t ?? l : t == nil || l == nil ? nil : t == b ? l : t
      expect(
        merge.snapshot.sectionIdentifier(containingItem: item) == expected,
        "item \(item) is not in section \(String(describing: expected))")
      guard let t, let l, t != l, t != b, l != b else { continue }
      let contradiction = b == nil ? Contradiction.insertedTwice : .movedTwice
      expect(
        merge.conflicts.contains(.item(item, contradiction)), "no conflict about item \(item)")
    }
  }

  private mutating func checkSections() {
    let all = Set(base.sectionIdentifiers + theirs.sectionIdentifiers + live.sectionIdentifiers)
    for section in all {
      let (b, t, l) = (
        base.containsSection(section), theirs.containsSection(section),
        live.containsSection(section)
      )
      let isThere = merge.snapshot.containsSection(section)
      guard b ? t && l : t || l else {
        let conflicts: [MergeConflict<SectionID, ItemID>] = [
          .section(section, .deletedButFilled), .section(section, .filledButDeleted),
        ]
        expect(
          isThere == !merge.snapshot.items(inSection: section).isEmpty,
          "section \(section) is there without items, or not with them")
        expect(
          isThere == conflicts.contains(where: merge.conflicts.contains),
          "section \(section) is kept silently")
        continue
      }
      expect(isThere, "section \(section) is lost")
    }
  }

  private mutating func checkOrder() throws {
    let difference = try theirs.difference(from: base)
    let moved = Set(difference.itemMoves.map(\.to))
    let isPlaced = { (path: ItemPath) in
      difference.itemInserts.contains(path) || moved.contains(path)
        || difference.sectionInserts.contains(path.section)
    }
    for (index, section) in theirs.sectionIdentifiers.enumerated() {
      let result = merge.snapshot.itemIdentifiers(inSection: section)
      let items = theirs.itemIdentifiers(inSection: section)
      let placed = Set(
        items.indices.filter { isPlaced(ItemPath(section: index, item: $0)) }.map { items[$0] })
      expect(
        result.filter { !placed.contains($0) }
          == live.itemIdentifiers(inSection: section).filter {
            result.contains($0) && !placed.contains($0)
          },
        "what the writer did not place changes its order in \(section)")
      for place in items.indices {
        guard isPlaced(ItemPath(section: index, item: place)),
          let now = result.firstIndex(of: items[place])
        else { continue }
        if place > 0, result.contains(items[place - 1]) {
          expect(
            now > 0 && result[now - 1] == items[place - 1],
            "\(items[place]) does not stand behind \(items[place - 1])")
        } else if place == 0 || !placed.contains(items[place - 1]), place + 1 < items.count,
          !placed.contains(items[place + 1]), result.contains(items[place + 1])
        {
          expect(
            now + 1 < result.count && result[now + 1] == items[place + 1],
            "\(items[place]) does not stand before \(items[place + 1])")
        }
      }
    }
  }

  /// Seen from the other side, the contradictions are the same, turned round, as long as neither
  /// side's word has to count.
  private mutating func checkMirror() throws {
    let decided: Set<Contradiction> = [.movedTwice, .insertedTwice]
    guard !merge.conflicts.contains(where: { decided.contains($0.contradiction) }) else { return }
    let mirror = try theirs.merging(live, basedOn: base)
    expect(
      Set(mirror.conflicts.map(\.mirrored)) == Set(merge.conflicts),
      "the other way round, the conflicts are \(mirror.conflicts)")
  }
}

extension MergeConflict {
  var mirrored: MergeConflict {
    let mirrored: Contradiction =
      switch contradiction {
      case .insertedTwice: .insertedTwice
      case .movedTwice: .movedTwice
      case .movedButDeleted: .deletedButMoved
      case .deletedButMoved: .movedButDeleted
      case .filledButDeleted: .deletedButFilled
      case .deletedButFilled: .filledButDeleted
      case .outlineChangedTwice: .outlineChangedTwice
      }
    return switch self {
    case .item(let item, _): .item(item, mirrored)
    case .section(let section, _): .section(section, mirrored)
    }
  }
}
