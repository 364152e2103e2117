import Diffable
import DiffableTesting
import Testing

/// A script of edits, with a limit for what each may ask of identifiers.
struct LawlessTrial {
  typealias State = LawlessScript.State

  struct Entry: Identifiable, Equatable, Sendable {
    let id: Lawless
    var text = 0
  }

  private var script: LawlessScript
  private let comment: String

  init(_ law: BrokenLaw, sections: BrokenLaw, seed: UInt64) {
    script = LawlessScript(law, sections: sections, seed: seed)
    comment = "\(law), sections \(sections), seed \(seed)"
  }

  /// Allows an edit of some rows each to be compared with each a few times.
  private func allow(rows: Int) {
    script.effort.allow(20_000 + 40 * rows * rows)
  }

  private func expectAgreement(_ state: State, _ step: Int) {
    #expect(state.contradictions(under: script.law) == [], "\(comment), step \(step)")
  }

  mutating func editSnapshot(_ steps: Int) throws {
    var state = script.state()
    for step in 0..<steps {
      let edit = script.edit(of: state)
      let old = state
      allow(rows: state.rowCount + 20)
      // A snapshot that is asked makes its table, which edits keep.
      if step % 3 == 0 { _ = state.containsItem(script.item(step)) }
      try? edit(&state)
      expectAgreement(state, step)
      try? state.validate()
      _ = try? state.difference(from: old)
      let merged = try? state.merging(script.state(), basedOn: old)
      if let merged { expectAgreement(merged.snapshot, step) }
    }
  }

  mutating func editSource(_ steps: Int) async throws {
    let policies: [DuplicatePolicy] = [.reject, .keepFirst, .keepLast]
    let policy = script.random.element(of: policies) ?? .reject
    let source = DataSourceActor<Lawless, Lawless>(options: SourceOptions(duplicates: policy))
    var updates = source.updates().makeAsyncIterator()
    for step in 0..<steps {
      let (live, revision) = (await source.snapshot, await source.revision)
      allow(rows: live.rowCount + 60)
      let edit = script.edit(of: live)
      var copy = live
      try? edit(&copy)
      switch script.random.number(below: 7) {
      case 0: _ = try? await source.apply(script.state())
      case 1: _ = try? await source.apply(copy)
      case 2:
        let others = script.edit(of: live)
        _ = try? await source.update { try others(&$0) }
        _ = try? await source.merge(copy, basedOn: revision)
      case 3: _ = try? await source.undo()
      case 4: _ = try? await source.redo()
      default: _ = try? await source.update { try edit(&$0) }
      }
      expectAgreement(await source.snapshot, step)
      guard await source.revision != revision, step % 2 == 0 else { continue }
      allow(rows: 4 * (live.rowCount + 60))
      if let batch = await updates.next() { check(batch, step) }
    }
  }

  private func check(_ batch: UpdateBatch<Lawless, Lawless>, _ step: Int) {
    expectAgreement(batch.snapshot, step)
    for profile in [ListProfile.collectionView, .tableView, .sequential] {
      for stage in batch.stages(for: profile) { expectAgreement(stage.snapshot, step) }
    }
    guard let old = batch.previousSnapshot else { return }
    _ = try? old.applying(batch.difference, insertsFrom: batch.snapshot)
    _ = batch.difference.inverse
  }

  mutating func editModels(_ steps: Int) async throws {
    let source = ModelSource<Lawless, Entry>()
    var updates = source.updates().makeAsyncIterator()
    for step in 0..<steps {
      let (live, revision) = (await source.snapshot, await source.revision)
      allow(rows: live.rowCount + 60)
      let edit = script.edit(of: live)
      let text = step
      switch script.random.number(below: 6) {
      case 0:
        let entries = (script.items() + script.items()).map { Entry(id: $0, text: text) }
        let section = script.section(0)
        _ = try? await source.apply(entries) { $0.id.number % 3 == 0 ? section : $0.id }
      case 1: _ = try? await source.undo()
      case 2: _ = try? await source.redo()
      default:
        _ = try? await source.update { draft in
          try edit(&draft.snapshot)
          for index in 0..<draft.snapshot.numberOfSections {
            let items =
              draft.snapshot.outline(ofSectionAt: index)?.items
              ?? Array(draft.snapshot.items(inSectionAt: index))
            draft.setModels(items.map { Entry(id: $0, text: text) })
          }
        }
      }
      expectAgreement(await source.snapshot, step)
      guard await source.revision != revision, step % 2 == 0 else { continue }
      allow(rows: 4 * (live.rowCount + 60))
      if let batch = await updates.next() {
        check(batch.update, step)
        for item in batch.update.snapshot.itemIdentifiers { _ = batch.model(for: item) }
      }
    }
  }

  /// Lists of several leaves, applied one after the other.
  mutating func replaceLongList(_ count: Int) async throws {
    let source = DataSourceActor<Int, Lawless>()
    var numbers = Array(0..<count)
    for step in 0..<12 {
      switch script.random.number(below: 4) {
      case 0: numbers = script.random.shuffled(numbers)
      case 1: numbers.removeAll { $0 % 7 == step % 7 }
      case 2: numbers.insert(contentsOf: 1_000 * step..<1_000 * step + 40, at: numbers.count / 2)
      default: numbers = Array(numbers.reversed())
      }
      let items = numbers.map(script.item)
      var new = Snapshot<Int, Lawless>()
      new.appendSections([0])
      try new.appendItems(items, toSection: 0)
      allow(rows: numbers.count)
      let revision = await source.revision
      _ = try? await source.apply(new)
      let live = await source.snapshot
      // An apply that was refused has changed nothing; one that was accepted has as many rows.
      if await source.revision != revision {
        #expect(live.numberOfItems == numbers.count, "\(comment), step \(step)")
      }
      _ = try? await source.update { state in
        state.deleteItems(items.prefix(60))
        try state.insertItems(items.prefix(30), beforeItem: items[items.count / 2])
      }
      let after = await source.snapshot
      #expect(after.itemIdentifiers.count == after.numberOfItems, "\(comment), step \(step)")
    }
  }
}
