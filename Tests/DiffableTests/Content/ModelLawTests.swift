import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableEngine

@Suite("A model may be of any type, and of several for one item the policy keeps one")
struct ModelLawTests {
  private struct Row<Value: Equatable & Sendable>: Identifiable, Equatable, Sendable {
    let id: Int
    var value: Value
  }

  @Test(
    "Strings, objects, existentials in enumerations, aligned lanes, optionals, and nothing at all")
  func kinds() async throws {
    try await expectLaws { "a string that has memory of its own \($0)" }
    try await expectLaws { $0 % 3 == 0 ? nil : Optional([$0, $0 + 1]) }
    try await expectLaws { SIMD16<Int64>(repeating: Int64($0)) }
    try await expectLaws { _ in Empty() }
    try await expectLaws { $0 % 2 == 0 ? Choice.one(AnyItemID($0)) : .other("\($0)", UInt8(3)) }
  }

  private struct Empty: Equatable, Sendable {}
  private enum Choice: Equatable, Sendable {
    case one(AnyItemID)
    case other(String, UInt8)
  }

  /// Lists of rows with values of some kind, in one section and in many.
  private func expectLaws<Value: Equatable & Sendable>(
    _ value: (Int) -> Value
  ) async throws {
    var random = SplitMix64(seed: 3)
    let source = ModelSource<Int, Row<Value>>()
    for round in 0..<12 {
      let rows = random.sample(random.shuffled(Array(0..<300)), oneIn: 2)
        .map { Row(id: $0, value: value(random.number(below: 4) + round % 2)) }
      let sections = 1 + round % 3
      try await source.apply(rows) { $0.id % sections }
      for row in rows {
        #expect(await source.model(for: row.id) == row)
      }
      let changed = Row(id: rows[0].id, value: value(9))
      try await source.update { draft in
        draft.setModel(changed)
        draft.snapshot.deleteItems([rows[1].id])
      }
      #expect(await source.model(for: changed.id) == changed)
      #expect(await source.model(for: rows[1].id) == nil)
    }
  }

  @Test("Of duplicates in any section the place that the policy keeps gives the model")
  func duplicates() async throws {
    for policy in [DuplicatePolicy.keepFirst, .keepLast] {
      let source = Notes(options: SourceOptions(duplicates: policy))
      let notes = [
        Note(id: 1, folder: 0, text: 1), Note(id: 2, folder: 0, text: 1),
        Note(id: 1, folder: 1, text: 2), Note(id: 2, folder: 0, text: 3),
      ]
      for _ in 0..<2 {
        try await source.apply(notes, section: \.folder)
        let first = policy == .keepFirst
        #expect(await source.model(for: 1) == notes[first ? 0 : 2])
        #expect(await source.model(for: 2) == notes[first ? 1 : 3])
      }
      // So it is with the model of a section that is given twice.
      try await source.apply(
        notes, section: \.folder, sections: [(0, "first"), (1, "other"), (0, "last")])
      #expect(await source.sectionModel(for: 0) == (policy == .keepFirst ? "first" : "last"))
      let kept = policy == .keepFirst ? "0[1 2] 1[]" : "1[] 0[1 2]"
      #expect(await source.snapshot.description == kept, "its rows are where it is kept")
      // An order that waits has its models by the same policy.
      let order = Snapshot<Folder, Int>(sections: [0], items: [[1]])
      _ = await source.enqueue(order, models: [5, 6].map { Note(id: 1, text: $0) }).outcome
      #expect(await source.model(for: 1)?.text == (policy == .keepFirst ? 5 : 6))
      // And so has one that is applied, with or without models of sections.
      try await source.apply(order, models: [7, 8].map { Note(id: 1, text: $0) })
      #expect(await source.model(for: 1)?.text == (policy == .keepFirst ? 7 : 8))
      try await source.apply(
        order, models: [9, 10].map { Note(id: 1, text: $0) }, sectionModels: [(0, "both")])
      #expect(await source.model(for: 1)?.text == (policy == .keepFirst ? 9 : 10))
    }
  }
}

@Suite("Models of items that an outline hides") struct OutlinedModelTests {
  /// A list of row 1, which hides the rows 2 and 3.
  private func source() async throws -> Notes {
    let source = Notes()
    try await source.apply((1...3).map { Note(id: $0) }, section: \.folder)
    try await source.updateOrder { order in
      try order.setOutline(Outline([1, 2, 3], levels: [0, 1, 1]), forSection: 0)
    }
    return source
  }

  @Test("A hidden row without a model is refused, and nothing has changed")
  func missing() async throws {
    let source = try await source()
    let before = (await source.snapshot, await source.revision)
    var list = before.0
    try list.replaceItems(childrenOf: 1, using: Outline([7, 8]))
    for isMerge in [false, true] {
      let error = await #expect(throws: DataSourceError.self) {
        if isMerge {
          _ = try await source.merge(list, models: [], basedOn: before.1)
        } else {
          _ = try await source.apply(list, models: [])
        }
      }
      guard case .invalidSnapshot(.missingModel(let missing))? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(missing.count == 2 && Set(missing) == [AnyItemID(7), AnyItemID(8)])
    }
    try await source.apply(list, models: [Note(id: 7), Note(id: 8)])
    for child in 7...8 { #expect(await source.model(for: child) == Note(id: child)) }
    for child in 2...3 { #expect(await source.model(for: child) == nil) }
  }

  @Test("Models that an old snapshot remembers do not count")
  func remembered() async throws {
    let source = try await source()
    let old = await source.snapshot
    try await source.update { $0.deleteItems([2]) }
    let refusal = DataSourceError.invalidSnapshot(.missingModel([AnyItemID(2)]))
    await #expect(throws: refusal) { try await source.apply(old, models: []) }
    #expect(await source.model(for: 2) == nil)
    try await source.apply(old, models: [Note(id: 2, text: 1)])
    #expect(await source.model(for: 2)?.text == 1)
  }
}

/// A model for an item that is nowhere is a mistake, wherever it is given.
@Suite(.deadline)
struct UnknownModelTests {
  private typealias List = ModelSource<SingleSection, Note>

  private func list() async throws -> List {
    let list = List()
    try await list.apply([Note(id: 1), Note(id: 2)])
    return list
  }

  @Test func `An edit that gives one changes nothing, and says for which items`() async throws {
    let list = try await list()
    let (models, revision) = (await list.elements, await list.revision)
    await #expect(throws: SnapshotError.unusedModel([AnyItemID(9)])) {
      try await list.update { $0.setModel(Note(id: 9)) }
    }
    await #expect(throws: SnapshotError.unusedModel([AnyItemID(8), AnyItemID(9)])) {
      try await list.update { draft in
        draft.setModels([Note(id: 1, title: 1), Note(id: 8), Note(id: 9)])
        try draft.insertItems([Note(id: 3)], afterItem: 1)
      }
    }
    await #expect(throws: DataSourceError.invalidSnapshot(.unknownItem([AnyItemID(9)]))) {
      try await list.setModel(Note(id: 9))
    }
    await #expect(throws: SnapshotError.unusedModel([AnyItemID(9)])) {
      try await list.authored(by: "Ann").update { $0.setModel(Note(id: 9)) }
    }
    #expect(await list.elements == models)
    #expect(await list.revision == revision)
  }

  /// What an edit does with one row.
  private enum Step: CaseIterable { case give, insert, delete }

  /// All edits of at most four steps, judged by a model that remembers whether the row is there.
  @Test(arguments: [false, true], [false, true])
  func `A model is unused if its row is not there before, then or at the end`(
    isKnown: Bool, isOutline: Bool
  ) async throws {
    let row = isKnown ? 2 : 9
    for edit in everySequence(of: Step.allCases, upTo: 4) {
      let list = try await list()
      if isOutline {
        try await list.updateOrder {
          try $0.setOutline(Outline([1, 2]), forSection: SingleSection())
        }
      }
      let revision = await list.revision
      var (isThere, isGiven, isAwaited) = (isKnown, isKnown, false)
      for step in edit {
        switch step {
        case .give:
          isGiven = true
          isAwaited = isAwaited || !isThere && !isKnown
        case .insert: isThere = true
        case .delete: isThere = false
        }
      }
      do {
        try await list.update { draft in
          for step in edit {
            switch step {
            case .give: draft.setModel(Note(id: row, title: 7))
            case .insert where draft.snapshot.containsItem(row): break
            case .insert: try draft.snapshot.insertItems([row], afterItem: 1)
            case .delete: draft.snapshot.deleteItems([row])
            }
          }
        }
        #expect(isThere ? isGiven : !isAwaited, "\(edit)")
        let title = edit.contains(.give) ? 7 : 0
        #expect(
          await list.elements
            == [Note(id: 1)] + (isThere ? [Note(id: row, title: title)] : [])
            + (isKnown ? [] : [Note(id: 2)]), "\(edit)")
      } catch SnapshotError.unusedModel(let rows) {
        #expect(isAwaited && !isThere && rows == [AnyItemID(row)], "\(edit)")
        #expect(await list.revision == revision)
      } catch DataSourceError.invalidSnapshot(.missingModel(let rows)) {
        #expect(isThere && !isGiven && rows == [AnyItemID(row)], "\(edit)")
        #expect(await list.revision == revision)
      }
    }
  }

  @Test func `A section may go with its model, and its rows with theirs`() async throws {
    let list = ModelSource<Folder, Note>()
    try await list.update { draft in
      draft.appendSections([0, 1])
      try draft.setSectionModel("Archive", for: 1)
      try draft.appendItems([Note(id: 1)], toSection: 1)
      draft.setModel(Note(id: 1, title: 1))
      draft.snapshot.deleteSections([1])
    }
    #expect(await list.snapshot.sectionIdentifiers == [0])
    #expect(await list.elements.isEmpty)
    #expect(await list.sectionModel(for: 1) == nil)
    try await list.updateOrder { $0.appendSections([1]) }
    #expect(await list.sectionModel(for: 1) == nil)
  }
}

@Suite("Models that an edit gives follow their rows to other names")
struct RenamedGivenTests {
  @Test("Every choice of models, and every way to rename three rows")
  func everyWay() {
    let kernels = Snapshot<String, Int>.makeKernels(models: ElementKernel(models: Card.self))
    let rows = 1...3
    let ways = rows.reduce([[Int]()]) { lists, _ in
      lists.flatMap { list in (1...5).filter { !list.contains($0) }.map { list + [$0] } }
    }
    for names in ways {
      var renames = ItemRenames<Int>()
      renames.formUnion(
        zip(rows, names).filter { $0 != $1 }.map { ItemRename(old: $0, new: $1) })
      for choice in 0..<32 {
        let chosen = rows.filter { choice & 1 << ($0 - 1) != 0 }
        // A model that is given under a new name already is newer.
        let own = (4...5).filter { choice & 1 << ($0 - 1) != 0 }
        var given = GivenContent<String, Int>()
        given.set(contentsOf: chosen.map { Card(id: $0, text: "of \($0)") }, kernels)
        given.set(contentsOf: own.map { Card(id: $0, text: "own") }, kernels)
        let (renamed, lost) = given.renaming(renames, kernels)
        #expect(lost.isEmpty)
        func model(of name: Int) -> Card? {
          renamed.withModel(of: name) { $0?.assumingMemoryBound(to: Card.self).pointee }
        }
        for (row, name) in zip(rows, names) where !own.contains(name) {
          let expected = chosen.contains(row) ? Card(id: name, text: "of \(row)") : nil
          #expect(model(of: name) == expected, "\(chosen) get the names \(names)")
        }
        for name in own {
          #expect(model(of: name)?.text == "own", "\(chosen), \(own), \(names)")
        }
      }
    }
  }
}
