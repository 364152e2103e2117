import Diffable
import DiffableTesting
import ListSupport

/// What is written.
extension TreeProgramRun {
  private func newNote(_ random: inout SplitMix64) -> TreeNote {
    defer { nextID += 1 }
    return note(nextID, &random)
  }

  private func note(_ id: Int, _ random: inout SplitMix64) -> TreeNote {
    TreeNote(
      id: id, parent: random.chance(oneIn: 3) ? nil : random.number(below: id),
      group: random.number(below: 3), value: random.number(below: 8))
  }

  private func outline(_ items: [Int], _ random: inout SplitMix64) throws -> Outline<Int> {
    var outline = Outline<Int>()
    for (index, item) in items.enumerated() {
      let parent = random.chance(oneIn: 3) ? nil : random.element(of: Array(items[..<index]))
      try outline.append([item], to: parent)
    }
    outline.expand(random.sample(items, oneIn: 2))
    outline.setChildrenUnloaded(of: random.sample(items, oneIn: 6))
    return outline
  }

  func apply(_ seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let old = PlainList(await base.snapshot).ids
    var items = random.shuffled(random.sample(old, oneIn: 2))
    var models: [TreeNote] = []
    for _ in 0..<random.number(below: 20) {
      let note = newNote(&random)
      models.append(note)
      items.append(note.id)
    }
    var state = State()
    for section in random.shuffled([0, 1, 2, 3]).prefix(random.number(below: 4) + 1) {
      let rows = Array(items.prefix(random.number(below: items.count + 1)))
      items.removeFirst(rows.count)
      state.appendSections([section])
      if random.chance(oneIn: 3) {
        try state.appendItems(rows, toSection: section)
      } else {
        try state.setOutline(outline(rows, &random), forSection: section)
      }
    }
    do throws(DataSourceError) {
      try await base.apply(state, models: models)
    } catch {
      // A list in place of a tree keeps rows of the tree that are hidden, which may be elsewhere too.
      guard case .invalidSnapshot(.duplicateItems) = error else { throw error }
    }
  }

  func edit(_ seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let state = await base.snapshot
    var all = PlainList(state).ids
    var (edits, renames) = (
      [@Sendable (inout ModelDraft<Int, TreeNote>) throws -> Void](), [(Int, Int)]()
    )
    for _ in 0..<1 + random.number(below: 5) {
      guard let item = random.element(of: all), let other = random.element(of: all) else {
        edits.append { if !$0.snapshot.containsSection(0) { $0.appendSections([0]) } }
        let note = newNote(&random)
        edits.append { try $0.appendItems([note], toSection: 0) }
        all.append(note.id)
        continue
      }
      let section = random.number(below: 4)
      switch random.number(below: 15) {
      case 0, 1:
        let note = newNote(&random)
        all.append(note.id)
        edits.append { draft in
          try draft.insertItems([note], afterItem: item)
          if section != 0 { try draft.snapshot.moveItem(note.id, intoItem: item) }
        }
      case 2: edits.append { $0.deleteItems([item]) }
      case 3, 4: edits.append { try $0.snapshot.moveItem(item, intoItem: other) }
      case 5: edits.append { try $0.moveItem(item, beforeItem: other) }
      case 6: edits.append { try $0.moveItem(item, afterItem: other) }
      case 7, 8, 9:
        let note = self.note(item, &random)
        edits.append { try $0.update(item) { $0 = note } }
      case 10:
        // A list that has forgotten does not say which rows are the same.
        guard program.history == 64 else { continue }
        let note = newNote(&random)
        renames.append((item, note.id))
        all.removeAll { $0 == item }
        all.append(note.id)
        edits.append { try $0.renameItem(item, to: note) }
      case 11: edits.append { $0.snapshot.expandItems([item, other]) }
      case 12: edits.append { $0.snapshot.collapseItems([item, other]) }
      case 13:
        edits.append { draft in
          if draft.snapshot.containsSection(section) {
            try draft.snapshot.moveSection(
              section, beforeSection: draft.snapshot.sectionIdentifiers[0])
          } else {
            draft.appendSections([section])
          }
        }
      default:
        let (isList, isGone) = (random.chance(oneIn: 2), random.chance(oneIn: 3))
        var seeded = SplitMix64(seed: random.next())
        let items =
          state.containsSection(section)
          ? state.outline(ofSection: section)?.items
            ?? state.itemIdentifiers(inSection: section) : []
        let tree = try self.outline(seeded.shuffled(items), &seeded)
        edits.append { draft in
          if isGone {
            draft.snapshot.deleteSections([section])
          } else if isList {
            try draft.snapshot.removeOutline(ofSection: section)
          } else if Set(items) == Set(draft.snapshot.itemIdentifiers(inSection: section)) {
            try draft.snapshot.setOutline(tree, forSection: section)
          }
        }
      }
    }
    // An edit that does not fit changes nothing.
    try await base.update { [edits] draft in
      for edit in edits { try? edit(&draft) }
    }
    // A row that is gone does not come back, so it may keep any flag.
    for (old, new) in renames {
      for index in folds.indices {
        folds[index].all[new] = folds[index].all.removeValue(forKey: old)
        folds[index].found[new] = folds[index].found.removeValue(forKey: old)
      }
    }
  }
}
