extension Reuse {
  /// The leaves of a tree that are kept, and those made from a matched array.
  struct LeafPlan {
    private let elementCount: Int
    private let leaves: [OldLeaf]
    private let shape: TreeShape
    private let section: SectionKey?
    private let hashes: UnsafeMutableBufferPointer<UInt32>
    /// By run: the leaf in which it begins.
    private let startLeaves: UnsafeMutableBufferPointer<Int32>

    /// What is known of the array, except for its arrivals.
    private(set) var matching: OrderMatching
    /// The old leaves that are removed, and the labels and ranges of the array for new leaves.
    private(set) var removed: [Int] = []
    private(set) var added: [(label: LeafLabel, range: Range<Int>)] = []
    /// Whether the labels are used up.
    private(set) var hasNoLabels = false

    /// The start in the array of the pending elements, which will be in new leaves.
    private var pending = 0
    /// The first old leaf that the pending elements replace.
    private var anchor = 0
    /// The first old leaf with a staying element among the pending ones.
    private var firstPending: Int?
    /// The last old leaf with a staying element.
    private var lastStayed: Int?
    /// The last kept leaf, and its start in the array.
    private var lastKept: (leaf: Int, start: Int)?
    /// The first run that has not been filed completely.
    private var nextRun = 0

    init(
      _ matching: OrderMatching, of elementCount: Int, by leaves: [OldLeaf], shape: TreeShape,
      section: SectionKey?, _ notes: Notes
    ) {
      self.matching = matching
      self.elementCount = elementCount
      self.leaves = leaves
      self.shape = shape
      self.section = section
      hashes = notes.hashes
      startLeaves = notes.startLeaves
    }
  }
}

extension Reuse.LeafPlan {
  /// Makes the leaves of the array.
  ///
  /// Leaves that are covered by a staying run are kept. The others are made under the labels of the
  /// leaves that they replace.
  mutating func make(mostChanges: Int, leaving pairs: Reuse.Pairs) {
    let oldCount = leaves.last?.positions.upperBound ?? 0
    matching.stays = matching.runs.heaviestIncreasingSubsequence()
    let moveCount = matching.stays.map(matching.runs.moveCount) ?? 0
    let stayCount = matching.runs.reduce(0) { $0 + $1.count } - moveCount
    let isMostlyNew = Swift.max(oldCount, elementCount) - stayCount > mostChanges
    if section == nil || isMostlyNew {
      matching.changes = nil
    } else {
      // A staying element in another leaf counts as a removal and an insert.
      let relabelled = stayCount / 32
      let (goneCount, newCount) =
        (oldCount - stayCount + relabelled, elementCount - stayCount + relabelled)
      matching.changes?.removed.reserveCapacity(goneCount)
      matching.changes?.inserted.reserveCapacity(newCount)
    }
    pairs.forEachGap { leaf, gap in
      let old = leaves[leaf]
      matching.departures.appendRange(old.start + gap.lowerBound..<old.start + gap.upperBound)
      forget(gap, of: old.span.hashBuffer, under: old.label)
    }
    // If most is new, few leaves could be kept, and evenly filled leaves are worth more.
    if !isMostlyNew {
      for number in matching.runs.indices where matching.stays?[number] ?? true {
        stay(matching.runs[number], from: Int(startLeaves[number]))
      }
    }
    finish(before: leaves.count, at: elementCount)
    // A leaf that was kept at first may be recorded late.
    removed = removed.sortedIfNeeded { $0 }
  }

  /// Keeps the leaves that a run covers.
  private mutating func stay(_ run: MatchedRun, from start: Int) {
    var leaf = start
    var position = run.old
    while position < run.old + run.count {
      let (base, next) = (leaves[leaf].positions.lowerBound, leaves[leaf].positions.upperBound)
      let index = run.new + position - run.old
      // Both parts of a leaf are put into the same leaf.
      if leaf != lastStayed, (index - pending) * 2 >= shape.leafCapacity {
        finish(before: leaf, at: index)
      }
      lastStayed = leaf
      if position == base, next <= run.old + run.count {
        finish(before: leaf, at: index)
        lastKept = (leaf, index)
        pending = index + next - base
        anchor = leaf + 1
      } else if firstPending == nil {
        firstPending = leaf
      }
      position = next
      leaf += 1
    }
  }

  /// Replaces the old leaves from `anchor` to `end` with the pending elements up to an index.
  private mutating func finish(before end: Int, at index: Int) {
    guard pending < index || anchor < end else { return }
    let ownLabel = firstPending.map { leaves[$0].label }
    firstPending = nil
    let isThin = pending < index && (index - pending) * 4 < shape.leafCapacity
    let joined = isThin ? joinPrevious() : nil
    let label = joined ?? (anchor < end ? leaves[anchor].label : nil)
    if anchor < end {
      removed.append(contentsOf: anchor..<end)
      anchor = end
    }
    guard pending < index else { return }
    defer { pending = index }
    // Most new leaves replace a single leaf, and its staying elements are filed already. Labels
    // also do not crowd together when the same elements are deleted and inserted.
    if let label, index - pending <= shape.leafCapacity {
      return addLeaf(of: pending..<index, under: joined ?? ownLabel ?? label)
    }
    // After the last staying leaf, pieces are as full as in a tree that is built at once.
    let chunks = shape.chunks(of: index - pending, keepingFull: end == leaves.count)
    guard let labels = labels(chunks.count, first: label, before: end) else {
      hasNoLabels = true
      return
    }
    for (label, chunk) in zip(labels, chunks) {
      addLeaf(of: pending + chunk.lowerBound..<pending + chunk.upperBound, under: label)
    }
  }

  private mutating func addLeaf(of range: Range<Int>, under label: LeafLabel) {
    fillHashes(range, under: label)
    added.append((label, range))
  }

  /// Lets elements too few for a leaf also replace the previous leaf, if that is an old one.
  ///
  /// Returns its label.
  private mutating func joinPrevious() -> LeafLabel? {
    guard let lastKept, case let previous = leaves[lastKept.leaf].label,
      added.last.map({ $0.label < previous }) ?? true
    else { return nil }
    pending = lastKept.start
    while nextRun > 0, matching.runs[nextRun - 1].newRange.upperBound > pending { nextRun -= 1 }
    removed.append(lastKept.leaf)
    return previous
  }

  /// Labels for leaves before an old one and after all that are finished.
  private func labels(_ count: Int, first: LeafLabel?, before end: Int) -> [LeafLabel]? {
    if let first, count == 1 { return [first] }
    var lower = first ?? added.last?.label
    if first == nil, let kept = lastKept.map({ leaves[$0.leaf].label }),
      lower.map({ $0 < kept }) ?? true
    {
      lower = kept
    }
    let upper = end < leaves.count ? leaves[end].label : nil
    let others = LeafLabel.labels(first == nil ? count : count - 1, after: lower, before: upper)
    return others.map { others in first.map { [$0] + others } ?? others }
  }

  /// Completes the hashes of a new leaf, and records which elements were not filed under its label.
  private mutating func fillHashes(_ range: Range<Int>, under label: LeafLabel) {
    var index = range.lowerBound
    while nextRun < matching.runs.count, matching.runs[nextRun].newRange.upperBound <= index {
      nextRun += 1
    }
    while index < range.upperBound {
      guard nextRun < matching.runs.count, case let run = matching.runs[nextRun],
        run.new < range.upperBound
      else { return file(index..<range.upperBound, under: label, from: range.lowerBound) }
      if index < run.new { file(index..<run.new, under: label, from: range.lowerBound) }
      let end = Swift.min(range.upperBound, run.new + run.count)
      if run.count > 1 || matching.changes != nil {
        fillHashes(
          of: run, Swift.max(index, run.new)..<end, under: label, from: range.lowerBound)
      }
      index = end
      if run.new + run.count <= range.upperBound { nextRun += 1 }
    }
  }

  /// The same for a part of a run.
  private mutating func fillHashes(
    of run: MatchedRun, _ range: Range<Int>, under label: LeafLabel, from start: Int
  ) {
    var leaf = Int(startLeaves[nextRun])
    // Most runs stay in their leaf, and the walk has recorded their hashes.
    let first = leaves[leaf].positions
    if leaves[leaf].label == label, run.old > first.lowerBound,
      run.old + run.count <= first.upperBound
    {
      return
    }
    var index = range.lowerBound
    while index < range.upperBound {
      let position = run.old + index - run.new
      let old = leaves[leaf]
      leaf += 1
      guard position < old.positions.upperBound else { continue }
      let end = Swift.min(range.upperBound, index + old.positions.upperBound - position)
      // The walk may have matched the whole leaf.
      if run.old <= old.positions.lowerBound, old.positions.upperBound <= run.old + run.count {
        let offset = position - old.start
        for step in 0..<end - index { hashes[index + step] = old.span.hashes[offset + step] }
      }
      if old.label != label {
        forget(index..<end, of: UnsafeBufferPointer(hashes), under: old.label)
        file(index..<end, under: label, from: start)
      }
      index = end
    }
  }

  /// Records that elements with these hashes are no longer filed under a label.
  private mutating func forget(
    _ range: Range<Int>, of hashes: UnsafeBufferPointer<UInt32>, under label: LeafLabel
  ) {
    guard let section else { return }
    matching.changes?.removed.append(
      UnsafeBufferPointer(rebasing: hashes[range]), section: section, label: label,
      from: range.lowerBound)
  }

  /// Records that elements are filed under the label of a leaf, given its start in the array.
  private mutating func file(_ range: Range<Int>, under label: LeafLabel, from start: Int) {
    guard let section else { return }
    matching.changes?.inserted.append(
      UnsafeBufferPointer(rebasing: hashes[range]), section: section, label: label,
      from: range.lowerBound - start)
  }
}

extension Reuse {
  /// The pairs of equal elements of tree and array that have been found.
  struct Pairs {
    private let leaves: [OldLeaf]
    /// By leaf: a bit for each element that has found its partner.
    private var taken: [UInt64]
    /// The matches of the walk, in ascending order of `new`; after them, those of the table.
    private let runs: UnsafeMutableBufferPointer<Run>
    private var runCount = 0
    private var walkedCount = 0
    /// Whether an element has found two partners: then the array contains it twice.
    private(set) var isAmbiguous = false

    init(with leaves: [OldLeaf], _ notes: Notes) {
      self.leaves = leaves
      taken = Array(repeating: 0, count: leaves.count)
      runs = notes.runs
    }

    /// The offset of the first element of a leaf, from an offset on, that has no partner.
    ///
    /// It is the offset after the last element if all have one.
    mutating func firstFree(in leaf: Int, from offset: Int) -> Int {
      offset + (~(taken[leaf] >> UInt64(offset))).trailingZeroBitCount
    }

    mutating func isTaken(_ leaf: Int, _ offset: Int) -> Bool {
      taken[leaf] >> UInt64(offset) & 1 != 0
    }

    /// Records that elements of a leaf match those of the array from an index on.
    mutating func match(_ leaf: Int, _ offset: Int, with index: Int, count: Int) {
      let bits = (UInt64.max &>> UInt64(64 &- count)) &<< UInt64(offset)
      // An element that is taken already equals another element of the array.
      if taken[leaf] & bits != 0 { isAmbiguous = true }
      taken[leaf] |= bits
      let old = leaves[leaf].start + offset
      if runCount > 0, case let last = runs[runCount &- 1], last.old &+ Int(last.count) == old,
        last.new &+ Int(last.count) == index
      {
        runs[runCount &- 1].count = last.count &+ Int32(truncatingIfNeeded: count)
      } else {
        runs[runCount] = Run(old: old, new: index, count: count, leaf: leaf)
        runCount &+= 1
      }
    }

    /// Ends the part in the order of the array; further matches are only in order among themselves.
    mutating func endWalk() { walkedCount = runCount }

    /// Returns the runs in the order of the array, and the leaves where they begin.
    ///
    /// Elements that are in no run, and have not arrived from elsewhere, are inserts.
    func weave(
      _ arrivals: [Int], count: Int, startLeaves: UnsafeMutableBufferPointer<Int32>
    ) -> (runs: [MatchedRun], inserts: [Range<Int>]) {
      let runs = UnsafeMutableBufferPointer(rebasing: runs[..<runCount])
      var woven: [MatchedRun] = []
      woven.reserveCapacity(runs.count)
      var inserts: [Range<Int>] = []
      var (walked, stray) = (0, walkedCount)
      var (end, nextArrival) = (0, 0)
      /// Records the inserts before an index.
      func noteInserts(before index: Int) {
        while nextArrival < arrivals.count, case let arrival = arrivals[nextArrival],
          arrival < index
        {
          if end < arrival { inserts.append(end..<arrival) }
          end = arrival + 1
          nextArrival += 1
        }
        if end < index { inserts.append(end..<index) }
      }
      for number in runs.indices {
        let isStray =
          walked == walkedCount || stray < runs.count && runs[stray].new < runs[walked].new
        let run = runs[isStray ? stray : walked]
        if isStray { stray &+= 1 } else { walked &+= 1 }
        if end < run.new { noteInserts(before: run.new) }
        woven.append(MatchedRun(old: run.old, new: run.new, count: Int(run.count)))
        startLeaves[number] = run.leaf
        end = run.new &+ Int(run.count)
      }
      if end < count { noteInserts(before: count) }
      return (woven, inserts)
    }

    /// Calls a closure with the places in leaves of adjacent elements without partners.
    func forEachGap(_ body: (_ leaf: Int, _ gap: Range<Int>) -> Void) {
      for leaf in taken.indices {
        var gone = ~taken[leaf] & (UInt64.max &>> UInt64(64 &- leaves[leaf].span.count))
        while gone != 0 {
          let start = gone.trailingZeroBitCount
          let end = start + (~(gone &>> UInt64(start))).trailingZeroBitCount
          gone = end < 64 ? (gone &>> UInt64(end)) &<< UInt64(end) : 0
          body(leaf, start..<end)
        }
      }
    }
  }
}
