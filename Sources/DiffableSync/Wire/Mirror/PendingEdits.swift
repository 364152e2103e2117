import Diffable

/// The changes of a user that the owner of a list has not made yet, to be stored.
///
/// ``EditableMirror/pending`` returns them. Store them as JSON, and pass them to a mirror in the next life of
/// the app. They keep their names, so a change that had arrived although its answer was lost is not made
/// twice.
public struct PendingEdits<Batch: DeltaBatch>: Sendable {
  /// The state of the owner below the changes, as a reset.
  let state: Batch.Delta
  /// The changes, each as a proposal based on the state that those before it make.
  let proposals: [Proposal<Batch>]

  /// The number of changes.
  public var count: Int { proposals.count }
}

extension PendingEdits: Codable where Batch.Delta: Codable {}

extension EditedList {
  /// The pending edits with the state below them; `nil` before the first delta.
  ///
  /// Edits that make no sense at present are left out.
  ///
  /// - Complexity: O(n) for n items, and the cost of the edits.
  var stored: PendingEdits<Batch>? {
    guard let parts = list.held?.parts, let held = list.held else { return nil }
    let state = UpdateBatch(showingValid: list.snapshot, epoch: parts.epoch, at: parts.place)
    let scratch = Core(
      SourceOptions(), kernels: list.core.kernels, children: nil, merging: list.core.live.merging)
    let limits = list.limits
    guard (try? scratch.replace(by: Batch(state).delta, within: limits)) != nil else { return nil }
    var proposals: [Proposal<Batch>] = []
    for edit in overlay.pending {
      guard (try? scratch.begin(ifRevision: nil, isCancellable: false)) != nil else { break }
      guard let commit = try? edit.make(on: &scratch.live).commit else {
        scratch.abandon(nil)
        continue
      }
      let batch = scratch.batch(
        of: commit, edit.presentation,
        at: HistoryPlace(revision: scratch.revision.next, digest: .none))
      proposals.append(Proposal(Batch(batch), basedOn: held, named: edit.name, id: edit.id))
      scratch.end(
        commit, edit.presentation, kind: .change(name: nil), duration: .zero)
    }
    return PendingEdits(state: Batch(state).delta, proposals: proposals)
  }

  /// Continues with the edits of a former life, except those that are pending already.
  ///
  /// A mirror that has no state yet takes over the one that was stored.
  ///
  /// - Throws: ``DeltaError`` if what was stored does not fit together. Nothing has changed then.
  func resume(_ stored: PendingEdits<Batch>) throws(DeltaError) {
    let limits = list.limits
    let scratch = Core(
      SourceOptions(), kernels: list.core.kernels, children: nil, merging: list.core.live.merging)
    _ = try scratch.replace(by: stored.state, within: limits)
    var edits: [(commit: Core.Live.Commit, base: Snapshot<SectionID, ItemID>, Proposal<Batch>)] = []
    for proposal in stored.proposals {
      let base = scratch.snapshot
      let (theirs, given) = try proposal.delta.made(of: base, within: limits, scratch.kernels)
      var made: Core.Live.Merged?
      do throws(DataSourceError) {
        try scratch.begin(ifRevision: nil, isCancellable: false)
      } catch {
        throw .finished
      }
      do throws(SnapshotError) {
        made = try scratch.live.merge(
          valid: theirs, given, basedOn: base, renamedByOthers: ItemRenames())
      } catch {
        scratch.abandon(nil)
        throw DeltaError(error)
      }
      scratch.end(
        made?.commit, .immediate, kind: .change(name: nil), duration: .zero)
      if let commit = made?.commit { edits.append((commit, base, proposal)) }
    }
    if list.held == nil { _ = try apply { () throws(DeltaError) in stored.state } }
    for (commit, base, proposal) in edits where !isUndecided(proposal.id) {
      overlay.restore(
        commit, basedOn: base, named: proposal.name, proposal.presentation, as: proposal.id)
    }
    overlay.rebase(.immediate)
  }
}
