import Diffable
import DiffableTesting
import Testing

@Suite("A batch is cut into as few stages as the view's rules allow")
struct StageTests {
  typealias List = Snapshot<String, String>

  struct Example: Sendable, CustomTestStringConvertible {
    let title: String
    let old: String
    let new: String
    var profile = ListProfile.collectionView
    let stages: [String]
    var testDescription: String { title }
  }

  // Each move is the only one that is the fewest, so no tie is decided here.
  static let batched: [Example] = [
    Example(
      title: "items beside section moves take two stages", old: "A[a b] B[c] C[d e] D[]",
      new: "D[e] X[a] A[b y c] C[d]",
      stages: [
        "-§1 -0:0 +0:1..<3 2:1→2:0 ⇒ A[b y c] C[d] D[e]",
        "+§1 §2→0 ⇒ D[e] X[a] A[b y c] C[d]",
      ]),
    Example(
      title: "items move in the order that their sections still have", old: "A[a b c] B[] C[d e f]",
      new: "C[f d e] A[c a b] B[]",
      stages: [
        "0:2→0:0 2:2→2:0 ⇒ A[c a b] B[] C[f d e]", "§2→0 ⇒ C[f d e] A[c a b] B[]",
      ]),
    Example(
      title: "refreshes come last, by new positions", old: "A[a b c d]", new: "A[x d* b~ c]",
      stages: ["-0:0 +0:0 0:3→0:1 ⇒ A[x d b c]", "*0:1 ~0:2 ⇒ A[x d b c]"]),
    Example(
      title: "a table view takes everything in three stages", old: "X[x] A[a b c] B[] C[]",
      new: "C[x] A[c a b] B[] Y[y]", profile: .tableView,
      stages: [
        "-§0 ⇒ A[a b c] B[] C[]", "+2:0 0:2→0:0 ⇒ A[c a b] B[] C[x]",
        "+§3 §2→0 ⇒ C[x] A[c a b] B[] Y[y]",
      ]),
    Example(
      title: "moves apart: what moves rests in front of what comes", old: "A[a b c d] B[e] C[] D[]",
      new: "D[] A[d a c y] X[z] B[e]", profile: .movesApart,
      stages: [
        "-§2 +§1 -0:1 +0:3 ⇒ A[a c d y] X[z] B[e] D[]",
        "0:2→0:0 ⇒ A[d a c y] X[z] B[e] D[]", "§3→0 ⇒ D[] A[d a c y] X[z] B[e]",
      ]),
    Example(
      title: "sequential: every index in the running state", old: "A[a b c d] B[e] C[]",
      new: "C[e] A[d a c x] B[]", profile: .sequential,
      stages: [
        "-0:1 ⇒ A[a c d] B[e] C[]", "1:0→2:0 ⇒ A[a c d] B[] C[e]",
        "0:2→0:0 ⇒ A[d a c] B[] C[e]", "+0:3 ⇒ A[d a c x] B[] C[e]",
        "§2→0 ⇒ C[e] A[d a c x] B[]",
      ]),
  ]

  @Test(arguments: batched)
  func stages(_ example: Example) throws {
    let batch = try UpdateBatch(from: List(example.old), to: List(example.new))
    #expect(batch.stages(for: example.profile).map(\.description) == example.stages)
    #expect(batch.stages(for: example.profile) == batch.stages(for: example.profile))
  }

  @Test("a reset batch is one reset stage, even where nothing is left")
  func resets() throws {
    let empty = UpdateBatch<String, String>(
      epoch: Epoch(), base: nil, target: .empty, difference: SnapshotDifference(),
      previousSnapshot: nil, snapshot: List(), presentation: .animated)
    var presented = try UpdateBatch(from: List("A[a]"), to: List("A[b]"))
    presented.presentation = .reset
    for profile in [ListProfile.collectionView, .tableView, .movesApart, .sequential] {
      #expect(empty.stages(for: profile) == [UpdateStage(resettingTo: List())])
      #expect(presented.stages(for: profile) == [UpdateStage(resettingTo: List("A[b]"))])
    }
  }

  @Test("past the limit a batch is a reset, at the limit it is not")
  func limit() throws {
    let batch = try UpdateBatch(from: List("A[a b]"), to: List("A[b a x]"))
    #expect(batch.difference.changeCount == 2)
    #expect(batch.stages(for: .collectionView.resetting(past: 2)).map(\.isReset) == [false])
    #expect(batch.stages(for: .collectionView.resetting(past: 1)).map(\.isReset) == [true])
    #expect(ListProfile.tableView.changeLimit == nil)
    #expect("\(ListProfile.tableView.resetting(past: 9))" == "tableView(reset past 9)")
  }

  @Test("a difference that was changed by hand and no longer fits becomes a reset")
  func unfitting() throws {
    let fitting = try UpdateBatch(from: List("A[a b] B[]"), to: List("B[a] A[b]"))
    var broken: [SnapshotDifference] = []
    func breakIt(_ edit: (inout SnapshotDifference) -> Void) {
      var difference = fitting.difference
      edit(&difference)
      broken.append(difference)
    }
    breakIt { $0.sectionDeletes.insert(contentsOf: 5..<(.max)) }
    breakIt { $0.sectionInserts.insert(contentsOf: -3..<1) }
    breakIt { $0.sectionMoves.append(Move(from: 0, to: .max)) }
    breakIt { $0.sectionReloads.insert(contentsOf: 2..<3) }
    breakIt { $0.itemDeletes.append(section: 0, items: 2..<(.max)) }
    breakIt { $0.itemInserts.append(section: .max, items: 0..<1) }
    breakIt {
      $0.itemMoves.append(
        Move(from: ItemPath(section: 9, item: 0), to: ItemPath(section: 0, item: 0)))
    }
    breakIt { $0.itemReloads.append(section: -1, items: 0..<1) }
    breakIt { $0.itemReconfigures.append(section: 0, items: -7..<1) }
    for difference in broken {
      var batch = fitting
      batch.difference = difference
      for profile in [ListProfile.collectionView, .tableView, .movesApart, .sequential] {
        #expect(batch.stages(for: profile).map(\.isReset) == [true], "\(difference)")
      }
    }
    var orphan = fitting
    orphan.previousSnapshot = nil
    #expect(orphan.stages(for: .collectionView).map(\.isReset) == [true])
  }

  @Test(
    "whatever stands in a difference, stages end on the snapshot and nothing traps",
    arguments: 0..<4 as Range<UInt64>)
  func nonsense(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let old = List("A[a b c] B[d] C[]")
    let new = List("C[b] A[a x] D[d]")
    for _ in 0..<500 {
      var difference = SnapshotDifference()
      for _ in 0..<1 + random.number(below: 4) {
        let (section, item) = (random.number(below: 3), random.number(below: 3))
        let path = ItemPath(section: section, item: item)
        let other = ItemPath(section: random.number(below: 3), item: random.number(below: 3))
        switch random.number(below: 7) {
        case 0: difference.sectionDeletes.insert(contentsOf: section..<section + 1)
        case 1: difference.sectionInserts.insert(contentsOf: section..<section + 1)
        case 2: difference.sectionMoves.append(Move(from: section, to: other.section))
        case 3: difference.itemDeletes.append(section: section, items: item..<item + 1)
        case 4: difference.itemInserts.append(section: section, items: item..<item + 1)
        case 5: difference.itemMoves.append(Move(from: path, to: other))
        default: difference.sectionReloads.insert(contentsOf: section..<section + 1)
        }
      }
      let batch = UpdateBatch(
        epoch: Epoch(), base: Revision(1), target: Revision(2), difference: difference,
        previousSnapshot: old, snapshot: new, presentation: .animated)
      for profile in [ListProfile.collectionView, .tableView, .movesApart, .sequential] {
        #expect(batch.stages(for: profile).last?.snapshot == new, "seed \(seed): \(difference)")
      }
    }
  }
}
