import Diffable

/// What the rows of each section come to, updated row by row, and what follows from that.
///
/// Invariant: `measures` has each section of the input that was settled, with the value of all its
/// rows.
final class SectionMeasures<SectionID: Hashable & Sendable, Value> {
  /// What follows from a value.
  enum Rule: Sendable {
    /// Whether the section of the first is before that of the second.
    case order(@Sendable (Value, Value) -> Bool)
    /// Whether the section is shown.
    case test(@Sendable (Value) -> Bool)
  }

  private struct Measure {
    let column: any AggregateColumn<Value>
    var value: Value
    var isKept = true
  }

  private let rule: Rule
  private let makeColumn: @Sendable () -> any AggregateColumn<Value>
  private var measures = IdentifierMap<SectionID, Measure>()

  init(_ makeColumn: @escaping @Sendable () -> any AggregateColumn<Value>, _ rule: Rule) {
    (self.makeColumn, self.rule) = (makeColumn, rule)
  }

  /// Forgets all sections.
  func removeAll() { measures = IdentifierMap() }

  /// Forgets a section.
  func remove(_ section: SectionID) { measures[section] = nil }

  /// What the rows of a section are counted in.
  func column(of section: SectionID) -> any AggregateColumn<Value> { measure(of: section).column }

  /// Works out what the rows of a section come to now.
  ///
  /// - Returns: Whether the section may have another place among those that stay.
  func settle(_ section: SectionID) -> Bool {
    var measure = measure(of: section)
    let former = measure.value
    measure.value = measure.column.value
    var isElsewhere = false
    switch rule {
    case .order(let areInOrder):
      isElsewhere = areInOrder(former, measure.value) || areInOrder(measure.value, former)
    case .test(let keeps): measure.isKept = keeps(measure.value)
    }
    measures[section] = measure
    return isElsewhere
  }

  /// Whether a section is shown.
  func keeps(_ section: SectionID) -> Bool { measures[section]?.isKept ?? true }

  /// Whether a section is before another one; `nil` if their rows do not tell.
  func isBefore(_ left: SectionID, _ right: SectionID) -> Bool? {
    guard case .order(let areInOrder) = rule, let left = measures[left]?.value,
      let right = measures[right]?.value
    else { return nil }
    if areInOrder(left, right) { return true }
    return areInOrder(right, left) ? false : nil
  }

  private func measure(of section: SectionID) -> Measure {
    if let measure = measures[section] { return measure }
    let column = makeColumn()
    let measure = Measure(column: column, value: column.value)
    measures[section] = measure
    return measure
  }
}
