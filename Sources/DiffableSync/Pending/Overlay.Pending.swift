import Diffable
internal import Synchronization

extension Overlay {
  /// What an edit does to a newer state.
  enum Work {
    /// It runs again.
    case edit(Edit)
    /// What it has made of a state is made again.
    case replay(Replay<SectionID, ItemID>)
  }

  /// What an edit has made of a state.
  struct Layer {
    let below: Snapshot<SectionID, ItemID>
    /// `nil` if the edit has failed, or has changed nothing.
    let commit: Core.Live.Commit?

    var above: Snapshot<SectionID, ItemID> { commit?.snapshot ?? below }
    var marks: Snapshot<SectionID, ItemID>.Marks { commit?.notes?.marks ?? .init() }

    /// The state above, with the marks.
    var marked: Snapshot<SectionID, ItemID> {
      var above = above.detached
      above.marks = marks
      return above
    }
  }

  /// An edit that is shown but not confirmed.
  final class Pending {
    let number: UInt64
    /// Its name outside the process.
    let id: WriteID
    let name: String?
    let presentation: Presentation
    let work: Work
    /// The state that the edit was made on: it uses the names of this state.
    let base: Snapshot<SectionID, ItemID>
    /// That state with the edit.
    let made: Snapshot<SectionID, ItemID>
    /// The contradictions that its writer was told of when it was shown.
    let told: [MergeConflict<SectionID, ItemID>]
    /// The edit that it takes back, if it is an undo of one that others decide on.
    let reverses: WriteID?
    /// Whether others may have been asked to make it.
    let mayHaveBeenSent: Bool
    /// What others have renamed and placed since.
    let others = LaterRowNotes<SectionID, ItemID>()
    /// What it has done when it ran last; `nil` if it must run again in any case.
    private(set) var layer: Layer?
    let promise: Promise<Outcome>

    init(
      _ number: UInt64, _ id: WriteID, named name: String?, _ presentation: Presentation,
      _ work: Work, on base: Snapshot<SectionID, ItemID>, made: Snapshot<SectionID, ItemID>,
      told: [MergeConflict<SectionID, ItemID>] = [], layer: Layer? = nil,
      reversing edit: WriteID? = nil, mayHaveBeenSent: Bool = false, _ promise: Promise<Outcome>
    ) {
      (self.number, self.id, self.name, self.presentation) = (number, id, name, presentation)
      (self.work, self.base, self.made, self.told) = (work, base, made, told)
      (self.layer, reverses, self.mayHaveBeenSent) = (layer, edit, mayHaveBeenSent)
      self.promise = promise
    }

    /// The same edit, which makes something again.
    func replaying(
      _ replay: Replay<SectionID, ItemID>, mayHaveBeenSent: Bool
    ) -> Pending {
      Pending(
        number, id, named: name, presentation, .replay(replay), on: replay.base,
        made: replay.result, told: told, reversing: reverses, mayHaveBeenSent: mayHaveBeenSent,
        promise)
    }

    /// Records what the edit has done.
    func remember(_ layer: Layer?) {
      var layer = layer
      // What is released may be the last of its kind: no access is under way when it goes.
      swap(&self.layer, &layer)
      withExtendedLifetime(layer) {}
    }
  }
}

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
        return try live.make(replay, others: others, bringingBack: self.others.all.renames)
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
