import Diffable
import DiffableQueries
import DiffableTesting
import ListSupport

extension DerivedSource: CardSource where Output == CardBatch {}

/// A source that shows one or two others through a query.
final class DerivedPart: Part {
  typealias Derived = DerivedSource<CardBatch, CardBatch>

  private enum Front {
    case one(any Part)
    case merge(any Part, any Part)
    case join(any Part, any Part)
    case restrict(any Part, any Part, keepsShown: Bool)

    var isMerge: Bool { if case .merge = self { true } else { false } }

    var parts: [any Part] {
      switch self {
      case .one(let part): [part]
      case .merge(let one, let other), .join(let one, let other),
        .restrict(let one, let other, _):
        [one, other]
      }
    }
  }

  private let derived: Derived
  private let front: Front
  private let world: World
  private var query: PlainQuery
  /// Which rows were expanded and collapsed here, by their souls; and since a search began.
  private var flags: [Int: Bool] = [:]
  private var findings: [Int: Bool] = [:]
  /// Of a merge: the rows of the second list that the first one shows.
  private var wereHidden: Set<Int> = []
  private var isAskedAgain = false
  private(set) var truth = PlainList()
  private(set) var marks = Marks()

  var source: any CardSource { derived }
  var roots: Set<ObjectIdentifier> { front.parts.reduce(into: []) { $0.formUnion($1.roots) } }

  var followsTwo: Bool { front.parts.count > 1 || front.parts.contains(where: \.followsTwo) }

  var isTwofold: Bool {
    let parts = front.parts
    return parts.contains(where: \.isTwofold)
      || parts.count > 1 && !parts[0].roots.isDisjoint(with: parts[1].roots)
  }

  init(_ base: any Part, _ query: PlainQuery, _ world: World) {
    (self.world, self.query, front) = (world, query, .one(base))
    func make(_ source: some CardSource) -> Derived {
      source.derived(options: .strict) { query.asked($0, clock: world.clock) }
    }
    derived = make(base.source)
  }

  init(merging one: any Part, _ other: any Part, _ query: PlainQuery, _ world: World) async throws {
    (self.world, self.query, front) = (world, query, .merge(one, other))
    func make(_ one: some CardSource, _ other: some CardSource) -> Derived {
      one.merged(with: other, options: .strict)
    }
    derived = make(one.source, other.source)
    try await derived.setQuery { query.asked($0, clock: world.clock) }
  }

  init(joining one: any Part, _ other: any Part, _ query: PlainQuery, _ world: World) async throws {
    (self.world, self.query, front) = (world, query, .join(one, other))
    func make(_ one: some CardSource, _ other: some CardSource) -> Derived {
      one.joined(with: other, by: Self.name, options: .strict, Self.join)
    }
    derived = make(one.source, other.source)
    try await derived.setQuery { query.asked($0, clock: world.clock) }
  }

  init(
    restricting one: any Part, _ other: any Part, _ keepsShown: Bool, _ query: PlainQuery,
    _ world: World
  ) async throws {
    (self.world, self.query, front) = (world, query, .restrict(one, other, keepsShown: keepsShown))
    func make(_ one: some CardSource, _ other: some CardSource) -> Derived {
      keepsShown
        ? one.intersection(other, options: .strict) : one.subtracting(other, options: .strict)
    }
    derived = make(one.source, other.source)
    try await derived.setQuery { query.asked($0, clock: world.clock) }
  }

  private static let name: @Sendable (Card) -> Int? = { $0.rank > 0 ? 3 * $0.rank : nil }
  private static let join: @Sendable (Card, Card?) -> Card = { card, found in
    Card(id: card.id, rank: card.rank, text: card.text + 10 * (found.map { $0.text % 3 + 1 } ?? 0))
  }

  func forgetMarks() { isAskedAgain = false }

  func hint(_ souls: Set<Int>) { marks.hinted.formUnion(souls) }

  func follow() {
    marks = front.parts[0].marks
    if front.parts.count > 1 {
      // What the first list shows, the second has no say in.
      let (rows, other) = (front.parts[0].truth.shownRows, front.parts[1])
      let shown = Set(rows.map(\.id))
      let others = other.truth.shownRows
      let hidden = Set(others.filter { shown.contains($0.id) }.map(\.soul))
      if front.isMerge { marks = marks.demanding(Set(rows.map(\.soul))) }
      let here = front.isMerge ? Set(others.map(\.soul)).subtracting(hidden) : []
      marks.formUnion(
        other.marks.without(front.isMerge ? hidden : Set(other.truth.rows.map(\.soul)))
          .demanding(here))
      marks.hinted.formUnion(front.isMerge ? hidden.subtracting(wereHidden) : [])
      marks.sides.formUnion(front.isMerge ? hidden.symmetricDifference(wereHidden) : [])
      wereHidden = hidden
    }
    marks.isAskedAgain = marks.isAskedAgain || isAskedAgain
    let input: PlainList
    switch front {
    case .one(let base): input = base.truth
    case .merge(let one, let other): input = one.truth.merged(with: other.truth)
    case .join(let one, let other):
      let found = Dictionary(other.truth.shownRows.map { ($0.id, $0.card) }) { one, _ in one }
      var joined = one.truth.flat
      for place in joined.places(shown: false) {
        joined[place].card = Self.join(
          joined[place].card, Self.name(joined[place].card).flatMap { found[$0] })
      }
      input = joined
    case .restrict(let one, let other, let keepsShown):
      let shown = Set(other.truth.shownRows.map(\.id))
      var selected = one.truth.flat
      for index in selected.sections.indices {
        selected.sections[index].rows.removeAll { shown.contains($0.id) != keepsShown }
      }
      input = selected
    }
    // What a tree between two steps shows, is shown again.
    if query.makesTrees { marks.hinted.formUnion(input.rows.map(\.soul)) }
    truth = query.result(of: input, flags: query.isSearch ? findings : flags, now: world.clock.now)
  }

  func setQuery(_ query: PlainQuery) async throws {
    self.query = query
    findings = [:]
    isAskedAgain = front.parts.count > 1
    try await derived.setQuery { query.asked($0, clock: world.clock) }
  }

  /// The list whose rows a drag moves, and all that is asked of it on the way here; `nil` if there are several.
  private var dragged: (list: any WrittenList, query: PlainQuery)? {
    guard !front.isMerge else { return nil }
    if let list = front.parts[0] as? any WrittenList { return (list, query) }
    guard let (list, first) = (front.parts[0] as? DerivedPart)?.dragged else { return nil }
    return (list, PlainQuery(operations: first.operations + query.operations))
  }

  /// A user drags a row here.
  func drag(_ from: Int, _ to: Int, meanwhile: [Edit]) async throws {
    guard let (list, query) = dragged else { return }
    try await list.drag(from, to, in: derived, showing: truth, query, meanwhile: meanwhile)
    try await list.settle()
  }

  /// A user expands or collapses a row of a tree.
  func fold(_ at: Int, _ isExpanded: Bool) async throws {
    let rows = truth.sections.filter(\.isTree).flatMap(\.rows)
    guard !rows.isEmpty else { return }
    let row = rows[at % rows.count]
    if query.isSearch { findings[row.soul] = isExpanded } else { flags[row.soul] = isExpanded }
    try await isExpanded ? derived.expandItems([row.id]) : derived.collapseItems([row.id])
  }
}

extension PlainList {
  /// The first list, then what only the second has.
  func merged(with other: PlainList) -> PlainList {
    var merged = flat
    let known = Set(merged.rows.map(\.id))
    for section in other.flat.sections {
      let rows = section.rows.filter { !known.contains($0.id) }
      if let index = merged.section(of: section.shelf) {
        merged.sections[index].rows += rows
      } else {
        merged.sections.append(Section(shelf: section.shelf, header: section.header, rows: rows))
      }
    }
    return merged
  }
}

extension SourceOptions {
  /// With a history for all that a program does.
  static var strict: SourceOptions { SourceOptions(history: 200) }
}
