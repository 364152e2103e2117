/// How many elements of either side are searched for a pair of neighbours that both sides have.
private let windows = [32, 128, 512, largestWindow]
private let largestWindow = 2_048
/// The length of a block that has come up to which it is searched, which takes a hash of each
/// element.
private let longestBlock = 8_192

/// Where the two sides meet again after a difference.
extension ValueComparison {
  /// How many elements of either list are before the place where both meet again.
  func meet(_ pair: Pair, _ i: Int, _ j: Int) -> (gone: Int, come: Int)? {
    let (oldRest, newRest) = (old.columns[pair.old].count - i, new.columns[pair.new].count - j)
    // If nothing else differs, what is left of both lists ends in the same elements.
    let surplus = oldRest - newRest
    if surplus > 0, doMeet(pair, i + surplus, j, count: 8) { return (surplus, 0) }
    if surplus < 0, doMeet(pair, i, j - surplus, count: 8) { return (0, -surplus) }
    for size in windows {
      // To see whether a block has gone takes one hash, and less time than a large window. Whether
      // one has come takes a hash of each of its elements, and these are needed anyway if it has.
      if size == 512, let gone = gone(pair, i, j, 1..<largestWindow) { return (gone, 0) }
      if size == largestWindow, let come = come(pair, i, j, 1..<size) { return (0, come) }
      let (oldSize, newSize) = (min(size, oldRest), min(size, newRest))
      if let found = meetInWindow(pair, i..<i + oldSize, j..<j + newSize) { return found }
      if oldSize == oldRest, newSize == newRest { return nil }
    }
    // Old hashes are mostly known, so old elements are searched farther, and at last all of them.
    if let gone = gone(pair, i, j, largestWindow..<longestBlock * 4) { return (gone, 0) }
    if let come = come(pair, i, j, largestWindow..<longestBlock) { return (0, come) }
    let rest = longestBlock * 4..<max(longestBlock * 4, oldRest)
    if let gone = gone(pair, i, j, rest) { return (gone, 0) }
    return nil
  }

  /// The largest part of both lists that the walk leaves out if they do not meet again nearby.
  func window(_ limit: Int) -> Int { min(largestWindow, limit) }

  /// Whether some elements from a place in each list on are equal, one by one, up to either end.
  private func doMeet(_ pair: Pair, _ i: Int, _ j: Int, count: Int) -> Bool {
    let count = min(count, old.columns[pair.old].count - i, new.columns[pair.new].count - j)
    return kernel.countEqual(old.address(pair.old, i), new.address(pair.new, j), count) == count
  }

  /// The length of a block that has gone from the old list, if it is in a range.
  private func gone(_ pair: Pair, _ i: Int, _ j: Int, _ lengths: Range<Int>) -> Int? {
    new.hash(pair.new, j..<j + 1)
    let gone = old.distance(toHash: new.knownHash(pair.new, j), pair.old, i, lengths)
    return gone.flatMap { doMeet(pair, i + $0, j, count: 8) ? $0 : nil }
  }

  /// The length of a block that has come into the new list, if it is in a range.
  private func come(_ pair: Pair, _ i: Int, _ j: Int, _ lengths: Range<Int>) -> Int? {
    old.hash(pair.old, i..<i + 1)
    let come = new.distance(toHash: old.knownHash(pair.old, i), pair.new, j, lengths)
    return come.flatMap { doMeet(pair, i, j + $0, count: 8) ? $0 : nil }
  }

  /// The distances to the first pair of neighbours of a window of the new list that is also in a
  /// window of the old one.
  private func meetInWindow(
    _ pair: Pair, _ oldWindow: Range<Int>, _ newWindow: Range<Int>
  ) -> (gone: Int, come: Int)? {
    let (i, j) = (oldWindow.lowerBound, newWindow.lowerBound)
    old.hash(pair.old, oldWindow)
    var slots = HashSlots(capacity: oldWindow.count)
    var collisions = 0
    for index in oldWindow {
      let hash = old.knownHash(pair.old, index)
      slots.insert(index - i, hash: hash) {
        if old.knownHash(pair.old, i + $0) == hash { collisions += 1 }
        return false
      }
      // If many elements share a hash, searching for pairs is quadratic.
      guard collisions < 64 else { return nil }
    }
    for index in newWindow {
      // After a deleted block the first new element is in the window: the others need no hash.
      if (index - j) & 31 == 0 {
        new.hash(pair.new, index..<min(index + 32, newWindow.upperBound))
      }
      let hash = new.knownHash(pair.new, index)
      let met = slots.first(hash: hash) {
        old.knownHash(pair.old, i + $0) == hash && doMeet(pair, i + $0, index, count: 2)
      }
      // An `==` whose result changes must not lead here again.
      if let met, met + index > j { return (met, index - j) }
    }
    return nil
  }
}
