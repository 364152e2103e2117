internal import Synchronization

/// Where each section of a snapshot is: by identifier, and by the key that the item table uses.
///
/// Most lists have few sections. As long as all fit in one leaf, that leaf is searched, and there
/// are no tables.
///
/// Each of many states that are held at a time would have its own copy of what an edit changes in
/// the tables. So a state that hardly anybody asks makes them on demand, see ``postpone()``.
///
/// Invariant: there are tables if and only if the order of sections has more than one leaf and they
/// are not postponed.
package struct SectionTable: Sendable {
  fileprivate struct Tables: Sendable {
    var byIdentifier: IdentityTable
    var byKey: IdentityTable

    init(capacity: Int) {
      byIdentifier = IdentityTable(capacity: capacity)
      byKey = byIdentifier
    }
  }

  private var tables: CopyOnWrite<Tables>?
  /// Makes the tables of exactly this order, if they are postponed.
  private var postponed: PostponedTables?
  /// Entries of sections that met another one of the same hash when they were added, as in
  /// ``ItemTable``.
  package private(set) var possibleDuplicates: [IdentityTable.Entry] = []
  private var nextKey: UInt32 = 0
  /// Whether all numbers have been used for keys once.
  private var hasTurnedOver = false

  init() {}

  /// Creates an empty table whose keys differ from those of another table.
  init(continuing other: SectionTable) {
    (nextKey, hasTurnedOver) = (other.nextKey, other.hasTurnedOver)
  }

  /// The number of sections in the tables; `nil` if there are none.
  package var count: Int? { tables?.value.byIdentifier.count }

  /// Whether the tables are made when they are first needed.
  package var isPostponed: Bool { postponed != nil }

  /// Releases the tables: they are made when they are first needed, which costs O(s) for s sections.
  mutating func postpone() {
    (tables, postponed) = (nil, PostponedTables())
  }

  private func tables(
    of order: OrderTree, _ bodies: SectionBody.Place
  ) -> CopyOnWrite<Tables>? {
    guard let postponed else { return tables }
    guard case .inner? = order.root else { return nil }
    return postponed.tables {
      var table = SectionTable()
      table.follow(LeafDelta(), to: order, bodies)
      return table.tables
    }
  }

  /// A key that no section of an order has.
  ///
  /// - Complexity: O(1); when all numbers have been used once, the cost of looking it up.
  mutating func makeKey(_ order: OrderTree, _ bodies: SectionBody.Place) -> SectionKey {
    while true {
      nextKey &+= 1
      if nextKey == 0 { hasTurnedOver = true }
      let key = SectionKey(rawValue: nextKey)
      guard hasTurnedOver, index(of: key, in: order, bodies) != nil else { return key }
    }
  }

  /// The index of the section that has a key.
  ///
  /// - Complexity: O(log s) for s sections.
  func index(of key: SectionKey, in order: OrderTree, _ bodies: SectionBody.Place) -> Int? {
    func index(_ place: OrderTree.LeafPlace) -> Int? {
      let span = place.leaf.span
      return withExtendedLifetime(place.leaf) {
        (0..<span.count).first { bodies.withBody(ofRecordAt: span.first, $0) { $0.key == key } }
          .map { place.base + $0 }
      }
    }
    guard let tables = tables(of: order, bodies) else {
      return order.leaf(atPosition: 0).flatMap(index)
    }
    var found: Int?
    tables.value.byKey.forEachEntry(hash: key.tableHash) { entry in
      found = order.leaf(labelled: entry.label).flatMap(index)
      return found == nil
    }
    return found
  }

  /// The first index of a section, given by its identifier and its hash.
  ///
  /// - Complexity: O(log s) for s sections, given a good hash.
  func firstIndex(
    of id: UnsafeRawPointer, hash: UInt32, in order: OrderTree, _ bodies: SectionBody.Place
  ) -> Int? {
    guard let tables = tables(of: order, bodies) else {
      return order.leaf(atPosition: 0)?.leaf.offset(of: id, hash: hash)
    }
    return order.firstPosition(of: id, hash: hash, in: tables.value.byIdentifier)
  }

  /// The indices of a section, ascending; more than one only in a snapshot that is not valid.
  package func indices(
    of id: UnsafeRawPointer, hash: UInt32, in order: OrderTree, _ bodies: SectionBody.Place
  ) -> [Int] {
    guard let tables = tables(of: order, bodies) else {
      var found: [Int] = []
      order.leaf(atPosition: 0)?.appendPositions(of: id, hash: hash, to: &found)
      return found
    }
    return order.positions(of: id, hash: hash, in: tables.value.byIdentifier)
  }

  /// Follows an edit of the order of sections; postponed tables stay so, unless they were needed.
  ///
  /// - Parameters:
  ///   - delta: What the edit changed.
  ///   - order: The order after the edit.
  ///   - bodies: Where the records of the order store their bodies.
  /// - Complexity: Expected O(k) for k sections in leaves that changed; O(s) for s sections when
  ///   they no longer fit in one leaf.
  mutating func follow(
    _ delta: LeafDelta, to order: OrderTree, _ bodies: SectionBody.Place
  ) {
    if let postponed {
      // A state that is asked and edited in turns keeps its tables up to date.
      tables = postponed.made
      self.postponed = tables == nil ? PostponedTables() : nil
      guard self.postponed == nil else { return }
    }
    guard case .inner? = order.root else {
      tables = nil
      return notePossibleDuplicates(in: order.leaf(atPosition: 0)?.leaf, bodies)
    }
    var changes = IdentityChanges()
    if tables == nil { possibleDuplicates = [] }
    let delta = tables == nil ? LeafDelta(added: order.leaves) : delta
    changes.append(delta) { bodies.withBody(ofRecordAt: $0) { $0.key } }
    var tables = tables ?? CopyOnWrite(Tables(capacity: order.count))
    // The tables must have a single holder, so that they are edited in place.
    self.tables = nil
    tables.value.byIdentifier.remove(changes.removed)
    tables.value.byKey.remove(changes.removed.map(\.keyed))
    tables.value.byIdentifier.insert(changes.inserted) { possibleDuplicates.append($0) }
    tables.value.byKey.insert(changes.inserted.map(\.keyed)) { _ in }
    self.tables = tables
  }

  /// Notes the sections of the only leaf that are after another one of their hash.
  private mutating func notePossibleDuplicates(in leaf: Leaf?, _ bodies: SectionBody.Place) {
    forgetPossibleDuplicates()
    guard let leaf else { return }
    let span = leaf.span
    withExtendedLifetime(leaf) {
      for index in 1..<max(1, span.count)
      where span.hashBuffer[..<index].contains(span.hashes[index]) {
        possibleDuplicates.append(
          .init(
            hash: span.hashes[index],
            section: bodies.withBody(ofRecordAt: span.first, index) { $0.key }, label: leaf.label))
      }
    }
  }

  package mutating func forgetPossibleDuplicates() {
    if !possibleDuplicates.isEmpty { possibleDuplicates = [] }
  }
}

/// Tables of sections that are made when they are first needed.
private final class PostponedTables: Sendable {
  private let cache = AtomicLazyReference<Box>()

  private final class Box: Sendable {
    let tables: CopyOnWrite<SectionTable.Tables>
    init(_ tables: CopyOnWrite<SectionTable.Tables>) { self.tables = tables }
  }

  var made: CopyOnWrite<SectionTable.Tables>? { cache.load()?.tables }

  func tables(
    _ make: () -> CopyOnWrite<SectionTable.Tables>?
  ) -> CopyOnWrite<SectionTable.Tables>? {
    if let made { return made }
    return make().map { cache.storeIfNil(Box($0)).tables }
  }
}

extension IdentityTable.Entry {
  /// The same section, filed under its key.
  fileprivate var keyed: IdentityTable.Entry {
    IdentityTable.Entry(hash: section.tableHash, section: section, label: label)
  }
}

/// An order of records: finding items.
extension OrderTree {
  /// The paths of the items that equal a given one, ascending, in an order of records.
  ///
  /// Entries of the same leaf are processed once, so an item costs as many comparisons as there are
  /// items of its hash.
  ///
  /// - Parameter forEachEntry: Calls a function with the entries of the hash, until it returns
  ///   `false`.
  package func paths(
    ofItem item: UnsafeRawPointer, hash: UInt32, _ sections: SectionTable,
    _ bodies: SectionBody.Place,
    forEachEntry: ((IdentityTable.Entry) -> Bool) -> Void
  ) -> [ItemPath] {
    var found: [ItemPath] = []
    var previous: IdentityTable.Entry?
    var seen: Set<IdentityTable.Entry> = []
    forEachEntry { entry in
      if let previous {
        if entry == previous { return true }
        if seen.isEmpty { seen.insert(previous) }
        if !seen.insert(entry).inserted { return true }
      }
      previous = entry
      guard let section = sections.index(of: entry.section, in: self, bodies),
        let tree = withElement(at: section, { bodies.withBody(ofRecordAt: $0) { $0.tree } }),
        let place = tree.leaf(labelled: entry.label)
      else { return true }
      var positions: [Int] = []
      place.appendPositions(of: item, hash: hash, to: &positions)
      found += positions.map { ItemPath(section: section, item: $0) }
      return true
    }
    return found.sortedIfNeeded { $0 }
  }
}
