public import Diffable

/// Section models that follow from rows, updated row by row.
@usableFromInline class SectionSummaries<SectionID: Hashable & Sendable> {
  @usableFromInline init() {}

  /// Forgets all sections.
  @usableFromInline func removeAll() {}
  /// Adds an element to a section.
  @usableFromInline func add(_ element: UnsafeRawPointer, to section: SectionID) {}
  /// Removes an element from a section.
  ///
  /// - Returns: Whether this was possible. If not, the section has to be removed, and all its
  ///   elements have to be added again.
  @usableFromInline func remove(_ element: UnsafeRawPointer, from section: SectionID) -> Bool {
    true
  }
  /// Forgets a section, which has no elements then.
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

  @usableFromInline override func remove(
    _ element: UnsafeRawPointer, from section: SectionID
  ) -> Bool {
    let sum = sums[section] ?? .zero
    // Nothing can be taken from an infinite sum, or from one that is not a number.
    guard sum - sum == .zero else { return false }
    sums[section] = sum - lend(element, to: value)
    return true
  }

  @usableFromInline override func remove(_ section: SectionID) { sums[section] = nil }

  @usableFromInline override func content(of section: SectionID, count: Int) -> SectionContent {
    SectionContent(model(section, count, sums[section] ?? .zero))
  }
}
