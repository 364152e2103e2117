extension Adoption {
  /// Finds out where the elements stood that the walk has passed, and puts all that is known of the
  /// array in order.
  mutating func lookUpPassed() {
    let walkedCount = notes.runCount
    if let table, let section {
      for start in stride(from: 0, to: notes.passedCount, by: IdentityTable.batchCount) {
        let end = Swift.min(start + IdentityTable.batchCount, notes.passedCount)
        lookUp(UnsafeBufferPointer(rebasing: notes.passed[start..<end]), in: table, section)
      }
    } else {
      for element in notes.passed[..<notes.passedCount] { arrive(Int(element.index)) }
    }
    weave(walkedCount)
  }

  /// Asks for some elements together: first for an entry of each hash, then for the elements that
  /// these stand for, and one by one only where that was not enough.
  mutating func lookUp(
    _ passed: UnsafeBufferPointer<Passed>, in table: IdentityTable, _ section: SectionKey
  ) {
    withUnsafeTemporaryAllocation(of: IdentityTable.Entry.self, capacity: passed.count) { entries in
      withUnsafeTemporaryAllocation(of: UInt32.self, capacity: passed.count) { hashes in
        for number in passed.indices { hashes[number] = notes.hashes[Int(passed[number].index)] }
        table.readFirst(of: UnsafeBufferPointer(hashes), into: entries)
      }
      withUnsafeTemporaryAllocation(of: Int32.self, capacity: passed.count) { found in
        for number in passed.indices {
          let isFree = entries[number].hash == 0
          found[number] = isFree ? -1 : leaf(of: Int(passed[number].index), by: entries[number])
        }
        for number in passed.indices where entries[number].hash != 0 {
          let index = Int(passed[number].index)
          if found[number] >= 0 {
            stray(index, Int(found[number]), entries[number].hint)
            continue
          }
          switch passed[number].isAlone ? hinted(index, in: table) : whereabouts(of: index) {
          case .here(let leaf, let offset): stray(index, leaf, offset)
          case .elsewhere: arrive(index)
          case .nowhere: break
          }
        }
      }
    }
  }

  /// Where a hint says that an element stood.
  ///
  /// A leaf is searched only for an entry that is the only one of its hash. Where more share it, two
  /// are looked at: a pool of leftovers, from which those that are taken go, is better at that.
  mutating func hinted(_ index: Int, in table: IdentityTable) -> Whereabouts {
    var found: Whereabouts?
    var count = 0
    table.forEachEntry(hash: notes.hashes[index]) { entry in
      count += 1
      guard case let leaf = leaf(of: index, by: entry), leaf >= 0 else { return count < 2 }
      found = .here(leaf: Int(leaf), offset: entry.hint)
      return false
    }
    return found ?? (count < 2 ? whereabouts(of: index) : .elsewhere)
  }

  /// The leaf of an element, if an entry of its hash knows exactly where it stood; otherwise -1.
  mutating func leaf(of index: Int, by entry: IdentityTable.Entry) -> Int32 {
    guard entry.hash == notes.hashes[index], entry.section == section,
      let leaf = leaf(labelled: entry.label), case let old = leaves[leaf].elements,
      entry.hint < old.count, kernel.areEqual(old[entry.hint], elements[index])
    else { return -1 }
    return Int32(truncatingIfNeeded: leaf)
  }

  /// Matches a single element.
  mutating func stray(_ index: Int, _ leaf: Int, _ offset: Int) {
    mark(leaf, offset, count: 1)
    notes.appendRun(
      old: leaves[leaf].start + offset, new: index, count: 1, leaf: leaf)
  }

  /// Notes an element that may have stood elsewhere.
  mutating func arrive(_ index: Int) {
    matching.arrivals.append(index)
  }

  /// Writes down the runs in the order of the array, the first `walkedCount` and the others; what
  /// is in none of them, and has not arrived from elsewhere, is new.
  mutating func weave(_ walkedCount: Int) {
    guard !hasFailed else { return }
    let runs = UnsafeMutableBufferPointer(rebasing: notes.runs[..<notes.runCount])
    matching.runs.reserveCapacity(runs.count)
    var (walked, stray) = (0, walkedCount)
    var (end, nextArrival) = (0, 0)
    for number in runs.indices {
      let isStray =
        walked == walkedCount || stray < runs.count && runs[stray].new < runs[walked].new
      let run = runs[isStray ? stray : walked]
      if isStray { stray &+= 1 } else { walked &+= 1 }
      if end < run.new { noteInserts(in: end..<run.new, &nextArrival) }
      matching.runs.append(MatchedRun(old: run.old, new: run.new, count: Int(run.count)))
      notes.startLeaves[number] = run.leaf
      end = run.new &+ Int(run.count)
    }
    if end < elements.count { noteInserts(in: end..<elements.count, &nextArrival) }
  }

  /// Notes what is new in a gap between two runs.
  mutating func noteInserts(in gap: Range<Int>, _ nextArrival: inout Int) {
    var start = gap.lowerBound
    while nextArrival < matching.arrivals.count,
      case let arrival = matching.arrivals[nextArrival], arrival < gap.upperBound
    {
      if start < arrival { matching.inserts.append(start..<arrival) }
      start = arrival + 1
      nextArrival += 1
    }
    if start < gap.upperBound { matching.inserts.append(start..<gap.upperBound) }
  }
}
