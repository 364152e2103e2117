import Diffable
import DiffableTesting
import TestScope
import Testing

/// What is accepted holds nothing twice, what is refused does, and what is refused changes nothing:
/// however many identifiers share a hash.
///
/// The oracle reads what the edit made of a copy in order, and compares each identifier with each.
@Suite("Where hashes collide, exactly what stands twice is refused")
struct CollisionTests {
  typealias ID = FewHashes
  typealias State = FewHashesList

  /// How an edited state gets into a source.
  enum Way: String, CaseIterable, Sendable {
    case update, editedCopy, freshCopy, mergedCopy
  }

  @Test("An item of a second section", arguments: 1...3)
  func twoSections(hashCount: Int) async throws {
    @Sendable func ids(_ numbers: Int...) -> [ID] {
      numbers.map { ID(number: $0, hashCount: hashCount) }
    }
    let (a, b) = (ID(number: 0, hashCount: hashCount), ID(number: 1, hashCount: hashCount))
    var state = State()
    state.appendSections([a, b])
    try state.appendItems(ids(1, 2, 3, 4), toSection: a)
    try state.appendItems(ids(10), toSection: b)
    var hidden = try Outline(ids(1, 3))
    try hidden.append(ids(10), to: ids(1)[0])
    for way in Way.allCases {
      let trial = try await CollisionTrial(state, items: 16)
      try await expectRefusal(
        trial, .init("a list") { try $0.replaceItems(inSection: a, with: ids(1, 10, 3)) }, by: way)
      try await expectRefusal(
        trial, .init("a hidden row") { [hidden] in try $0.setOutline(hidden, forSection: a) },
        by: way)
      // 4 takes the place of one of its hash, and both sections change.
      try await expectRefusal(
        trial,
        .init("a place, after a deletion") {
          $0.deleteItems(ids(2))
          try $0.replaceItems(inSection: b, with: ids(4))
        }, by: way)
    }
    var outlined = state
    var outline = try Outline(ids(1, 3))
    try outline.append(ids(2), to: ids(1)[0])
    try outlined.setOutline(outline, forSection: a)
    for way in Way.allCases {
      let trial = try await CollisionTrial(outlined, items: 16)
      try await expectRefusal(
        trial,
        .init("children") {
          try $0.replaceItems(childrenOf: ids(1)[0], using: Outline(ids(10)))
        }, by: way)
      try await expectRefusal(
        trial, .init("another outline") { [hidden] in try $0.setOutline(hidden, forSection: a) },
        by: way)
    }
  }

  private func expectRefusal(
    _ trial: CollisionTrial, _ edit: SmallScope.Edit, by way: Way
  ) async throws {
    #expect(try await trial.check(edit, by: way), "\(way): \(edit)")
  }

  @Test("One to three edits at once", arguments: Way.allCases, 1...3)
  func severalEdits(way: Way, hashCount: Int) async throws {
    let scope = try SmallScope(hashCount: hashCount, items: 4)
    let (states, edits) = (try scope.states, scope.edits)
    let seed = UInt64(100 + hashCount)
    var random = SplitMix64(seed: seed)
    var refused = 0
    for _ in 0..<rounds(rounds(7)) {
      guard let state = random.element(of: states) else { continue }
      let trial = try await CollisionTrial(state, items: 16)
      for _ in 0..<3 {
        let parts = (0...random.number(below: 3)).compactMap { _ in random.element(of: edits) }
        let edit = SmallScope.Edit("\(parts)") { state in
          for part in parts { try part.apply(&state) }
        }
        if try await trial.check(edit, by: way) { refused += 1 }
      }
    }
    #expect(refused > 0, "seed \(seed)")
  }

  /// Lists of several leaves, which items move between when others come.
  @Test("Edits of lists that fill several leaves", arguments: Way.allCases, 1...3)
  func leaves(way: Way, hashCount: Int) async throws {
    let seed = UInt64(200 + hashCount)
    var random = SplitMix64(seed: seed)
    var refused = 0
    for _ in 0..<rounds(1) {
      // Two leaves and more; all are compared with all.
      let (first, second) = isLong ? (100, 130) : (56, 70)
      let scope = try SmallScope(hashCount: hashCount * hashCount, items: second + 10)
      var state = State()
      state.appendSections(scope.sections)
      let items = random.shuffled(scope.pool)
      try state.appendItems(items[..<first], toSection: scope.sections[0])
      try state.appendItems(items[first..<second], toSection: scope.sections[1])
      if random.chance(oneIn: 2) {
        try state.setOutline(
          random.outline(of: Array(items[..<first])), forSection: scope.sections[0])
      }
      let trial = try await CollisionTrial(state, items: second + 10)
      for step in 0..<(isLong ? 4 : 2) {
        let edit = Self.largeEdit(step, of: trial.start, scope, &random)
        if try await trial.check(edit, by: way) { refused += 1 }
      }
    }
    #expect(refused > 0, "seed \(seed)")
  }

  /// An edit that puts a few items somewhere; every other one puts an item of the other section.
  private static func largeEdit(
    _ step: Int, of state: State, _ scope: SmallScope, _ random: inout SplitMix64
  ) -> SmallScope.Edit {
    let all = state.numbers
    let present = Set(all.joined())
    let index = random.number(below: 2)
    let section = scope.sections[index]
    var coming = random.sample(scope.pool.filter { !present.contains($0.number) }, oneIn: 4)
    if step % 2 == 0, let item = random.element(of: all[1 - index]) {
      coming.insert(scope.pool[item], at: random.number(below: coming.count + 1))
    }
    let new = coming
    let visible = Array(state.items(inSectionAt: index))
    let place = random.number(below: visible.count + 1)
    let end = place + random.number(below: visible.count - place + 1)
    let gone = random.sample(Array(visible[place..<end]), oneIn: 2)
    guard let anchor = random.element(of: visible) else { return .init("nothing") { _ in } }
    switch step % 4 {
    case 0:
      return .init("insert \(new) before \(anchor)") {
        try $0.insertItems(new, beforeItem: anchor)
      }
    case 1:
      return .init("put \(new) for \(visible[place..<end])") {
        try $0.replaceItems(
          inSection: section, with: Array(visible[..<place] + new + visible[end...]))
      }
    case 2:
      return .init("delete \(gone), insert \(new) after \(anchor)") {
        $0.deleteItems(gone)
        if $0.itemPath(for: anchor) != nil { try $0.insertItems(new, afterItem: anchor) }
      }
    default:
      return .init("children \(new) of \(anchor)") { state in
        guard var outline = state.outline(ofSection: section) else { return }
        outline.delete(gone)
        try outline.append(new, to: outline.contains(anchor) ? anchor : nil)
        try state.setOutline(outline, forSection: section)
      }
    }
  }
}

/// A source in some state, which one edit after another is tried on.
///
/// The same edits go to a model source. What is accepted is taken back by undo, so every edit meets the
/// same state.
struct CollisionTrial {
  typealias State = FewHashesList

  struct Entry: Identifiable, Equatable, Sendable {
    let id: FewHashes
  }

  let start: State
  private let startPicture: String
  private let source: DataSourceActor<FewHashes, FewHashes>
  private let models: ModelSource<FewHashes, Entry>
  private let entries: [Entry]

  init(_ start: State, items: Int = 8) async throws {
    self.start = start
    startPicture = start.picture
    source = try DataSourceActor(start)
    let hashCount = start.sectionIdentifiers.first?.hashCount ?? 1
    let entries = (0..<items).map { Entry(id: FewHashes(number: $0, hashCount: hashCount)) }
    self.entries = entries
    models = ModelSource()
    try await models.update { draft in
      draft.snapshot = start
      draft.setModels(entries.filter { draft.snapshot.containsItem($0.id) })
    }
  }

  /// Tries an edit.
  ///
  /// - Returns: Whether it was refused because something is there twice.
  @discardableResult
  func check(_ edit: SmallScope.Edit, by way: CollisionTests.Way) async throws -> Bool {
    var expected = await source.snapshot
    do {
      try edit.apply(&expected)
    } catch {
      try await checkRefusal(of: edit, by: way)
      return false
    }
    // An apply keeps the tree where a list comes, and then holds more than what was applied.
    if way == .editedCopy || way == .freshCopy, start.hasOutlines(whereNot: expected) {
      return false
    }
    // What failed is only put into words then: most of a long run would be spent on that.
    func expect(_ holds: Bool, _ law: String) {
      if !holds { Issue.record("\(law): \(way), \(edit) on\n\(startPicture)") }
    }
    let isValid = expected.repeatedItems.isEmpty && expected.repeatedSections.isEmpty
    do {
      try await write(edit, expected, by: way)
      expect(isValid, "what is accepted holds nothing twice")
      let live = await source.snapshot
      expect(live.faults == [], "what is accepted is a valid state")
      if way == .update { expect(live.picture == expected.picture, "it is what was asked for") }
      let violations = DifferenceLaw.violations(from: start, to: live)
      expect(violations.isEmpty, "it differs as it should: \(violations)")
      while await source.snapshot != start, try await source.undo() != nil {}
    } catch DataSourceError.invalidSnapshot(.duplicateItems(let duplicates)) {
      let named = Set(duplicates.map { number($0.identifier) })
      expect(named == expected.repeatedItems, "the error names the items that stand twice")
    } catch DataSourceError.invalidSnapshot(.duplicateSections(let duplicates)) {
      let named = Set(duplicates.map { number($0.identifier) })
      expect(named == expected.repeatedSections, "the error names the sections that stand twice")
    }
    expect(await isAtStart, "a refusal changes nothing, and undo takes back the rest")
    guard way == .update else { return !isValid }
    do {
      try await models.update { [entries] draft in
        try edit.apply(&draft.snapshot)
        draft.setModels(entries.filter { draft.snapshot.containsItem($0.id) })
      }
      expect(isValid, "what a model source accepts holds nothing twice")
      expect(await models.snapshot.faults == [], "what it accepts is a valid state")
      while await models.snapshot != start, try await models.undo() != nil {}
    } catch DataSourceError.invalidSnapshot {
      expect(!isValid, "a model source refuses what holds something twice")
    }
    expect(await models.snapshot.picture == startPicture, "a model source is where it was")
    return !isValid
  }

  /// An edit that a snapshot refuses is refused by all, and nothing is changed.
  private func checkRefusal(of edit: SmallScope.Edit, by way: CollisionTests.Way) async throws {
    var copy = try start.rebuilt()
    if (try? edit.apply(&copy)) != nil {
      Issue.record("a copy takes what the source does not: \(edit) on\n\(startPicture)")
    }
    guard way == .update else { return }
    if (try? await source.update(edit.apply)) != nil {
      Issue.record("an update takes what a snapshot does not: \(edit) on\n\(startPicture)")
    }
    if await !isAtStart { Issue.record("a refusal changes: \(edit) on\n\(startPicture)") }
  }

  private var isAtStart: Bool {
    get async {
      let live = await source.snapshot
      return live.picture == startPicture && live.faults == []
    }
  }

  private func number(_ identifier: AnyItemID) -> Int {
    (identifier.base as? FewHashes)?.number ?? -1
  }

  private func write(
    _ edit: SmallScope.Edit, _ edited: State, by way: CollisionTests.Way
  ) async throws {
    switch way {
    case .update: try await source.update(edit.apply)
    case .editedCopy: try await source.apply(edited)
    case .freshCopy: try await source.apply(edited.rebuilt())
    case .mergedCopy:
      let base = await source.revision
      // Another writer was faster, so that this is no apply.
      let others = FewHashes(number: 900, hashCount: 1)
      try await source.update { $0.appendSections([others]) }
      do {
        try await source.merge(edited, basedOn: base)
      } catch {
        try await source.undo()
        throw error
      }
    }
  }
}

extension FewHashesList {
  /// Whether a section that has an outline here is a list in another state.
  fileprivate func hasOutlines(whereNot other: Self) -> Bool {
    sectionIdentifiers.contains { section in
      outline(ofSection: section) != nil && other.indexOfSection(section) != nil
        && other.outline(ofSection: section) == nil
    }
  }
}
