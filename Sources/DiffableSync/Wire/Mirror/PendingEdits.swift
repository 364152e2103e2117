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
  /// The last proposals of changes that the state has already, and whose answers are missing.
  let questions: [Proposal<Batch>]

  /// The number of changes.
  public var count: Int { proposals.count }
}

extension PendingEdits: Codable where Batch.Delta: Codable {
  private enum CodingKeys: String, CodingKey {
    case state
    case proposals
    case questions
  }

  /// Reads what the type writes of itself; unknown fields are ignored.
  ///
  /// - Throws: `DecodingError` if the data is invalid.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    state = try container.decode(Batch.Delta.self, forKey: .state)
    proposals = try container.decode([Proposal<Batch>].self, forKey: .proposals)
    questions =
      try container.decodeIfPresent([Proposal<Batch>].self, forKey: .questions) ?? []
  }
}

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
      SourceOptions(), kernels: list.core.kernels, children: nil, handlers: list.core.live.handlers)
    let limits = list.limits
    guard (try? scratch.replace(by: Batch(state).delta, within: limits)) != nil else { return nil }
    var proposals: [Proposal<Batch>] = []
    for edit in overlay.pending {
      guard (try? scratch.begin(ifRevision: nil, isCancellable: false)) != nil else { break }
      guard let made = try? edit.make(on: &scratch.live), let commit = made.commit else {
        scratch.abandon(nil)
        continue
      }
      let batch = scratch.batch(
        of: commit, edit.presentation,
        at: HistoryPlace(revision: scratch.revision.next, digest: .none))
      proposals.append(
        Proposal(
          Batch(batch), basedOn: held, named: edit.name, id: edit.id,
          seen: edit.seen(made.contradictions), by: edit.rule))
      scratch.end(
        commit, edit.presentation, kind: .change(name: nil), duration: .zero)
    }
    return PendingEdits(state: Batch(state).delta, proposals: proposals, questions: questions)
  }

  /// Continues with the edits of a former life, except those that are pending already.
  ///
  /// A mirror that has no state yet takes over the one that was stored.
  ///
  /// - Throws: ``DeltaError`` if what was stored does not fit together. Nothing has changed then.
  func resume(_ stored: PendingEdits<Batch>) throws(DeltaError) {
    let limits = list.limits
    let scratch = Core(
      SourceOptions(), kernels: list.core.kernels, children: nil, handlers: list.core.live.handlers)
    _ = try scratch.replace(by: stored.state, within: limits)
    typealias Made = Replay<SectionID, ItemID>
    var edits: [(replay: Made, commit: Core.Live.Commit, proposal: Proposal<Batch>)] = []
    for proposal in stored.proposals {
      let base = scratch.snapshot
      let (theirs, given) = try proposal.delta.made(of: base, within: limits, scratch.kernels)
      let seen = try proposal.delta._seen.given(scratch.kernels)
      var made: Core.Live.Merged?
      do throws(DataSourceError) {
        try scratch.begin(ifRevision: nil, isCancellable: false)
      } catch {
        throw .finished
      }
      do throws(SnapshotError) {
        made = try scratch.live.merge(
          valid: theirs, given, basedOn: base, others: .init())
      } catch {
        scratch.abandon(nil)
        throw DeltaError(error)
      }
      scratch.end(
        made?.commit, .immediate, kind: .change(name: nil), duration: .zero)
      guard let commit = made?.commit else { continue }
      let replay = Made(
        from: base, to: commit.snapshot, commit.notes?.marks ?? .init(), seen: seen,
        by: proposal.rule)
      edits.append((replay, commit, proposal))
    }
    if list.held == nil { _ = try apply { () throws(DeltaError) in stored.state } }
    for question in stored.questions where !isUndecided(question.id) {
      let nothing = Made(from: list.snapshot, to: list.snapshot, .init())
      _ = restore(question, nothing, isShown: true)
    }
    var resumed: [(Shown.Pending, Core.Live.Commit, Snapshot<SectionID, ItemID>)] = []
    for (replay, commit, proposal) in edits where !isUndecided(proposal.id) {
      resumed.append((restore(proposal, replay, isShown: false), commit, replay.base))
    }
    overlay.rebase(.immediate)
    for (edit, commit, base) in resumed { remember(edit, commit, since: base) }
  }

  private func restore(
    _ proposal: Proposal<Batch>, _ replay: Replay<SectionID, ItemID>, isShown: Bool
  ) -> Shown.Pending {
    let edit = overlay.restore(
      replay, isShown: !isShown, named: proposal.name, proposal.presentation, as: proposal.id)
    take(over: edit, of: proposal, isShown: isShown)
    return edit
  }
}
