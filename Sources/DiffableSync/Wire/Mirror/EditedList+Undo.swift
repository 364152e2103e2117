import Diffable

extension EditedList {
  typealias Step = EditedStep<SectionID, ItemID>

  /// Shows an edit, and remembers it for undo if it has a name.
  ///
  /// Also one that changes nothing now: it waits, and may change something later. If it has made nothing when
  /// it is decided on, it is forgotten.
  ///
  /// - Throws: What the edit throws, and `DataSourceError`. Nothing has changed then.
  func add(
    _ edit: @escaping Shown.Edit, named name: String?, _ presentation: Presentation,
    as id: WriteID = WriteID()
  ) throws -> Shown.Added {
    let added = try overlay.add(edit, named: name, presentation, as: id)
    if let step = step(of: added) {
      if added.layer.commit != nil { steps.removeAll(.redo) }
      steps.push([step], to: .undo)
    }
    return added
  }

  /// What takes an edit back, if it has a name.
  private func step(of added: Shown.Added, takingBack taken: Step? = nil) -> Step? {
    added.edit.name.map {
      Step(
        named: $0, added.edit.id,
        Replay(from: added.layer.below, to: added.layer.above, added.layer.marks),
        takingBack: taken, shownBy: overlay.core)
    }
  }

  /// Lets undo or redo take back an edit of a former life, as in that.
  ///
  /// - Parameters:
  ///   - change: What it has changed.
  ///   - others: What was renamed and placed since.
  func remember(
    _ edit: Shown.Pending, _ change: Step.Change, after others: Core.RowNotes,
    _ direction: UndoDirection?
  ) {
    guard let name = edit.name, let direction else { return }
    let step = Step(named: name, edit.id, change, after: others, shownBy: overlay.core)
    steps.push([step], to: direction)
  }

  /// What takes back an edit of a former life that has not stored it; nothing takes back any more what the
  /// edit itself takes back.
  func inferredDirection(of edit: Shown.Pending) -> UndoDirection {
    guard let taken = edit.reverses else { return .undo }
    let isRedo = steps.direction(of: taken) == .redo
    steps.remove(taken)
    return isRedo ? .undo : .redo
  }

  // MARK: Taking back

  /// Takes back the newest edits of the user that belong together, or the newest undo.
  ///
  /// An edit that was not sent yet is withdrawn. Of any other the reverse is proposed.
  ///
  /// - Returns: The change that is shown; `nil` if there is nothing to take back.
  func reverse(
    _ direction: UndoDirection, _ presentation: Presentation
  ) throws(DataSourceError) -> Transaction<SectionID, ItemID>? {
    guard let name = steps.next(direction)?.name else { return nil }
    return try overlay.transaction(named: name) {
      var left = steps.pop(direction)
      var reversed: [Step] = []
      var contradictions = Contradictions<SectionID, ItemID>()
      defer {
        steps.push(left, to: direction)
        steps.push(reversed, to: direction == .undo ? .redo : .undo)
      }
      while let step = left.last {
        let reverse = try self.reverse(step, presentation)
        contradictions.formUnion(reverse.contradictions)
        left.removeLast()
        reversed += reverse.step.map { [$0] } ?? []
      }
      return contradictions
    }
  }

  /// Takes back one edit.
  ///
  /// - Returns: What takes back that.
  private func reverse(
    _ step: Step, _ presentation: Presentation
  ) throws -> (step: Step?, contradictions: Contradictions<SectionID, ItemID>) {
    let (change, core) = (step.change, overlay.core)
    let edit = undecided.first { $0.id == step.id }
    // Rows that it has deleted were not shown when others renamed them.
    let hidden = edit?.others.renames.inOrder.filter {
      change.base.containsItem($0.old) && !change.result.containsItem($0.old)
    }
    if let id = step.id, withdraw(id, presentation) {
      // An undo that nobody has made: what it took back is there again.
      if let taken = step.takenBack {
        return (taken.hasMadeNothing ? nil : taken, Contradictions())
      }
      // From the names before the change to those that the list has without it.
      var earlier = Core.RowNotes()
      earlier.rename(change.result.marks.renames.inOrder)
      earlier.rename(core.renames(since: step.revision).inOrder)
      let known = earlier.renames
      earlier.rename((hidden ?? []).filter { known.newName(of: $0.old) == nil })
      if let edit { earlier.placed.formUnion(edit.others.placed) }
      let reverse = Step(named: step.name, nil, change.inverse, after: earlier, shownBy: core)
      return (reverse, Contradictions())
    }
    let shown = core.snapshot
    // The owner may have made it of a newer state than the one in which it was shown first.
    var others =
      laterNotes(of: step)
      .replacingRenames { $0.from(stateWhere: change.result.containsItem) }
      .replacingRenames { $0.to(stateWhere: shown.containsItem) }
    others.rename(hidden ?? [])
    let added = try overlay.add(
      change.inverse, others: others, reversing: step.id, named: step.name, presentation)
    // The owner need not be asked for what is not there any more.
    guard added.layer.commit != nil else {
      overlay.remove(added.edit.id)
      return (nil, added.contradictions)
    }
    return (self.step(of: added, takingBack: step), added.contradictions)
  }

  /// What was renamed and placed since an edit was made.
  func laterNotes(of step: Step) -> Core.RowNotes {
    var notes = step.earlier
    notes.formUnion(overlay.core.rowNotes(since: step.revision))
    return notes
  }

  // MARK: Learning

  /// Lets undo take back what an edit has changed where it was made, also an undo that waits already.
  ///
  /// - Returns: Whether other edits are to be shown than before.
  func learn(_ edit: Shown.Pending, _ outcome: ProposedWrite<Batch>.Outcome) -> Bool {
    let waiting = overlay.pending.first { $0.reverses == edit.id }
    guard edit.name != nil || waiting != nil else { return false }
    func follow(_ change: Step.Change) -> Bool {
      steps.follow(edit.id, change)
      waiting?.replace(change.inverse)
      return waiting != nil
    }
    switch outcome {
    case .withdrawn: return false
    case .refused, .failed: break
    case .accepted(let acceptance):
      guard let known = proposed[edit.id] else { break }
      switch made(acceptance, known) {
      case .unknown:
        guard let former = known.former(madeIn: acceptance.token) else { return false }
        return follow(former)
      case .nothing: break
      case .change(let change): return follow(change)
      }
    }
    steps.remove(edit.id)
    waiting?.replace(Replay(from: edit.made.base, to: edit.made.base, .init()))
    return waiting != nil
  }

  private enum Made {
    case change(Step.Change)
    case nothing
    /// The owner does not say it, or something that does not fit.
    case unknown
  }

  /// What the owner has made of an edit.
  private func made(
    _ acceptance: ProposalAcceptance<Batch>, _ known: Proposed
  ) -> Made {
    if let reverse = acceptance.reverse, reverse.update.frame.difference.isEmpty,
      reverse._content.count == 0
    {
      return .nothing
    }
    guard let after = state(of: acceptance, known),
      let before = try? acceptance.reverse.map({
        try list.core.state(after: $0, from: after, within: list.limits)
      }) ?? base(of: acceptance, known)
    else { return .unknown }
    guard !after.isSameState(as: before) else { return .nothing }
    var marks = known.marks
    if let update = acceptance.reverse?.update ?? acceptance.delta?.update {
      marks.forgetRenames()
      marks.rename(update.renamedItems)
      if acceptance.reverse != nil { marks = marks.replacingRenames(\.inverse) }
      marks.placed.formUnion(update.placed)
    }
    return .change(Replay(from: before, to: after, marks))
  }

  /// The base of an accepted edit, if that is the state just before the edit.
  ///
  /// Otherwise the owner no longer knows what it had before, and the base lacks what others have changed.
  private func base(
    of acceptance: ProposalAcceptance<Batch>, _ known: Proposed
  ) -> Snapshot<SectionID, ItemID>? {
    guard let base = known.state, let before = base.token.parts,
      let after = acceptance.token.parts, before.epoch == after.epoch,
      before.place.revision.next == after.place.revision
    else { return nil }
    return base.snapshot
  }

  /// The state that has an accepted edit first, if it is known here.
  private func state(
    of acceptance: ProposalAcceptance<Batch>, _ known: Proposed
  ) -> Snapshot<SectionID, ItemID>? {
    if let delta = acceptance.delta, let base = known.state, delta.base == base.token,
      delta.target == acceptance.token,
      let state = try? list.core.state(after: delta, from: base.snapshot, within: list.limits)
    {
      return state
    }
    return known.shown.flatMap { $0.token == acceptance.token ? $0.snapshot : nil }
  }
}

extension Replay {
  /// What takes it back.
  fileprivate var inverse: Replay {
    var after = result
    after.marks = .init()
    return Replay(from: after, to: base, result.marks.inverse, by: .undo)
  }
}
