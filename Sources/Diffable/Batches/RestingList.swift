/// A list after all deletes and inserts, before any move.
///
/// A moving element is in its old place, before what is inserted at the same place.
///
///     old a b c d, new c a x d: a and d stay, b is deleted, c moves, x is inserted
///     resting      a c x d
///
/// - Complexity: O(c log c) to create for c moves and inserted ranges, O(log c) for each lookup.
struct RestingList {
  /// The number of staying elements before each moving one, in old order.
  private let leaving: [Int]
  /// The number of staying elements before each inserted range, in new order.
  private let coming: [Int]
  /// The number of inserted elements before each range, and in total.
  private let countsBefore: [Int]

  /// Creates the list.
  ///
  /// - Parameters:
  ///   - leaving: The number of staying elements before each moving one.
  ///   - coming: The same for each inserted range, in new order, with the length of the range.
  init(leaving: [Int], coming: [(staying: Int, count: Int)]) {
    self.leaving = leaving.sorted()
    self.coming = coming.map(\.staying)
    countsBefore = coming.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
  }

  private func countComing(afterFewerThan staying: Int) -> Int {
    countsBefore[coming.partitioningIndex { $0 >= staying }]
  }

  private func countLeaving(afterAtMost staying: Int) -> Int {
    leaving.partitioningIndex { $0 > staying }
  }

  /// The index of a staying element that has a number of staying elements before it.
  func index(ofStaying staying: Int) -> Int {
    staying + countComing(afterFewerThan: staying + 1) + countLeaving(afterAtMost: staying)
  }

  /// The index of a moving element, given by its number in old order.
  func index(ofLeaving number: Int) -> Int {
    leaving[number] + number + countComing(afterFewerThan: leaving[number])
  }

  /// The start of an inserted range, given by its number in new order.
  func index(ofComing number: Int) -> Int {
    coming[number] + countsBefore[number] + countLeaving(afterAtMost: coming[number])
  }
}
