import Diffable

extension ListController {
  /// Lets the provider configure the visible cells of a stage anew, each in its place.
  ///
  /// A stage with reconfigures has no structure, so its paths are those on display.
  ///
  /// - Returns: What the host is to do: an item whose provider wants another cell is reloaded.
  func reconfigureVisibleItems(
    of stage: UpdateStage<SectionID, ItemID>, in host: Host
  ) -> SnapshotDifference {
    guard !stage.difference.itemReconfigures.isEmpty, !stage.difference.isStructural else {
      return stage.difference
    }
    var difference = stage.difference
    let replaced = host.visibleItemPaths.filter { path in
      difference.itemReconfigures.contains(path) && !reconfigureItem(at: path, in: host)
    }
    guard !replaced.isEmpty else { return difference }
    let isReplaced = Set(replaced)
    difference.itemReconfigures = ItemPathSet(
      difference.itemReconfigures.filter { !isReplaced.contains($0) })
    difference.itemReloads = ItemPathSet(Array(difference.itemReloads) + replaced)
    return difference
  }

  /// Answers whether the cell at a path is up to date.
  private func reconfigureItem(at path: ItemPath, in host: Host) -> Bool {
    guard let cell = host.cell(at: path), let item = snapshot.itemIdentifier(for: path) else {
      return true
    }
    let supply = ViewSupply(
      source: .present(cell, reuseIdentifier: host.reuseIdentifier(of: cell)))
    // What the provider throws here it throws again when the item is reloaded for it.
    return (try? cellProvider(CellDequeuer(supply: supply), path, item)) === cell
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
