import Diffable
import DiffableTesting
import Testing

/// One update, given by hand, and the rules that it breaks.
struct RuleCase: Sendable, CustomTestStringConvertible {
  let title: String
  var profile = ListProfile.collectionView
  let old: String
  let new: String
  let operations: [ListOperation]
  let broken: Set<ListRule>

  var testDescription: String { title }
}

private func path(_ section: Int, _ item: Int) -> ItemPath {
  ItemPath(section: section, item: item)
}

private func moveItem(_ from: ItemPath, _ to: ItemPath) -> ListOperation {
  .moveItem(Move(from: from, to: to))
}

private func moveSection(_ from: Int, _ to: Int) -> ListOperation {
  .moveSection(Move(from: from, to: to))
}

@Suite("Each rule catches what breaks it and lets its neighbour pass")
struct RuleTests {
  static let coreRules: [RuleCase] = [
    RuleCase(
      title: "C1: a delete behind the last item", old: "A[a b]", new: "A[a b]",
      operations: [.deleteItem(path(0, 2))], broken: [.c1]),
    RuleCase(
      title: "C1: a negative section", old: "A[a]", new: "A[a]",
      operations: [.reloadSection(-1)], broken: [.c1]),
    RuleCase(
      title: "C1: an insert by an old index that has no new item", old: "A[a b]", new: "A[b]",
      operations: [.deleteItem(path(0, 0)), .insertItem(path(0, 1))], broken: [.c1]),
    RuleCase(
      title: "C1: a reconfigure by the old index of an item that went forward", old: "A[a b]",
      new: "A[b]", operations: [.deleteItem(path(0, 0)), .reconfigureItem(path(0, 1))],
      broken: [.c1]),
    RuleCase(
      title: "C1 accepts the last item", old: "A[a b]", new: "A[a]",
      operations: [.deleteItem(path(0, 1))], broken: []),
    RuleCase(
      title: "C2: an item deleted and moved", old: "A[a b c]", new: "A[b a]",
      operations: [.deleteItem(path(0, 0)), moveItem(path(0, 0), path(0, 1))], broken: [.c2, .c6]),
    RuleCase(
      title: "C2: a section moved twice", old: "A[] B[] C[]", new: "C[] A[] B[]",
      operations: [moveSection(2, 0), moveSection(2, 1)], broken: [.c2, .c5]),
    RuleCase(
      title: "C2 accepts a delete and a move of neighbours", old: "A[a b c]", new: "A[c b]",
      operations: [.deleteItem(path(0, 0)), moveItem(path(0, 2), path(0, 0))], broken: []),
    RuleCase(
      title: "C3: an insert and a move to one place", old: "A[a b]", new: "A[x a b]",
      operations: [.insertItem(path(0, 0)), moveItem(path(0, 1), path(0, 0))],
      broken: [.c3, .c6, .c7]),
    RuleCase(
      title: "C3: a section inserted where another goes", old: "A[] B[]", new: "B[] A[] X[]",
      operations: [.insertSection(0), moveSection(1, 0), .deleteSection(0)],
      broken: [.c3, .c4]),
    RuleCase(
      title: "C3 accepts neighbouring places", old: "A[a b]", new: "A[x b a]",
      operations: [.insertItem(path(0, 0)), moveItem(path(0, 1), path(0, 1))], broken: []),
    RuleCase(
      title: "C4: a section too many in the data", old: "A[]", new: "A[] B[]", operations: [],
      broken: [.c4]),
    RuleCase(
      title: "C4 accepts the insert of it", old: "A[]", new: "A[] B[]",
      operations: [.insertSection(1)], broken: []),
    RuleCase(
      title: "C5: the wrong section is deleted", old: "A[] B[]", new: "B[]",
      operations: [.deleteSection(1)], broken: [.c5]),
    RuleCase(
      title: "C5: a move to the wrong place", old: "A[] B[] C[]", new: "B[] C[] A[]",
      operations: [moveSection(0, 1)], broken: [.c5]),
    RuleCase(
      title: "C5 accepts the right move", old: "A[] B[] C[]", new: "B[] C[] A[]",
      operations: [moveSection(0, 2)], broken: []),
    RuleCase(
      title: "C6: an item too few in the data", old: "A[a b]", new: "A[a]", operations: [],
      broken: [.c6]),
    RuleCase(
      title: "C6: an item moved out that is still counted", old: "A[a b] B[]", new: "A[a b] B[b]",
      operations: [moveItem(path(0, 1), path(1, 0))], broken: [.c6]),
    RuleCase(
      title: "C6 accepts a move between sections", old: "A[a b] B[]", new: "A[a] B[b]",
      operations: [moveItem(path(0, 1), path(1, 0))], broken: []),
    RuleCase(
      title: "C7: counts add up, but the wrong item is deleted", old: "A[a b]", new: "A[b]",
      operations: [.deleteItem(path(0, 1))], broken: [.c7]),
    RuleCase(
      title: "C7: items that change places without a move", old: "A[a b]", new: "A[b a]",
      operations: [], broken: [.c7]),
    RuleCase(
      title: "C7: a move of the wrong item", old: "A[a b c]", new: "A[c a b]",
      operations: [moveItem(path(0, 1), path(0, 0))], broken: [.c7]),
    RuleCase(
      title: "C7 accepts the move of the right one", old: "A[a b c]", new: "A[c a b]",
      operations: [moveItem(path(0, 2), path(0, 0))], broken: []),
  ]

  static let strictRules: [RuleCase] = [
    RuleCase(
      title: "S1: an item deleted with its section", old: "A[a] B[b]", new: "B[b]",
      operations: [.deleteSection(0), .deleteItem(path(0, 0))], broken: [.s1]),
    RuleCase(
      title: "S1: an item rescued from a deleted section by a move", old: "A[a] B[b]",
      new: "B[b a]", operations: [.deleteSection(0), moveItem(path(0, 0), path(0, 1))],
      broken: [.s1]),
    RuleCase(
      title: "S1 accepts a delete in the section beside it", old: "A[a] B[b]", new: "B[]",
      operations: [.deleteSection(0), .deleteItem(path(1, 0))], broken: []),
    RuleCase(
      title: "S2: an item inserted with its section", old: "A[a]", new: "A[a] B[b]",
      operations: [.insertSection(1), .insertItem(path(1, 0))], broken: [.s2]),
    RuleCase(
      title: "S2: an item moved into an inserted section", old: "A[a]", new: "A[] B[a]",
      operations: [.insertSection(1), moveItem(path(0, 0), path(1, 0))], broken: [.s2]),
    RuleCase(
      title: "S2 accepts an insert in the section beside it", old: "A[a]", new: "A[a x] B[b]",
      operations: [.insertSection(1), .insertItem(path(0, 1))], broken: []),
    RuleCase(
      title: "S3: an item inserted while sections move", old: "A[a] B[]", new: "B[] A[a x]",
      operations: [moveSection(0, 1), .insertItem(path(1, 1))], broken: [.s3]),
    RuleCase(
      title: "S3: an item reconfigured while sections move", old: "A[a] B[]", new: "B[] A[a]",
      operations: [moveSection(0, 1), .reconfigureItem(path(1, 0))], broken: [.s3]),
    RuleCase(
      title: "S3 accepts sections that move with their items", old: "A[a] B[] C[c]",
      new: "B[] D[d] A[a]",
      operations: [moveSection(0, 2), .deleteSection(2), .insertSection(1)], broken: []),
    RuleCase(
      title: "S4: a reload beside an insert", old: "A[a]", new: "A[a b]",
      operations: [.insertItem(path(0, 1)), .reloadItem(path(0, 0))], broken: [.s4]),
    RuleCase(
      title: "S4: a section reload beside a section delete", old: "A[a] B[]", new: "A[a]",
      operations: [.deleteSection(1), .reloadSection(0)], broken: [.s4]),
    RuleCase(
      title: "S4 accepts a reconfigure beside an insert", old: "A[a]", new: "A[b a]",
      operations: [.insertItem(path(0, 0)), .reconfigureItem(path(0, 1))], broken: []),
    RuleCase(
      title: "S5: a reload of what is deleted", old: "A[a b]", new: "A[b]",
      operations: [.deleteItem(path(0, 0)), .reloadItem(path(0, 0))], broken: [.s4, .s5]),
    RuleCase(
      title: "S5: a reload of what moves", old: "A[a b]", new: "A[b a]",
      operations: [moveItem(path(0, 0), path(0, 1)), .reloadItem(path(0, 0))],
      broken: [.s4, .s5]),
    RuleCase(
      title: "S5: a reload of a deleted section", old: "A[a] B[b]", new: "B[b]",
      operations: [.deleteSection(0), .reloadSection(0)], broken: [.s4, .s5]),
    RuleCase(
      title: "S5 accepts a reload of what stays", old: "A[a b]", new: "A[a b]",
      operations: [.reloadItem(path(0, 0))], broken: []),
    RuleCase(
      title: "S6: a section moved to where it is", old: "A[] B[]", new: "A[] B[]",
      operations: [moveSection(1, 1)], broken: [.s6]),
    RuleCase(
      title: "S6: a section moved to where a delete brings it", old: "A[] B[]", new: "B[]",
      operations: [.deleteSection(0), moveSection(1, 0)], broken: [.s6]),
    RuleCase(
      title: "S6 accepts a move that keeps its index and changes the order", old: "A[] B[] C[]",
      new: "C[] B[]", operations: [.deleteSection(0), moveSection(1, 1)], broken: []),
    RuleCase(
      title: "S7: one reload twice", old: "A[a]", new: "A[a]",
      operations: [.reloadItem(path(0, 0)), .reloadItem(path(0, 0))], broken: [.s7]),
    RuleCase(
      title: "S7: an item deleted twice", old: "A[a]", new: "A[]",
      operations: [.deleteItem(path(0, 0)), .deleteItem(path(0, 0))], broken: [.c2, .s7]),
    RuleCase(
      title: "S7: an item reloaded and reconfigured", old: "A[a]", new: "A[a]",
      operations: [.reloadItem(path(0, 0)), .reconfigureItem(path(0, 0))], broken: [.s7]),
    RuleCase(
      title: "S7: an item reloaded with its section", old: "A[a]", new: "A[a]",
      operations: [.reloadSection(0), .reloadItem(path(0, 0))], broken: [.s7]),
    RuleCase(
      title: "S7: an item reconfigured in a section that is reloaded", old: "A[a]", new: "A[a]",
      operations: [.reloadSection(0), .reconfigureItem(path(0, 0))], broken: [.s7]),
    RuleCase(
      title: "S7 accepts refreshes of different items", old: "A[a b]", new: "A[a b]",
      operations: [.reloadItem(path(0, 0)), .reconfigureItem(path(0, 1))], broken: []),
    RuleCase(
      title: "S10: a reload that hides an insert", old: "A[a]", new: "A[a b]",
      operations: [.reloadSection(0)], broken: [.s10]),
    RuleCase(
      title: "S10: a reload that hides an exchange", old: "A[a]", new: "A[b]",
      operations: [.reloadSection(0)], broken: [.s10]),
    RuleCase(
      title: "S10 accepts a reload of the same items", old: "A[a] B[b]", new: "A[a] B[b]",
      operations: [.reloadSection(0)], broken: []),
  ]

  static let profileRules: [RuleCase] = [
    RuleCase(
      title: "S11: a section inserted while a row moves", profile: .tableView, old: "A[a b]",
      new: "A[b a] B[]",
      operations: [.insertSection(1), moveItem(path(0, 0), path(0, 1))], broken: [.s11]),
    RuleCase(
      title: "S11: a section deleted while a row moves", profile: .tableView, old: "A[a b] B[]",
      new: "A[b a]",
      operations: [.deleteSection(1), moveItem(path(0, 0), path(0, 1))], broken: [.s11]),
    RuleCase(
      title: "S11 accepts a section inserted beside a row insert", profile: .tableView,
      old: "A[a]", new: "A[a b] B[]",
      operations: [.insertSection(1), .insertItem(path(0, 1))], broken: []),
    RuleCase(
      title: "S11 does not bind collection views", old: "A[a b]", new: "A[b a] B[]",
      operations: [.insertSection(1), moveItem(path(0, 0), path(0, 1))], broken: []),
    RuleCase(
      title: "S12: one change too many", profile: .collectionView.resetting(past: 1), old: "A[]",
      new: "A[a b]", operations: [.insertItem(path(0, 0)), .insertItem(path(0, 1))],
      broken: [.s12]),
    RuleCase(
      title: "S12 accepts as many as the limit", profile: .collectionView.resetting(past: 2),
      old: "A[]", new: "A[a b]",
      operations: [.insertItem(path(0, 0)), .insertItem(path(0, 1))], broken: []),
    RuleCase(
      title: "S14: an item moved beside a delete", profile: .movesApart, old: "A[a b c]",
      new: "A[c b]", operations: [.deleteItem(path(0, 0)), moveItem(path(0, 2), path(0, 0))],
      broken: [.s14]),
    RuleCase(
      title: "S14: a section moved beside an insert", profile: .movesApart, old: "A[] B[]",
      new: "B[] A[] C[]", operations: [moveSection(1, 0), .insertSection(2)], broken: [.s14]),
    RuleCase(
      title: "S14 accepts moves by themselves", profile: .movesApart, old: "A[a b] B[c]",
      new: "A[b] B[a c]", operations: [moveItem(path(0, 0), path(1, 0))], broken: []),
    RuleCase(
      title: "Q1: two deletes that are no neighbours", profile: .sequential, old: "A[a b c]",
      new: "A[b]", operations: [.deleteItem(path(0, 0)), .deleteItem(path(0, 2))],
      broken: [.q1]),
    RuleCase(
      title: "Q1: two moves", profile: .sequential, old: "A[a b c]", new: "A[c b a]",
      operations: [moveItem(path(0, 0), path(0, 2)), moveItem(path(0, 1), path(0, 1))],
      broken: [.q1]),
    RuleCase(
      title: "Q1: two section moves", profile: .sequential, old: "A[] B[] C[]",
      new: "C[] B[] A[]", operations: [moveSection(0, 2), moveSection(1, 1)], broken: [.q1]),
    RuleCase(
      title: "Q1: an insert and a reload", profile: .sequential, old: "A[a]", new: "A[a b]",
      operations: [.insertItem(path(0, 1)), .reloadItem(path(0, 0))], broken: [.q1]),
    RuleCase(
      title: "Q1 accepts neighbours", profile: .sequential, old: "A[a b c]", new: "A[c]",
      operations: [.deleteItem(path(0, 0)), .deleteItem(path(0, 1))], broken: []),
    RuleCase(
      title: "Q1 accepts a splice", profile: .sequential, old: "A[a b c]", new: "A[a x y c]",
      operations: [
        .deleteItem(path(0, 1)), .insertItem(path(0, 1)), .insertItem(path(0, 2)),
      ], broken: []),
    RuleCase(
      title: "Q1: a delete and an insert elsewhere are no splice", profile: .sequential,
      old: "A[a b c]", new: "A[b c x]",
      operations: [.deleteItem(path(0, 0)), .insertItem(path(0, 2))], broken: [.q1]),
  ]

  @Test(arguments: coreRules + strictRules + profileRules)
  func rule(_ example: RuleCase) {
    var view = ListSimulator(showing: Snapshot(example.old), profile: example.profile)
    let violations = view.perform(example.operations, to: Snapshot(example.new))
    #expect(Set(violations.map(\.rule)) == example.broken, "\(violations)")
  }

  @Test("there is a case that breaks each rule")
  func coverage() {
    let cases = Self.coreRules + Self.strictRules + Self.profileRules
    let broken = cases.reduce(into: Set<ListRule>()) { $0.formUnion($1.broken) }
    // C8, S8 and S9 need a view with a state, see ListSimulatorTests; S13 one with a stage under
    // way, see SimulatorHostTests.
    #expect(broken.union([.c8, .s8, .s9, .s13]) == Set(ListRule.allCases))
  }
}
