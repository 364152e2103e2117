import Diffable
import DiffableTesting
import Testing

@Suite("Generated snapshots are valid, repeatable, and what their names say")
struct SnapshotGeneratorTests {
  private func generator(_ seed: UInt64) -> SnapshotGenerator<String, Int> {
    SnapshotGenerator(seed: seed, section: { "s\($0)" }, item: { $0 })
  }

  @Test("shapes")
  func shapes() {
    var generator = generator(1)
    #expect(generator.snapshot(.even(sections: 0, itemsEach: 3)) == Snapshot())
    #expect(generator.snapshot(.even(sections: 3, itemsEach: 0)).numberOfSections == 3)
    let one = generator.snapshot(.even(sections: 1, itemsEach: 50))
    #expect(one.numberOfSections == 1 && one.numberOfItems == 50)
    let even = generator.snapshot(.even(sections: 4, itemsEach: 3))
    #expect(even.sectionIdentifiers.map(even.numberOfItems(inSection:)) == [3, 3, 3, 3])
    let uneven = generator.snapshot(.uneven(sections: 40, items: 60))
    #expect(uneven.numberOfSections == 40 && uneven.numberOfItems == 60)
    #expect(uneven.sectionIdentifiers.contains { uneven.numberOfItems(inSection: $0) == 0 })
    for shape in [
      SnapshotShape.even(sections: -1, itemsEach: 2), .even(sections: 1, itemsEach: -1),
      .anyOf(sections: 0, items: -3),
    ] {
      #expect(generator.snapshot(shape).numberOfItems == 0)
    }
  }

  @Test("the same seed gives the same snapshots, another gives others")
  func repeatable() {
    func many(_ seed: UInt64) -> [Snapshot<String, Int>] {
      var generator = generator(seed)
      return SnapshotChange.allCases.map { change in
        generator.changing(generator.snapshot(.uneven(sections: 3, items: 9)), by: change)
      }
    }
    #expect(many(5) == many(5))
    #expect(many(5) != many(6))
  }

  @Test("every change gives a valid snapshot", arguments: SnapshotChange.allCases)
  func valid(change: SnapshotChange) throws {
    for seed in 0..<30 as Range<UInt64> {
      var generator = generator(seed)
      for shape in [
        SnapshotShape.even(sections: 0, itemsEach: 0), .uneven(sections: 5, items: 20),
        .anyOf(sections: 3, items: 9),
      ] {
        try generator.changing(generator.snapshot(shape), by: change).validate()
      }
    }
  }

  @Test(
    "every change but none changes something, and in its way", arguments: SnapshotChange.allCases)
  func differences(change: SnapshotChange) throws {
    var generator = generator(11)
    let old = generator.snapshot(.even(sections: 6, itemsEach: 6))
    let difference = try generator.changing(old, by: change).difference(from: old)
    let (sections, items) = (
      (
        !difference.sectionDeletes.isEmpty, !difference.sectionInserts.isEmpty,
        !difference.sectionMoves.isEmpty
      ),
      (
        !difference.itemDeletes.isEmpty, !difference.itemInserts.isEmpty,
        !difference.itemMoves.isEmpty
      )
    )
    switch change {
    case .none: #expect(difference.isEmpty)
    case .reversedItems, .shuffledItems, .swappedHalves, .rotatedItems, .movedItems,
      .scatteredItems:
      #expect(sections == (false, false, false) && items == (false, false, true))
    case .deletedItems: #expect(sections == (false, false, false) && items == (true, false, false))
    case .insertedItems: #expect(sections == (false, false, false) && items == (false, true, false))
    case .reversedSections, .shuffledSections:
      #expect(sections == (false, false, true) && items == (false, false, false))
    case .deletedSections:
      #expect(sections == (true, false, false) && items == (false, false, false))
    case .mergedSections: #expect(sections == (true, false, false) && items == (false, true, false))
    case .insertedSections:
      #expect(sections == (false, true, false) && items == (false, false, false))
    case .splitSections: #expect(sections == (false, true, false) && items == (true, false, false))
    case .replacedEverything: #expect(sections == (true, true, false))
    case .deletedEverything: #expect(sections == (true, false, false))
    case .changedOutlines:
      #expect(sections == (false, false, false) && !difference.outlineChanges.isEmpty)
    case .marked: #expect(difference.hasRefreshes && !difference.isStructural)
    case .renamedItems:
      #expect(sections == (false, false, false) && !difference.itemRenames.isEmpty)
    case .mixed: #expect(!difference.isEmpty)
    }
  }

  @Test("marks of every kind are made")
  func marks() throws {
    var generator = generator(12)
    let old = generator.snapshot(.even(sections: 30, itemsEach: 3))
    let difference = try generator.changing(old, by: .marked).difference(from: old)
    #expect(!difference.sectionReloads.isEmpty && !difference.sectionReconfigures.isEmpty)
    #expect(!difference.itemReloads.isEmpty && !difference.itemReconfigures.isEmpty)
  }

  @Test("outlines stay outlines through other changes, and show what the change says")
  func outlines() throws {
    for change in SnapshotChange.allCases
    where change != .mixed && change != .changedOutlines && change != .deletedEverything {
      for seed in 0..<10 as Range<UInt64> {
        var generator = generator(seed)
        let flat = generator.snapshot(.even(sections: 5, itemsEach: 6))
        let old = generator.changing(flat, by: .changedOutlines)
        #expect(old.sectionIdentifiers.contains { old.outline(ofSection: $0) != nil })
        let new = generator.changing(old, by: change)
        try new.validate()
        for section in new.sectionIdentifiers where old.containsSection(section) {
          let outlines = (old.outline(ofSection: section), new.outline(ofSection: section))
          #expect((outlines.0 == nil) == (outlines.1 == nil), "\(change), seed \(seed)")
          if let outline = outlines.1 {
            #expect(outline.visibleItems == new.itemIdentifiers(inSection: section))
          }
        }
      }
    }
  }

  @Test("random changes are valid, and make outlines only if they may")
  func randomChanges() throws {
    for seed in 0..<40 as Range<UInt64> {
      var generator = generator(seed)
      var flat = generator.snapshot(sections: 5, items: 30)
      #expect(flat.numberOfSections == 5 && flat.numberOfItems == 30)
      var any = flat
      for _ in 0..<20 {
        any = generator.changing(any)
        flat = generator.changing(flat, changesOutlines: false)
        try any.validate()
        try flat.validate()
        #expect(
          flat.sectionIdentifiers.allSatisfy { flat.outline(ofSection: $0) == nil }, "seed \(seed)")
      }
      guard seed == 0 else { continue }
      #expect(generator.snapshot(sections: -1, items: 3).numberOfSections == 0)
    }
  }

  @Test("edits leave a valid snapshot valid, and some are refused")
  func edits() throws {
    var generator = generator(3)
    var snapshot = Snapshot<String, Int>()
    var refusals = 0
    for _ in 0..<400 {
      let edit = generator.anyEdit(of: snapshot, makesOutlines: false)
      do throws(SnapshotError) { try edit.apply(to: &snapshot) } catch {
        refusals += 1
      }
      try snapshot.validate()
    }
    #expect((10...80).contains(refusals))
  }

  @Test("edits of every kind are made")
  func kinds() {
    var generator = generator(4)
    let list = generator.changing(
      generator.snapshot(.even(sections: 4, itemsEach: 4)), by: .changedOutlines)
    let edits = (0..<4_000).flatMap { _ in [generator.edit(of: list), generator.anyEdit(of: list)] }
    // All but one have something to name.
    let kinds = Set(edits.compactMap { Mirror(reflecting: $0).children.first?.label })
    #expect(kinds.count == 28 && edits.contains(.deleteAllItems), "\(kinds.sorted())")
  }

  @Test("a script prints as Swift")
  func swiftCode() throws {
    let script: [SnapshotEdit<String, Int>] = [
      .appendSections(["a", "b"]), .appendItems([1, 2], nil), .appendItems([3], "a"),
      .insertItemsBefore([4], 1), .insertItemsAfter([5], 4), .moveItemBefore(5, 3),
      .moveItemAfter(1, 2), .insertSectionsBefore(["c"], "a"), .insertSectionsAfter(["d"], "c"),
      .moveSectionBefore("b", "a"), .moveSectionAfter("a", "d"), .reloadSections(["a"]),
      .reconfigureSections(["d"]), .reloadItems([3]), .reconfigureItems([4]),
      .replaceItems("d", [9]), .deleteItems([2]),
      .deleteItemsWhere([1]), .deleteSections(["c"]),
    ]
    #expect(
      EditScript(script).description == """
        snapshot.appendSections(["a", "b"])
        try snapshot.appendItems([1, 2])
        try snapshot.appendItems([3], toSection: "a")
        try snapshot.insertItems([4], beforeItem: 1)
        try snapshot.insertItems([5], afterItem: 4)
        try snapshot.moveItem(5, beforeItem: 3)
        try snapshot.moveItem(1, afterItem: 2)
        try snapshot.insertSections(["c"], beforeSection: "a")
        try snapshot.insertSections(["d"], afterSection: "c")
        try snapshot.moveSection("b", beforeSection: "a")
        try snapshot.moveSection("a", afterSection: "d")
        try snapshot.reloadSections(["a"])
        try snapshot.reconfigureSections(["d"])
        try snapshot.reloadItems([3])
        try snapshot.reconfigureItems([4])
        try snapshot.replaceItems(inSection: "d", with: [9])
        snapshot.deleteItems([2])
        snapshot.deleteItems(where: [1].contains)
        snapshot.deleteSections(["c"])
        """)

    // The same lines, pasted: they compile, and lead to the same snapshot.
    var snapshot = Snapshot<String, Int>()
    snapshot.appendSections(["a", "b"])
    try snapshot.appendItems([1, 2])
    try snapshot.appendItems([3], toSection: "a")
    try snapshot.insertItems([4], beforeItem: 1)
    try snapshot.insertItems([5], afterItem: 4)
    try snapshot.moveItem(5, beforeItem: 3)
    try snapshot.moveItem(1, afterItem: 2)
    try snapshot.insertSections(["c"], beforeSection: "a")
    try snapshot.insertSections(["d"], afterSection: "c")
    try snapshot.moveSection("b", beforeSection: "a")
    try snapshot.moveSection("a", afterSection: "d")
    try snapshot.reloadSections(["a"])
    try snapshot.reconfigureSections(["d"])
    try snapshot.reloadItems([3])
    try snapshot.reconfigureItems([4])
    try snapshot.replaceItems(inSection: "d", with: [9])
    snapshot.deleteItems([2])
    snapshot.deleteItems(where: [1].contains)
    snapshot.deleteSections(["c"])
    var applied = Snapshot<String, Int>()
    for edit in script { try edit.apply(to: &applied) }
    #expect(applied.description == snapshot.description)
    #expect(snapshot.description == "d~[9] a*[5 3*] b[4~]")
  }

  @Test("a script goes on from what each edit has left, past those that are refused")
  func scripts() {
    for seed in 0..<10 as Range<UInt64> {
      var (generator, single) = (generator(seed), generator(seed))
      let start = generator.snapshot(.even(sections: 3, itemsEach: 4))
      var (snapshot, edits) = (single.snapshot(.even(sections: 3, itemsEach: 4)), [String]())
      for _ in 0..<40 {
        let edit = single.anyEdit(of: snapshot, makesOutlines: false)
        try? edit.apply(to: &snapshot)
        edits.append("\(edit)")
      }
      let script = generator.script(editing: start, count: 40)
      #expect(script.description == edits.joined(separator: "\n"), "seed \(seed)")
      var applied = start
      script.apply(to: &applied)
      #expect(applied == snapshot, "seed \(seed)")
    }
  }

  @Test("a script of edits of outlines prints as Swift")
  func swiftCodeOfOutlines() throws {
    let script: [SnapshotEdit<String, Int>] = [
      .appendSections(["a", "b"]), .appendItems([1, 2, 3], "a"), .keepLastItems(2, "a"),
      .moveItemToSection(3, "b"),
      .editOutline(
        "a",
        [
          .append([4, 5], nil), .append([6], 4), .moveInto(5, 4), .setChildrenUnloaded([6]),
          .setChildrenLoaded([6]),
        ]), .moveItemInto(3, 6), .replaceChildren(4, [7, 5], [.append([8], 7), .expand([7])]),
      .replaceChildren(8, [9], []), .expandItems([4]),
      .editOutlineKeepingExpansion("a", [.collapse([4]), .append([10], 9)]),
    ]
    #expect(
      EditScript(script).description == """
        snapshot.appendSections(["a", "b"])
        try snapshot.appendItems([1, 2, 3], toSection: "a")
        try snapshot.keepLastItems(2, inSection: "a")
        try snapshot.moveItem(3, toSection: "b")
        do { var outline = snapshot.outline(ofSection: "a") ?? Outline(); \
        try outline.append([4, 5]); try outline.append([6], to: 4); \
        try outline.move(5, into: 4); outline.setChildrenUnloaded(of: [6]); \
        outline.setChildrenUnloaded(of: [6], false); \
        try snapshot.setOutline(outline, forSection: "a") }
        try snapshot.moveItem(3, intoItem: 6)
        do { var outline = try Outline([7, 5]); try outline.append([8], to: 7); \
        outline.expand([7]); try snapshot.replaceItems(childrenOf: 4, using: outline) }
        try snapshot.replaceItems(childrenOf: 8, using: Outline([9]))
        snapshot.expandItems([4])
        do { var outline = snapshot.outline(ofSection: "a") ?? Outline(); \
        outline.collapse([4]); try outline.append([10], to: 9); \
        try snapshot.setOutline(outline, forSection: "a", keepingExpansion: true) }
        """)
    var applied = Snapshot<String, Int>()
    for edit in script { try edit.apply(to: &applied) }
    #expect(applied.itemIdentifiers == [4, 7, 8, 5])
    #expect(applied.outline(ofSection: "a")?.items == [4, 7, 8, 9, 10, 5])
  }
}
