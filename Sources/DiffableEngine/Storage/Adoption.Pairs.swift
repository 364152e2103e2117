extension Adoption {
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

extension Adoption {
  /// Elements that the walk has passed, in ascending order; they are looked up together.
  ///
  /// A table lookup waits for memory, and several lookups at once share the waiting.
  struct Passed {
    struct Element: BitwiseCopyable {
      fileprivate let index: Int32
      /// Whether elements like this one are in no old order, as in a shuffled array.
      fileprivate let isAlone: Bool
    }

    private let elements: UnsafeMutableBufferPointer<Element>
    private var count = 0
    private let hashes: UnsafeMutableBufferPointer<UInt32>

    init(_ notes: Notes) {
      elements = notes.passed
      hashes = notes.hashes
    }

    /// Adds an element whose hash has been recorded.
    mutating func append(_ index: Int, isAlone: Bool) {
      elements[count] = Element(index: Int32(truncatingIfNeeded: index), isAlone: isAlone)
      count &+= 1
    }

    /// Finds the old places of the elements; returns those that may have been elsewhere.
    func lookUp(by search: inout Search, _ pairs: inout Pairs) -> [Int] {
      guard let table = search.table else { return elements[..<count].map { Int($0.index) } }
      var arrivals: [Int] = []
      for start in stride(from: 0, to: count, by: IdentityTable.batchCount) {
        let end = Swift.min(start + IdentityTable.batchCount, count)
        lookUp(
          UnsafeBufferPointer(rebasing: elements[start..<end]), in: table, by: &search, &pairs,
          &arrivals)
      }
      return arrivals
    }

    /// Looks up some elements together.
    ///
    /// First it reads an entry for each hash, then the elements that the entries refer to. Only if
    /// that is not enough are elements looked up one by one.
    private func lookUp(
      _ passed: UnsafeBufferPointer<Element>, in table: IdentityTable, by search: inout Search,
      _ pairs: inout Pairs, _ arrivals: inout [Int]
    ) {
      withUnsafeTemporaryAllocation(
        of: IdentityTable.Entry.self, capacity: passed.count
      ) { entries in
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: passed.count) { batch in
          for number in passed.indices { batch[number] = hashes[Int(passed[number].index)] }
          table.readFirst(of: UnsafeBufferPointer(batch), into: entries)
        }
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: passed.count) { found in
          for number in passed.indices {
            let index = Int(passed[number].index)
            let isFree = entries[number].hash == 0
            found[number] =
              isFree ? -1 : search.leaf(of: index, hash: hashes[index], by: entries[number])
          }
          for number in passed.indices where entries[number].hash != 0 {
            let index = Int(passed[number].index)
            if found[number] >= 0 {
              pairs.match(Int(found[number]), entries[number].hint, with: index, count: 1)
              continue
            }
            let hash = hashes[index]
            let whereabouts =
              passed[number].isAlone
              ? search.hinted(index, hash: hash, in: table)
              : search.whereabouts(of: index, hash: hash)
            switch whereabouts {
            case .here(let leaf, let offset):
              pairs.match(leaf, offset, with: index, count: 1)
            case .elsewhere: arrivals.append(index)
            case .nowhere: break
            }
          }
        }
      }
    }
  }
}
