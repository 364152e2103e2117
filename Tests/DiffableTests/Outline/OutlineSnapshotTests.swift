import DiffableTesting
import ListSupport
import Testing
import TestScope

@testable import Diffable

@Suite("Sections that are outlines")
struct OutlineSnapshotTests {
  private typealias State = Snapshot<Int, Int>

  @Test(
    "laws and list rules along any script of edits",
    arguments: 0..<scoped(usual: 3, wide: 16 as UInt64))
  func scripts(seed: UInt64) throws {
    var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
    var snapshot = State()
    var edits: [SnapshotEdit<Int, Int>] = []
    var path: [State] = []
    for step in 0..<rounds(18, least: 18) {
      let before = snapshot
      let edit = generator.anyEdit(of: snapshot)
      edits.append(edit)
      do {
        try edit.apply(to: &snapshot)
      } catch {
        #expect(snapshot == before, "seed \(seed), step \(step): \(edit) threw \(error)")
      }
      if (try? snapshot.validate()) == nil { snapshot = before }
      let faults = snapshot.faults(asking: snapshot.allItems)
      #expect(faults == [], "seed \(seed), step \(step): \(EditScript(edits))")
      expectDisclosures(snapshot, "seed \(seed), step \(step)")
      path.append(snapshot.detached)
      if !faults.isEmpty { return }
      for other in path.suffix(3).dropLast() {
        try expectAccepted(from: other, to: path[path.count - 1], "seed \(seed), step \(step)")
        try expectAccepted(from: path[path.count - 1], to: other, "seed \(seed), step \(step)")
      }
    }
    for start in stride(from: 0, to: path.count - 3, by: 3) {
      let violations = DifferenceLaw.violations(along: Array(path[start..<start + 3]))
      #expect(violations == [], "seed \(seed), from step \(start)")
    }
  }

  @Test("an outline that keeps the expansion has that of hidden rows, too")
  func keptExpansion() throws {
    let tree = try Outline([1, 2, 3], levels: [0, 1, 2])
    for expanded in [[], [1], [2], [1, 2]] {
      var state = State()
      state.appendSections([0])
      var former = tree
      former.expand(expanded)
      try state.setOutline(former, forSection: 0)
      try state.setOutline(tree, forSection: 0, keepingExpansion: true)
      let outline = try #require(state.outline(ofSection: 0))
      #expect((1...2).filter(outline.isExpanded) == expanded)
    }
  }

  @Test(
    "rows that are appended below a row are those that its outline appends",
    arguments: 0..<UInt64(rounds(24)))
  func appendedBelow(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for round in 0..<20 {
      let rows = Array(0..<random.number(below: 12) + 1)
      var (state, outline) = (State(), try random.outline(of: rows))
      state.appendSections([0, 1])
      try state.appendItems([50, 51], toSection: 0)
      try state.setOutline(outline, forSection: 1)
      if random.chance(oneIn: 2) { state.resolve() }
      // Of a tree mostly, of a list, and of nothing.
      let parent = random.element(of: rows + [50, 99]) ?? 0
      let new = random.sample([20, 21, 22, 23, 20, rows[0]], oneIn: 2)
      let comment: Comment = "seed \(seed), round \(round): \(new) to \(parent) of \(state)"
      let before = state
      do {
        try outline.append(new, to: parent)
        try state.appendItems(new, toItem: parent)
      } catch let refusal {
        #expect(throws: refusal, comment) { try state.appendItems(new, toItem: parent) }
        #expect(state == before, comment)
      }
      #expect(state.outline(ofSection: 1) == outline, comment)
      #expect(state.itemIdentifiers(inSection: 1) == outline.visibleItems, comment)
      #expect(state.faults(asking: state.allItems) == [], comment)
    }
  }

  @Test("what is read is what was written", arguments: 0..<4 as Range<UInt64>)
  func flattening(seed: UInt64) throws {
    var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
    var snapshot = State()
    for _ in 0..<40 {
      let edit = generator.anyEdit(of: snapshot)
      try? edit.apply(to: &snapshot)
      let flat = snapshot.flattened
      #expect(flat.itemIdentifiers == snapshot.itemIdentifiers && flat.outlineIndices == [])
      #expect((flat == snapshot) == snapshot.outlineIndices.isEmpty)
    }
  }

  /// A snapshot says of its rows what its outlines say.
  private func expectDisclosures(_ snapshot: State, _ comment: Comment) {
    let outlines = snapshot.outlineSections.compactMap(snapshot.outline(ofSection:))
    #expect(snapshot.loadingItems == outlines.flatMap(\.loadingItems), comment)
    for item in snapshot.allItems + [-1] {
      let sign = outlines.lazy.compactMap { $0.disclosure(of: item) }.first
      #expect(snapshot.disclosure(of: item) == sign, comment)
      guard let path = snapshot.itemPath(for: item) else { continue }
      #expect(snapshot.disclosure(ofItemAt: path) == sign, comment)
    }
  }

  private func expectAccepted(from old: State, to new: State, _ comment: Comment) throws {
    let batch = try UpdateBatch(from: old, to: new)
    for profile in RandomStageTests.profiles {
      var view = ListSimulator(showing: old, profile: profile)
      #expect(view.perform(batch) == [], comment)
      // Each stage leads from the state before it to its own, outlines included.
      var state = old
      for stage in batch.stages(for: profile) where !stage.isReset {
        let replayed = try state.applying(stage.difference, insertsFrom: stage.snapshot)
        #expect(replayed == stage.snapshot, comment)
        state = stage.snapshot
      }
      #expect(state == new || batch.stages(for: profile).first?.isReset == true, comment)
    }
  }
}
