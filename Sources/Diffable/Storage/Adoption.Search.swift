extension Adoption {
  /// Where an element stood.
  enum Whereabouts {
    case here(leaf: Int, offset: Int)
    /// In another section, perhaps.
    case elsewhere
    case nowhere
  }

  /// Finds out where elements of the array stood, by a table that files those of the tree under the
  /// labels of leaves.
  struct Search {
    private let kernel: ElementKernel
    private let elements: Elements
    private let leaves: [OldLeaf]
    /// The table, if there is one that knows the section.
    let table: IdentityTable?
    private let section: SectionKey?
    /// How many times an element was looked for.
    private var count: Int32 = 0
    /// By leaf: the last time that it was in that.
    private var last: [Int32]

    init(
      for elements: Elements, in leaves: [OldLeaf], _ kernel: ElementKernel,
      by table: IdentityTable?, section: SectionKey?
    ) {
      self.kernel = kernel
      self.elements = elements
      self.leaves = leaves
      self.table = section == nil ? nil : table
      self.section = section
      last = Array(repeating: 0, count: leaves.count)
    }

    /// Where the table says that an element of the array stood.
    mutating func whereabouts(of index: Int, hash: UInt32) -> Whereabouts {
      guard let table else { return .elsewhere }
      var found = Whereabouts.nowhere
      count &+= 1
      table.forEachEntry(hash: hash) { entry in
        guard entry.section == section, let leaf = leaf(labelled: entry.label) else {
          found = .elsewhere
          return true
        }
        // Where a leaf holds several elements of the hash, it is looked at once.
        guard last[leaf] != count else { return true }
        if self.leaf(of: index, hash: hash, by: entry) >= 0 {
          found = .here(leaf: leaf, offset: entry.hint)
          return false
        }
        last[leaf] = count
        guard let offset = leaves[leaf].offset(of: elements[index], hash: hash, kernel) else {
          return true
        }
        found = .here(leaf: leaf, offset: offset)
        return false
      }
      return found
    }

    /// Where a hint says that an element stood.
    ///
    /// A leaf is searched only for an entry that is the only one of its hash. Where more share it, two
    /// are looked at: a pool of leftovers, from which those that are taken go, is better at that.
    mutating func hinted(
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

    /// The leaf of an element, if an entry of its hash knows exactly where it stood; otherwise -1.
    mutating func leaf(of index: Int, hash: UInt32, by entry: IdentityTable.Entry) -> Int32 {
      guard entry.hash == hash, entry.section == section,
        let leaf = leaf(labelled: entry.label), case let old = leaves[leaf].elements,
        entry.hint < old.count, kernel.areEqual(old[entry.hint], elements[index])
      else { return -1 }
      return Int32(truncatingIfNeeded: leaf)
    }

    /// The place of a leaf among the others: found by one division where all were built together, and
    /// by halves otherwise.
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
  }
}
