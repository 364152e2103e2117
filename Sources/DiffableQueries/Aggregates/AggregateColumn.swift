import Diffable

/// What a list of rows gives to an aggregate, row by row.
///
/// Whoever has one follows a list with it, and asks for any adjacent rows.
protocol AggregateColumn<Value>: AnyObject {
  associatedtype Value

  /// The number of rows.
  var count: Int { get }
  /// Replaces adjacent rows by others, whose elements are at some addresses.
  func replace(_ range: Range<Int>, with elements: [UnsafeRawPointer])
  /// What adjacent rows come to.
  ///
  /// - Complexity: O(log n) for n rows, amortised over their changes.
  func value(of range: Range<Int>) -> Value
}

extension AggregateColumn {
  /// What all rows come to.
  var value: Value { value(of: 0..<count) }
}

/// A column of a rule.
final class RuleColumn<Rule: AggregateRule>: AggregateColumn {
  private let rule: Rule
  private let input: @Sendable (UnsafeRawPointer) -> Rule.Input
  private var inputs = AggregateSequence<Rule>()

  init(_ rule: Rule, _ input: @escaping @Sendable (UnsafeRawPointer) -> Rule.Input) {
    (self.rule, self.input) = (rule, input)
  }

  var count: Int { inputs.count }

  func replace(_ range: Range<Int>, with elements: [UnsafeRawPointer]) {
    inputs.replaceSubrange(range, with: elements.map(input))
  }

  func value(of range: Range<Int>) -> Rule.Value {
    rule.value(of: inputs.partial(of: range, by: rule))
  }
}

/// A column of what looks at no row: their number is enough.
final class CountColumn: AggregateColumn {
  private(set) var count = 0

  func replace(_ range: Range<Int>, with elements: [UnsafeRawPointer]) {
    count += elements.count - range.count
  }

  func value(of range: Range<Int>) -> Int { range.count }
}

/// A column whose value is made from those of two.
final class PairedColumn<First, Second, Value>: AggregateColumn {
  private let first: any AggregateColumn<First>
  private let second: any AggregateColumn<Second>
  private let transform: @Sendable (First, Second) -> Value

  init(
    _ first: any AggregateColumn<First>, _ second: any AggregateColumn<Second>,
    _ transform: @escaping @Sendable (First, Second) -> Value
  ) {
    (self.first, self.second, self.transform) = (first, second, transform)
  }

  var count: Int { first.count }

  func replace(_ range: Range<Int>, with elements: [UnsafeRawPointer]) {
    first.replace(range, with: elements)
    second.replace(range, with: elements)
  }

  func value(of range: Range<Int>) -> Value {
    transform(first.value(of: range), second.value(of: range))
  }
}
