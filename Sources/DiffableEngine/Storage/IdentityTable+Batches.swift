/// Batched lookups.
///
/// A table is larger than a processor's caches, and each lookup waits for memory. Independent
/// lookups share the waiting, so many are done together.
extension IdentityTable {
  /// The number of entries that are looked up together.
  static var batchCount: Int { 64 }

  /// The number of segments, half a megabyte, up to which a table is in the cache or soon will be.
  static var cachedSegmentCount: Int { 8 }

  /// Replaces each of some entries with the content of the home slot of its hash.
  ///
  /// If that slot is free, no entry has the hash.
  @inline(never) func readHomes(
    of entries: UnsafeMutableBufferPointer<Entry>
  ) {
    segments.withUnsafeBufferPointer { segments in
      for index in entries.indices {
        let hash = entries[index].hash
        let segment = segment(for: hash)
        entries[index] = segments[segment].slots[segments[segment].home(of: hash)]
      }
    }
  }

  /// Finds the first entry of each of some hashes; a free entry if there is none.
  @inline(never) func readFirst(
    of hashes: UnsafeBufferPointer<UInt32>, into entries: UnsafeMutableBufferPointer<Entry>
  ) {
    segments.withUnsafeBufferPointer { segments in
      // Read twice: the first pass requests all of them, without waiting for any.
      if segments.count > Self.cachedSegmentCount {
        for index in hashes.indices {
          let segment = segment(for: hashes[index])
          entries[index] = segments[segment].slots[segments[segment].home(of: hashes[index])]
        }
      }
      for index in hashes.indices {
        entries[index] = segments[segment(for: hashes[index])].first(hash: hashes[index])
      }
    }
  }

  /// Adds entries, and calls a function with each that meets another entry of the same hash.
  ///
  /// - Complexity: expected O(k) for k entries.
  mutating func insert(_ entries: [Entry], _ meet: (Entry) -> Void) {
    if entries.count == 1 {
      if insert(entries[0]) { meet(entries[0]) }
      return
    }
    if entries.count > count { makeRoom(for: entries.count) }
    forEachBatch(of: entries) { table, batch in
      let rest = table.edit(batch) { segment, entry in
        guard !segment.isFull else { return nil }
        if segment.insert(entry) { meet(entry) }
        return 1
      }
      for entry in rest where table.insert(entry) { meet(entry) }
    }
  }

  /// Makes a table at once that would otherwise grow by splitting each of its segments several
  /// times.
  private mutating func makeRoom(for more: Int) {
    let slotCount = segments.reduce(0) { $0 + $1.slotCount }
    guard slotCount * 5 < (count + more) * 8 else { return }
    var table = IdentityTable(capacity: count + more)
    for segment in segments { segment.forEachEntry { table.insert($0) } }
    self = table
  }

  /// Removes one equal entry for each of some entries.
  ///
  /// - Complexity: expected O(k) for k entries.
  mutating func remove(_ entries: [Entry]) {
    if entries.count == 1 { return remove(entries[0]) }
    forEachBatch(of: entries) { table, batch in
      let rest = table.edit(batch) { segment, entry in
        guard !segment.isThinWithoutOne else { return nil }
        return segment.remove(entry) ? -1 : 0
      }
      for entry in rest { table.remove(entry) }
    }
  }

  /// Calls a function with batches of entries whose slots have been read.
  private mutating func forEachBatch(
    of entries: [Entry], _ body: (inout IdentityTable, UnsafeBufferPointer<Entry>) -> Void
  ) {
    entries.withUnsafeBufferPointer { entries in
      withUnsafeTemporaryAllocation(of: Entry.self, capacity: Self.batchCount) { homes in
        for start in stride(from: 0, to: entries.count, by: Self.batchCount) {
          let end = Swift.min(start + Self.batchCount, entries.count)
          let batch = UnsafeBufferPointer(rebasing: entries[start..<end])
          if segments.count > Self.cachedSegmentCount {
            let count = homes.initialize(fromContentsOf: batch)
            readHomes(of: UnsafeMutableBufferPointer(rebasing: homes[..<count]))
          }
          body(&self, batch)
        }
      }
    }
  }

  /// Edits the segments of some entries in place.
  ///
  /// - Parameter body: Returns the change of the number of entries; `nil` if the segment would have
  ///   to be split, or merged with another one.
  /// - Returns: The entries for which it returned `nil`.
  private mutating func edit(
    _ batch: UnsafeBufferPointer<Entry>, _ body: (inout Segment, Entry) -> Int?
  ) -> [Entry] {
    let (directory, depth) = (directory, depth)
    var rest: [Entry] = []
    var change = 0
    segments.withUnsafeMutableBufferPointer { segments in
      for entry in batch {
        let slot = Self.slot(of: entry.hash, depth: depth)
        if let one = body(&segments[Int(directory[slot])], entry) {
          change += one
        } else {
          rest.append(entry)
        }
      }
    }
    count += change
    return rest
  }
}
