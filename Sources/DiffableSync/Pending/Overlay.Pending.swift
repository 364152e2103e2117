import Diffable
internal import Synchronization

extension Overlay.Pending {
  /// What counts of a model that others have changed too.
  var rule: ModelRule {
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
    let others = renames.all.from(stateWhere: base.containsItem)
    switch work {
    case .edit(let edit):
      return try live.repeatEdit(edit, basedOn: base, made, renamedByOthers: others)
    case .replay(let replay):
      let renames = others.to(stateWhere: live.snapshot.containsItem)
      do throws(SnapshotError) {
        return try live.make(replay, renamedByOthers: renames)
      } catch {
        throw DataSourceError.invalidSnapshot(error)
      }
    }
  }
}

/// What others have renamed since an edit was made, for the source and for the edit when it is offered.
final class LaterRenames<ItemID: Hashable & Sendable>: Sendable {
  private let state = Lock(ItemRenames<ItemID>())

  var all: ItemRenames<ItemID> { state.withLock { $0 } }

  /// Only the actor of the source adds renames.
  func add(_ later: ItemRenames<ItemID>) {
    // Nothing is compared or released under the lock.
    var renames = all
    renames.formUnion(later.inOrder)
    let former = state.withLock { [renames] state in
      defer { state = renames }
      return state
    }
    withExtendedLifetime(former) {}
  }
}
