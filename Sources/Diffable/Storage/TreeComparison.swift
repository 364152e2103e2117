/// Which elements of two orders are the same, as far as that shows where they stand.
///
/// Shared stretches are matched without looking at them. In what is left, a window at a time, both
/// sides are walked in step by stored hash and `==`, looking a few elements ahead where they part.
/// What finds no partner in its window is left over: it went, came, or stands in another window.
struct TreeComparison<Element: Hashable & Sendable> {
  /// An element without a partner in its window.
  struct Leftover {
    let position: Int
    let hash: UInt32
    let element: Element
  }

  /// Matched elements, in ascending order on both sides.
  private(set) var runs: [MatchedRun] = []
  /// Ascending.
  private(set) var oldLeftovers: [Leftover] = []
  /// Ascending.
  private(set) var newLeftovers: [Leftover] = []
  /// The leaves that are only on one side.
  private(set) var delta = LeafDelta<Element>()
  /// The pairs that were compared and not skipped, where they were asked for.
  private(set) var comparedPairs: [Pair] = []
  private let keepsPairs: Bool

  /// Both sides of a match.
  struct Pair {
    let old: Int
    let new: Int
    let oldElement: Element
    let newElement: Element
  }

  /// How far the walk looks ahead on either side for the element of the other.
  private static var lookahead: Int { 8 }

  init(old: OrderTree<Element>, new: OrderTree<Element>, keepingPairs: Bool = false) {
    keepsPairs = keepingPairs
    for stretch in LeafWindows(old: old, new: new) {
      switch stretch {
      case .shared(let run):
        runs.appendMatch(old: run.old, new: run.new, count: run.count)
      case .changed(let window):
        delta.removed.append(contentsOf: window.old)
        delta.added.append(contentsOf: window.new)
        walk(
          LeafContent(concatenating: window.old), at: window.oldBase,
          LeafContent(concatenating: window.new), at: window.newBase)
      }
    }
  }

  private mutating func walk(
    _ old: LeafContent<Element>, at oldBase: Int, _ new: LeafContent<Element>, at newBase: Int
  ) {
    func isMatch(_ i: Int, _ j: Int) -> Bool {
      i < old.count && j < new.count && old.hashes[i] == new.hashes[j]
        && old.elements[i] == new.elements[j]
    }
    var (i, j) = (0, 0)
    while i < old.count, j < new.count {
      if isMatch(i, j) {
        var count = 1
        while isMatch(i + count, j + count) { count += 1 }
        runs.appendMatch(old: oldBase + i, new: newBase + j, count: count)
        if keepsPairs {
          for step in 0..<count {
            comparedPairs.append(
              Pair(
                old: oldBase + i + step, new: newBase + j + step,
                oldElement: old.elements[i + step], newElement: new.elements[j + step]))
          }
        }
        (i, j) = (i + count, j + count)
        continue
      }
      let ahead = (1...Self.lookahead).first { isMatch(i + $0, j) || isMatch(i, j + $0) }
      if let ahead, isMatch(i + ahead, j) {
        leave(old, i..<i + ahead, at: oldBase)
        i += ahead
      } else if let ahead {
        come(new, j..<j + ahead, at: newBase)
        j += ahead
      } else {
        leave(old, i..<i + 1, at: oldBase)
        come(new, j..<j + 1, at: newBase)
        (i, j) = (i + 1, j + 1)
      }
    }
    leave(old, i..<old.count, at: oldBase)
    come(new, j..<new.count, at: newBase)
  }

  private mutating func leave(_ content: LeafContent<Element>, _ range: Range<Int>, at base: Int) {
    for index in range {
      oldLeftovers.append(content.leftover(index, base))
    }
  }

  private mutating func come(_ content: LeafContent<Element>, _ range: Range<Int>, at base: Int) {
    for index in range {
      newLeftovers.append(content.leftover(index, base))
    }
  }
}

extension LeafContent {
  /// The content of neighbouring leaves; that of a single one is not copied.
  init(concatenating leaves: [Leaf<Element>]) {
    self.init()
    if let leaf = leaves.first, leaves.count == 1 {
      self.init(leaf)
    } else {
      for leaf in leaves { append(leaf, 0..<leaf.elements.count) }
    }
  }

  fileprivate func leftover(
    _ index: Int, _ base: Int
  ) -> TreeComparison<Element>.Leftover {
    .init(position: base + index, hash: hashes[index], element: elements[index])
  }
}
