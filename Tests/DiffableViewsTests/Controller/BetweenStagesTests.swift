import Diffable
import DiffableTesting
import DiffableViews
import TestScope
import Testing

/// The lists between two stages are flat, and have no models: what they lack is in the states around them.
@Suite("What is asked in the middle of a batch is answered as after it", .deadline)
@MainActor
struct BetweenStagesTests {
  private typealias State = Snapshot<Folder, Int>
  private typealias Screen = ListController<Folder, Int, Host>

  /// A batch that is on its way to the screen.
  private struct Passage {
    let start: State
    let end: State
    /// The names of rows that are one row in both states.
    let names: [(old: Int, new: Int)]

    /// - Parameter renames: What was said.
    init(from start: State, to end: State, _ renames: [ItemRename<Int>]) {
      (self.start, self.end) = (start, end)
      // An identifier in both states names the same row.
      names = renames.filter { rename in
        start.containsItem(rename.old) && !end.containsItem(rename.old)
          && end.containsItem(rename.new) && !start.containsItem(rename.new)
      }
      .map { ($0.old, $0.new) }
    }

    /// The row on display that shows an item of the state after the batch: its own, or that of an
    /// ancestor there.
    @MainActor func row(of item: Int, in shown: State) -> ItemPath? {
      var next: Int? = item
      while let name = next {
        let former = names.first { $0.new == name }?.old
        if let path = shown.itemPath(for: name) ?? former.flatMap(shown.itemPath) { return path }
        next = end.sectionIdentifier(containingItem: name).flatMap(end.outline)?.parent(of: name)
      }
      return nil
    }
  }

  private func faults(of controller: Screen, _ host: Host, in passage: Passage) -> [String] {
    let (shown, start, end) = (controller.snapshot, passage.start, passage.end)
    var faults: [String] = []
    func check<Answer: Equatable>(_ answer: Answer, _ expected: Answer, _ question: String) {
      if answer != expected { faults.append("\(question): \(answer), not \(expected)") }
    }
    for item in shown.itemIdentifiers {
      let name = passage.names.first { $0.old == item }?.new ?? item
      let model = end.model(of: name, as: Note.self) ?? start.model(of: item, as: Note.self)
      check(controller.model(for: item), model, "model of \(item)")
      let isGone = end.itemPath(for: name) == nil
      check(
        controller.disclosure(of: item),
        isGone ? start.disclosure(of: item) : end.disclosure(of: name), "row of \(item)")
    }
    for (index, section) in shown.sectionIdentifiers.enumerated() {
      let owner = end.containsSection(section) ? end : start
      check(controller.sectionModel(for: section), owner.sectionModel(of: section), "\(section)")
      for (place, item) in shown.itemIdentifiers(inSection: section).enumerated() {
        let path = ItemPath(section: index, item: place)
        check(
          controller.disclosure(ofItemAt: path), controller.disclosure(of: item), "row at \(path)")
      }
    }
    for (old, new) in passage.names {
      for (name, other) in [(old, new), (new, old)] {
        check(
          host.content?.itemPath(withIdentity: AnyItemID(name)),
          shown.itemPath(for: name) ?? shown.itemPath(for: other), "place of \(name)")
      }
      check(
        host.content?.itemPath(standingFor: AnyItemID(old)),
        shown.itemPath(for: old) ?? passage.row(of: new, in: shown), "row for \(old)")
    }
    for item in end.sectionIdentifiers.flatMap({ end.outline(ofSection: $0)?.items ?? [] }) {
      check(
        host.content?.itemPath(standingFor: AnyItemID(item)), passage.row(of: item, in: shown),
        "row for \(item)")
    }
    return faults
  }

  /// Writes a state with new models; `nil` if it shows what the outline of another section hides.
  private func write(
    _ state: State, in source: ModelSource<Folder, Note>, _ random: inout SplitMix64
  ) async throws -> Revision? {
    let rows = state.sectionIdentifiers.flatMap { section in
      state.outline(ofSection: section)?.items ?? state.itemIdentifiers(inSection: section)
    }
    let header = "\(random.number(below: 3))"
    var models: [Note] = []
    for row in rows { models.append(Note(id: row, text: random.number(below: 3))) }
    let headers = state.sectionIdentifiers.map { ($0, header) }
    let result = await Task { [models] in
      try await source.apply(state, models: models, sectionModels: headers).revision
    }.result
    switch result {
    case .success(let revision): return revision
    case .failure(DataSourceError.invalidSnapshot(.duplicateItems)): return nil
    case .failure(let error): throw error
    }
  }

  @Test("Models, headers, places and what trees draw, of any batch", arguments: everyProfile)
  func answers(profile: ListProfile) async throws {
    var stages = 0
    for seed in 0..<rounds(32 as UInt64) {
      var generator = SnapshotGenerator<Folder, Int>(
        seed: seed, section: { Folder(number: $0) }, item: { $0 })
      let source = ModelSource<Folder, Note>()
      let host = Host(profile: profile)
      let cells = CellRegistration<SimulatedView, Int> { cell, _, item in cell.text = "\(item)" }
      let controller = Screen(host: host) { views, path, item in
        try views.dequeueConfiguredReusableCell(using: cells, for: path, item: item)
      }
      controller.start(following: source)
      var state = generator.snapshot(sections: 3, items: 12)
      for step in 0..<8 {
        let start = controller.snapshot
        let renames = state.renamedItems
        guard let revision = try await write(state, in: source, &generator.random) else { break }
        state = await source.snapshot
        let passage = Passage(from: start, to: state, renames)
        var isShown = false
        let showing = Task {
          await controller.displayed(revision)
          isShown = true
        }
        while !isShown {
          try Task.checkCancellation()
          await Task.yield()
          guard host.heldStage != nil else { continue }
          stages += 1
          let faults = faults(of: controller, host, in: passage)
          #expect(faults == [], "seed \(seed), step \(step): \(start) → \(passage.end)")
          host.endStage()
        }
        await showing.value
        // What comes first is shown from scratch.
        host.holdsStages = true
        for _ in 0..<1 + generator.random.number(below: 3) {
          let change = generator.random.element(of: SnapshotChange.allCases) ?? .mixed
          if change != .deletedEverything { state = generator.changing(state, by: change) }
        }
      }
    }
    #expect(stages > 3)
  }
}
