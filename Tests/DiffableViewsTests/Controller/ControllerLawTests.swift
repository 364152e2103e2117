import Diffable
import DiffableTesting
import DiffableViews
import Testing
import TestScope

@Suite(
  "A controller hands a strict host what it accepts, and the host shows what it should", .deadline)
@MainActor
struct ControllerLawTests {
  @Test("random batches", arguments: everyProfile)
  func randomBatches(profile: ListProfile) async throws {
    let length = 25
    for seed in 0..<UInt64(scoped(usual: 5, wide: 25, long: 10_000)) {
      let comment: Comment = "\(profile), seed \(seed)"
      var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
      let host = Host(
        profile: seed % 5 == 0 ? profile.resetting(past: 8) : profile,
        visibleRowCount: seed % 3 == 0 ? 4 : .max, elementKinds: seed % 2 == 0 ? ["header"] : [])
      let titles = Titles()
      let controller = titles.controller(of: host)
      var batches = Batches()
      for step in 0..<length {
        if generator.random.chance(oneIn: 3) {
          host.scroll(toRow: generator.random.number(below: 12))
        }
        if let item = generator.random.element(of: controller.snapshot.itemIdentifiers) {
          generator.random.chance(oneIn: 2)
            ? controller.select([item]) : controller.deselect([item])
        }
        host.isInWindow = !generator.random.chance(oneIn: 10)
        var new =
          generator.random.chance(oneIn: 3)
          ? generator.snapshot(.anyOf(sections: 4, items: 12))
          : generator.changing(
            batches.snapshot,
            by: generator.random.element(of: SnapshotChange.allCases) ?? .mixed)
        if generator.random.chance(oneIn: 3),
          let section = generator.random.element(of: new.sectionIdentifiers)
        {
          // A header without rows, which later changes.
          new.deleteItems(Array(new.itemIdentifiers(inSection: section)))
        }
        if generator.random.chance(oneIn: 3) {
          try new.reconfigureSections(
            new.sectionIdentifiers.filter { new.numberOfItems(inSection: $0) == 0 })
        }
        let batch = try batches.next(new)
        // As their source does: the model of a section changes with a revision that says so.
        for index in batch.difference.sectionReconfigures.ranges.joined() {
          new.sectionIdentifier(at: index).map { titles.editions[$0, default: 0] += 1 }
        }
        await controller.show(batch)
        try expectConsistency(of: controller, host, titles, batch, comment, step)
        guard host.violations.isEmpty else { return }
      }
    }
  }

  /// Models of sections, of which every third edition is shown by another kind of view.
  @MainActor
  private final class Titles {
    var editions: [Int: Int] = [:]
    private let rows = Rows()

    private func title(of section: Int) -> String {
      "section \(section), edition \(editions[section, default: 0])"
    }

    private func isBanner(_ section: Int) -> Bool { editions[section, default: 0] % 3 == 2 }

    /// What the header of a section is to show.
    func text(of section: Int) -> String {
      (isBanner(section) ? "banner: " : "") + title(of: section)
    }

    func controller(of host: Host) -> Controller {
      let controller = rows.controller(of: host)
      controller.supplementaryProviders["header"] = { [rows] views, path, section in
        try views.dequeueConfiguredReusableSupplementary(
          using: self.isBanner(section) ? rows.banners : rows.titles, for: path,
          model: self.title(of: section))
      }
      return controller
    }
  }

  private func expectConsistency(
    of controller: Controller, _ host: Host, _ titles: Titles, _ batch: UpdateBatch<Int, Int>,
    _ comment: Comment, _ step: Int
  ) throws {
    let snapshot = batch.snapshot
    // One test of all, since a million expectations cost more than what they expect.
    let isRight =
      host.violations.isEmpty && host.errors.isEmpty && controller.snapshot == snapshot
      && controller.revision == batch.target
      && host.visibleItemPaths.allSatisfy { path in
        (host.cell(at: path) as? Rows.Cell)?.item == snapshot.itemIdentifier(for: path)
      }
      && snapshot.sectionIdentifiers.enumerated().allSatisfy { index, section in
        host.elementKinds.allSatisfy { kind in
          let header = host.supplementaryView(ofKind: kind, at: ItemPath(section: index, item: 0))
          let isVisible =
            snapshot.numberOfItems(inSection: section) == 0
            ? host.visibleRowCount == .max : host.visibleItemPaths.contains { $0.section == index }
          return header.map { $0.text == titles.text(of: section) } ?? !isVisible
        }
      }
      && controller.selectedItems.allSatisfy(snapshot.containsItem)
      && host.selectedItemPaths
        == ItemPathSet(controller.selectedItems.compactMap(snapshot.itemPath(for:)))
    if !isRight {
      Issue.record(
        "\(comment.rawValue), step \(step): \(batch), shown \(host.texts), \(host.violations)")
    }
  }

  @Test("While a stage is under way, the host is answered from the state that it has begun")
  func answersDuringStages() async throws {
    var (host, controller, batches) = try await shownList([1, 2], [3])
    host.holdsStages = true
    // Items change and sections move: two stages.
    var new = batches.snapshot
    try new.moveSection(1, beforeSection: 0)
    new.deleteItems([1])
    let batch = try batches.next(new)
    let showing = Task { await controller.show(batch) }
    let stages = batch.stages(for: .collectionView)
    #expect(stages.count == 2)
    for stage in stages {
      await host.stageBegun()
      #expect(controller.snapshot == stage.snapshot)
      #expect(controller.revision == batch.base)
      #expect(controller.itemPath(for: 3) == stage.snapshot.itemPath(for: 3))
      host.endStage()
    }
    await showing.value
    #expect(controller.snapshot == new)
    #expect(controller.revision == batch.target)
    #expect(host.violations.isEmpty, "\(host.violations)")
  }
}
