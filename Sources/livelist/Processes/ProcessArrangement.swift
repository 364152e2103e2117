import Diffable

typealias ProcessSnapshot = Snapshot<String, ProcessID>
typealias ProcessSource = DataSourceActor<String, ProcessID>
typealias ProcessBatch = UpdateBatch<String, ProcessID>

/// How processes stand in the list: sections by user, by name; rows inside a section as asked for.
///
/// Each writer edits what it knows, and nothing else, so that no two of them undo each other:
/// ``list(_:in:)`` says who is there, ``rearrange(_:by:changed:)`` only moves and marks what is.
struct ProcessArrangement: Sendable {
  let order: ProcessOrder
  let isFlat: Bool

  /// The section of the flat list.
  static let everybody = "all users"

  /// Lists exactly the processes that the records know.
  func list(_ records: [ProcessID: ProcessRecord], in snapshot: inout ProcessSnapshot) throws {
    let sections = Dictionary(grouping: records.keys) { id in
      isFlat ? ProcessArrangement.everybody : records[id]?.listed.user ?? ""
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
    for section in snapshot.sectionIdentifiers {
      let items = snapshot.itemIdentifiers(inSection: section)
      let arranged = sorted(items, by: records)
      if arranged != items { try snapshot.replaceItems(inSection: section, with: arranged) }
    }
    try snapshot.reconfigureItems(snapshot.itemIdentifiers.filter(changed.contains))
  }

  private func sorted(
    _ items: [ProcessID], by records: [ProcessID: ProcessRecord]
  ) -> [ProcessID] {
    func rank(_ id: ProcessID) -> Int {
      switch order {
      case .cpu: records[id]?.permille ?? 0
      case .memory: records[id]?.memory ?? 0
      case .pid: 0
      }
    }
    // The largest first; equals by number, so that rows without news keep still.
    return items.map { (rank: rank($0), id: $0) }
      .sorted { left, right in
        (right.rank, left.id.number, left.id.start) < (left.rank, right.id.number, right.id.start)
      }
      .map(\.id)
  }
}
