import Diffable

/// What must hold for every merge, written down from the meaning of the public interface.
struct MergeLaw<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  typealias List = Snapshot<SectionID, ItemID>

  let base: List
  let theirs: List
  let live: List
  let merge: Merge<SectionID, ItemID>
  /// What the writer calls rows of the base: with another name, a row is not new.
  private let renamed: Set<ItemID>
  private(set) var violations: [String] = []

  init(base: List, theirs: List, live: List) throws {
    self.base = base
    self.theirs = theirs
    self.live = live
    renamed = Set(theirs.renamedItems.filter { base.containsItem($0.old) }.map(\.new))
    merge = try live.merging(theirs, basedOn: base)
    checkUnchangedSides()
    checkSectionOrder()
    guard [base, theirs, live].allSatisfy({ $0.outlineSections.isEmpty }) else {
      checkOutlines()
      checkSections()
      return
    }
    checkItems()
    checkSections()
    checkOrder()
    try checkMirror()
  }

  /// Checks a merge with outlines, where the tree has a word in what is visible and where.
  ///
  /// Nothing new is lost, but with an ancestor that goes or moves to another section, or hidden in an
  /// outline that both sides changed.
  private mutating func checkOutlines() {
    for section in merge.snapshot.outlineSections {
      expect(
        merge.snapshot.outline(ofSection: section)?.visibleItems
          == merge.snapshot.itemIdentifiers(inSection: section),
        "section \(section) shows something else than its outline")
    }
    for side in [theirs, live] {
      for item in side.allItems
      where !base.containsItem(item) && !renamed.contains(item)
        && !merge.snapshot.containsItem(item)
      {
        let section = side.sectionIdentifier(containingItem: item)
        let outline = section.flatMap(side.outline(ofSection:))
        let ancestors = sequence(first: item) { outline?.parent(of: $0) }.dropFirst()
        let isOvercome =
          side.itemPath(for: item) == nil
          && section.map { merge.conflicts.contains(.section($0, .outlineChangedTwice)) } ?? false
        expect(
          isOvercome
            || ancestors.contains {
              merge.snapshot.sectionIdentifier(containingItem: $0) != section
            },
          "item \(item) is lost")
      }
    }
    // What the writer had nothing to do with is as the others left it.
    for section in live.outlineSections
    where theirs.outline(ofSection: section) == base.outline(ofSection: section)
      && theirs.containsSection(section) == base.containsSection(section)
      && theirs.isUntouched(since: base, in: live.rows(of: section))
      && theirs.itemIdentifiers(inSection: section) == base.itemIdentifiers(inSection: section)
    {
      expect(
        merge.snapshot.outline(ofSection: section) == live.outline(ofSection: section),
        "the outline of section \(section) has changed")
    }
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
    for item in all where !renamed.contains(item) {
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

  /// A section that one side deleted is there only for what is in it, and then that is a conflict: the
  /// same for lists and outlines.
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
          isThere == !merge.snapshot.rows(of: section).isEmpty,
          "section \(section) is there without items, or not with them")
        expect(
          isThere == conflicts.contains(where: merge.conflicts.contains),
          "section \(section) is kept silently")
        continue
      }
      expect(isThere, "section \(section) is lost")
    }
  }

  /// If one side has only deleted sections, those of the other side are in the order that this gave them,
  /// also those that come back.
  private mutating func checkSectionOrder() {
    let result = merge.snapshot.sectionIdentifiers
    for (side, other) in [(theirs, live), (live, theirs)]
    where side.sectionIdentifiers == base.sectionIdentifiers.filter(side.containsSection) {
      expect(
        result.filter(other.containsSection)
          == other.sectionIdentifiers.filter(merge.snapshot.containsSection),
        "sections change their order")
    }
  }

  /// Others decide the order of what the writer did not place, and the writer where it has put something
  /// among what others have left in its place.
  private mutating func checkOrder() {
    var placedRows = rowsPlaced(by: theirs)
    let changes = live.resolved.moves(since: base.resolved, placing: live.marks.placed)
    let displaced = Set(changes.itemMoves.compactMap { live.itemIdentifier(for: $0.to) })
    // What comes from a deleted section as well.
    let inserted = Set(changes.itemInserts.compactMap { live.itemIdentifier(for: $0) })
    if !placedRows.isEmpty || !theirs.itemIdentifiers.elementsEqual(base.itemIdentifiers) {
      // What the writer has placed where it was.
      let before = Set(base.placedItemIdentifiers)
      placedRows += theirs.placedItemIdentifiers.filter {
        displaced.contains($0) && !before.contains($0)
      }.compactMap(theirs.itemPath(for:))
    }
    for (index, section) in theirs.sectionIdentifiers.enumerated() {
      let result = merge.snapshot.itemIdentifiers(inSection: section)
      let items = theirs.itemIdentifiers(inSection: section)
      let placed = Set(placedRows.lazy.filter { $0.section == index }.map { items[$0.item] })
      expect(
        result.filter { !placed.contains($0) }
          == live.itemIdentifiers(inSection: section).filter {
            result.contains($0) && !placed.contains($0)
          },
        "what the writer did not place changes its order in \(section)")
      func stands(_ item: ItemID) -> Bool { placed.contains(item) || !displaced.contains(item) }
      expect(
        result.filter { items.contains($0) && stands($0) }
          == items.filter { result.contains($0) && stands($0) },
        "what the writer placed is elsewhere among what others left in its place in \(section)")
      let twice = placed.filter {
        displaced.contains($0) || inserted.contains($0) || isInsertedTwice($0)
      }
      checkNeighbours(of: items, placed, twice, stands, in: result)
    }
  }

  private func isInsertedTwice(_ item: ItemID) -> Bool {
    !base.containsItem(item) && live.containsItem(item)
  }

  /// What the writer has placed is beside its neighbour, if that stands.
  ///
  /// What both sides have placed, and what is before that, may be beside what others have inserted.
  private mutating func checkNeighbours(
    of items: [ItemID], _ placed: Set<ItemID>, _ twice: Set<ItemID>, _ stands: (ItemID) -> Bool,
    in result: [ItemID]
  ) {
    for (place, item) in items.enumerated() where placed.contains(item) {
      guard let now = result.firstIndex(of: item) else { continue }
      guard !items[place...].prefix(while: placed.contains).contains(where: twice.contains)
      else { continue }
      if place > 0, result.contains(items[place - 1]), stands(items[place - 1]) {
        expect(
          now > 0 && result[now - 1] == items[place - 1],
          "\(item) does not stand behind \(items[place - 1])")
      } else if place == 0 || !placed.contains(items[place - 1]), place + 1 < items.count,
        !placed.contains(items[place + 1]), stands(items[place + 1]),
        result.contains(items[place + 1])
      {
        expect(
          now + 1 < result.count && result[now + 1] == items[place + 1],
          "\(item) does not stand before \(items[place + 1])")
      }
    }
  }

  /// The paths of the items that a side has inserted or moved.
  private func rowsPlaced(by side: List) -> [ItemPath] {
    let changes = side.resolved.moves(since: base.resolved, placing: side.marks.placed)
    let inserted = changes.sectionInserts.ranges.joined().flatMap { section in
      (0..<side.itemIdentifiers(inSection: side.sectionIdentifiers[section]).count)
        .map { ItemPath(section: section, item: $0) }
    }
    return inserted + changes.itemInserts + changes.itemMoves.map(\.to)
  }

  /// Seen from the other side, the contradictions are the same, turned round, as long as neither
  /// side's word has to count.
  private mutating func checkMirror() throws {
    let decided: Set<Contradiction> = [.movedTwice, .insertedTwice]
    guard !merge.conflicts.contains(where: { decided.contains($0.contradiction) }) else { return }
    let mirror = try theirs.merging(live, basedOn: base)
    // That a row was placed where it was is the word of a writer only.
    func moved(_ conflicts: [MergeConflict<SectionID, ItemID>], by writer: List) -> Set<AnyItemID> {
      let placed = Set(
        writer.placedItemIdentifiers.filter { item in
          writer.itemPath(for: item) != nil
            && !writer.resolved.moves(
              since: base.resolved, placing: writer.marks.placed
            ).itemMoves.contains { writer.itemIdentifier(for: $0.to) == item }
        }.map { AnyItemID($0) })
      return Set(conflicts.map(\.identifier)).intersection(placed)
    }
    let again = moved(merge.conflicts, by: theirs).union(moved(mirror.conflicts, by: live))
    expect(
      Set(mirror.conflicts.map(\.mirrored).filter { !again.contains($0.identifier) })
        == Set(merge.conflicts.filter { !again.contains($0.identifier) }),
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
      case .changedButDeleted: .deletedButChanged
      case .deletedButChanged: .changedButDeleted
      case .renamedTwice, .renamedButTaken, .editedButRenamed, .changedTwice: contradiction
      }
    return switch self {
    case .item(let item, _): .item(item, mirrored)
    case .section(let section, _): .section(section, mirrored)
    }
  }
}

extension Snapshot {
  /// The sections that are outlines.
  var outlineSections: [SectionID] { sectionIdentifiers.filter { outline(ofSection: $0) != nil } }

  /// All items of a section, hidden ones included.
  func rows(of section: SectionID) -> [ItemID] {
    outline(ofSection: section)?.items ?? itemIdentifiers(inSection: section)
  }

  /// All items, hidden ones included.
  var allItems: [ItemID] { sectionIdentifiers.flatMap(rows(of:)) }

  /// Whether some items are in the sections that they were in, in the same order as far as they were
  /// there.
  func isUntouched(since base: Snapshot, in items: [ItemID]) -> Bool {
    items.allSatisfy { item in
      let section = sectionIdentifier(containingItem: item)
      return section == base.sectionIdentifier(containingItem: item)
        && section.map { rows(of: $0) == base.rows(of: $0) } ?? true
    }
  }
}
