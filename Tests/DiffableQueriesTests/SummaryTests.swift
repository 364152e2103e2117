import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

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

@Suite("Sums over the rows of a section", .deadline) struct SummaryTests {
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
