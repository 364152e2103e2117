/// One value that follows from the rows of a list: how many there are, a sum, the least, or what a function of
/// your own makes of them.
///
/// ```swift
/// orders.total(.sum(of: \.price))                                   // of a whole source
/// orders.derived { $0.grouped(by: \.day).sectionModels(.average(of: \.price)) { … } }  // of each section
/// folders.derived { $0.outlined(by: \.parent).aggregatingDescendants(.sum(of: \.size)) { … } }
/// ```
///
/// A value follows from the rows that there are, and from nothing that has been. It does not depend on the
/// order of changes, and no error adds up: nothing is ever subtracted. So none of them needs an inverse, and
/// infinite numbers, and those that are not a number, have no effect once their rows are gone.
///
/// - Complexity: One call of the function for each row when the aggregate is set, and for each row that changes
///   afterwards, with O(log n) steps for n rows.
public struct Aggregate<Element, Value>: Sendable {
  /// Makes what follows the rows of a list.
  let makeColumn: @Sendable () -> any AggregateColumn<Value>

  init(_ makeColumn: @escaping @Sendable () -> any AggregateColumn<Value>) {
    self.makeColumn = makeColumn
  }

  /// What a rule makes of a value of each row.
  init<Rule: AggregateRule>(
    _ rule: Rule, _ input: @escaping @Sendable (Element) -> Rule.Input
  ) where Rule.Value == Value {
    let read: @Sendable (UnsafeRawPointer) -> Rule.Input = { lend($0, to: input) }
    makeColumn = { RuleColumn(rule, read) }
  }

  /// The same, shown in another way.
  ///
  /// - Parameter transform: What to show for a value.
  public func map<Shown>(
    _ transform: @escaping @Sendable (Value) -> Shown
  ) -> Aggregate<Element, Shown> {
    // The count looks at no row.
    .both(self, .count) { value, _ in transform(value) }
  }

  /// Two values at once.
  ///
  /// ```swift
  /// .both(.count { $0.isDone }, .sum(of: \.hours)) { Progress(done: $0, hours: $1) }
  /// ```
  ///
  /// - Parameters:
  ///   - first: The first value.
  ///   - second: The second value.
  ///   - transform: What to make of both.
  public static func both<First, Second>(
    _ first: Aggregate<Element, First>, _ second: Aggregate<Element, Second>,
    _ transform: @escaping @Sendable (First, Second) -> Value
  ) -> Aggregate {
    Aggregate { PairedColumn(first.makeColumn(), second.makeColumn(), transform) }
  }

  /// What a function of your own makes of a value of each row, from the first to the last.
  ///
  /// The function is called for neighbours in any grouping, so `(a · b) · c` must equal `a · (b · c)`. It need not
  /// be commutative, and needs no inverse: lists can be joined, sets united, and the first of two kept.
  ///
  /// - Parameters:
  ///   - value: The value of a row.
  ///   - empty: The value of no rows.
  ///   - combine: Returns the value of two neighbours, or of two adjacent groups of rows, from their values.
  public static func reduce(
    of value: @escaping @Sendable (Element) -> Value, _ empty: Value,
    _ combine: @escaping @Sendable (Value, Value) -> Value
  ) -> Aggregate where Value: Sendable {
    Aggregate<Element, Value?>(ReducingRule(combine: combine), value).map { $0 ?? empty }
  }
}

extension Aggregate where Value == Int {
  /// The number of rows.
  public static var count: Aggregate { Aggregate { CountColumn() } }

  /// The number of rows that satisfy a condition.
  public static func count(
    where isCounted: @escaping @Sendable (Element) -> Bool
  ) -> Aggregate {
    Aggregate(ConditionRule(), isCounted)
  }
}

extension Aggregate where Value: AdditiveArithmetic {
  /// The sum of a value of each row; of no rows, zero.
  ///
  /// Integers may be too large together on the way to a sum that is not. A sum that their type cannot hold is its
  /// greatest or least value, and the program goes on.
  ///
  /// A sum of `Double`, `Float` or a narrower type is exact, and rounded once: 10¹⁶ + 1 − 10¹⁶ is 1.
  /// Infinity is a sum like any other. A sum that has a row which is not a number, or infinity of both signs, is
  /// not a number, for as long as the row is there. A sum of zeros is never −0.
  ///
  /// Values of other types, such as `Duration` or a vector of your own, are added by their `+`, in the order of the
  /// rows and in any grouping.
  ///
  /// - Parameter value: What an element adds to the sum.
  public static func sum(of value: @escaping @Sendable (Element) -> Value) -> Aggregate {
    if Value.self == Double.self {
      let exact = Aggregate<Element, Double>(DoubleRule(), cast(value))
      if let exact = exact as? Aggregate { return exact }
    }
    if let type = Value.self as? any FixedWidthInteger.Type, let exact = integers(type, value) {
      return exact
    }
    if let type = Value.self as? any BinaryFloatingPoint.Type, let exact = floating(type, value) {
      return exact
    }
    return Aggregate(AdditiveRule<Value>(), value)
  }

  private static func integers<Number: FixedWidthInteger>(
    _: Number.Type, _ value: @escaping @Sendable (Element) -> Value
  ) -> Aggregate? {
    Aggregate<Element, Number>(IntegerRule<Number>(), cast(value)) as? Aggregate
  }

  private static func floating<Number: BinaryFloatingPoint>(
    _: Number.Type, _ value: @escaping @Sendable (Element) -> Value
  ) -> Aggregate? {
    // Others would lose bits as `Double`, or be rounded twice.
    guard Number.exponentBitCount <= 11, Number.significandBitCount <= 50 else { return nil }
    return Aggregate<Element, Number>(FloatingRule<Number>(), cast(value)) as? Aggregate
  }

  /// The same function, whose result has a type that only a run shows to be the same.
  private static func cast<Number>(
    _ value: @escaping @Sendable (Element) -> Value
  ) -> @Sendable (Element) -> Number {
    // `Number` is what `Value.self` was cast to, so both are one type, and so are these two functions.
    precondition(Number.self == Value.self, "numbers of another type")
    return unsafeBitCast(value, to: (@Sendable (Element) -> Number).self)
  }
}

extension Aggregate {
  /// The least of a value of each row, the first of equal ones; `nil` if there is none.
  ///
  /// A value that does not equal itself, such as a number that is not a number, does not count.
  ///
  /// - Parameter value: The value of an element.
  public static func minimum<Bound: Comparable>(
    of value: @escaping @Sendable (Element) -> Bound
  ) -> Aggregate where Value == Bound? {
    Aggregate(ExtremeRule<Bound>(isGreatest: false), value)
  }

  /// The greatest of a value of each row, the first of equal ones; `nil` if there is none.
  ///
  /// Otherwise like ``minimum(of:)``.
  ///
  /// - Parameter value: The value of an element.
  public static func maximum<Bound: Comparable>(
    of value: @escaping @Sendable (Element) -> Bound
  ) -> Aggregate where Value == Bound? {
    Aggregate(ExtremeRule<Bound>(isGreatest: true), value)
  }
}

extension Aggregate where Value == Double? {
  /// The average of a number of each row; `nil` of no rows.
  ///
  /// The numbers are added exactly, as `Double`, see ``sum(of:)``, and the average is rounded once. So it is finite if
  /// all numbers are, even where their sum is too large.
  ///
  /// - Parameter value: The number of an element.
  public static func average<Number: BinaryFloatingPoint & Sendable>(
    of value: @escaping @Sendable (Element) -> Number
  ) -> Aggregate {
    Aggregate(MeanRule<Double> { $1.add($0) }) { Double(value($0)) }
  }

  /// The average of an integer of each row; `nil` of no rows.
  ///
  /// The integers are added exactly, whatever their size, and the average is rounded once.
  ///
  /// - Parameter value: The integer of an element.
  public static func average<Number: BinaryInteger & Sendable>(
    of value: @escaping @Sendable (Element) -> Number
  ) -> Aggregate {
    Aggregate(MeanRule<Number> { $1.add($0) }, value)
  }
}
