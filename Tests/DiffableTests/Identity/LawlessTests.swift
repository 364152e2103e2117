import Diffable
import DiffableTesting
import ListSupport
import Synchronization
import TestScope
import Testing

/// No promise that such identifiers give a sensible list.
///
/// But nothing traps, nothing goes on without
/// end, and a list agrees with its outline.
///
/// Each test runs in a process of its own: a trap there is a failure here.
@Suite(
  "Identifiers that break the laws of Hashable",
  .enabled(if: !checksInvariants, "the checks ask identifiers too"))
struct LawlessTests {
  @Test("What is deleted between numbers that are none")
  func notANumber() async {
    await #expect(processExitsWith: .success) {
      for (gone, rest) in [([1.0], 1...4), ([1, 2], 1...3), ([.nan], 1...5), ([1, 2, 3], 1...2)] {
        var outline = Outline<Double>()
        for item in [1, .nan, 2, .nan, 3] { try outline.append([item]) }
        outline.expand([1, 2])
        var snapshot = try Snapshot<Int, Double>(outline, in: 0)
        snapshot.deleteItems(gone)
        let visible = try #require(snapshot.outline(ofSection: 0)).visibleItems
        let shown = snapshot.itemIdentifiers(inSection: 0)
        #expect(visible.map(\.bitPattern) == shown.map(\.bitPattern), "\(gone)")
        #expect(rest.contains(shown.count) && snapshot.numberOfItems == shown.count, "\(gone)")
        let source = DataSourceActor<Int, Double>()
        try await source.update { [snapshot] in $0 = snapshot }
        for _ in 0..<20 {
          _ = try? await source.update { state in
            state.deleteItems(gone)
            try state.appendItems([.nan, 7], toSection: 0)
          }
        }
        #expect(await source.snapshot.numberOfItems < 50)
      }
    }
  }

  @Test("Sections to begin with")
  func firstSections() async {
    await #expect(processExitsWith: .success) {
      for law in BrokenLaw.allCases {
        let effort = Effort()
        let sections = (0..<200).map { Lawless(number: $0 / 2, law: law, effort: effort) }
        let source = ModelSource<Lawless, LawlessTrial.Entry>(sections: sections)
        let count = await source.snapshot.numberOfSections
        #expect(law == .none ? count == 100 : count <= 200, "\(law)")
      }
    }
  }

  static let laws = BrokenLaw.allCases.inScope(usual: 2)

  @Test("Snapshots, sources with and without models, and long lists", arguments: laws)
  func random(law: BrokenLaw) async {
    await #expect(processExitsWith: .success) { [law = law as BrokenLaw] in
      for seed in 0..<rounds(40 as UInt64) {
        for sections in [BrokenLaw.none, law] {
          func trial() -> LawlessTrial { LawlessTrial(law, sections: sections, seed: seed) }
          var (snapshot, source, models) = (trial(), trial(), trial())
          try snapshot.editSnapshot(30)
          try await source.editSource(30)
          try await models.editModels(30)
        }
        var long = LawlessTrial(law, sections: .none, seed: seed)
        try await long.replaceLongList(500)
      }
    }
  }
}

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

/// A law of `Hashable` that an identifier may break.
enum BrokenLaw: String, CaseIterable, Codable, Sendable {
  /// No law: that the scripts below are about something.
  case none
  /// Some identifiers are equal to nothing, not even to themselves, as NaN is.
  case someNeverEqual
  /// No identifier is equal to itself.
  case neverEqual
  /// All are equal, and their hashes differ.
  case alwaysEqual
  /// All are equal, and their hashes are.
  case alwaysEqualOneHash
  /// Equality holds in one direction only.
  case asymmetric
  case asymmetricOneHash
  /// Neighbours are equal, and the neighbours of neighbours are not.
  case intransitive
  /// Equality is tossed for.
  case random
  case randomOneHash
  /// A hash is another one each time.
  case changingHash
  /// Neither equality nor hash mean anything.
  case everything
}

extension BrokenLaw {
  /// Whether identifiers that are different are never equal.
  var tellsApart: Bool {
    switch self {
    case .none, .someNeverEqual, .neverEqual, .changingHash: true
    default: false
    }
  }
}

/// Counts what identifiers are asked, and stops the process where that has no end.
final class Effort: Sendable {
  private let questions = Atomic(0)
  private let limit = Atomic(Int.max)

  /// Allows so many questions from now on.
  func allow(_ count: Int) {
    questions.store(0, ordering: .relaxed)
    limit.store(count, ordering: .relaxed)
  }

  var count: Int { questions.load(ordering: .relaxed) }

  func ask() {
    let (count, limit) = (
      questions.add(1, ordering: .relaxed).newValue, limit.load(ordering: .relaxed)
    )
    precondition(count <= limit, "\(limit) questions were not enough")
  }
}

/// An identifier that breaks a law.
struct Lawless: Hashable, Sendable, CustomStringConvertible {
  let number: Int
  let law: BrokenLaw
  let effort: Effort

  static func == (left: Self, right: Self) -> Bool {
    left.effort.ask()
    return switch left.law {
    case .none, .changingHash: left.number == right.number
    case .someNeverEqual: left.number == right.number && left.number % 3 != 0
    case .neverEqual: false
    case .alwaysEqual, .alwaysEqualOneHash: true
    case .asymmetric, .asymmetricOneHash: left.number <= right.number
    case .intransitive: abs(left.number - right.number) <= 1
    case .random, .randomOneHash, .everything: left.effort.toss
    }
  }

  func hash(into hasher: inout Hasher) {
    effort.ask()
    switch law {
    case .none, .someNeverEqual, .neverEqual, .alwaysEqual, .asymmetric, .random:
      hasher.combine(number)
    case .intransitive: hasher.combine(number / 4)
    case .alwaysEqualOneHash, .asymmetricOneHash, .randomOneHash: break
    case .changingHash: hasher.combine(effort.count)
    case .everything: hasher.combine(effort.count % 3)
    }
  }

  var description: String { "\(number)" }
}

extension Effort {
  /// Heads or tails: a mixture of the bits of the number of questions, the same in every run.
  fileprivate var toss: Bool {
    var bits = UInt64(truncatingIfNeeded: count) &* 0x9e37_79b9_7f4a_7c15
    bits ^= bits >> 29
    return (bits &* 0xbf58_476d_1ce4_e5b9) >> 63 == 0
  }
}
