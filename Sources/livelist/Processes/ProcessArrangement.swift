import Diffable

typealias ProcessSnapshot = Snapshot<String, ProcessID>
typealias ProcessSource = DataSourceActor<String, ProcessID>
typealias ProcessBatch = UpdateBatch<String, ProcessID>

/// How processes stand in the list.
///
/// Each writer edits what it knows, and nothing else, so that no two of them undo each other:
/// ``list(_:in:)`` says who is there, ``rearrange(_:by:changed:)`` only moves and marks what is.
struct ProcessArrangement: Equatable, Sendable {
  /// What the sections of the list are.
  enum Grouping: String, CaseIterable, Sendable {
    /// The users, by name.
    case users
    /// One for all processes.
    case flat
    /// One for all processes, as a tree: each stands below the process that started it.
    case tree
  }

  /// A row that the user has put somewhere.
  struct Pin: Equatable, Sendable {
    let item: ProcessID
    /// What it stands behind; `nil` for the first of its siblings.
    let previous: ProcessID?
  }

  var order: ProcessOrder
  let grouping: Grouping
  /// The rows that the user has put somewhere, the one that was put there last at the end.
  private(set) var pins: [Pin] = []

  init(order: ProcessOrder, grouping: Grouping) {
    self.order = order
    self.grouping = grouping
  }

  /// The section of a list that has only one.
  static let everybody = "all users"

  /// Lists exactly the processes that the records know.
  func list(_ records: [ProcessID: ProcessRecord], in snapshot: inout ProcessSnapshot) throws {
    guard grouping != .tree else { return try setTree(of: records.keys, records, in: &snapshot) }
    let sections = Dictionary(grouping: records.keys) { id in
      grouping == .flat ? ProcessArrangement.everybody : records[id]?.listed.user ?? ""
    }
    var fresh = ProcessSnapshot()
    fresh.appendSections(sections.keys.sorted())
    for (section, items) in sections {
      try fresh.appendItems(sorted(items, by: records), toSection: section)
    }
    snapshot = fresh
  }

  /// Puts the rows there are in order, and marks those among them that look different.
  func rearrange(
    _ snapshot: inout ProcessSnapshot, by records: [ProcessID: ProcessRecord],
    changed: Set<ProcessID>
  ) throws {
    if let outline = snapshot.outline(ofSection: ProcessArrangement.everybody) {
      try setTree(of: outline.items, records, in: &snapshot)
    } else {
      for section in snapshot.sectionIdentifiers {
        let items = snapshot.itemIdentifiers(inSection: section)
        let arranged = sorted(items, by: records)
        if arranged != items { try snapshot.replaceItems(inSection: section, with: arranged) }
      }
    }
    try mark(changed, in: &snapshot)
  }

  /// Marks rows that look different; a folded row shows the sums of what it hides.
  func mark(_ changed: Set<ProcessID>, in snapshot: inout ProcessSnapshot) throws {
    let visible = changed.compactMap { [snapshot] in snapshot.visibleItem(for: $0) }
    let isMarked = Set(visible)
    try snapshot.reconfigureItems(snapshot.itemIdentifiers.filter(isMarked.contains))
  }

  /// Keeps a row behind another of its siblings, or as the first of them.
  mutating func pin(_ item: ProcessID, behind previous: ProcessID?) {
    pins.removeAll { $0.item == item }
    pins.append(Pin(item: item, previous: previous))
  }

  /// Siblings in their order.
  func sorted(
    _ items: some Sequence<ProcessID>, by records: [ProcessID: ProcessRecord]
  ) -> [ProcessID] {
    func rank(_ id: ProcessID) -> Int {
      switch order {
      case .cpu: records[id]?.permille ?? 0
      case .memory: records[id]?.memory ?? 0
      case .pid: 0
      }
    }
    // The largest first; equals by number, so that rows without news keep still.
    let sorted = items.map { (rank: rank($0), id: $0) }
      .sorted { left, right in
        (right.rank, left.id.number, left.id.start) < (left.rank, right.id.number, right.id.start)
      }
      .map(\.id)
    return pins.isEmpty ? sorted : pinned(sorted)
  }

  /// Siblings with those among them that the user has put somewhere in their places.
  ///
  /// One whose neighbour is not there stands where its figures put it.
  private func pinned(_ sorted: [ProcessID]) -> [ProcessID] {
    let siblings = Set(sorted)
    let pins = pins.filter { pin in
      siblings.contains(pin.item) && pin.previous.map(siblings.contains) ?? true
    }
    return place(pins, in: sorted)
  }

  /// Puts siblings that the user has put somewhere in their places, each when its neighbour is in its
  /// own.
  ///
  /// Where neighbours go round in a circle, the oldest pin gives way.
  private func place(_ pins: [Pin], in sorted: [ProcessID]) -> [ProcessID] {
    let isPinned = Set(pins.map(\.item))
    var result = sorted.filter { !isPinned.contains($0) }
    var waiting = pins
    while let index = waiting.firstIndex(where: { $0.previous.map(result.contains) ?? true }) {
      let pin = waiting.remove(at: index)
      let place = pin.previous.flatMap(result.firstIndex).map { $0 + 1 } ?? 0
      result.insert(pin.item, at: place)
    }
    guard let oldest = waiting.first else { return result }
    return place(pins.filter { $0 != oldest }, in: sorted)
  }
}
