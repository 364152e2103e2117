import Diffable

/// What a mirror finds out itself of a change that it proposes, perhaps several times.
///
/// If an answer is lost, and the list begins again from scratch, nothing says that it has the change. So that is
/// proposed once more, on a state in which the owner has made it already. Only the answer tells.
extension EditedList {
  /// What the writer of an edit is told besides what the owner finds.
  ///
  /// - Parameters:
  ///   - found: What the owner does not find of a new proposal.
  ///   - base: The state that this is made on.
  func known(
    of edit: Shown.Pending, adding found: Contradictions<SectionID, ItemID>, at base: ResumeToken
  ) -> ProposalAcceptance<Batch> {
    let own = ProposalAcceptance<Batch>(token: base, found)
    return proposed[edit.id].map { own.adding($0.known, except: []) } ?? own
  }

  /// The states in which contradictions of an edit were found first.
  ///
  /// - Parameters:
  ///   - base: The state in which they were found that are new.
  ///   - notes: What a former life has known of the edit.
  func origins(
    of conflicts: [MergeConflict<SectionID, ItemID>], of edit: Shown.Pending, at base: ResumeToken,
    noting notes: EditNotes<Batch>? = nil
  ) -> Origins {
    var origins = proposed[edit.id]?.origins ?? Origins()
    for (conflict, origin) in zip(notes?.conflicts ?? [], notes?.origins ?? []) {
      origins[conflict] = origin
    }
    for conflict in conflicts where origins[conflict] == nil { origins[conflict] = base }
    return origins
  }

  /// What is known of an edit besides what the owner finds, without what others have changed after it.
  ///
  /// - Parameter token: The state that has the edit first.
  func known(
    of edit: Shown.Pending, before token: ResumeToken
  ) -> ProposalAcceptance<Batch>? {
    guard let proposed = proposed[edit.id] else { return nil }
    return proposed.known.adding(
      nil,
      except: proposed.known.conflicts.filter {
        proposed.origins[$0]?.isAtOrAfter(token) ?? false
      })
  }
}

extension EditedList.Proposed {
  /// What the edit has changed, if the owner has made it of the first proposal, before the base of the last one.
  ///
  /// - Parameter token: The state that has the edit first.
  func former(madeIn token: ResumeToken) -> EditedList.Step.Change? {
    guard let first, proposal.base.isAtOrAfter(token), !first.base.isAtOrAfter(token) else {
      return nil
    }
    return first.change
  }
}

extension ResumeToken {
  /// Whether it names the same state as another one, or a later one of that list.
  fileprivate func isAtOrAfter(_ other: ResumeToken) -> Bool {
    guard let own = parts, let other = other.parts, own.epoch == other.epoch else { return false }
    return own.place.revision >= other.place.revision
  }
}
