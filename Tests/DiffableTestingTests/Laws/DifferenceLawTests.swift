import Diffable
import DiffableTesting
import Testing

@Suite("Law checks pass what is right and name what is wrong") struct DifferenceLawTests {
  typealias List = Snapshot<String, String>
  let old = List("A[a b c] B[d e]")
  let new = List("B[e] A[c a b x]")

  private func laws(_ edit: (inout SnapshotDifference) -> Void) throws -> Set<DifferenceLaw> {
    var difference = try new.difference(from: old)
    edit(&difference)
    return Set(DifferenceLaw.violations(of: difference, from: old, to: new).map(\.law))
  }

  @Test("the library's difference obeys all laws")
  func right() throws {
    try DifferenceLaw.check(from: old, to: new)
    #expect(DifferenceLaw.violations(along: [old, new, List(), old, List("A*[a~]")]).isEmpty)
  }

  @Test("replay and inverse: a change left out, one too many, one at the wrong place")
  func replay() throws {
    let replays: Set<DifferenceLaw> = [.replay, .inverse]
    #expect(try laws { $0.itemInserts = [] }.isSuperset(of: replays))
    #expect(try laws { $0.sectionMoves = [] }.isSuperset(of: replays))
    #expect(try laws { $0.itemMoves = [] }.isSuperset(of: replays))
    #expect(try laws { $0.itemDeletes = [ItemPath(section: 0, item: 0)] }.isSuperset(of: replays))
    #expect(
      try laws {
        $0.itemMoves = [
          Move(from: ItemPath(section: 0, item: 2), to: ItemPath(section: 1, item: 1))
        ]
      }
        == replays)
    #expect(try laws { $0.itemDeletes = [ItemPath(section: 9, item: 0)] }.isSuperset(of: replays))
  }

  @Test("minimality: a move too many, and a move told as delete and insert")
  func minimality() throws {
    let (one, two) = (List("A[a b c]"), List("A[c a b]"))
    func path(_ item: Int) -> ItemPath { ItemPath(section: 0, item: item) }
    var moves = SnapshotDifference()
    moves.itemMoves = [Move(from: path(0), to: path(1)), Move(from: path(1), to: path(2))]
    #expect(DifferenceLaw.violations(of: moves, from: one, to: two).map(\.law) == [.minimality])
    var rewritten = SnapshotDifference()
    rewritten.itemDeletes = [path(2)]
    rewritten.itemInserts = [path(0)]
    let violations = DifferenceLaw.violations(of: rewritten, from: one, to: two)
    #expect(violations.map(\.law) == [.minimality])
    #expect(
      violations.first?.description
        == "minimality: -0:2 +0:0 from A[a b c] to A[c a b] has 0/0/0 sections and 1/1/0 items "
        + "deleted/inserted/moved, but 0/0/0 sections and 0/0/1 items deleted/inserted/moved suffice."
    )
  }

  @Test("minimality: an outline that changes, and rows that are drawn otherwise")
  func outlines() throws {
    typealias Edit = (inout Outline<String>) throws -> Void
    let edits: [(from: Edit, to: Edit)] = [
      ({ _ in }, { $0.expand(["a"]) }), ({ $0.expand(["a"]) }, { $0.collapse(["a"]) }),
      ({ _ in }, { try $0.move("d", before: "c") }), ({ _ in }, { $0.delete(["c", "d"]) }),
      ({ $0.expand(["a"]) }, { try $0.move("b", after: "c") }),
      ({ _ in }, { $0.setChildrenUnloaded(of: ["b"]) }),
    ]
    for (number, edit) in edits.enumerated() {
      var outline = try Outline(["a", "b"])
      try outline.append(["c", "d"], to: "a")
      try edit.from(&outline)
      var (old, new) = (List("A[a] B[e f]"), List("A[a] B[e f]"))
      try old.setOutline(outline, forSection: "A")
      try edit.to(&outline)
      try new.setOutline(outline, forSection: "A")
      func laws(_ edit: (inout SnapshotDifference) -> Void) throws -> Set<DifferenceLaw> {
        var difference = try new.difference(from: old)
        edit(&difference)
        return Set(DifferenceLaw.violations(of: difference, from: old, to: new).map(\.law))
      }
      #expect(try laws { _ in } == [], "edit \(number)")
      #expect(try laws { $0.outlineChanges = RangeSet() }.contains(.minimality), "edit \(number)")
      #expect(
        try laws { $0.outlineChanges.insert(contentsOf: 1..<2) } == [.minimality], "edit \(number)")
      let drawn = try new.difference(from: old).itemReconfigures
      let others = new.itemIdentifiers.compactMap(new.itemPath).filter { !drawn.contains($0) }
      for path in drawn {
        #expect(
          try laws { $0.itemReconfigures = $0.itemReconfigures.subtracting([path]) }
            == [.minimality], "edit \(number), without \(path)")
      }
      for path in others {
        #expect(
          try laws { $0.itemReconfigures = $0.itemReconfigures.union([path]) } == [.minimality],
          "edit \(number), with \(path)")
      }
    }
  }

  @Test("minimality: a row of an outline that gets another name is drawn again, and no other row")
  func renames() throws {
    var outline = try Outline(["a", "b"])
    try outline.append(["c", "d"], to: "a")
    outline.expand(["a"])
    var old = List("A[a] B[e f]")
    try old.setOutline(outline, forSection: "A")
    for row in old.itemIdentifiers {
      var new = old
      try new.renameItem(row, to: "x")
      var difference = try new.difference(from: old)
      let path = try #require(new.itemPath(for: "x"))
      #expect(Array(difference.itemRenames) == [path] && difference.itemReconfigures == [path])
      func laws() -> [DifferenceLaw] {
        DifferenceLaw.violations(of: difference, from: old, to: new).map(\.law)
      }
      #expect(laws() == [])
      difference.itemReconfigures = ItemPathSet(new.itemIdentifiers.compactMap(new.itemPath(for:)))
      #expect(laws() == [.minimality])
      difference.itemReconfigures = []
      #expect(laws() == [.minimality])
    }
  }

  @Test("emptiness: nothing for something, and something for nothing")
  func emptiness() throws {
    let nothing = DifferenceLaw.violations(of: SnapshotDifference(), from: old, to: new)
    #expect(Set(nothing.map(\.law)).contains(.emptiness))
    var reload = SnapshotDifference()
    reload.itemReloads = [ItemPath(section: 0, item: 0)]
    #expect(DifferenceLaw.violations(of: reload, from: old, to: old).map(\.law) == [.emptiness])
    #expect(DifferenceLaw.violations(of: reload, from: old, to: List("A[a* b c] B[d e]")).isEmpty)
    let marked = List("A[a* b c] B[d e]")
    #expect(
      DifferenceLaw.violations(of: SnapshotDifference(), from: old, to: marked).map(\.law)
        == [.emptiness])
  }

  @Test("uniqueness: duplicates are named")
  func uniqueness() {
    let violations = DifferenceLaw.violations(from: old, to: List("A[a a]"))
    #expect(violations.map(\.law) == [.uniqueness])
    #expect(violations.first?.explanation.contains("“a”") == true)
    #expect(throws: LawViolation<DifferenceLaw>.self) {
      try DifferenceLaw.check(from: List("A[b b]"), to: old)
    }
  }

  /// Equal without regard to case, but hashed with it.
  struct Careless: Hashable, Sendable {
    let name: String
    static func == (left: Self, right: Self) -> Bool {
      left.name.lowercased() == right.name.lowercased()
    }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }

  /// Equal to itself and to what is greater.
  struct Lopsided: Hashable, Sendable {
    let number: Int
    static func == (left: Self, right: Self) -> Bool { left.number <= right.number }
    func hash(into hasher: inout Hasher) {}
  }

  @Test("identity: one that equals another one, and not the other way round")
  func lopsided() {
    for numbers in [[1, 2], [2, 1]] {
      let violations = DifferenceLaw.identityViolations(among: numbers.map(Lopsided.init))
      #expect(violations.map(\.law) == [.identity])
    }
  }

  @Test("identity: equal identifiers with different hashes, and one that is not itself")
  func identity() throws {
    func list(_ names: String...) throws -> Snapshot<Int, Careless> {
      var snapshot = Snapshot<Int, Careless>()
      snapshot.appendSections([0])
      try snapshot.appendItems(names.map(Careless.init))
      return snapshot
    }
    let violations = try DifferenceLaw.violations(from: list("a", "b"), to: list("A", "b"))
    #expect(violations.map(\.law) == [.identity])
    let careless = ["x", "y", "X"].map(Careless.init)
    #expect(DifferenceLaw.identityViolations(among: careless).count == 1)
    #expect(DifferenceLaw.identityViolations(among: [1.0, .nan, 2.0]).map(\.law) == [.identity])
    #expect(DifferenceLaw.identityViolations(among: ["a", "b", "a"]).isEmpty)
  }
}
