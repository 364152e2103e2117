import Diffable

/// The formats of the parts of an output line.
extension JSONText {
  mutating func path(_ path: ItemPath) {
    array([path.section, path.item]) { $0.number($1) }
  }

  mutating func strings(_ values: some Sequence<String>) {
    array(values) { $0.string($1) }
  }

  /// Writes `{"sections":[{"id":"s","items":["a","b"]}]}`.
  mutating func snapshot(_ snapshot: Snapshot<String, String>) {
    object { members in
      members.key("sections") { text in
        text.array(snapshot.sectionIdentifiers) { text, section in
          text.object { members in
            members.key("id") { $0.string(section) }
            members.key("items") { $0.strings(snapshot.items(inSection: section)) }
          }
        }
      }
    }
  }
}

extension JSONObject {
  /// Writes all kinds of change, including empty ones, in the order that `--help` shows.
  mutating func changes(_ difference: SnapshotDifference) {
    func indices(_ set: RangeSet<Int>) -> (inout JSONText) -> Void {
      { text in text.array(set.ranges.joined()) { $0.number($1) } }
    }
    func paths(_ set: ItemPathSet) -> (inout JSONText) -> Void {
      { text in text.array(set) { $0.path($1) } }
    }
    key("sectionDeletes", indices(difference.sectionDeletes))
    key("sectionInserts", indices(difference.sectionInserts))
    key("sectionMoves") { text in
      text.array(difference.sectionMoves) { text, move in
        text.array([move.from, move.to]) { $0.number($1) }
      }
    }
    key("sectionReloads", indices(difference.sectionReloads))
    key("itemDeletes", paths(difference.itemDeletes))
    key("itemInserts", paths(difference.itemInserts))
    key("itemMoves") { text in
      text.array(difference.itemMoves) { text, move in
        text.array([move.from, move.to]) { $0.path($1) }
      }
    }
    key("itemReloads", paths(difference.itemReloads))
    key("itemReconfigures", paths(difference.itemReconfigures))
  }
}
