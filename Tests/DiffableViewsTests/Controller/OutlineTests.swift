import Diffable
import DiffableTesting
import DiffableViews
import Testing
import TestScope

@Suite("Rows of outlines: disclosure, folding by the user, and what stays through it", .deadline)
@MainActor
struct OutlineTests {
  /// Cells that say what they were told when they were configured last.
  private final class Cell: SimulatedView {
    var item: Int?
    var disclosure: Disclosure?
  }

  private struct Offline: Error, CustomStringConvertible {
    let description = "There is no connection."
  }

  private func controller(of host: Host) -> Controller {
    let rows = CellRegistration<Cell, (Int, Disclosure?)> { cell, _, row in
      cell.item = row.0
      cell.disclosure = row.1
      cell.text = Self.text(of: row.0, row.1)
    }
    return Controller(host: host) { cells, path, item in
      try cells.dequeueConfiguredReusableCell(
        using: rows, for: path, item: (item, cells.disclosure))
    }
  }

  nonisolated private static func text(of item: Int, _ disclosure: Disclosure?) -> String {
    guard let disclosure else { return "\(item)" }
    let signs: [Disclosure.Sign: String] = [
      .leaf: "-", .collapsed: ">", .expanded: "v", .loading: "…",
    ]
    return String(repeating: " ", count: disclosure.level) + (signs[disclosure.sign] ?? "?")
      + "\(item)"
  }

  @Test("Every cell has the disclosure of its row after every batch", arguments: everyProfile)
  func randomBatches(profile: ListProfile) async throws {
    for seed in 0..<UInt64(scoped(usual: 3, wide: 16, long: 2_000)) {
      var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
      let host = Host(profile: profile, visibleRowCount: seed % 3 == 0 ? 4 : .max)
      let controller = controller(of: host)
      var batches = Batches()
      for step in 0..<25 {
        let comment: Comment = "\(profile), seed \(seed), step \(step)"
        if generator.random.chance(oneIn: 3) {
          host.scroll(toRow: generator.random.number(below: 12))
        }
        let batch =
          generator.random.chance(oneIn: 9)
          ? try batches.reset() : try batches.next(next(after: batches.snapshot, &generator))
        await controller.show(batch)
        let new = batch.snapshot
        #expect(host.violations.isEmpty, "\(comment.rawValue): \(host.violations)")
        #expect(controller.snapshot == new, comment)
        for path in host.visibleItemPaths {
          let cell = host.cell(at: path) as? Cell
          let disclosure = new.disclosure(ofItemAt: path)
          #expect(controller.disclosure(ofItemAt: path) == disclosure, comment)
          #expect(
            cell?.item == new.itemIdentifier(for: path)
              && (cell?.disclosure ?? Disclosure()) == (disclosure ?? Disclosure()),
            "\(comment.rawValue), \(path) after \(batch): \(host.texts)")
        }
        for item in new.sectionIdentifiers.flatMap({ new.outline(ofSection: $0)?.items ?? [] }) {
          #expect(controller.disclosure(of: item) == new.disclosure(of: item), comment)
        }
        guard host.violations.isEmpty else { return }
      }
    }
  }

  /// The next state of a list that consists of outlines and lists.
  private func next(
    after snapshot: List, _ generator: inout SnapshotGenerator<Int, Int>
  ) -> List {
    if generator.random.chance(oneIn: 5) {
      return generator.changing(
        snapshot, by: generator.random.element(of: SnapshotChange.allCases) ?? .mixed)
    }
    var new = snapshot
    for _ in 0..<1 + generator.random.number(below: 4) {
      let before = new
      try? generator.anyEdit(of: new).apply(to: &new)
      if (try? new.validate()) == nil { new = before }
    }
    return new
  }

  /// A tree of three levels beside a list.
  private func tree() throws -> List {
    var outline = try Outline([1, 2])
    try outline.append([11, 12], to: 1)
    try outline.append([111], to: 11)
    try outline.append([21], to: 2)
    outline.expand([1])
    var list = List()
    list.appendSections([0, 1])
    try list.setOutline(outline, forSection: 0)
    try list.appendItems([8, 9], toSection: 1)
    return list
  }

  @Test("The user folds and unfolds rows of the source; selection and flags stay with the items")
  func folding() async throws {
    let source = try DataSourceActor(tree())
    let host = Host(profile: .collectionView)
    let controller = controller(of: host)
    controller.start(following: source)
    try await wait { controller.revision != nil }
    #expect(host.texts == ["v1", " >11", " -12", ">2", "8", "9"])

    host.tapDisclosure(ofItemAt: ItemPath(section: 0, item: 1))
    try await wait { controller.snapshot.itemPath(for: 111) != nil }
    #expect(host.texts == ["v1", " v11", "  -111", " -12", ">2", "8", "9"])
    host.tapItem(at: ItemPath(section: 0, item: 2))

    try await controller.collapseItem(1, named: "Collapse 1")
    try await wait { controller.snapshot.itemPath(for: 11) == nil }
    #expect(host.texts == [">1", ">2", "8", "9"])
    #expect(controller.selectedItems == [111])
    #expect(host.selectedItemPaths == [])

    // The item moves while 11 is hidden below it, and is expanded still when the fold is undone.
    try await source.update { try $0.moveItem(1, afterItem: 2) }
    try await source.update(presentation: .reset) { $0.expandItems([2]) }
    #expect(try await source.undo(.named)?.name == "Collapse 1")
    try await wait { controller.snapshot.itemPath(for: 111) != nil }
    #expect(host.texts == ["v2", " -21", "v1", " v11", "  -111", " -12", "8", "9"])
    #expect(host.selectedItemPaths == [ItemPath(section: 0, item: 4)])
    #expect(host.violations.isEmpty, "\(host.violations)")
  }

  @Test("Only what can be folded asks for anything")
  func nothingToFold() async throws {
    let host = Host(profile: .collectionView)
    let controller = controller(of: host)
    var batches = Batches()
    await controller.show(try batches.next(tree()))
    var wishes: [(Int, Bool)] = []
    controller.expansionHandler = { wishes.append(($0, $1)) }
    // A leaf, a row of a list, no row at all; what is unfolded already; and a row that can be folded.
    for path in [(0, 2), (1, 0), (7, 7)].map({ ItemPath(section: $0, item: $1) }) {
      host.tapDisclosure(ofItemAt: path)
      controller.setExpanded(true, ofItemAt: path)
    }
    controller.setExpanded(true, ofItemAt: ItemPath(section: 0, item: 0))
    controller.setExpanded(false, ofItemAt: ItemPath(section: 0, item: 0))
    controller.setExpanded(true, ofItemAt: ItemPath(section: 0, item: 1))
    // By its identifier an item can be toggled wherever it is.
    for item in [12, 8, 99, 11, 1] { controller.toggleExpansion(of: item) }
    try await wait { wishes.count >= 4 }
    #expect(wishes.map(\.0) == [1, 11, 11, 1])
    #expect(wishes.map(\.1) == [false, true, true, false])
    // It follows no source.
    try await controller.expandItem(11)
    try await controller.collapseItem(1)
    #expect(host.texts == ["v1", " >11", " -12", ">2", "8", "9"])
  }

  @Test("Children that are loaded: the row waits for them, and errors are told")
  func loading() async throws {
    let isOpen = AsyncStream<Void>.makeStream()
    let source = DataSourceActor<Int, Int>(childrenProvider: { item in
      for await _ in isOpen.stream.prefix(1) {}
      guard item == 1 else { throw Offline() }
      return try Outline([11, 12])
    })
    try await source.update { snapshot in
      var outline = try Outline([1, 2])
      outline.setChildrenUnloaded(of: [1, 2])
      snapshot.appendSections([0])
      try snapshot.setOutline(outline, forSection: 0)
    }
    let host = Host(profile: .collectionView)
    let controller = controller(of: host)
    var errors: [ListError] = []
    controller.errorHandler = { errors.append($0) }
    controller.start(following: source)
    try await wait { controller.revision != nil }
    #expect(host.texts == [">1", ">2"])
    host.tapDisclosure(ofItemAt: ItemPath(section: 0, item: 0))
    try await wait { controller.disclosure(of: 1)?.sign == .loading }
    #expect(host.texts == ["…1", ">2"])
    // The next tap takes it back.
    #expect(controller.disclosure(of: 1)?.isExpanded == true)
    isOpen.continuation.yield()
    try await wait { controller.snapshot.itemPath(for: 11) != nil }
    try await wait { controller.disclosure(of: 1)?.sign == .expanded }
    #expect(host.texts == ["v1", " -11", " -12", ">2"])

    isOpen.continuation.yield()
    controller.setExpanded(true, ofItemAt: ItemPath(section: 0, item: 3))
    try await wait { !errors.isEmpty }
    #expect(
      errors.first?.description
        == "“2” cannot be expanded or collapsed: The children of “2” were not loaded: "
        + "There is no connection.")
    try await wait { controller.disclosure(of: 2)?.sign == .collapsed }
    #expect(host.texts.last == ">2")

    await source.finish()
    await #expect(throws: ChildrenError<Int>.self) { try await controller.collapseItem(1) }
  }

  @Test("A row is dragged with what stands below it")
  func reordering() async throws {
    for profile in everyProfile {
      let source = try DataSourceActor(tree())
      let host = Host(profile: profile)
      let controller = controller(of: host)
      controller.start(following: source)
      try await wait { controller.revision != nil }
      #expect(try await controller.beginReorder([1]))
      try await controller.proposeReorder(to: .after(11))
      #expect(host.texts == ["v1", " >11", " -12", ">2", "8", "9"])
      try await controller.proposeReorder(to: .after(2))
      #expect(host.texts == [">2", "v1", " >11", " -12", "8", "9"])
      try await source.update { $0.deleteItems([8]) }
      try await controller.commitReorder(named: "Move")
      #expect(host.texts == [">2", "v1", " >11", " -12", "9"], "\(profile)")

      // A list has no room for children, a branch has: at its own level, the end below no other.
      #expect(try await controller.beginReorder([11]))
      try await controller.proposeReorder(to: .end(of: 1))
      #expect(host.texts == [">2", "v1", " -12", "9", "11"], "\(profile)")
      try await controller.proposeReorder(to: .end(of: 0))
      #expect(host.texts == [">2", "v1", " -12", ">11", "9"], "\(profile)")
      await controller.cancelReorder()
      #expect(host.texts == [">2", "v1", " >11", " -12", "9"], "\(profile)")

      try await source.undo(.named)
      try await wait { controller.snapshot.itemPath(for: 1)?.item == 0 }
      #expect(host.texts == ["v1", " >11", " -12", ">2", "9"], "\(profile)")
      #expect(host.violations.isEmpty, "\(host.violations)")
    }
  }
}
