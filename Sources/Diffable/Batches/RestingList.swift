/// A list in which what goes is gone and what comes is there, and nothing has moved yet.
///
/// What moves stands where it stood, in front of what comes at the same place.
///
///     old a b c d, new c a x d: a and d stay, b goes, c moves, x comes
///     resting      a c x d
///
/// - Complexity: O(c log c) to create for c moves and ranges that come, O(log c) a question.
struct RestingList {
  /// How many staying elements stand before each moving one, in old order.
  private let leaving: [Int]
  /// How many stand before each range that comes, in new order.
  private let coming: [Int]
  /// How many elements come before each range, and in all.
  private let countsBefore: [Int]

  /// Creates the list.
  ///
  /// - Parameters:
  ///   - leaving: How many staying elements stand before each moving one.
  ///   - coming: The same for each range of neighbours that come, in new order, and how many they are.
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

  /// Where an element stands that has so many staying ones before it, and stays as well.
  func index(ofStaying staying: Int) -> Int {
    staying + countComing(afterFewerThan: staying + 1) + countLeaving(afterAtMost: staying)
  }

  /// Where the moving element of a number in old order stands.
  func index(ofLeaving number: Int) -> Int {
    leaving[number] + number + countComing(afterFewerThan: leaving[number])
  }

  /// Where the range of a number in new order begins.
  func index(ofComing number: Int) -> Int {
    coming[number] + countsBefore[number] + countLeaving(afterAtMost: coming[number])
  }
}
