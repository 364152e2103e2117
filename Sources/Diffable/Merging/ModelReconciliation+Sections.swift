extension ModelReconciliation {
  /// Lets models say the section where their items are, if an undo takes back only one of both.
  ///
  /// An undo takes back where a row was put, and what was written in its model, as far as either still shows.
  /// The model of a dropped row names its section. So if others have put the row elsewhere since, the model
  /// must not name the former section, and if they have changed the model, it must not name that of the
  /// change. The same holds for a model that cannot follow the name that others have given to its row.
  ///
  /// - Parameters:
  ///   - given: The models that the undo gives.
  ///   - found: What the undo contradicts: only such a row can have been taken back in part.
  ///   - before: The state before the change that is taken back.
  ///   - written: The state after it.
  ///   - names: By the names of that change: those of the result, where they differ.
  ///   - result: The order after the merge, with its lookup table.
  ///   - dropping: The function of the source.
  /// - Complexity: O(n) for n items if there are such rows, to find them in the states of the change.
  func settle(
    _ given: inout Given, _ found: Contradictions<SectionID, ItemID>,
    of before: Snapshot<SectionID, ItemID>, basedOn written: Snapshot<SectionID, ItemID>,
    named names: ItemRenames<ItemID>, in result: Snapshot<SectionID, ItemID>,
    _ dropping: ModelDropping<SectionID>
  ) {
    for case .item(let item, let contradiction) in found.conflicts
    where [.movedTwice, .changedTwice, .editedButRenamed].contains(contradiction) {
      let name = names.oldName(of: item) ?? item
      guard let section = result.sectionIdentifier(containingItem: item),
        let former = before.sectionIdentifier(containingItem: name),
        former != written.sectionIdentifier(containingItem: baseName(of: item))
      else { continue }
      let live = liveName(of: item, in: result)
      let isMoved = self.live.sectionIdentifier(containingItem: live) != section
      let settled = given
      self.live.withModel(of: live, before: result) { now in
        settled.withModel(of: item) { model in
          guard let now = now?.first, isMoved == models.areEqual(model ?? now, now) else { return }
          dropping.drop(model ?? now, section) { given.set(item, model: $0, result.kernels) }
        }
      }
    }
  }
}
