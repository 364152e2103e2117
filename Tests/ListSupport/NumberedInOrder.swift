package import Diffable

/// Whether each number is one that has been there before, or the next one.
package func areNumberedInOrder(_ numbers: some Sequence<Int>) -> Bool {
  var next = 0
  for number in numbers where number >= next {
    guard number == next else { return false }
    next += 1
  }
  return true
}

/// Whether the sections come up in the order of their numbers, one snapshot after the other, and the
/// items as well.
///
/// A law does not know what identifiers are called. So of all examples that are the same but for that,
/// it is enough to try the one that is numbered like this; there always is one.
package func areNumberedInOrder(_ snapshots: Snapshot<Int, Int>...) -> Bool {
  areNumberedInOrder(snapshots.flatMap { Array($0.sectionIdentifiers) })
    && areNumberedInOrder(snapshots.flatMap { Array($0.itemIdentifiers) })
}
