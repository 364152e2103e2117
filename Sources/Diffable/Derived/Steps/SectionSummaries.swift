/// Section models that follow from rows, updated row by row.
@usableFromInline class SectionSummaries<SectionID: Hashable & Sendable> {
  @usableFromInline init() {}

  /// Forgets all sections.
  @usableFromInline func removeAll() {}
  /// Adds an element to a section.
  @usableFromInline func add(_ element: UnsafeRawPointer, to section: SectionID) {}
  /// Removes an element from a section.
  @usableFromInline func remove(_ element: UnsafeRawPointer, from section: SectionID) {}
  /// Forgets a section.
  @usableFromInline func remove(_ section: SectionID) {}
  /// The model of a section with a number of rows.
  @usableFromInline func content(of section: SectionID, count: Int) -> SectionContent {
    SectionContent()
  }
}

/// The model of a section by the number of its rows and a sum over them.
@usableFromInline
final class SectionSums<
  SectionID: ModelledSection, Element, Sum: AdditiveArithmetic
>: SectionSummaries<SectionID> {
  private let value: @Sendable (Element) -> Sum
  private let model: @Sendable (SectionID, Int, Sum) -> SectionID.SectionModel
  private var sums = IdentifierMap<SectionID, Sum>()

  @usableFromInline init(
    _ value: @escaping @Sendable (Element) -> Sum,
    _ model: @escaping @Sendable (SectionID, Int, Sum) -> SectionID.SectionModel
  ) {
    self.value = value
    self.model = model
  }

  @usableFromInline override func removeAll() { sums = IdentifierMap() }

  @usableFromInline override func add(_ element: UnsafeRawPointer, to section: SectionID) {
    let value = lend(element, to: value)
    sums[section] = (sums[section] ?? .zero) + value
  }

  @usableFromInline override func remove(_ element: UnsafeRawPointer, from section: SectionID) {
    let value = lend(element, to: value)
    sums[section] = (sums[section] ?? .zero) - value
  }

  @usableFromInline override func remove(_ section: SectionID) { sums[section] = nil }

  @usableFromInline override func content(of section: SectionID, count: Int) -> SectionContent {
    SectionContent(model(section, count, sums[section] ?? .zero))
  }
}
