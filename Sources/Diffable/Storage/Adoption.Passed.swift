extension Adoption {
  /// Elements that the walk has passed, in ascending order: they are looked up together.
  ///
  /// Memory answers a question of the table late, but several at once.
  struct Passed {
    struct Element: BitwiseCopyable {
      fileprivate let index: Int32
      /// Whether elements like this one stand in no old order, as in a shuffled array.
      fileprivate let isAlone: Bool
    }

    private let elements: UnsafeMutableBufferPointer<Element>
    private var count = 0
    private let hashes: UnsafeMutableBufferPointer<UInt32>

    init(_ notes: Notes) {
      elements = notes.passed
      hashes = notes.hashes
    }

    /// Adds an element, whose hash has been noted.
    mutating func append(_ index: Int, isAlone: Bool) {
      elements[count] = Element(index: Int32(truncatingIfNeeded: index), isAlone: isAlone)
      count &+= 1
    }

    /// Finds out where the elements stood; answers which may have stood elsewhere.
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

    /// Asks for some elements together: first for an entry of each hash, then for the elements that
    /// these stand for, and one by one only where that was not enough.
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
