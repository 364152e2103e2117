import Diffable

extension ListController {
  /// Lets the providers configure again, in place, those views of the list that a stage reconfigures.
  ///
  /// These are the cells of reconfigured items and the supplementary views of reconfigured
  /// sections. A stage with reconfigures has no structural changes, so its paths are also the paths
  /// on display. Its state can be on display already: a row has its disclosure of the state after
  /// the stage.
  ///
  /// - Returns: The differences for the host. If a provider wants another cell, the item is
  ///   reloaded instead; if it wants another header, the section is reloaded. A host that takes one
  ///   operation at a time receives them one after another.
  func reconfigureViews(
    of stage: UpdateStage<SectionID, ItemID>, in host: Host
  ) -> [SnapshotDifference] {
    var difference = stage.difference
    let isReconfiguring =
      !difference.itemReconfigures.isEmpty || !difference.sectionReconfigures.isEmpty
    guard isReconfiguring, !difference.isStructural else { return [difference] }
    install(stage.snapshot, through: difference)
    difference.reload(sections: sectionsToReload(among: difference.sectionReconfigures, in: host))
    if !difference.itemReconfigures.isEmpty {
      let paths = (host as? any PreparingHost)?.pathsOfCells ?? host.visibleItemPaths
      difference.reload(
        items: paths.filter {
          difference.itemReconfigures.contains($0) && !reconfigureItem(at: $0, in: host)
        })
    }
    guard difference != stage.difference, host.profile.takesOneOperation else {
      return [difference]
    }
    return difference.refreshOperations
  }

  /// Whether the cell at a path is up to date.
  private func reconfigureItem(at path: ItemPath, in host: Host) -> Bool {
    guard let cell = host.cell(at: path), let item = snapshot.itemIdentifier(for: path) else {
      return true
    }
    let supply = ViewSupply(
      source: .present(cell, reuseIdentifier: host.reuseIdentifier(of: cell)))
    let cells = CellDequeuer(
      supply: supply, disclosure: disclosure(ofItemAt: path), isUnconfirmed: isUnconfirmed(item))
    // If the provider throws here, it will throw again when the item is reloaded for that reason.
    return (try? provider(self, cells, path, item)) === cell
  }

  /// Configures the supplementary views of sections again, of all kinds.
  ///
  /// Returns the sections with a view that is not up to date afterwards.
  private func sectionsToReload(among sections: RangeSet<Int>, in host: Host) -> RangeSet<Int> {
    var reloads = RangeSet<Int>()
    guard !sections.isEmpty else { return reloads }
    for kind in supplementaryProviders.keys.sorted() {
      for path in host.visibleSupplementaryViewPaths(ofKind: kind, inSections: sections) {
        do throws(ListError) {
          try reconfigureSupplementaryView(ofKind: kind, at: path, in: host)
        } catch {
          // If the provider throws here, it will throw again when the section is reloaded for that
          // reason.
          reloads.insert(contentsOf: path.section..<path.section + 1)
        }
      }
    }
    return reloads
  }

  /// Lets the provider configure the supplementary views of some sections again, each in place.
  ///
  /// Use it for headers, footers and badges whose content changes without a change of the source.
  /// Those of sections that a batch reconfigures are up to date without it. Views that are not on
  /// the screen are configured when they appear there.
  ///
  /// - Parameters:
  ///   - kind: The layout's name for the views.
  ///   - sections: The sections; unknown ones are ignored.
  /// - Throws: The error of a provider, or an error because it wanted another kind of view; reload
  ///   the section then. The views before it in the list are up to date.
  /// - Complexity: O(k · log s + v) for k of s sections and v visible items, plus the calls of the
  ///   provider.
  public func reconfigureSupplementaryViews(
    ofKind kind: String, inSections sections: some Sequence<SectionID>
  ) throws(ListError) {
    guard let host else { return }
    var indices = RangeSet<Int>()
    for index in sections.compactMap(snapshot.indexOfSection) {
      indices.insert(contentsOf: index..<index + 1)
    }
    for path in host.visibleSupplementaryViewPaths(ofKind: kind, inSections: indices) {
      try reconfigureSupplementaryView(ofKind: kind, at: path, in: host)
    }
  }

  /// Lets the provider configure a view in place.
  ///
  /// - Throws: The error of the provider, or an error because it wanted another view.
  private func reconfigureSupplementaryView(
    ofKind kind: String, at path: ItemPath, in host: Host
  ) throws(ListError) {
    guard let provider = supplementaryProviders[kind],
      let view = host.supplementaryView(ofKind: kind, at: path),
      let section = snapshot.sectionIdentifier(at: path.section)
    else { return }
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

extension SnapshotDifference {
  /// Turns reconfigures of items into reloads, in a difference without structural changes.
  fileprivate mutating func reload(items: [ItemPath]) {
    guard !items.isEmpty else { return }
    let reloads = ItemPathSet(items)
    itemReconfigures = ItemPathSet(itemReconfigures.filter { !reloads.contains($0) })
    itemReloads = ItemPathSet(Array(itemReloads) + items)
  }

  /// Turns reconfigures of sections into reloads, in a difference without structural changes.
  ///
  /// Their items are no longer listed.
  fileprivate mutating func reload(sections: RangeSet<Int>) {
    guard !sections.isEmpty else { return }
    sectionReconfigures.subtract(sections)
    sectionReloads.formUnion(sections)
    itemReloads = ItemPathSet(itemReloads.filter { !sections.contains($0.section) })
    itemReconfigures = ItemPathSet(itemReconfigures.filter { !sections.contains($0.section) })
  }

  /// Splits a difference without structural changes into operations on adjacent elements.
  ///
  /// The first operation has the changes of outlines.
  fileprivate var refreshOperations: [SnapshotDifference] {
    var operations: [SnapshotDifference] = []
    func add(_ fill: (inout SnapshotDifference) -> Void) {
      var operation = SnapshotDifference()
      fill(&operation)
      operations.append(operation)
    }
    for range in sectionReloads.ranges { add { $0.sectionReloads.insert(contentsOf: range) } }
    for range in sectionReconfigures.ranges {
      add { $0.sectionReconfigures.insert(contentsOf: range) }
    }
    for range in itemReloads.ranges {
      add { $0.itemReloads.append(section: range.section, items: range.items) }
    }
    for range in itemReconfigures.ranges {
      add { $0.itemReconfigures.append(section: range.section, items: range.items) }
    }
    if !operations.isEmpty {
      (operations[0].outlineChanges, operations[0].itemRenames) = (outlineChanges, itemRenames)
    }
    return operations
  }
}
