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
