import Diffable

extension Overlay {
  /// What an edit has made of a state.
  struct Layer {
    let below: Snapshot<SectionID, ItemID>
    /// `nil` if the edit has failed, or has changed nothing.
    let commit: Core.Live.Commit?

    var above: Snapshot<SectionID, ItemID> { commit?.snapshot ?? below }
    var marks: Snapshot<SectionID, ItemID>.Marks { commit?.notes?.marks ?? .init() }
  }

  /// An edit that is shown but not confirmed.
  final class Pending {
    /// Its name, also outside the process.
    let id: WriteID
    let name: String?
    let presentation: Presentation
    /// What runs again on a newer state; `nil` if what it has made is made again.
    private(set) var edit: Edit?
    /// What it has made of the state that it was made on, whose names it uses.
    private(set) var made: Replay<SectionID, ItemID>
    /// The contradictions that its writer was told of when it was shown.
    let told: [MergeConflict<SectionID, ItemID>]
    /// The edit that it takes back, if it is an undo of one that others decide on.
    let reverses: WriteID?
    /// Whether others may have been asked to make it.
    private(set) var mayHaveBeenSent: Bool
    /// What others have renamed and placed since it was made.
    private(set) var others: Core.RowNotes
    /// What it has done when it ran last; `nil` if it must run again in any case.
    private(set) var layer: Layer?
    let promise: Promise<Outcome>

    init(
      _ id: WriteID, named name: String?, _ presentation: Presentation, repeating edit: Edit? = nil,
      _ made: Replay<SectionID, ItemID>, others: Core.RowNotes = .init(),
      told: [MergeConflict<SectionID, ItemID>] = [], layer: Layer? = nil,
      reversing reversed: WriteID? = nil, mayHaveBeenSent: Bool = false,
      _ promise: Promise<Outcome>
    ) {
      (self.id, self.name, self.presentation) = (id, name, presentation)
      (self.edit, self.made, self.others, self.told) = (edit, made, others, told)
      (self.layer, reverses, self.mayHaveBeenSent) = (layer, reversed, mayHaveBeenSent)
      self.promise = promise
    }

    /// Lets the edit be what it has made of a confirmed state; it no longer runs again.
    ///
    /// - Parameter made: What it has made of the confirmed state.
    func freeze(_ made: Replay<SectionID, ItemID>) {
      // What it makes of the state below it is shown already, and its marks are told.
      let isShown = layer.map { made.base.isSameState(as: $0.below) } ?? false
      mayHaveBeenSent = true
      replace(made, others: .init(), layer: isShown ? layer : nil)
    }

    /// Lets the edit make something else of the same list.
    ///
    /// It shows at the next ``rebase(_:showing:)``.
    ///
    /// - Parameter made: What it makes of a state that has come since it was made.
    func replace(_ made: Replay<SectionID, ItemID>) { replace(made, others: others, layer: nil) }

    private func replace(
      _ made: Replay<SectionID, ItemID>, others: Core.RowNotes, layer: Layer?
    ) {
      // What is released may be the last of its kind: no access is under way when it goes.
      let former = (edit, self.made, self.others, self.layer)
      (edit, self.made, self.others, self.layer) = (nil, made, others, layer)
      withExtendedLifetime(former) {}
    }

    /// Records what the edit has done.
    func remember(_ layer: Layer?) {
      let former = self.layer
      self.layer = layer
      withExtendedLifetime(former) {}
    }

    /// Records what others have renamed and placed.
    ///
    /// It may wait for long. If very much has come together, most of it is about rows that it never had.
    func follow(_ later: Core.RowNotes) {
      let (former, base, result) = (others, made.base, made.result)
      var notes = former
      notes.formUnion(later)
      let weight = max(base.weight, result.weight)
      if Presentation.areTooMany(renames: notes.rowNoteCount, weight: weight) {
        notes.keepRowNotes {
          base.containsSection($0) || result.containsSection($0)
        } items: {
          base.containsItem($0) || result.containsItem($0)
        }
      }
      others = notes
      withExtendedLifetime(former) {}
    }
  }
}

extension Overlay.Pending {
  /// What counts of a model that others have changed too.
  var rule: MergeRule { made.rule }

  /// The versions that the writer has seen of models which others have changed since.
  ///
  /// - Parameter found: What the edit contradicts in a newer state.
  func seen(
    _ found: Contradictions<Batch.SectionID, Batch.ItemID>
  ) -> GivenContent<Batch.SectionID, Batch.ItemID> {
    rule == .change ? found.base.adding(made.seen) : GivenContent()
  }

  /// The contradictions that a merge onto a newer state does not find again by what the writer has seen.
  ///
  /// - Parameter found: What the edit contradicts in a newer state.
  func unrepeatable(
    _ found: Contradictions<Batch.SectionID, Batch.ItemID>
  ) -> Contradictions<Batch.SectionID, Batch.ItemID> {
    // Where others have changed a model, an undo leaves it as it is.
    rule == .change ? found.unrepeatable : found
  }

  /// Makes the edit on a newer state.
  func make(on live: inout Overlay.Core.Live) throws -> Overlay.Core.Live.Merged {
    // Copies: code of the user runs here, and no access is under way then.
    let (made, others) = (made, others)
    let notes = others.replacingRenames { $0.from(stateWhere: made.base.containsItem) }
    if let edit {
      return try live.repeatEdit(edit, basedOn: made.base, made.result, others: notes)
    }
    let later = notes.replacingRenames { $0.to(stateWhere: live.snapshot.containsItem) }
    do throws(SnapshotError) {
      return try live.make(made, others: later, bringingBack: others.renames)
    } catch {
      throw DataSourceError.invalidSnapshot(error)
    }
  }
}
