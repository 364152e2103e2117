/// The changes of the outline of a section that is on both sides.
///
/// The visible items are compared like those of a flat list, and the rows of both outlines in the
/// same way. The two results give the hidden items and the rows whose disclosure changed. A row of
/// a flat list counts as a leaf without ancestors.
///
/// - Complexity: O(d · log n) for d leaves of rows that differ, and O(log² n) for each item whose
///   disclosure changed. O(n) if a section is an outline on one side only.
package struct OutlineComparison {
  package var hasChanged = false
  /// New indices of visible items whose disclosure changed, ascending.
  package var disclosures: [Int] = []
  package var hidden = HiddenEntries()
  /// The hashes of rows that were inserted or moved: hidden ones are counted, not named.
  package var arrivedHashes: [UInt32] = []
  /// The rows that have left their place, and those that have arrived at a new one.
  package var departures: [Range<Int>] = []
  package var arrivals: [Range<Int>] = []

  package init() {}

  /// Calls a function with the old and new index of each item that is in the section on both sides.
  ///
  /// Moved items are included.
  package static func forEachPair(
    _ visible: OrderMatching, _ old: SectionBody, _ body: (_ old: Int, _ new: Int) -> Void
  ) {
    for run in visible.runs {
      for offset in 0..<run.count { body(run.old + offset, run.new + offset) }
    }
    let tree = old.itemTree
    defer { withExtendedLifetime(tree) {} }
    var pool = LeftoverPool(tree.leftovers(at: visible.departures), tree.kernel)
    for arrival in visible.arrivals {
      if let found = pool.take(arrival) { body(pool.leftovers[found].position, arrival.position) }
    }
  }
}

/// How a row of an outline is drawn: its level, and whether its children show.
///
/// If the disclosure of a visible row changes, the batch that changes it reconfigures the row.
public struct Disclosure: Hashable, Sendable {
  /// The sign in front of a row that tells whether its children show.
  public enum Sign: String, CaseIterable, Hashable, Sendable {
    /// Nothing: there are no children.
    case leaf
    /// The children are hidden.
    case collapsed
    /// The children show below the row.
    case expanded
    /// The children are to be shown, but are not loaded yet.
    case loading
  }

  /// The number of ancestors.
  public var level: Int
  /// The sign in front of the row.
  public var sign: Sign

  /// Creates the disclosure of a row.
  public init(level: Int = 0, sign: Sign = .leaf) {
    self.level = level
    self.sign = sign
  }

  /// Whether the row has children that can be shown.
  public var isExpandable: Bool { sign != .leaf }

  /// Whether the children show, or will show when they are loaded.
  public var isExpanded: Bool { sign == .expanded || sign == .loading }
}

extension [IdentityTable.Entry] {
  /// Adds the entries of all items of a section, hidden ones included.
  mutating func append(itemsOf section: SectionBody) {
    section.itemTree.root?.forEachLeaf { append($0, section: section.key) }
    section.outline?.forEachHiddenHash { hash in
      append(.init(hash: hash, section: section.key, label: .hidden))
    }
  }
}

extension IdentityChanges {
  package mutating func append(_ hidden: HiddenEntries, section: SectionKey) {
    for (hash, count) in hidden.counts where count != 0 {
      let entry = IdentityTable.Entry(hash: hash, section: section, label: .hidden)
      if count > 0 {
        inserted.append(contentsOf: repeatElement(entry, count: count))
      } else {
        removed.append(contentsOf: repeatElement(entry, count: -count))
      }
    }
  }
}

/// Counts, by hash, how many more or fewer items an outline hides.
///
/// Hidden rows are all rows except the visible ones. So the changes follow from the changes of
/// those two, without looking at a row that stays as it is.
package struct HiddenEntries {
  var counts: [UInt32: Int] = [:]

  package init() {}

  package mutating func add(_ hash: UInt32, _ count: Int) {
    counts[hash, default: 0] += count
  }

  package mutating func add(_ leaf: Leaf, _ count: Int) {
    withExtendedLifetime(leaf) { for hash in leaf.span.hashBuffer { add(hash, count) } }
  }
}
