extension Adoption {
  /// The old place of an element.
  enum Whereabouts {
    case here(leaf: Int, offset: Int)
    /// Possibly in another section.
    case elsewhere
    case nowhere
  }

  /// Finds the old places of elements of the array.
  ///
  /// It uses a table in which the elements of the tree are filed under the labels of leaves.
  struct Search {
    private let kernel: ElementKernel
    private let elements: Elements
    private let leaves: [OldLeaf]
    /// The table, if there is one that knows the section.
    let table: IdentityTable?
    private let section: SectionKey?
    /// The number of lookups so far.
    private var count: Int32 = 0
    /// By leaf: the last lookup that searched it.
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

    /// The old place of an element of the array according to the table.
    mutating func whereabouts(of index: Int, hash: UInt32) -> Whereabouts {
      guard let table else { return .elsewhere }
      var found = Whereabouts.nowhere
      count &+= 1
      table.forEachEntry(hash: hash) { entry in
        guard entry.section == section, let leaf = leaf(labelled: entry.label) else {
          found = .elsewhere
          return true
        }
        // A leaf with several elements of the hash is searched once.
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

    /// The old place of an element according to a hint.
    ///
    /// A leaf is searched only if an entry is the only one of its hash. If more entries share the
    /// hash, two are checked: a pool of leftovers, from which taken elements are removed, is better
    /// for that.
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

    /// The leaf of an element if an entry of its hash has its exact old place; otherwise -1.
    mutating func leaf(of index: Int, hash: UInt32, by entry: IdentityTable.Entry) -> Int32 {
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
  }
}

/// Estimates whether a try is worth its cost, from recent tries.
struct Confidence {
  private var credit = 32
  private var rests = 0

  /// A try is made now and then even without credit: the array may be different from here on.
  var isWorthTrying: Bool {
    mutating get {
      if credit > 0 { return true }
      rests += 1
      return rests % 64 == 0
    }
  }

  var isUsedUp: Bool { credit == 0 }

  /// The number of further tries that are not worth their cost.
  var patience: Int { isUsedUp ? 63 - rests % 64 : 0 }

  mutating func record(success: Bool) {
    credit = success ? Swift.min(64, credit + 4) : Swift.max(0, credit - 1)
  }

  /// Records tries that were not made.
  mutating func rest(_ count: Int) { rests += count }
}
