import Diffable
import DiffableViews

/// A host that shows one random list, and the results of its inspection.
@MainActor
final class HostInspection<Host: ListHost> {
  typealias List = Snapshot<Int, Int>

  let host: Host
  private let controller: ListController<Int, Int, Host>
  let content: InspectedContent<Host>
  var generator: SnapshotGenerator<Int, Int>
  private var batches = BatchSequence<Int, Int>()

  init(
    of host: Host, seed: UInt64,
    supplementaryProviders: [String: ListController<Int, Int, Host>.SupplementaryProvider],
    cellProvider: @escaping ListController<Int, Int, Host>.CellProvider
  ) {
    self.host = host
    generator = SnapshotGenerator(seed: seed, section: { $0 }, item: { $0 })
    controller = ListController(host: host) { cells, path, item in
      Self.hasCell(item) ? try cellProvider(cells, path, item) : nil
    }
    content = InspectedContent(controller)
    host.content = content
    controller.errorHandler = { [weak content] error in
      if error == .stageNotBegun {
        content?.faults.append("A stage was ended that was never begun.")
      }
    }
    controller.supplementaryProviders = supplementaryProviders.mapValues { provider in
      { [weak content] views, path, section in
        guard Self.hasSupplementaryViews(section) else { return nil }
        let view = try provider(views, path, section)
        view.map { content?.configuredViews[ObjectIdentifier($0)] = $0 }
        return view
      }
    }
  }

  /// The list that the host has to show.
  var snapshot: List { batches.snapshot }

  /// Whether the provider returns a cell for an item.
  private static func hasCell(_ item: Int) -> Bool { item % 7 != 3 }
  /// Whether the providers return supplementary views for a section.
  static func hasSupplementaryViews(_ section: Int) -> Bool { section % 5 != 2 }

  /// Shows a batch; returns every violation of a law.
  func showNextBatch() async -> [LawViolation<ListHostLaw>] {
    let scrolling = generator.random.chance(oneIn: 2) ? scrollSomewhere() : []
    let before = shownCells()
    let views = shownSupplementaryViews()
    let viewport = host.viewport
    let shown = snapshot
    let batch = nextBatch()
    let isReset =
      batch.base == .empty || !host.takesStages
      || batch.stages(for: host.profile).contains(where: \.isReset)
    content.begin()
    await controller.show(batch)
    let names = names(batch)
    content.rename(names)

    var found: [(ListHostLaw, String)] = content.faults.map { (.stages, $0) }
    if host.numberOfSections != snapshot.numberOfSections {
      found.append((.counts, "The host has \(host.numberOfSections) sections."))
    }
    found += visibleItemFaults().map { (.visibleItems, $0) }
    found += scrolling.map { (.place, $0) }
    // If the paths are wrong, so are the cells.
    if found.isEmpty {
      found += cellFaults().map { (.cells, $0) }
      found +=
        isReset
        ? resetFaults().map { (.resets, $0) }
        : refreshFaults(batch, shown: before, names).map { (.refreshes, $0) }
      found += placeFaults(viewport, in: shown, batch, names).map { (.place, $0) }
      found += supplementaryViewFaults(batch, isReset: isReset, shown: views)
        .map { (.supplementaryViews, $0) }
    }
    return found.map { LawViolation($0, "\($1) The batch was \(batch).") }
  }

  private func nextBatch() -> UpdateBatch<Int, Int> {
    var new = nextSnapshot()
    if generator.random.chance(oneIn: 4) {
      // These sections exist, so nothing throws.
      try? new.reconfigureSections(generator.random.sample(new.sectionIdentifiers, oneIn: 2))
    }
    let presentation: Presentation =
      switch generator.random.number(below: 8) {
      case 0: .reset
      case 1: .inPlace
      default: .animated
      }
    do throws(SnapshotError) {
      return try batches.next(new, presentation: presentation)
    } catch {
      preconditionFailure("The generator makes valid snapshots: \(error)")
    }
  }

  private func nextSnapshot() -> List {
    switch generator.random.number(below: 4) {
    case 0: return generator.snapshot(.anyOf(sections: 4, items: 14))
    case 1:
      // An edit that does not fit the snapshot leaves it unchanged.
      var new = snapshot
      for _ in 0..<4 { try? generator.outlineEdit(of: new).apply(to: &new) }
      return (try? new.validate()) == nil ? snapshot : new
    default:
      return generator.changing(
        snapshot, by: generator.random.element(of: SnapshotChange.allCases) ?? .mixed)
    }
  }

  /// The visible cells, by item.
  private func shownCells() -> [Int: Host.Cell] {
    var cells: [Int: Host.Cell] = [:]
    for path in host.visibleItemPaths {
      guard let item = snapshot.itemIdentifier(for: path) else { continue }
      cells[item] = host.cell(at: path)
    }
    return cells
  }

  private func visibleItemFaults() -> [String] {
    let paths = host.visibleItemPaths
    var faults: [String] = []
    if zip(paths, paths.dropFirst()).contains(where: >=) {
      faults.append("The visible paths do not ascend: \(paths).")
    }
    for path in paths {
      if snapshot.itemIdentifier(for: path) == nil {
        faults.append("\(path) is visible, but does not exist.")
      } else if host.cell(at: path) == nil {
        faults.append("\(path) is visible, but has no cell.")
      }
    }
    for section in 0...snapshot.numberOfSections {
      let path = ItemPath(section: section, item: snapshot.items(inSectionAt: section).count)
      if host.cell(at: path) != nil { faults.append("\(path) has a cell, but does not exist.") }
    }
    return faults
  }

  private func cellFaults() -> [String] {
    shownCells().compactMap { item, cell in
      let shown = content.item(shownBy: cell)
      guard Self.hasCell(item) else {
        return shown == nil && host.reuseIdentifier(of: cell) == nil
          ? nil : "Item \(item) has no cell, and the host shows no placeholder for it."
      }
      guard shown != item else { return nil }
      return "The cell of item \(item) was given for item \(shown.map(String.init) ?? "none")."
    }
  }

  private func resetFaults() -> [String] {
    shownCells().keys.filter { !content.asked.contains($0) }.map {
      "The cell of item \($0) was not requested again."
    }
  }

  /// The new names of the renamed items of a batch, by old name.
  private func names(_ batch: UpdateBatch<Int, Int>) -> [Int: Int] {
    let origins = PositionMap(batch.difference)
    var names: [Int: Int] = [:]
    for path in batch.difference.itemRenames {
      guard let origin = origins.oldPath(forNew: path),
        let old = batch.previousSnapshot?.itemIdentifier(for: origin)
      else { continue }
      names[old] = batch.snapshot.itemIdentifier(for: path)
    }
    return names
  }

  private func refreshFaults(
    _ batch: UpdateBatch<Int, Int>, shown before: [Int: Host.Cell], _ names: [Int: Int]
  ) -> [String] {
    guard let old = batch.previousSnapshot else { return [] }
    let difference = batch.difference
    let formerNames = Dictionary(
      names.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    let reloadedSections = Set(
      difference.sectionReloads.ranges.joined().compactMap(old.sectionIdentifier(at:)))
    let reloaded = Set(
      difference.itemReloads.compactMap(old.itemIdentifier(for:)).map { names[$0] ?? $0 })
    return shownCells().compactMap { item, cell in
      guard let section = snapshot.sectionIdentifier(containingItem: item) else { return nil }
      if reloaded.contains(item) || reloadedSections.contains(section) {
        return content.asked.contains(item)
          ? nil : "The cell of reloaded item \(item) was not requested."
      }
      guard let path = snapshot.itemPath(for: item), difference.itemReconfigures.contains(path),
        Self.hasCell(item), Self.hasCell(formerNames[item] ?? item),
        let former = before[formerNames[item] ?? item], !content.asked.contains(item),
        !content.asked.contains(formerNames[item] ?? item)
      else { return nil }
      return former === cell ? nil : "Reconfigured item \(item) was given another cell."
    }
  }
}
