import Diffable
import ListSupport
import TestScope
import Testing

/// What a change shows again is shown again when the change is taken back, and when it is made again.
@Suite("Undo and redo show again what the change has shown again", .deadline)
struct TakenBackMarkTests {
  private enum Mark: CaseIterable { case none, reload, reconfigure }

  /// What others do after the change.
  private enum Deed: CaseIterable { case nothing, rename, append, moveSection, deleteInserted }

  private static func source() async throws -> Source {
    let source = Source()
    try await source.update { list in
      list.appendSections(["a", "b"])
      try list.appendItems([1, 2, 3], toSection: "a")
      try list.appendItems([4], toSection: "b")
    }
    return source
  }

  private static func make(
    _ row: Mark, _ section: Mark, renaming isRenamed: Bool, in source: Source
  ) async throws {
    try await source.update(named: "Change") { list in
      try list.insertItems([9], afterItem: 2)
      if isRenamed { try list.renameItem(1, to: 11) }
      let name = isRenamed ? 11 : 1
      if row == .reload { try list.reloadItems([name]) }
      if row == .reconfigure { try list.reconfigureItems([name]) }
      if section == .reload { try list.reloadSections(["a"]) }
      if section == .reconfigure { try list.reconfigureSections(["a"]) }
    }
  }

  private static func make(_ deed: Deed, on row: Int, in source: Source) async throws {
    try await source.update { list in
      switch deed {
      case .nothing: break
      case .rename: try list.renameItem(row, to: 12)
      case .append: try list.appendItems([7], toSection: "b")
      case .moveSection: try list.moveSection("a", afterSection: "b")
      case .deleteInserted: list.deleteItems([9])
      }
    }
  }

  /// The row of `a` that was 1 at first.
  private static func row(_ list: List) throws -> (name: Int, path: ItemPath) {
    let name = try #require([1, 11, 12].first(where: list.containsItem))
    return (name, try #require(list.itemPath(for: name)))
  }

  @Test func `Every mark, whatever others have done since`() async throws {
    for (row, section) in Mark.allCases.flatMap({ row in Mark.allCases.map { (row, $0) } }) {
      for (isRenamed, deed) in [false, true].flatMap({ name in Deed.allCases.map { (name, $0) } }) {
        let source = try await Self.source()
        try await Self.make(row, section, renaming: isRenamed, in: source)
        try await Self.make(deed, on: isRenamed ? 11 : 1, in: source)
        for isUndo in [true, false] {
          let made = try await isUndo ? source.undo(.named) : source.redo(.named)
          guard let made else {
            #expect(!isUndo && deed != .nothing)
            continue
          }
          let comment: Comment = "\(row), \(section), \(isRenamed), \(deed): \(made)"
          let (old, new) = (
            try Self.row(made.initialSnapshot), try Self.row(made.finalSnapshot)
          )
          let difference = made.difference
          #expect(difference.itemReloads.contains(old.path) == (row == .reload), comment)
          if section != .reload, row != .reload {
            let isShown = row == .reconfigure || old.name != new.name
            #expect(difference.itemReconfigures.contains(new.path) == isShown, comment)
          }
          #expect(
            difference.sectionReloads.contains(old.path.section) == (section == .reload), comment)
          #expect(
            difference.sectionReconfigures.contains(new.path.section) == (section == .reconfigure),
            comment)
          // Nothing else is shown again.
          #expect(difference.itemReloads.count <= 1, comment)
          #expect(difference.itemReconfigures.count <= 1, comment)
        }
      }
    }
  }

  @Test func `A step of several changes shows again what each has shown again`() async throws {
    let source = try await Self.source()
    let start = await source.revision
    try await source.update(named: "One") { list in
      try list.appendItems([9], toSection: "b")
      try list.reloadItems([1])
      try list.reconfigureSections(["b"])
    }
    try await source.update { try $0.appendItems([7], toSection: "b") }
    try await source.update(named: "Two") { list in
      try list.renameItem(3, to: 30)
      try list.reconfigureItems([2])
    }
    try await source.update { try $0.renameItem(1, to: 11) }
    source.groupUndo(since: start)
    func path(_ item: Int) -> ItemPath { ItemPath(section: 0, item: item) }
    for isUndo in [true, false, true] {
      let made = try #require(try await isUndo ? source.undo(.named) : source.redo(.named))
      let difference = made.difference
      #expect(difference.itemReloads == [path(0)], "\(made)")
      #expect(difference.itemReconfigures == [path(1), path(2)], "\(made)")
      #expect(difference.itemRenames == [path(2)], "\(made)")
      #expect(difference.sectionReconfigures == RangeSet(1..<2), "\(made)")
      let list = made.finalSnapshot
      #expect(list.itemIdentifiers(inSection: "a") == [11, 2, isUndo ? 3 : 30], "\(made)")
      #expect(list.containsItem(7) && list.containsItem(9) == !isUndo, "\(made)")
    }
  }
}
