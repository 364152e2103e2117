/// Which elements of two orders are the same, as far as that shows where they stand.
///
/// Shared stretches are matched without looking at them. In what is left, a window at a time, both
/// sides are walked in step by stored hash and `==`, looking a few elements ahead where they part.
/// What finds no partner in its window is left over: it went, came, or stands in another window.
struct TreeComparison {
  /// Both sides of a match, for as long as somebody holds the trees and the matching.
  struct Pair {
    let old: Int
    let new: Int
    let oldAddress: UnsafeRawPointer
    let newAddress: UnsafeRawPointer
  }

  /// What was found; nothing in `inserts`, as no table is asked.
  var matching = OrderMatching()
  /// Where the elements of the present window are filed, if that is the same for all.
  var filing: (section: SectionKey, label: LeafLabel)?
  /// The pairs that were compared and not skipped, where they were asked for.
  var comparedPairs: [Pair] = []
  let keepsPairs: Bool
  let kernel: ElementKernel

  /// Compares two orders.
  ///
  /// - Parameters:
  ///   - section: The key that the elements of both are filed under, if it is the same.
  ///   - keepingPairs: Whether to keep the pairs that were compared.
  init(
    old: OrderTree, new: OrderTree, section: SectionKey? = nil, keepingPairs: Bool = false
  ) {
    keepsPairs = keepingPairs
    kernel = new.kernel
    LeafWindows.forEach(old: old, new: new) { stretch in
      switch stretch {
      case .shared(let run):
        matching.runs.appendMatch(old: run.old, new: run.new, count: run.count)
      case .changed(let window):
        // Two versions of one leaf: what matches stays filed under its label.
        let firstArrival = matching.arrivals.count
        if let section { filing = window.commonLabel.map { (section, $0) } }
        walk(span(of: window.old), at: window.oldBase, span(of: window.new), at: window.newBase)
        if let section, filing == nil {
          var delta = LeafDelta()
          delta.append(window)
          matching.changes?.append(delta, section: section)
          matching.changes?.exchanged += matching.arrivals[firstArrival...].lazy.map(\.hash)
        }
      }
    }
  }

  /// The elements of neighbouring leaves of a tree that is held.
  ///
  /// Those of several leaves are copied, so that they are neighbours in memory.
  private mutating func span(of nodes: ArraySlice<InnerNode.Child>) -> ElementSpan {
    if nodes.count == 1, let leaf = nodes.first?.leaf { return leaf.span }
    var elements = HashedElements(kernel, capacity: nodes.reduce(0) { $0 + $1.count })
    for case let leaf? in nodes.lazy.map({ $0.leaf }) { elements.append(leaf) }
    matching.held.append(elements)
    return elements.span
  }

  /// Compares a window.
  mutating func walk(
    _ old: ElementSpan, at oldBase: Int, _ new: ElementSpan, at newBase: Int
  ) {
    var (i, j) = (0, 0)
    while i < old.count, j < new.count {
      let matched = old.matchingCount(at: i, new, at: j, kernel)
      if matched > 0 {
        matching.runs.appendMatch(old: oldBase + i, new: newBase + j, count: matched)
        if keepsPairs {
          for step in 0..<matched {
            comparedPairs.append(
              Pair(
                old: oldBase + i + step, new: newBase + j + step,
                oldAddress: old.address(i + step), newAddress: new.address(j + step)))
          }
        }
        (i, j) = (i + matched, j + matched)
      }
      guard i < old.count, j < new.count else { break }
      let (gone, come) = old.parting(at: i, new, at: j, kernel)
      leave(old, i..<i + gone, at: oldBase)
      arrive(new, j..<j + come, at: newBase)
      (i, j) = (i + gone, j + come)
    }
    leave(old, i..<old.count, at: oldBase)
    arrive(new, j..<new.count, at: newBase)
  }

  mutating func leave(_ elements: ElementSpan, _ range: Range<Int>, at base: Int) {
    guard !range.isEmpty else { return }
    matching.departures.appendRange(base + range.lowerBound..<base + range.upperBound)
    guard let (section, label) = filing else { return }
    for hash in elements.hashBuffer[range] {
      matching.changes?.removed.append(.init(hash: hash, section: section, label: label))
    }
  }

  mutating func arrive(
    _ elements: ElementSpan, _ range: Range<Int>, at base: Int
  ) {
    for index in range {
      let hash = elements.hashes[index]
      matching.arrivals.append(
        .init(position: base + index, hash: hash, address: elements.address(index)))
      if let (section, label) = filing {
        matching.changes?.inserted.append(
          .init(hash: hash, section: section, label: label, hint: index))
      }
    }
  }
}

extension ElementSpan {
  /// How many elements are equal, one by one, from a place of this and a place of another.
  func matchingCount(
    at index: Int, _ other: ElementSpan, at otherIndex: Int, _ kernel: ElementKernel
  ) -> Int {
    let limit = Swift.min(count - index, other.count - otherIndex)
    var sameHashes = 0
    while sameHashes < limit, hashes[index + sameHashes] == other.hashes[otherIndex + sameHashes] {
      sameHashes += 1
    }
    guard sameHashes > 0 else { return 0 }
    return kernel.countEqual(address(index), other.address(otherIndex), sameHashes)
  }

  /// How many elements of either side stand before the two meet again, where they part.
  ///
  /// Looks a few elements ahead on one side for the element of the other; if that is in vain, one
  /// of each is left.
  func parting(
    at index: Int, _ other: ElementSpan, at otherIndex: Int, _ kernel: ElementKernel
  ) -> (gone: Int, come: Int) {
    for step in 1...8 {
      if index + step < count, hashes[index + step] == other.hashes[otherIndex],
        kernel.areEqual(address(index + step), other.address(otherIndex))
      {
        return (step, 0)
      }
      if otherIndex + step < other.count, hashes[index] == other.hashes[otherIndex + step],
        kernel.areEqual(address(index), other.address(otherIndex + step))
      {
        return (0, step)
      }
    }
    return (1, 1)
  }
}
