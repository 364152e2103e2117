import Diffable
internal import Synchronization

extension Overlay.Pending {
  /// What counts of a model that others have changed too.
  var rule: MergeRule {
    if case .replay(let replay) = work { replay.rule } else { .change }
  }

  /// The versions that the writer has seen of models which others have changed since.
  ///
  /// - Parameter found: What the edit contradicts in a newer state.
  func seen(
    _ found: Contradictions<Batch.SectionID, Batch.ItemID>
  ) -> GivenContent<Batch.SectionID, Batch.ItemID> {
    guard rule == .change else { return GivenContent() }
    guard case .replay(let replay) = work else { return found.base }
    return found.base.adding(replay.seen)
  }

  /// Makes the edit on a newer state.
  func make(on live: inout Overlay.Core.Live) throws -> Overlay.Core.Live.Merged {
    let notes = others.all.replacingRenames { $0.from(stateWhere: base.containsItem) }
    switch work {
    case .edit(let edit):
      return try live.repeatEdit(edit, basedOn: base, made, others: notes)
    case .replay(let replay):
      let others = notes.replacingRenames { $0.to(stateWhere: live.snapshot.containsItem) }
      do throws(SnapshotError) {
        return try live.make(replay, others: others)
      } catch {
        throw DataSourceError.invalidSnapshot(error)
      }
    }
  }
}

/// What others have renamed and placed since an edit was made, for the source and for the edit when it is
/// offered.
final class LaterRowNotes<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  private let state = Lock(Snapshot<SectionID, ItemID>.Marks())

  var all: Snapshot<SectionID, ItemID>.Marks { state.withLock { $0 } }

  /// Only the actor of the source adds notes.
  func add(_ later: Snapshot<SectionID, ItemID>.Marks) {
    // Nothing is compared or released under the lock.
    var notes = all
    notes.formUnion(later)
    let former = state.withLock { [notes] state in
      defer { state = notes }
      return state
    }
    withExtendedLifetime(former) {}
  }
}
