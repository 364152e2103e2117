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
        var gone = ~taken[leaf] & (UInt64.max &>> UInt64(64 &- leaves[leaf].elements.count))
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
