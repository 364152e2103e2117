import ListSupport
import Testing

@testable import Diffable
@testable import DiffableQueries

private struct Row: Identifiable, Equatable {
  let id: Int
  var value: Double
}

private struct Part: ModelledSection, ExpressibleByIntegerLiteral {
  typealias SectionModel = Double
  let number: Int

  init(integerLiteral number: Int) { self.number = number }
}

/// A number whose every copy is counted.
private struct Counted: AdditiveArithmetic, Sendable {
  var value = 0
  var payload: Payload?

  static var zero: Self { Self() }
  static func == (left: Self, right: Self) -> Bool { left.value == right.value }
  static func + (left: Self, right: Self) -> Self {
    Self(value: left.value + right.value, payload: right.payload ?? left.payload)
  }
  static func - (left: Self, right: Self) -> Self {
    Self(value: left.value - right.value, payload: left.payload)
  }
}

@Suite("Sums over the rows of a section") struct SummaryTests {
  private typealias Rows = ModelSource<Part, Row>

  private static func sums(
    _ base: Rows
  ) -> DerivedSource<ModelBatch<Part, Row>, ModelBatch<Part, Row>> {
    base.derived { $0.sectionModels(.sum(of: \.value)) { _, _, sum in sum } }
  }

  @Test(
    "What is not finite leaves a sum with its row",
    arguments: [
      [Double.infinity], [.nan], [.infinity, -.infinity],
      [.greatestFiniteMagnitude, .greatestFiniteMagnitude],
      [-.infinity, .nan],
    ])
  func notFinite(values: [Double]) async throws {
    for last in ["deleted", "changed", "moved"] {
      let base = Rows()
      try await base.apply([Row(id: 1, value: 1), Row(id: 2, value: 2)], section: { _ in 0 })
      let derived = Self.sums(base)
      #expect(await derived.sectionModel(for: 0) == 3)
      let strange = values.enumerated().map { Row(id: 10 + $0, value: $1) }
      try await base.update { try $0.appendItems(strange, toSection: 0) }
      let sum = try #require(await derived.snapshot.sectionModel(of: 0))
      #expect(!sum.isFinite)
      // While it is there, the others can change.
      try await base.setModel(Row(id: 2, value: 4))
      #expect(try !#require(await derived.snapshot.sectionModel(of: 0)).isFinite)
      try await base.update { draft in
        switch last {
        case "deleted": draft.deleteItems(strange.map(\.id))
        case "changed": draft.setModels(strange.map { Row(id: $0.id, value: 0) })
        default:
          draft.appendSections([1])
          for row in strange { try draft.moveItem(row.id, toSection: 1) }
        }
      }
      #expect(await derived.snapshot.sectionModel(of: 0) == 5, "\(last)")
      try await base.update { $0.deleteItems([1]) }
      #expect(await derived.snapshot.sectionModel(of: 0) == 4, "\(last)")
    }
  }

  @Test("Sections that are gone are forgotten") func forgotten() async throws {
    let base = Notes()
    let census = PayloadCensus()
    let derived = base.derived { query in
      query.sectionModels(.sum(of: { _ in Counted(value: 1, payload: Payload(census)) })) {
        "\($0) \($1) \($2.value)"
      }
    }
    for round in 0..<20 {
      try await base.apply(
        (0..<4).map { Note(id: $0, folder: Folder(4 * round + $0)) }, section: \.folder)
      #expect(await derived.snapshot.numberOfSections == 4)
      #expect(census.population <= 4)
    }
    try await base.updateOrder { $0.deleteAllItems() }
    #expect(await derived.snapshot.numberOfSections == 0)
    #expect(census.population == 0)
  }
}
