import Diffable
import DiffableQueries
import DiffableTesting

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
  /// Whether subscribers wait for batches while the list is changed, and do not only look at times.
  var isWaiting: Bool
  var queries: [[TreeOperation]]
  var steps: [Step]

  var description: String {
    (["history \(history), declared \(isDeclared), waiting \(isWaiting)"] + queries.map { "\($0)" }
      + steps.map { "  \($0)" }).joined(separator: "\n")
  }

  init(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    history = random.element(of: [0, 1, 2, 3, 64, 64]) ?? 64
    isDeclared = random.chance(oneIn: 2)
    isWaiting = random.chance(oneIn: 3)
    queries = [.random(&random), random.chance(oneIn: 2) ? [] : .random(&random)]
    steps = [.apply(seed: random.next())]
    for _ in 0..<16 {
      let step: Step =
        switch random.number(below: 12) {
        case 0...5: .edit(seed: random.next())
        case 6: .apply(seed: random.next())
        case 7, 8: .fold(source: random.number(below: 2), seed: random.next())
        case 9, 10: .setQuery(source: random.number(below: 2), .random(&random))
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
    random.chance(oneIn: 3) ? treeOfSome(&random) : any(&random)
  }

  /// A tree of what several operations leave of a list, and what is found in it.
  private static func treeOfSome(_ random: inout SplitMix64) -> [TreeOperation] {
    let before = random.shuffled(
      [
        .map, .window(0..<4 + random.number(below: 24)), .filter(random.number(below: 4)),
        .filter(random.number(below: 4)),
      ] as [TreeOperation])
    return random.sample(before, oneIn: 2)
      + [.outline(isExpanded: random.chance(oneIn: 2), loads: random.chance(oneIn: 3))]
      + random.sample([.totals, .search(random.number(below: 4), keepsUnloaded: false)], oneIn: 3)
  }

  private static func any(_ random: inout SplitMix64) -> [TreeOperation] {
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

  let program: TreeProgram
  let base: ModelSource<Int, TreeNote>
  private var queries: [[TreeOperation]]
  var folds = [TreeOperation.Folds(), TreeOperation.Folds()]
  private let sources: [Derived]
  private var followers: [TreeFollower]
  var nextID = 0

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
    followers = sources.map { TreeFollower($0, isWaiting: program.isWaiting) }
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
      let isFollowedFirst = program.history != 0
      if isFollowedFirst { try await follow(index, expected) }
      let state = await source.snapshot
      try check(state, expected, "source \(index)")
      if !isFollowedFirst { try await follow(index, expected) }
    }
  }

  private func follow(_ index: Int, _ expected: PlainList) async throws {
    let state = try await followers[index].follow(sources[index])
    try check(state, expected, "what a subscriber of source \(index) shows")
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
