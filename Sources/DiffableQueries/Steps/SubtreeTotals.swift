import Diffable

/// The number of rows and a sum, for each subtree, in code that does not know the type of the sums.
///
/// An entry belongs to the row at the top of a subtree, which counts too.
@usableFromInline class SubtreeTotals {
  @usableFromInline init() {}

  /// Whether some values cannot be subtracted again, such as infinity.
  @usableFromInline var isUncertain: Bool { false }
  /// Forgets all entries.
  @usableFromInline func removeAll() {}
  /// Adds an entry for a row alone, and returns its number.
  @usableFromInline func add(_ element: UnsafeRawPointer) -> Int { 0 }
  /// Sets the value of the row of an entry.
  @usableFromInline func set(_ entry: Int, _ element: UnsafeRawPointer) {}
  /// Adds the totals of an entry to those of another one, or subtracts them.
  @usableFromInline func join(_ entry: Int, to other: Int, isAdded: Bool) {}
  /// Removes an entry.
  @usableFromInline func remove(_ entry: Int) {}
  /// Writes the model of a row to uninitialised memory.
  @usableFromInline func make(
    _ entry: Int, _ element: UnsafeRawPointer, _ target: UnsafeMutableRawPointer
  ) {}
}

/// The same, in code that knows the types.
@usableFromInline
final class SubtreeSums<Element, Sum: AdditiveArithmetic, Model>: SubtreeTotals {
  private struct Entry {
    var count = 1
    /// What the row itself adds.
    var value: Sum
    var sum: Sum
  }

  private let value: @Sendable (Element) -> Sum
  private let model: @Sendable (Element, Int, Sum) -> Model
  private var entries: [Entry] = []
  private var free: [Int] = []
  private var hasInfinities = false

  @usableFromInline init(
    _ value: @escaping @Sendable (Element) -> Sum,
    _ model: @escaping @Sendable (Element, Int, Sum) -> Model
  ) {
    (self.value, self.model) = (value, model)
  }

  @usableFromInline override var isUncertain: Bool { hasInfinities }

  @usableFromInline override func removeAll() { (entries, free, hasInfinities) = ([], [], false) }

  private func value(of element: UnsafeRawPointer) -> Sum {
    let value = lend(element, to: value)
    // Nothing can be taken from an infinite sum, or from one that is not a number.
    if value - value != .zero { hasInfinities = true }
    return value
  }

  @usableFromInline override func add(_ element: UnsafeRawPointer) -> Int {
    let value = value(of: element)
    let entry = Entry(value: value, sum: value)
    if let place = free.popLast() {
      entries[place] = entry
      return place
    }
    entries.append(entry)
    return entries.count - 1
  }

  @usableFromInline override func set(_ entry: Int, _ element: UnsafeRawPointer) {
    let value = value(of: element)
    entries[entry].sum += value - entries[entry].value
    entries[entry].value = value
  }

  @usableFromInline override func join(_ entry: Int, to other: Int, isAdded: Bool) {
    let (count, sum) = (entries[entry].count, entries[entry].sum)
    if isAdded {
      entries[other].count += count
      entries[other].sum += sum
    } else {
      entries[other].count -= count
      entries[other].sum -= sum
    }
    if sum - sum != .zero { hasInfinities = true }
  }

  @usableFromInline override func remove(_ entry: Int) { free.append(entry) }

  @usableFromInline override func make(
    _ entry: Int, _ element: UnsafeRawPointer, _ target: UnsafeMutableRawPointer
  ) {
    let (count, sum) = (entries[entry].count - 1, entries[entry].sum - entries[entry].value)
    target.assumingMemoryBound(to: Model.self).initialize(
      to: lend(element, to: { (element: Element) in model(element, count, sum) }))
  }
}
