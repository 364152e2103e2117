extension Adoption {
  /// How many elements the table is asked for together.
  @inlinable static var mostPassed: Int { 64 }

  /// Leaves the next element behind, to be looked up later.
  ///
  /// An empty run keeps its place among the others.
  @inlinable mutating func pass(_ hash: UInt32) {
    hashes[index] = hash
    passed.runs.append(matching.runs.count)
    passed.hashes.append(hash)
    matching.runs.append(MatchedRun(old: -1, new: index, count: 0))
    startLeaves.append(-1)
    hasPassed = true
    index += 1
    if passed.runs.count == Self.mostPassed { settlePassed() }
  }

  /// Finds out where the elements stood that were passed.
  @inlinable mutating func settlePassed() {
    guard !passed.runs.isEmpty else { return }
    table?.readHomes(of: &passed.hashes)
    for (run, home) in zip(passed.runs, passed.hashes) {
      let index = matching.runs[run].new
      // Most are new, and nothing has their hash.
      let whereabouts: Whereabouts =
        home == 0 && table != nil ? .nowhere : whereabouts(of: index, hashes[index])
      switch whereabouts {
      case .here(let leaf, let offset):
        if taken[leaf] >> UInt64(offset) & 1 != 0 { hasFailed = true }
        taken[leaf] |= 1 << UInt64(offset)
        let old = leaves[leaf].positions.lowerBound + offset
        matching.runs[run] = MatchedRun(old: old, new: index, count: 1)
        startLeaves[run] = Int32(truncatingIfNeeded: leaf)
      case .elsewhere:
        arrive(index, hashes[index])
      case .nowhere:
        matching.inserts.appendIndex(index)
      }
    }
    passed.runs.removeAll(keepingCapacity: true)
    passed.hashes.removeAll(keepingCapacity: true)
  }

  /// Drops the runs that have remained empty, and joins those that continue each other.
  @inlinable mutating func joinRuns() {
    guard hasPassed else { return }
    var count = 0
    for number in matching.runs.indices where matching.runs[number].count > 0 {
      let run = matching.runs[number]
      if count > 0, case let last = matching.runs[count - 1], last.old + last.count == run.old,
        last.new + last.count == run.new
      {
        matching.runs[count - 1].count += run.count
      } else {
        matching.runs[count] = run
        startLeaves[count] = startLeaves[number]
        count += 1
      }
    }
    matching.runs.removeLast(matching.runs.count - count)
    startLeaves.removeLast(startLeaves.count - count)
  }
}
