import Diffable
import DiffableTerminal

extension ProcessTable.Contents {
  /// What a search finds in a state: the processes that match, in a tree with those above them.
  func found(in snapshot: ProcessSnapshot, by query: SearchQuery) -> ProcessSnapshot {
    func matches(_ id: ProcessID) -> Bool {
      guard let process = records[id]?.listed else { return false }
      return query.matches("\(process.id.number) \(process.user) \(process.command)")
    }
    var found = snapshot
    for section in snapshot.sectionIdentifiers {
      guard let outline = snapshot.outline(ofSection: section) else {
        found.deleteItems(snapshot.items(inSection: section).filter { !matches($0) })
        if found.items(inSection: section).isEmpty { found.deleteSections([section]) }
        continue
      }
      var kept: Set<ProcessID> = []
      for item in outline.items where matches(item) {
        var next: ProcessID? = item
        while let item = next, kept.insert(item).inserted { next = outline.parent(of: item) }
      }
      found.deleteItems(outline.items.filter { !kept.contains($0) })
      found.expandItems(kept)
    }
    return found
  }
}
