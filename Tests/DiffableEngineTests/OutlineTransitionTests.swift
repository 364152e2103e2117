import Diffable
import DiffableTesting
import TestScope
import Testing

@Suite("From any small outline or list to any other one")
struct OutlineTransitionTests {
  private typealias State = Snapshot<Int, Int>

  /// Some rows as a list, or as an outline with any shape, order and flags.
  private static func rows(
    _ random: inout SplitMix64, from models: [OutlineModel]
  ) -> OutlineModel? {
    guard !random.chance(oneIn: 6), var model = random.element(of: models) else { return nil }
    let names = random.shuffled(Array(10..<15))
    for item in model.items {
      let isUnloaded = random.chance(oneIn: 4)
      model.edit(item) { ($0.id, $0.isUnloaded) = (names[item], isUnloaded) }
    }
    return model
  }

  private static func state(
    _ random: inout SplitMix64, from models: [OutlineModel]
  ) throws -> State {
    var state = State()
    state.appendSections([0, 1])
    // The rows of the other section are others, so that some come from there or go there.
    try state.appendItems(random.sample([15, 16], oneIn: 2), toSection: 1)
    if let model = rows(&random, from: models) {
      try state.setOutline(Outline(model), forSection: 0)
    } else {
      let items = random.shuffled(Array(10..<17)).prefix(random.number(below: 5))
      try state.appendItems(items.filter { !state.containsItem($0) }, toSection: 0)
    }
    return state
  }

  @Test("What is said to change is what is drawn otherwise", arguments: 0..<UInt64(rounds(64)))
  func laws(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let models = (0...3).flatMap { everyOutline(items: $0) }
    var old = try Self.state(&random, from: models)
    for step in 0..<80 {
      let new = try Self.state(&random, from: models)
      let violations = DifferenceLaw.violations(from: old, to: new)
      #expect(violations.isEmpty, "seed \(seed), step \(step): \(old) → \(new)")
      let tree = new.outline(ofSection: 0)
      #expect(new.loadingItems == tree?.loadingItems ?? [], "\(new)")
      for item in (tree?.items ?? []) + new.itemIdentifiers + [99] {
        let sign = tree?.disclosure(of: item)
        #expect(new.disclosure(of: item) == sign, "\(item) in \(new)")
        guard let path = new.itemPath(for: item) else { continue }
        #expect(new.disclosure(ofItemAt: path) == sign, "\(item) in \(new)")
      }
      guard step.isMultiple(of: 4) else {
        old = new
        continue
      }
      let shown = try UpdateBatch(from: old, to: new)
      for profile in [ListProfile.collectionView, .tableView, .movesApart, .sequential] {
        var view = ListSimulator(showing: old, profile: profile)
        #expect(view.perform(shown) == [], "seed \(seed), step \(step), \(profile)")
      }
      old = new
    }
  }
}
