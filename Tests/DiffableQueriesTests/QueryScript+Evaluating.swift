import DiffableTesting
import ListSupport

@testable import Diffable

/// From scratch.
extension QueryScript {
  /// - Parameters:
  ///   - flags: Which rows of trees were expanded and collapsed.
  ///   - findings: The same, since the search began.
  ///   - now: The time at which rows are left out that have expired.
  func evaluate(
    _ list: Plain, flags: [Int: Bool] = [:], findings: [Int: Bool] = [:],
    now: ManualClock.Instant = .init()
  ) -> Plain {
    var list = list
    if operations.first?.seesTrees != true { list = list.flat }
    var order: [(Note, Note) -> Bool] = []
    var omitsEmptySections = false
    func before(_ left: Note, _ right: Note) -> Bool {
      for before in order {
        if before(left, right) { return true }
        if before(right, left) { return false }
      }
      return false
    }
    for operation in operations {
      if !operation.seesTrees { list = list.flat }
      switch operation {
      case .filter(let mostly):
        for index in list.sections.indices {
          list.sections[index].notes.removeAll { !Self.keeps($0, mostly) }
        }
      case .sort(let field, let ascending), .sortByValue(let field, reverse: let ascending):
        var ascending = ascending
        if case .sortByValue = operation { ascending.toggle() }
        order.insert(
          { [ascending] in
            let (left, right) = (Self.value($0, field), Self.value($1, field))
            return ascending ? left < right : left > right
          }, at: 0)
        for index in list.sections.indices { list.sections[index].notes.sort(by: before) }
      case .group(let field, let ascending), .groupByValue(let field, reverse: let ascending):
        var ascending = ascending
        if case .groupByValue = operation { ascending.toggle() }
        var notes = list.sections.flatMap(\.notes)
        notes.sort(by: before)
        let folders = Set(notes.map { Self.value($0, field) })
        list.sections = folders.sorted { ascending ? $0 < $1 : $0 > $1 }.map { folder in
          Plain.Section(
            folder: Folder(folder), header: nil,
            notes: notes.filter { Self.value($0, field) == folder })
        }
        omitsEmptySections = true
      case .groupAlways(let field):
        let notes = list.sections.flatMap(\.notes).sorted(by: before)
        list.sections = Self.fixedFolders.map { folder in
          Plain.Section(
            folder: folder, header: nil,
            notes: notes.filter { Self.value($0, field) == folder.number })
        }
        omitsEmptySections = false
      case .window, .suffix:
        let all = list.sections.reduce(0) { $0 + $1.notes.count }
        let range =
          switch operation {
          case .window(let range): range
          case .suffix(let count): max(0, all - count)..<all
          default: 0..<0
          }
        var start = 0
        for index in list.sections.indices {
          let count = list.sections[index].notes.count
          let kept = list.sections[index].notes.enumerated().filter {
            range.contains(start + $0.offset)
          }
          list.sections[index].notes = kept.map(\.element)
          start += count
        }
        omitsEmptySections = true
      case .distinct(let field):
        var known: Set<Int> = []
        for index in list.sections.indices {
          list.sections[index].notes.removeAll { !known.insert(Self.value($0, field)).inserted }
        }
      case .omitEmptySections:
        omitsEmptySections = true
      case .keepEmptySections:
        omitsEmptySections = false
      case .map(let number):
        // Whatever is shown instead, the rows are in the order in which they were.
        let ranks = list.sections.flatMap(\.notes).sorted(by: before).enumerated()
        let places = Dictionary(uniqueKeysWithValues: ranks.map { ($1.id, $0) })
        if !order.isEmpty { order = [{ places[$0.id, default: 0] < places[$1.id, default: 0] }] }
        for index in list.sections.indices {
          for row in list.sections[index].notes.indices {
            let text = list.sections[index].notes[row].text
            list.sections[index].notes[row].text = (text + number) % 3
          }
        }
      case .count:
        for index in list.sections.indices {
          let section = list.sections[index]
          list.sections[index].header = "\(section.folder): \(section.notes.count)"
        }
      case .sum:
        for index in list.sections.indices {
          let section = list.sections[index]
          let sum = section.notes.reduce(0) { $0 + $1.text }
          list.sections[index].header = "\(section.folder): \(section.notes.count) of \(sum)"
        }
      case .expire:
        for index in list.sections.indices {
          list.sections[index].notes.removeAll {
            Self.deadline($0).map { $0 <= now } ?? false
          }
        }
      case .totals:
        list.sections = list.sections.map { $0.totalled }
        order = []
      case .search(let mostly, let keepsUnloaded):
        list.sections = list.sections.map { section in
          mostly.map { mostly in
            section.searched(keepsUnloaded, findings) { !Self.keeps($0, mostly) }
          } ?? section.searched(keepsUnloaded, flags, nil)
        }
        order = []
      case .outline(let relation, let isExpanded, let loads):
        list.sections = list.sections.map { $0.outlined(relation, flags, isExpanded, loads) }
        order = []
      }
      if omitsEmptySections { list.sections.removeAll { $0.notes.isEmpty } }
    }
    return list
  }
}

extension QueryScript.Operation {
  /// Whether it reads trees, and not only their visible rows.
  fileprivate var seesTrees: Bool {
    switch self {
    case .search, .totals: true
    default: false
    }
  }
}

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
  func joined(
    with other: Self, by name: (Note) -> Int?, _ join: (Note, Note?) -> Note
  ) -> Self {
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
  fileprivate func outlined(
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
  fileprivate var totalled: Self {
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
  fileprivate func searched(
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
