import Diffable

extension ListController {
  /// Lets the provider configure the visible cells of a stage anew, each in its place.
  ///
  /// A stage with reconfigures has no structure, so its paths are those on display, and its state can
  /// be put there already: the disclosure of a row is that after the stage.
  ///
  /// - Returns: What the host is to do: an item whose provider wants another cell is reloaded. A host
  ///   that takes one operation at a time is handed one after the other.
  func reconfigureVisibleItems(
    of stage: UpdateStage<SectionID, ItemID>, in host: Host
  ) -> [SnapshotDifference] {
    guard !stage.difference.itemReconfigures.isEmpty, !stage.difference.isStructural else {
      return [stage.difference]
    }
    install(stage.snapshot)
    var difference = stage.difference
    let replaced = host.visibleItemPaths.filter { path in
      difference.itemReconfigures.contains(path) && !reconfigureItem(at: path, in: host)
    }
    guard !replaced.isEmpty else { return [difference] }
    let isReplaced = Set(replaced)
    difference.itemReconfigures = ItemPathSet(
      difference.itemReconfigures.filter { !isReplaced.contains($0) })
    difference.itemReloads = ItemPathSet(Array(difference.itemReloads) + replaced)
    return host.profile.takesOneOperation ? difference.refreshOperations : [difference]
  }

  /// Answers whether the cell at a path is up to date.
  private func reconfigureItem(at path: ItemPath, in host: Host) -> Bool {
    guard let cell = host.cell(at: path), let item = snapshot.itemIdentifier(for: path) else {
      return true
    }
    let supply = ViewSupply(
      source: .present(cell, reuseIdentifier: host.reuseIdentifier(of: cell)))
    let cells = CellDequeuer(supply: supply, disclosure: disclosure(ofItemAt: path))
    // What the provider throws here it throws again when the item is reloaded for it.
    return (try? cellProvider(cells, path, item)) === cell
  }

  /// Lets the provider configure the supplementary views of some sections anew, each in its place.
  ///
  /// For headers and footers whose model changes while the list does not. Those that are not on the
  /// screen are made anew when they come there.
  ///
  /// - Parameters:
  ///   - kind: What the layout calls them.
  ///   - sections: The sections; unknown ones are ignored.
  /// - Throws: What a provider threw, or that it wanted another kind of view: reload the section,
  ///   then. The sections before it are up to date.
  public func reconfigureSupplementaryViews(
    ofKind kind: String, inSections sections: some Sequence<SectionID>
  ) throws(ListError) {
    guard let host, let provider = supplementaryProviders[kind] else { return }
    for section in sections {
      guard let index = snapshot.indexOfSection(section) else { continue }
      let path = ItemPath(section: index, item: 0)
      guard let view = host.supplementaryView(ofKind: kind, at: path) else { continue }
      let supply = ViewSupply(
        source: .present(view, reuseIdentifier: host.reuseIdentifier(ofSupplementaryView: view)))
      let result = try asking(for: section) {
        try provider(SupplementaryDequeuer(supply: supply), path, section)
      }
      guard result === view else {
        throw .noSupplementaryView(kind: kind, section: AnyItemID(section))
      }
    }
  }
}

extension SnapshotDifference {
  /// A difference without structure as operations on neighbouring items, the first with the changes
  /// of outlines.
  fileprivate var refreshOperations: [SnapshotDifference] {
    var operations: [SnapshotDifference] = []
    for range in itemReconfigures.ranges {
      var operation = SnapshotDifference()
      operation.itemReconfigures.append(section: range.section, items: range.items)
      operations.append(operation)
    }
    for range in itemReloads.ranges {
      var operation = SnapshotDifference()
      operation.itemReloads.append(section: range.section, items: range.items)
      operations.append(operation)
    }
    if !operations.isEmpty { operations[0].outlineChanges = outlineChanges }
    return operations
  }
}
