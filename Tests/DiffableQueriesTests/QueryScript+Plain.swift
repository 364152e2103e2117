import ListSupport

@testable import Diffable

extension QueryScript.Plain {
  /// What a state of a source shows.
  init(_ snapshot: Snapshot<Folder, Int>) {
    func note(_ item: Int) -> Note { snapshot.model(of: item, as: Note.self) ?? Note(id: -1) }
    sections = snapshot.sectionIdentifiers.map { folder in
      let tree = snapshot.outline(ofSection: folder)
      let shown = snapshot.itemIdentifiers(inSection: folder)
      let hidden = Set(tree?.items ?? []).subtracting(shown)
      return Section(
        folder: folder, header: snapshot.sectionModel(of: folder), notes: shown.map(note),
        tree: tree,
        hidden: Dictionary(uniqueKeysWithValues: hidden.map { ($0, note($0)) }))
    }
  }

  /// The same without trees: only what is shown.
  var flat: Self {
    var list = self
    for index in sections.indices {
      (list.sections[index].tree, list.sections[index].hidden) = (nil, [:])
    }
    return list
  }

  /// The first list, then what only the second has.
  func merged(with other: Self) -> Self {
    var merged = flat
    let known = Set(sections.flatMap(\.notes).map(\.id))
    for section in other.flat.sections {
      let notes = section.notes.filter { !known.contains($0.id) }
      if let index = merged.sections.firstIndex(where: { $0.folder == section.folder }) {
        merged.sections[index].notes += notes
      } else {
        merged.sections.append(.init(folder: section.folder, header: section.header, notes: notes))
      }
    }
    return merged
  }

  /// The list, with what each row names among the shown rows of the other.
  func joined(with other: Self, by name: (Note) -> Int?, _ join: (Note, Note?) -> Note) -> Self {
    var joined = flat
    let found = Dictionary(
      uniqueKeysWithValues: other.sections.flatMap(\.notes).map { ($0.id, $0) })
    for index in joined.sections.indices {
      joined.sections[index].notes = joined.sections[index].notes.map { note in
        join(note, name(note).flatMap { found[$0] })
      }
    }
    return joined
  }

  /// The list, with the rows that the other list shows, or without these.
  func selected(by other: Self, keepsShown: Bool) -> Self {
    var selected = flat
    let shown = Set(other.sections.flatMap(\.notes).map(\.id))
    for index in selected.sections.indices {
      selected.sections[index].notes.removeAll { shown.contains($0.id) != keepsShown }
    }
    return selected
  }
}

extension QueryScript.Plain.Section {
  /// The section with a tree of its rows.
  func outlined(
    _ relation: QueryScript.Relation, _ flags: [Int: Bool], _ isExpanded: Bool, _ loads: Bool
  ) -> Self {
    let parents = parents(relation)
    let byID = Dictionary(uniqueKeysWithValues: notes.map { ($0.id, $0) })
    var outline = Outline<Int>()
    func add(below parent: Int?) {
      for note in notes where parents[note.id] == parent {
        // Each row is added once, below an existing one.
        try? outline.append([note.id], to: parent)
        add(below: note.id)
      }
    }
    add(below: nil)
    let unloaded = loads ? notes.filter { $0.text == 2 }.map(\.id) : []
    outline.setChildrenUnloaded(of: unloaded)
    outline.expand(outline.items.filter { flags[$0] ?? (isExpanded && !unloaded.contains($0)) })
    let shown = outline.visibleItems
    var section = self
    section.tree = outline
    section.notes = shown.compactMap { byID[$0] }
    section.hidden = byID.filter { !shown.contains($0.key) }
    return section
  }

  /// The section with rows that show the totals of their descendants.
  var totalled: Self {
    let byID = hidden.merging(notes.map { ($0.id, $0) }) { $1 }
    func descendants(of item: Int) -> [Int] {
      let children = tree?.children(of: item) ?? []
      return children + children.flatMap(descendants(of:))
    }
    func total(_ note: Note) -> Note {
      let below = descendants(of: note.id).compactMap { byID[$0] }
      return QueryScript.totalled(note, below.count, below.reduce(0) { $0 + $1.text + 1 })
    }
    var section = self
    section.notes = notes.map(total)
    section.hidden = hidden.mapValues(total)
    return section
  }

  /// The section with what is found in its tree.
  func searched(
    _ keepsUnloaded: Bool, _ flags: [Int: Bool], _ isIncluded: ((Note) -> Bool)?
  ) -> Self {
    var section = self
    guard let tree else {
      section.notes.removeAll { !(isIncluded?($0) ?? true) }
      return section
    }
    let byID = hidden.merging(notes.map { ($0.id, $0) }) { $1 }
    func isFound(_ item: Int) -> Bool {
      let note = byID[item] ?? Note(id: -1)
      return isIncluded?(note) ?? true || keepsUnloaded && tree.hasUnloadedChildren(item)
        || tree.children(of: item).contains(where: isFound)
    }
    var found = Outline<Int>()
    func add(_ items: [Int], below parent: Int?) {
      for item in items where isFound(item) {
        // Each row is added once, below an existing one.
        try? found.append([item], to: parent)
        if tree.hasUnloadedChildren(item) { found.setChildrenUnloaded(of: [item]) }
        let isShown = isIncluded != nil && !tree.hasUnloadedChildren(item)
        if flags[item] ?? (isShown || tree.isExpanded(item)) { found.expand([item]) }
        add(tree.children(of: item), below: item)
      }
    }
    add(tree.rootItems, below: nil)
    let shown = found.visibleItems
    section.tree = found
    section.notes = shown.compactMap { byID[$0] }
    section.hidden = byID.filter { !shown.contains($0.key) && found.contains($0.key) }
    return section
  }

  /// The parent of each row that has one among the rows.
  private func parents(_ relation: QueryScript.Relation) -> [Int: Int] {
    let numbers = Dictionary(uniqueKeysWithValues: notes.enumerated().map { ($1.id, $0) })
    var named: [Int: Int] = [:]
    for note in notes {
      guard let parent = QueryScript.parent(of: note, relation), parent != note.id,
        numbers[parent] != nil
      else { continue }
      named[note.id] = parent
    }
    var parents = named
    for note in notes {
      var circle = [note.id]
      while let last = circle.last, let next = named[last], next != note.id,
        circle.count <= notes.count
      { circle.append(next) }
      guard let last = circle.last, named[last] == note.id else { continue }
      if circle.allSatisfy({ numbers[$0, default: 0] >= numbers[note.id, default: 0] }) {
        parents[note.id] = nil
      }
    }
    return parents
  }
}
