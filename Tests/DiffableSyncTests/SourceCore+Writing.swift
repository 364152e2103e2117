import DiffableTesting

@testable import Diffable
@testable import DiffableSync

extension SourceCore {
  /// Begins with items in one section.
  func begin(with items: [ItemID], in section: SectionID) throws {
    try begin(with: Snapshot(sections: [section], items: [items]))
  }

  /// Lets somebody change the list.
  func write(_ edit: (inout Snapshot<SectionID, ItemID>) throws -> Void) throws {
    try begin(ifRevision: nil)
    try transact(.animated) {
      try live.update(duplicates: .reject) { state, _ in try edit(&state) }
    }
  }

  /// All that there is, for a mirror that has nothing or something else.
  var whole: UpdateDelta<SectionID, ItemID> {
    UpdateDelta(UpdateBatch(showingValid: snapshot, epoch: hub.epoch, at: place))
  }
}
