import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

@Suite("What a query says about itself is what its steps have done", .deadline)
struct ExplanationLawTests {
  private typealias Plain = QueryScript.Plain
  private typealias Operations = ArraySlice<QueryScript.Operation?>

  @Test(
    "Rows, sections and changes are those of a plain evaluation, whatever is written and asked",
    arguments: 1...rounds(160 as UInt64))
  func counts(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let (notes, clock) = (Notes(), ManualClock())
    var script = QueryScript.random(&random)
    let shown = notes.derived { script.query($0, isDeclared: true, clock: clock) }
    var revision = Revision.empty
    var before: [QueryExplanation.Step]?
    var slices: [Operations] = []
    for round in 0..<14 {
      let place: Comment = "seed \(seed), round \(round), \(script)"
      let isNewQuery = round > 0 && random.chance(oneIn: 4)
      if isNewQuery {
        // Often one that begins as the one before, with as many operations, one fewer or one more.
        var next = QueryScript.random(&random)
        if random.chance(oneIn: 2), let last = script.operations.last {
          let windows: [QueryScript.Operation] = [.window(0..<5), .window(0..<7)]
          let ends = [[last], [windows[0]], [], [last, windows[1]]]
          let end = ends[random.number(below: ends.count)]
          let operations = script.operations.dropLast() + end
          if !operations.isEmpty { next.operations = Array(operations) }
        }
        script = next
        try await shown.setQuery { script.query($0, isDeclared: true, clock: clock) }
      } else {
        try await Self.edit(notes, &random)
      }
      let live = await notes.revision
      let hasChanged = live != revision
      revision = live
      let explanation = await shown.explain()
      let steps = explanation.steps
      let lists = await Self.lists(of: steps, script, notes, clock)
      guard lists.count == steps.count + 1 else {
        Issue.record("\(steps.count) steps and \(lists.count) lists: \(place)")
        return
      }
      #expect(explanation.followed.map(\.revision) == [revision], place)
      for (step, (input, output)) in zip(steps, zip(lists, lists.dropFirst())) {
        #expect(step.rowsIn == input.rowCount, place)
        #expect(step.rowsOut == output.rowCount, place)
        #expect(step.sectionsOut == output.sections.count, place)
      }
      let cuts = Self.slices(of: Self.operations(of: script), steps)
      if isNewQuery, let before {
        let kept = Self.kept(slices, cuts)
        for (index, step) in steps.enumerated() {
          if index < kept {
            #expect(step == before[index], place)
          } else {
            #expect(step.changesFollowed == 0 && step.changesFromScratch == 1, place)
          }
        }
      } else if let before {
        for (index, (step, old)) in zip(steps, before).enumerated() {
          let news = step.total - old.total
          #expect(index > 0 || news == (hasChanged ? 1 : 0), place)
          #expect(index == 0 || news <= steps[index - 1].total - before[index - 1].total, place)
          #expect(news >= 0 && step.changesFromScratch >= old.changesFromScratch, place)
        }
      }
      (before, slices) = (steps, cuts)
    }
  }

  private static func edit(_ notes: Notes, _ random: inout SplitMix64) async throws {
    let count = random.chance(oneIn: 8) ? 40 : 1 + random.number(below: 3)
    let isLoss = random.chance(oneIn: 5)
    let changed = (0..<count).map { _ in
      Note(
        id: random.number(below: 60), folder: Folder(random.number(below: 4)),
        title: random.number(below: 5), text: random.number(below: 4))
    }
    try await notes.update { draft in
      for note in changed {
        if draft.snapshot.containsItem(note.id) {
          if isLoss { draft.deleteItems([note.id]) } else { draft.setModels([note]) }
        } else {
          if !draft.snapshot.containsSection(note.folder) {
            draft.snapshot.appendSections([note.folder])
          }
          try draft.appendItems([note], toSection: note.folder)
        }
      }
    }
  }

  /// The list before each step, and the last one, from scratch.
  private static func lists(
    of steps: [QueryExplanation.Step], _ script: QueryScript, _ notes: Notes, _ clock: ManualClock
  ) async -> [Plain] {
    let input = Plain(await notes.snapshot)
    var lists = [input]
    let operations = Self.operations(of: script)
    var count = 0
    for step in steps {
      count += step.operations.count
      let part = QueryScript(operations: operations.prefix(count).compactMap { $0 })
      lists.append(part.evaluate(input, now: clock.now))
    }
    return lists
  }

  /// The operations as they are explained: after a ranking, a map makes notes of what it shows.
  private static func operations(of script: QueryScript) -> [QueryScript.Operation?] {
    script.operations.flatMap { operation -> [QueryScript.Operation?] in
      if case .rank = operation { [operation, nil] } else { [operation] }
    }
  }

  /// The operations of each step.
  private static func slices(
    of operations: [QueryScript.Operation?], _ steps: [QueryExplanation.Step]
  ) -> [Operations] {
    var rest = operations[...]
    return steps.map { step in
      defer { rest = rest.dropFirst(step.operations.count) }
      return rest.prefix(step.operations.count)
    }
  }

  /// How many steps of a new query go on: those at its beginning that are the same, without the last step of a
  /// query that has fewer.
  private static func kept(_ old: [Operations], _ new: [Operations]) -> Int {
    let same = zip(old, new).prefix { old, new in
      old.elementsEqual(new) && !new.contains { if case .search? = $0 { true } else { false } }
    }.count
    return old.count == new.count ? same : min(same, min(old.count, new.count) - 1)
  }
}

extension QueryExplanation.Step {
  fileprivate var total: Int { changesFollowed + changesFromScratch }
}

extension QueryScript.Plain {
  fileprivate var rowCount: Int { sections.reduce(0) { $0 + $1.notes.count } }
}
