import Diffable

/// Two lists merged into one, before a query.
///
/// Sections of the first list are first. A section that both have is one section, with the rows of
/// the first list before those of the second. A row that both have is placed where the first list
/// has it, and shows the element of the first list.
final class SourceMerge<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: SourceFront {
  let kernels: SnapshotKernels
  private var front: FrontStep<SectionID, SectionID, ItemID>
  private var states: [Snapshot<SectionID, ItemID>?] = [nil, nil]

  /// - Parameter element: The type of what both show for a row.
  init(element: any Any.Type, _ kernels: SnapshotKernels) {
    self.kernels = kernels
    front = FrontStep(
      QueryStep(StepRules(element: element, sections: .same(SameSections()))))
  }

  func advance<Section, Item>(
    _ input: StepInput<Section, Item>, ofFeed index: Int
  ) throws(SnapshotError) -> StepInput<SectionID, ItemID>? {
    let input = input.typed(as: SectionID.self, ItemID.self)
    states[index] = input.snapshot
    guard let other = states[1 - index] else { return nil }
    front.step.other = OtherInput(snapshot: other, isFirst: index == 1)
    defer { front.step.other = nil }
    return try front.advance(input)
  }

  func renames<Section, Item>(
    in batch: UpdateBatch<Section, Item>, ofFeed index: Int
  ) -> [ItemRename<ItemID>] {
    // A row that the other source has under one of the names is not renamed in the merged list.
    let other = states[1 - index]
    return batch.renames(as: ItemID.self).filter { rename in
      other.map { !$0.containsItem(rename.old) && !$0.containsItem(rename.new) } ?? true
    }
  }

  var present: StepInput<SectionID, ItemID>? { front.present }
  var isPresent: Bool { front.isPresent }
}
