/// Finding old places by a table in which the elements of the tree are filed.
extension Reuse.Walk {
  /// The old place of an element.
  enum Whereabouts {
    case here(leaf: Int, offset: Int)
    /// Possibly in another section.
    case elsewhere
    case nowhere
  }

  /// An element that the walk has passed.
  struct Passed: BitwiseCopyable {
    let index: Int32
    /// Whether elements like this one are in no old order, as in a shuffled array.
    let isAlone: Bool
  }

  /// The old place of an element of the array according to the table.
  mutating func whereabouts(of index: Int, hash: UInt32) -> Whereabouts {
    guard let table else { return .elsewhere }
    var found = Whereabouts.nowhere
    lookupCount &+= 1
    table.forEachEntry(hash: hash) { entry in
      guard entry.section == section, let leaf = leaf(labelled: entry.label) else {
        found = .elsewhere
        return true
      }
      // A leaf with several elements of the hash is searched once.
      guard lastLookup[leaf] != lookupCount else { return true }
      if self.leaf(of: index, hash: hash, by: entry) >= 0 {
        found = .here(leaf: leaf, offset: entry.hint)
        return false
      }
      lastLookup[leaf] = lookupCount
      guard let offset = leaves[leaf].offset(of: elements[index], hash: hash, kernel) else {
        return true
      }
      found = .here(leaf: leaf, offset: offset)
      return false
    }
    return found
  }

  /// The old place of an element according to a hint.
  ///
  /// A leaf is searched only if an entry is the only one of its hash. If more entries share the
  /// hash, two are checked: a pool of leftovers, from which taken elements are removed, is better
  /// for that.
  private mutating func hinted(
    _ index: Int, hash: UInt32, in table: IdentityTable
  ) -> Whereabouts {
    var found: Whereabouts?
    var count = 0
    table.forEachEntry(hash: hash) { entry in
      count += 1
      guard case let leaf = leaf(of: index, hash: hash, by: entry), leaf >= 0 else {
        return count < 2
      }
      found = .here(leaf: Int(leaf), offset: entry.hint)
      return false
    }
    return found ?? (count < 2 ? whereabouts(of: index, hash: hash) : .elsewhere)
  }

  /// The leaf of an element if an entry of its hash has its exact old place; otherwise -1.
  private mutating func leaf(
    of index: Int, hash: UInt32, by entry: IdentityTable.Entry
  ) -> Int32 {
    guard entry.hash == hash, entry.section == section,
      let leaf = leaf(labelled: entry.label), case let old = leaves[leaf].elements,
      entry.hint < old.count, kernel.areEqual(old[entry.hint], elements[index])
    else { return -1 }
    return Int32(truncatingIfNeeded: leaf)
  }

  /// The index of a leaf among the others.
  ///
  /// It takes one division if all leaves were built together, otherwise a binary search.
  private mutating func leaf(labelled label: LeafLabel) -> Int? {
    guard let first = leaves.first?.label, first <= label else { return nil }
    let guess = Int(
      Swift.min((label.rawValue - first.rawValue) / LeafLabel.stride, UInt64(leaves.count - 1)))
    if leaves[guess].label == label { return guess }
    let last =
      leaves.withUnsafeBufferPointer {
        $0.count(upTo: Int(label.rawValue)) { Int($0.label.rawValue) }
      } - 1
    return leaves[last].label == label ? last : nil
  }

  /// Finds the old places of the elements that the walk has passed; returns those that may have been
  /// elsewhere.
  ///
  /// A table lookup waits for memory, and several lookups at once share the waiting.
  mutating func lookUpPassed() -> [Int] {
    guard let table else { return passed[..<passedCount].map { Int($0.index) } }
    var arrivals: [Int] = []
    for start in stride(from: 0, to: passedCount, by: IdentityTable.batchCount) {
      let end = Swift.min(start + IdentityTable.batchCount, passedCount)
      lookUp(UnsafeBufferPointer(rebasing: passed[start..<end]), in: table, &arrivals)
    }
    return arrivals
  }

  /// Looks up some elements together.
  ///
  /// First it reads an entry for each hash, then the elements that the entries refer to. Only if
  /// that is not enough are elements looked up one by one.
  private mutating func lookUp(
    _ batch: UnsafeBufferPointer<Passed>, in table: IdentityTable, _ arrivals: inout [Int]
  ) {
    withUnsafeTemporaryAllocation(of: IdentityTable.Entry.self, capacity: batch.count) { entries in
      withUnsafeTemporaryAllocation(of: UInt32.self, capacity: batch.count) { sought in
        for number in batch.indices { sought[number] = hashes[Int(batch[number].index)] }
        table.readFirst(of: UnsafeBufferPointer(sought), into: entries)
      }
      withUnsafeTemporaryAllocation(of: Int32.self, capacity: batch.count) { found in
        for number in batch.indices {
          let (index, entry) = (Int(batch[number].index), entries[number])
          found[number] = entry.hash == 0 ? -1 : leaf(of: index, hash: hashes[index], by: entry)
        }
        for number in batch.indices where entries[number].hash != 0 {
          let index = Int(batch[number].index)
          if found[number] >= 0 {
            pairs.match(Int(found[number]), entries[number].hint, with: index, count: 1)
            continue
          }
          let whereabouts =
            batch[number].isAlone
            ? hinted(index, hash: hashes[index], in: table)
            : whereabouts(of: index, hash: hashes[index])
          switch whereabouts {
          case .here(let leaf, let offset): pairs.match(leaf, offset, with: index, count: 1)
          case .elsewhere: arrivals.append(index)
          case .nowhere: break
          }
        }
      }
    }
  }
}
