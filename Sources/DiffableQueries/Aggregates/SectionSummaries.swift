import Diffable

/// Section models that follow from rows, updated row by row.
class SectionSummaries<SectionID: Hashable & Sendable> {
  /// Forgets all sections.
  func removeAll() {}
  /// Forgets a section.
  func remove(_ section: SectionID) {}
  /// Replaces adjacent rows of a section by what the list shows for others.
  func replace(
    _ rows: Range<Int>, of section: SectionID, with elements: @autoclosure () -> [UnsafeRawPointer]
  ) {}
  /// The model of a section with a number of rows.
  func content(of section: SectionID, count: Int) -> SectionContent { SectionContent() }
}

/// The model of a section by the number of its rows.
final class SectionCounts<SectionID: ModelledSection>: SectionSummaries<SectionID> {
  private let model: @Sendable (SectionID, Int) -> SectionID.SectionModel

  init(_ model: @escaping @Sendable (SectionID, Int) -> SectionID.SectionModel) {
    self.model = model
  }

  override func content(of section: SectionID, count: Int) -> SectionContent {
    SectionContent(model(section, count))
  }
}

/// The model of a section by the number of its rows and an aggregate of them.
final class SectionAggregates<SectionID: ModelledSection, Value>: SectionSummaries<SectionID> {
  private let makeColumn: @Sendable () -> any AggregateColumn<Value>
  private let model: @Sendable (SectionID, Int, Value) -> SectionID.SectionModel
  /// By section, for those that have rows.
  private var values = IdentifierMap<SectionID, any AggregateColumn<Value>>()

  init(
    _ makeColumn: @escaping @Sendable () -> any AggregateColumn<Value>,
    _ model: @escaping @Sendable (SectionID, Int, Value) -> SectionID.SectionModel
  ) {
    (self.makeColumn, self.model) = (makeColumn, model)
  }

  override func removeAll() { values = IdentifierMap() }

  override func remove(_ section: SectionID) { values[section] = nil }

  override func replace(
    _ rows: Range<Int>, of section: SectionID, with elements: @autoclosure () -> [UnsafeRawPointer]
  ) {
    let column = values[section] ?? makeColumn()
    values[section] = column
    // Identifiers that break the laws of equality may be counted otherwise in the list.
    column.replace(rows.clamped(to: 0..<column.count), with: elements())
  }

  override func content(of section: SectionID, count: Int) -> SectionContent {
    // A section without rows has no values, and none are kept for it.
    if count == 0 { values[section] = nil }
    return SectionContent(model(section, count, (values[section] ?? makeColumn()).value))
  }
}
