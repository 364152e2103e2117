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

/// Makes columns.
protocol AggregateColumns<Value>: Sendable {
  associatedtype Value

  func make() -> any AggregateColumn<Value>
}

/// Columns of a rule.
struct RuleColumns<Rule: AggregateRule>: AggregateColumns {
  let rule: Rule
  let input: @Sendable (UnsafeRawPointer) -> Rule.Input

  init<Element>(_ rule: Rule, _ input: @escaping @Sendable (Element) -> Rule.Input) {
    (self.rule, self.input) = (rule, { lend($0, to: input) })
  }

  func make() -> any AggregateColumn<Rule.Value> { Column(rule: rule, input: input) }

  private final class Column: AggregateColumn {
    let rule: Rule
    let input: @Sendable (UnsafeRawPointer) -> Rule.Input
    private var inputs = AggregateSequence<Rule>()

    init(rule: Rule, input: @escaping @Sendable (UnsafeRawPointer) -> Rule.Input) {
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
}

/// Columns of what looks at no row: their number is enough.
struct CountColumns: AggregateColumns {
  func make() -> any AggregateColumn<Int> { Column() }

  private final class Column: AggregateColumn {
    private(set) var count = 0

    func replace(_ range: Range<Int>, with elements: [UnsafeRawPointer]) {
      count += elements.count - range.count
    }

    func value(of range: Range<Int>) -> Int { range.count }
  }
}

/// Columns whose value is made from that of others.
struct MappedColumns<First, Value>: AggregateColumns {
  let base: any AggregateColumns<First>
  let transform: @Sendable (First) -> Value

  func make() -> any AggregateColumn<Value> { Column(base.make(), transform) }

  private final class Column: AggregateColumn {
    let base: any AggregateColumn<First>
    let transform: @Sendable (First) -> Value

    init(_ base: any AggregateColumn<First>, _ transform: @escaping @Sendable (First) -> Value) {
      (self.base, self.transform) = (base, transform)
    }

    var count: Int { base.count }
    func replace(_ range: Range<Int>, with elements: [UnsafeRawPointer]) {
      base.replace(range, with: elements)
    }
    func value(of range: Range<Int>) -> Value { transform(base.value(of: range)) }
  }
}

/// Columns whose value is made from those of two.
struct PairedColumns<First, Second, Value>: AggregateColumns {
  let first: any AggregateColumns<First>
  let second: any AggregateColumns<Second>
  let transform: @Sendable (First, Second) -> Value

  func make() -> any AggregateColumn<Value> { Column(first.make(), second.make(), transform) }

  private final class Column: AggregateColumn {
    let first: any AggregateColumn<First>
    let second: any AggregateColumn<Second>
    let transform: @Sendable (First, Second) -> Value

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
}
