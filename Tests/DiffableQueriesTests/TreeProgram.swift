import DiffableTesting
import Diffable
import DiffableQueries

/// Random changes of a list with trees, which two derived sources follow, one behind the other.
///
/// Each step draws what it does from a seed of its own, so a failing program can be made smaller.
struct TreeProgram: Sendable, CustomStringConvertible {
  enum Step: Sendable {
    /// Edits in one change.
    case edit(seed: UInt64)
    /// Another list.
    case apply(seed: UInt64)
    case fold(source: Int, seed: UInt64)
    case setQuery(source: Int, [TreeOperation])
    /// Compares what both show, also to their subscribers, with what they should.
    case compare
  }

  /// The number of revisions that the list remembers, and its followers.
  var history: Int
  var isDeclared: Bool
  var queries: [[TreeOperation]]
  var steps: [Step]

  var description: String {
    (["history \(history), declared \(isDeclared)"] + queries.map { "\($0)" }
      + steps.map { "  \($0)" }).joined(separator: "\n")
  }

  init(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    history = random.element(of: [0, 2, 64]) ?? 64
    isDeclared = random.chance(oneIn: 2)
    queries = [.random(&random), random.chance(oneIn: 2) ? [] : .random(&random)]
    steps = [.apply(seed: random.next())]
    for _ in 0..<16 {
      let step: Step =
        switch random.number(below: 12) {
        case 0...5: .edit(seed: random.next())
        case 6: .apply(seed: random.next())
        case 7, 8: .fold(source: random.number(below: 2), seed: random.next())
        case 9: .setQuery(source: random.number(below: 2), .random(&random))
        default: .compare
        }
      steps.append(step)
    }
    steps.append(.compare)
  }

  /// The same with as few steps and operations as it takes to fail.
  func shrunk(fails: (TreeProgram) async -> Bool) async -> TreeProgram {
    var best = self
    var isSmaller = true
    while isSmaller {
      isSmaller = false
      for index in best.steps.indices.reversed() {
        var smaller = best
        smaller.steps.remove(at: index)
        if await fails(smaller) { (best, isSmaller) = (smaller, true) }
      }
      for query in best.queries.indices {
        for index in best.queries[query].indices.reversed() {
          var smaller = best
          smaller.queries[query].remove(at: index)
          if await fails(smaller) { (best, isSmaller) = (smaller, true) }
        }
      }
    }
    return best
  }
}

extension [TreeOperation] {
  static func random(_ random: inout SplitMix64) -> [TreeOperation] {
    (0..<1 + random.number(below: 5)).map { _ in
      switch random.number(below: 16) {
      case 0, 1: .filter(random.number(below: 4))
      case 2: .sort
      case 3: .group
      case 4: .window(0..<4 + random.number(below: 24))
      case 5: .omitEmptySections
      case 6: .keepEmptySections
      case 7: .map
      case 8, 9: .totals
      case 10, 11, 12:
        .search(
          random.chance(oneIn: 3) ? nil : random.number(below: 4),
          keepsUnloaded: random.chance(oneIn: 3))
      default:
        .outline(isExpanded: !random.chance(oneIn: 3), loads: random.chance(oneIn: 3))
      }
    }
  }
}

/// A program that is being run.
final class TreeProgramRun {
  typealias Derived = DerivedSource<ModelBatch<Int, TreeNote>, ModelBatch<Int, TreeNote>>
  typealias State = Snapshot<Int, Int>

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let program: TreeProgram
  private let base: ModelSource<Int, TreeNote>
  private var queries: [[TreeOperation]]
  private var folds = [TreeOperation.Folds(), TreeOperation.Folds()]
  private let sources: [Derived]
  private var batches: [AsyncStream<ModelBatch<Int, TreeNote>>.Iterator]
  private var shown: [Revision?] = [nil, nil]
  private var nextID = 0

  init(_ program: TreeProgram) {
    (self.program, queries) = (program, program.queries)
    base = ModelSource(options: SourceOptions(history: program.history))
    let options = SourceOptions(history: program.history)
    let first = base.derived(options: options) { query in
      program.queries[0].reduce(query) { $1.added(to: $0, isDeclared: program.isDeclared) }
    }
    let second = first.derived(options: options) { query in
      program.queries[1].reduce(query) { $1.added(to: $0, isDeclared: program.isDeclared) }
    }
    sources = [first, second]
    batches = sources.map { $0.updates().makeAsyncIterator() }
  }

  func run() async throws {
    for (number, step) in program.steps.enumerated() {
      do {
        try await perform(step)
      } catch let failure as Failure {
        throw Failure(description: "step \(number), \(step): \(failure)")
      }
    }
  }

  private func perform(_ step: TreeProgram.Step) async throws {
    switch step {
    case .edit(let seed): try await edit(seed)
    case .apply(let seed): try await apply(seed)
    case .fold(let source, let seed):
      var random = SplitMix64(seed: seed)
      let isExpanded = random.chance(oneIn: 2)
      let items = random.sample(expected(source, of: PlainList(await base.snapshot)).ids, oneIn: 3)
      for item in items {
        if TreeOperation.isSearch(queries[source]) {
          folds[source].found[item] = isExpanded
        } else {
          folds[source].all[item] = isExpanded
        }
      }
      let derived = sources[source]
      try await isExpanded ? derived.expandItems(items) : derived.collapseItems(items)
    case .setQuery(let source, let operations):
      queries[source] = operations
      folds[source].found = [:]
      let isDeclared = program.isDeclared
      try await sources[source].setQuery { query in
        operations.reduce(query) { $1.added(to: $0, isDeclared: isDeclared) }
      }
    case .compare: try await compare()
    }
  }

  /// What a source shows for a state of the base.
  private func expected(_ source: Int, of list: PlainList) -> PlainList {
    let first = TreeOperation.evaluate(queries[0], list, folds[0])
    return source == 0 ? first : TreeOperation.evaluate(queries[1], first, folds[1])
  }

  private func compare() async throws {
    let list = PlainList(await base.snapshot)
    for (index, source) in sources.enumerated() {
      let expected = expected(index, of: list)
      // Each way to ask may be the first after a change.
      if program.history != 0 { try await follow(index, expected) }
      let state = await source.snapshot
      try check(state, expected, "source \(index)")
      if program.history == 0 { try await follow(index, expected) }
    }
  }

  private func follow(_ index: Int, _ expected: PlainList) async throws {
    while await sources[index].revision != shown[index] {
      guard let batch = await batches[index].next() else {
        throw Failure(description: "the stream has ended")
      }
      shown[index] = batch.target
      guard await batch.target == sources[index].revision else { continue }
      try check(batch.snapshot, expected, "a batch of source \(index)")
    }
  }

  private func check(_ state: State, _ expected: PlainList, _ what: String) throws {
    let list = PlainList(state)
    guard list == expected else {
      throw Failure(description: "\(what) is\n\(list)\ninstead of\n\(expected)")
    }
    for section in expected.sections {
      let items = state.itemIdentifiers(inSection: section.id)
      let visible = section.visible.map(\.note.id)
      guard items == visible else {
        throw Failure(
          description: "\(what) shows \(items) instead of \(visible) in section \(section)")
      }
    }
  }
}

extension PlainList {
  /// All rows of a state, hidden ones too.
  init(_ state: Snapshot<Int, Int>) {
    sections = state.sectionIdentifiers.map { section in
      let tree = state.outline(ofSection: section)
      let items = tree?.items ?? state.itemIdentifiers(inSection: section)
      return Section(
        id: section, isTree: tree != nil,
        rows: items.map { item in
          Row(
            note: ModelBatch<Int, TreeNote>.element(for: item, in: state) ?? TreeNote(id: -1),
            level: tree?.level(of: item) ?? 0, isExpanded: tree?.isExpanded(item) ?? false,
            isUnloaded: tree?.hasUnloadedChildren(item) ?? false)
        })
    }
  }
}

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
    outline.setHasUnloadedChildren(random.sample(items, oneIn: 6))
    return outline
  }

  private func apply(_ seed: UInt64) async throws {
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
    try await base.apply(state, models: models)
  }

  private func edit(_ seed: UInt64) async throws {
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
        edits.append { try $0.replaceItem(item, with: note) }
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
    let now = Set(PlainList(await base.snapshot).ids)
    for (old, new) in renames where now.contains(new) {
      for index in folds.indices {
        folds[index].all[new] = folds[index].all.removeValue(forKey: old)
        folds[index].found[new] = folds[index].found.removeValue(forKey: old)
      }
    }
  }
}
