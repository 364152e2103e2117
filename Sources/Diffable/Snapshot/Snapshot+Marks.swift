extension Snapshot {
  /// What to show anew although it stays: reloads replace a view, reconfigures update it in place.
  ///
  /// Invariant: no item is in both sets, and no section.
  package struct Marks: Sendable {
    package var reloadedSections = OrderedMarks<SectionID>()
    package var reconfiguredSections = OrderedMarks<SectionID>()
    package var reloadedItems = OrderedMarks<ItemID>()
    package var reconfiguredItems = OrderedMarks<ItemID>()

    package init() {}

    package var isEmpty: Bool {
      reloadedSections.isEmpty && reconfiguredSections.isEmpty && reloadedItems.isEmpty
        && reconfiguredItems.isEmpty
    }

    /// The number of marks.
    ///
    /// - Complexity: O(1).
    package var count: Int {
      reloadedSections.count + reconfiguredSections.count + reloadedItems.count
        + reconfiguredItems.count
    }

    mutating func reload(sections: some Sequence<SectionID>) {
      for section in sections {
        reloadedSections.insert(section)
        reconfiguredSections.remove(section)
      }
    }

    mutating func reconfigure(sections: some Sequence<SectionID>) {
      for section in sections where !reloadedSections.contains(section) {
        reconfiguredSections.insert(section)
      }
    }

    mutating func reload(items: some Sequence<ItemID>) {
      for item in items {
        reloadedItems.insert(item)
        reconfiguredItems.remove(item)
      }
    }

    mutating func reconfigure(items: some Sequence<ItemID>) {
      for item in items where !reloadedItems.contains(item) {
        reconfiguredItems.insert(item)
      }
    }

    mutating func forget(item: ItemID) {
      reloadedItems.remove(item)
      reconfiguredItems.remove(item)
    }

    mutating func forget(section: SectionID) {
      reloadedSections.remove(section)
      reconfiguredSections.remove(section)
    }

    /// Adds the marks of a later revision to these: what was marked in either is marked.
    package mutating func formUnion(_ later: Marks) {
      reload(sections: later.reloadedSections.inOrder)
      reconfigure(sections: later.reconfiguredSections.inOrder)
      reload(items: later.reloadedItems.inOrder)
      reconfigure(items: later.reconfiguredItems.inOrder)
    }
  }
}

extension Snapshot {
  /// The items marked for a reload, in the order they were marked.
  public var reloadedItemIdentifiers: [ItemID] { marks.reloadedItems.inOrder }

  /// The items marked for a reconfigure, in the order they were marked.
  public var reconfiguredItemIdentifiers: [ItemID] { marks.reconfiguredItems.inOrder }

  /// The sections marked for a reload, in the order they were marked.
  public var reloadedSectionIdentifiers: [SectionID] { marks.reloadedSections.inOrder }

  /// The sections marked for a reconfigure, in the order they were marked.
  public var reconfiguredSectionIdentifiers: [SectionID] { marks.reconfiguredSections.inOrder }
}

/// Marked identifiers, in the order they were marked.
package struct OrderedMarks<ID: Hashable & Sendable>: Sendable {
  var marked = IdentifierSet<ID>()

  init() {}

  package var isEmpty: Bool { marked.isEmpty }

  package var count: Int { marked.count }

  /// The marked identifiers, the first marked first.
  ///
  /// - Complexity: O(m) for m marks.
  package var inOrder: [ID] { marked.inOrder }

  func contains(_ id: ID) -> Bool { !isEmpty && marked.contains(id) }

  mutating func insert(_ id: ID) { marked.insert(id) }

  mutating func remove(_ id: ID) {
    guard !isEmpty else { return }
    marked.remove(id)
  }
}
