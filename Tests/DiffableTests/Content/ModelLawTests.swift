import Diffable
import DiffableTesting
import ListSupport
import Testing

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
    }
  }
}
