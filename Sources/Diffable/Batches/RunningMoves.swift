/// Turns moves between two states into moves that are made one after another.
///
/// Every move has two slots: its source and its target. The slots of all moves and the staying
/// elements are put into one order that never changes. A move takes the mark from its source and
/// sets it on its target. The running index of a slot is the number of staying elements before it
/// plus the number of marked slots before it.
///
///     old a b c d, new c a d b: a and d stay, b goes to 3, c goes to 0
///     slots         c'  a  b  c  d  b'
///     marked            ·  x  x  ·          c leaves 2 for 0
///                   x   ·  x     ·          b leaves 2 for 3
///                   x   ·        ·  x
///
/// Marks are counted with a Fenwick tree (Fenwick, “A new data structure for cumulative frequency
/// tables”, 1994).
///
/// - Complexity: O(m log m) for m moves to create, O(log m) for each move.
struct RunningMoves {
  /// The source or the target of a move.
  struct Slot {
    /// The list that it belongs to, if there are several.
    let list: Int
    /// The number of staying elements of its list before it.
    let rank: Int
    let isTarget: Bool
    /// Orders slots between the same staying elements: the old or the new position.
    let position: Int
  }

  private let sources: [Slot]
  private let targets: [Slot]
  /// The place of each source, then of each target, in the common order.
  private var places: [Int]
  /// The place where each list begins.
  private var firstPlaces: [Int: Int] = [:]
  private var marks: [Int]

  /// Creates the state before the first move; `sources[i]` and `targets[i]` are one move.
  init(sources: [Slot], targets: [Slot]) {
    self.sources = sources
    self.targets = targets
    let slots = sources + targets
    let order = slots.indices.sorted { left, right in
      let (left, right) = (slots[left], slots[right])
      return (left.list, left.rank, left.isTarget ? 1 : 0, left.position)
        < (right.list, right.rank, right.isTarget ? 1 : 0, right.position)
    }
    places = Array(repeating: 0, count: slots.count)
    marks = Array(repeating: 0, count: slots.count + 1)
    for (place, slot) in order.enumerated() {
      places[slot] = place
      if firstPlaces[slots[slot].list] == nil { firstPlaces[slots[slot].list] = place }
    }
    for source in sources.indices { add(1, at: places[source]) }
  }

  /// Performs a move; returns its source index before it and its target index after it.
  mutating func perform(_ index: Int) -> (from: Int, to: Int) {
    let from = runningIndex(of: sources[index], at: places[index])
    add(-1, at: places[index])
    let target = places[sources.count + index]
    let to = runningIndex(of: targets[index], at: target)
    add(1, at: target)
    return (from, to)
  }

  private func runningIndex(of slot: Slot, at place: Int) -> Int {
    slot.rank + marks(before: place) - marks(before: firstPlaces[slot.list] ?? 0)
  }

  private mutating func add(_ change: Int, at place: Int) {
    var index = place + 1
    while index < marks.count {
      marks[index] += change
      index += index & -index
    }
  }

  private func marks(before place: Int) -> Int {
    var sum = 0
    var index = place
    while index > 0 {
      sum += marks[index]
      index &= index - 1
    }
    return sum
  }
}
