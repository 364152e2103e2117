/// How rows are combined into one value.
///
/// What adjacent rows come to is a *partial* result. Two partial results of neighbours are merged, and nothing
/// is ever taken out of one again: a rule needs no inverse, and what a row has been leaves nothing behind.
///
/// Laws, for the value of a partial result: merging is associative, ``empty`` is neutral, and adding an input is
/// merging what it alone comes to.
protocol AggregateRule: Sendable {
  /// What is kept for each row.
  associatedtype Input
  /// What adjacent rows come to.
  associatedtype Partial
  /// What users see.
  associatedtype Value

  /// What no rows come to.
  var empty: Partial { get }
  /// Adds inputs of rows that are after all others.
  func add(_ inputs: ArraySlice<Input>, to partial: inout Partial)
  /// Merges what rows after all others come to.
  func merge(_ other: Partial, into partial: inout Partial)
  func value(of partial: Partial) -> Value
}

/// The number of rows that satisfy a condition.
struct ConditionRule: AggregateRule {
  var empty: Int { 0 }
  func add(_ inputs: ArraySlice<Bool>, to count: inout Int) {
    for isCounted in inputs where isCounted { count += 1 }
  }
  func merge(_ other: Int, into count: inout Int) { count += other }
  func value(of count: Int) -> Int { count }
}

/// A sum of numbers that can be neither added exactly nor without a limit, as far as this package knows.
struct AdditiveRule<Number: AdditiveArithmetic>: AggregateRule {
  var empty: Number { .zero }
  func add(_ inputs: ArraySlice<Number>, to sum: inout Number) {
    for input in inputs { sum += input }
  }
  func merge(_ other: Number, into sum: inout Number) { sum += other }
  func value(of sum: Number) -> Number { sum }
}

/// A sum of integers, which may be too large in between.
///
/// Integers wrap around, and how often they do is counted. So the sum is that of any order, and one that the
/// type cannot hold is its greatest or least value.
struct IntegerRule<Number: FixedWidthInteger>: AggregateRule {
  struct Partial {
    var rest: Number = 0
    /// How often `rest` has wrapped around, upwards minus downwards.
    var laps = 0

    mutating func add(_ number: Number) {
      let (sum, isOver) = rest.addingReportingOverflow(number)
      rest = sum
      if isOver { laps += number < 0 ? -1 : 1 }
    }
  }

  var empty: Partial { Partial() }
  func add(_ inputs: ArraySlice<Number>, to sum: inout Partial) {
    for input in inputs { sum.add(input) }
  }
  func merge(_ other: Partial, into sum: inout Partial) {
    sum.add(other.rest)
    sum.laps += other.laps
  }
  func value(of sum: Partial) -> Number {
    sum.laps == 0 ? sum.rest : sum.laps < 0 ? .min : .max
  }
}

/// An exact sum of floating-point numbers of at most 51 bits, rounded once.
struct FloatingRule<Number: BinaryFloatingPoint>: AggregateRule {
  var empty: ExactSum { ExactSum() }
  func add(_ inputs: ArraySlice<Number>, to sum: inout ExactSum) {
    for input in inputs { sum.add(Double(input)) }
  }
  func merge(_ other: ExactSum, into sum: inout ExactSum) { sum.add(other) }
  func value(of sum: ExactSum) -> Number { Number(sum.oddValue) }
}

/// The same for the usual type, compiled for it, which needs no narrower one.
struct DoubleRule: AggregateRule {
  var empty: ExactSum { ExactSum() }
  func add(_ inputs: ArraySlice<Double>, to sum: inout ExactSum) {
    for input in inputs { sum.add(input) }
  }
  func merge(_ other: ExactSum, into sum: inout ExactSum) { sum.add(other) }
  func value(of sum: ExactSum) -> Double { sum.value }
}

/// An exact sum, divided by the number of rows.
struct MeanRule<Number>: AggregateRule {
  struct Partial {
    var sum = ExactSum()
    var count = 0
  }

  let addOne: @Sendable (Number, inout ExactSum) -> Void

  var empty: Partial { Partial() }
  func add(_ inputs: ArraySlice<Number>, to partial: inout Partial) {
    for input in inputs { addOne(input, &partial.sum) }
    partial.count += inputs.count
  }
  func merge(_ other: Partial, into partial: inout Partial) {
    partial.sum.add(other.sum)
    partial.count += other.count
  }
  func value(of partial: Partial) -> Double? {
    partial.count == 0 ? nil : partial.sum.divided(by: partial.count)
  }
}

/// The least or the greatest of some values, the first of equal ones.
///
/// A value that does not equal itself, such as one that is not a number, has no place in an order: it is left out.
struct ExtremeRule<Input: Comparable>: AggregateRule {
  let isGreatest: Bool

  var empty: Input? { nil }
  func add(_ inputs: ArraySlice<Input>, to extreme: inout Input?) {
    for input in inputs where input == input { merge(input, into: &extreme) }
  }
  func merge(_ other: Input?, into extreme: inout Input?) {
    guard let other else { return }
    guard let present = extreme else { return extreme = other }
    if isGreatest ? present < other : other < present { extreme = other }
  }
  func value(of extreme: Input?) -> Input? { extreme }
}

/// What a user's function makes of all values.
struct ReducingRule<Value>: AggregateRule {
  let combine: @Sendable (Value, Value) -> Value

  var empty: Value? { nil }
  func add(_ inputs: ArraySlice<Value>, to result: inout Value?) {
    for input in inputs { merge(input, into: &result) }
  }
  func merge(_ other: Value?, into result: inout Value?) {
    guard let other else { return }
    result = result.map { combine($0, other) } ?? other
  }
  func value(of result: Value?) -> Value? { result }
}
