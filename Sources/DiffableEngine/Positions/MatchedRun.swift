/// Neighbouring elements that are neighbours in the same order on both sides.
///
/// `old` and `new` are the start of the run in two lists. The `count` elements from there on are
/// the same, one by one.
package struct MatchedRun: Hashable, Sendable {
  package internal(set) var old: Int
  package internal(set) var new: Int
  package internal(set) var count: Int

  package init(old: Int, new: Int, count: Int) {
    self.old = old
    self.new = new
    self.count = count
  }

  package var oldRange: Range<Int> { old..<old + count }
  package var newRange: Range<Int> { new..<new + count }
}

extension [MatchedRun] {
  /// Adds a matched element after the others, to the last run if it continues that run.
  mutating func appendMatch(old: Int, new: Int, count: Int = 1) {
    if let last = indices.last, self[last].old + self[last].count == old,
      self[last].new + self[last].count == new
    {
      self[last].count += count
    } else {
      append(MatchedRun(old: old, new: new, count: count))
    }
  }

  /// Calls a function with each element that has to move, in ascending order of `new`.
  ///
  /// - Parameter stays: Which runs keep their place; `nil` if all do.
  package func forEachMove(knowing stays: [Bool]?, _ body: (_ from: Int, _ to: Int) -> Void) {
    guard let stays else { return }
    for (run, stays) in zip(self, stays) where !stays {
      for offset in 0..<run.count { body(run.old + offset, run.new + offset) }
    }
  }

  /// The number of elements in runs that do not keep their place.
  package func moveCount(knowing stays: [Bool]) -> Int {
    zip(self, stays).reduce(0) { $1.1 ? $0 : $0 + $1.0.count }
  }
}

/// How many elements of either side are before the next match after a difference.
///
/// It looks a few elements ahead on one side for the first element of the other. If the elements after
/// the first ones match, one of each is before the match.
///
/// - Parameters:
///   - most: How far to look.
///   - old: The number of old elements from the difference on.
///   - new: The number of new ones.
///   - areEqual: Compares an old element with a new one, each by its distance from the difference.
/// - Returns: `nil` if there is no match nearby.
@inline(__always)
func nextMatch(
  within most: Int, old: Int, new: Int, _ areEqual: (_ old: Int, _ new: Int) -> Bool
) -> (gone: Int, come: Int)? {
  for step in 1...most {
    if step < old, areEqual(step, 0) { return (step, 0) }
    if step < new, areEqual(0, step) { return (0, step) }
    if step == 1, old > 1, new > 1, areEqual(1, 1) { return (1, 1) }
  }
  return nil
}
